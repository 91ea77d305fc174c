#include "scree/config/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <system_error>

#include "bounds.hpp"
#include "faults.hpp"
#include "scalars.hpp"
#include "scree/config/suggest.hpp"
#include "tree.hpp"

namespace scree {
namespace {

using config::allowed_in_words;
using config::Faults;
using config::in_quotes;
using config::kind_in_words;
using config::Parsed;
using config::Place;
using config::Tree;

std::vector<std::string_view> views(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

class Reader final : public Declaration {
 public:
  Reader(Faults& faults, std::filesystem::path folder)
      : faults_(faults), folder_(std::move(folder)) {}

  void read(const Tree& root, const Fill& fill) {
    read_object(root, root.place, "", fill);
    resolve_names();
  }

  void real(std::string_view key, double& value, const About& about) override {
    read_scalar(key, about, value, "a number", config::parse_real);
  }
  void integer(std::string_view key, std::int64_t& value, const About& about) override {
    read_scalar(key, about, value, "a whole number", config::parse_integer);
  }
  void flag(std::string_view key, bool& value, const About& about) override {
    read_scalar(key, about, value, "true or false",
                [](const Tree& node, const About&) { return config::parse_flag(node); });
  }
  void text(std::string_view key, std::string& value, const About& about) override {
    read_scalar(key, about, value, "a text",
                [](const Tree& node, const About&) { return config::parse_text(node); });
  }
  void reals(std::string_view key, std::vector<double>& value, const About& about) override {
    read_list(key, about, value, "a number", config::parse_real);
  }
  void integers(std::string_view key, std::vector<std::int64_t>& value,
                const About& about) override {
    read_list(key, about, value, "a whole number", config::parse_integer);
  }

  void path(std::string_view key, std::filesystem::path& value, const About& about) override {
    std::string given;
    const Tree* node = take(key, about, "the name of a file");
    if (node == nullptr ||
        !assign(*node, path_of(key), config::parse_text(*node), given, "the name of a file")) {
      return;
    }
    value = given.empty() ? std::filesystem::path{} : located(given, node->place);
    std::error_code ignored;
    if (about.must_exist && !value.empty() && !std::filesystem::is_regular_file(value, ignored)) {
      faults_.add(node->place, path_of(key),
                  fmt::format("there is no file \"{}\"; allowed: a file that exists, its path "
                              "absolute or relative to the folder of the YAML file",
                              value.string()));
    }
  }

  void vector(std::string_view key, Vec3& value, const About& about) override {
    if (const Tree* node = take(key, about, "three numbers")) {
      read_triple(*node, path_of(key), about, value);
    }
  }
  void vectors(std::string_view key, std::vector<Vec3>& value, const About& about) override {
    each_item(
        key, about, "a list of triples of numbers", [&](std::size_t n) { value.resize(n); },
        [&](const Tree& item, const std::string& path, std::size_t i) {
          read_triple(item, path, about, value[i]);
        });
  }

  void word(std::string_view key, std::string& value, std::span<const std::string_view> allowed,
            const About& about) override {
    const Tree* node = take(key, about, "one of " + listed(allowed));
    if (node != nullptr) read_word(*node, path_of(key), allowed, value);
  }
  void words(std::string_view key, std::vector<std::string>& value,
             std::span<const std::string_view> allowed, const About& about) override {
    each_item(
        key, about, "a list of " + listed(allowed), [&](std::size_t n) { value.assign(n, ""); },
        [&](const Tree& item, const std::string& path, std::size_t i) {
          read_word(item, path, allowed, value[i]);
          const auto end = value.begin() + static_cast<std::ptrdiff_t>(i);
          if (!value[i].empty() && std::find(value.begin(), end, value[i]) != end) {
            faults_.add(item.place, path, in_quotes(value[i]) + " stands twice; allowed: once");
          }
        });
  }

  void name_of(std::string_view kind, std::string_view key, std::string& value,
               const About& about) override {
    const Tree* node = take(key, about, fmt::format("the name of one of the {}", kind));
    if (node != nullptr) read_name(*node, path_of(key), kind, value);
  }
  void names_of(std::string_view kind, std::string_view key, std::vector<std::string>& value,
                const About& about) override {
    each_item(
        key, about, fmt::format("a list of names of {}", kind),
        [&](std::size_t n) { value.assign(n, ""); },
        [&](const Tree& item, const std::string& path, std::size_t i) {
          read_name(item, path, kind, value[i]);
        });
  }

  void require(std::string_view key, bool holds, std::string_view problem) override {
    const Frame& frame = frames_.back();
    if (holds || faults_.count() > frame.faults_before) return;
    const Tree::Entry* entry = find(key);
    faults_.add(entry != nullptr ? place_of(*entry) : frame.place, path_of(key),
                std::string(problem));
  }

 private:
  /// The object being read.
  struct Frame {
    const Tree& node;
    Place place;
    std::string path;
    std::size_t faults_before;
    std::vector<std::string> declared;
    bool check_unknown = true;  ///< false when a wrong `type:` leaves open which keys belong here
  };
  struct NameUse {
    std::string kind;
    Place place;
    std::string path;
    std::string name;
  };

  void nested(std::string_view key, const About& about, const Fill& fill) override {
    if (const Tree* node = take(key, about, "a map of keys")) {
      read_object(*node, entry_place(key), path_of(key), fill);
    }
  }

  void optional_nested(std::string_view key, const About& about, bool /*present*/,
                       const std::function<void()>& reset, const Fill& fill) override {
    const Tree* node = take(key, about, "a map of keys");
    if (node == nullptr) return;
    reset();
    if (node->kind != Tree::Kind::empty) {
      read_object(*node, entry_place(key), path_of(key), fill);
    }
  }

  void items(std::string_view key, const About& about, std::size_t /*count*/,
             const std::function<void(std::size_t)>& restart, const FillItem& fill) override {
    each_item(key, about, "a list", restart,
              [&](const Tree& item, const std::string& path, std::size_t i) {
                read_object(item, item.place, path, [&](Declaration& d) { fill(d, i); });
              });
  }

  void named_items(std::string_view key, const About& about,
                   const std::vector<std::string>& defaults,
                   const std::function<void(const std::vector<std::string>&)>& restart,
                   const FillItem& fill) override {
    std::set<std::string>& known = names_[std::string(key)];
    known.insert(defaults.begin(), defaults.end());
    const Tree* node = take(key, about, "a map from names");
    if (node == nullptr) return;
    const std::string path = path_of(key);
    if (node->kind != Tree::Kind::map && node->kind != Tree::Kind::empty) {
      faults_.add(node->place, path, kind_in_words(*node) + "; allowed: a map from names");
      return;
    }
    const std::vector<const Tree::Entry*> entries = distinct_entries(*node, path);
    std::vector<std::string> given;
    for (const Tree::Entry* entry : entries) {
      given.push_back(entry->key);
      check_name(*entry, path + "." + entry->key);
    }
    known = {given.begin(), given.end()};
    restart(given);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      read_object(entries[i]->value, entries[i]->place, path + "." + given[i],
                  [&](Declaration& d) { fill(d, i); });
    }
  }

  void choice(std::string_view key, const About& about, std::size_t /*chosen*/,
              const Alternatives& alternatives) override {
    if (key.empty()) {
      choose(about.required, alternatives);
    } else if (const Tree* node = take(key, about, "a map of keys with `type:`")) {
      read_object(*node, entry_place(key), path_of(key),
                  [&](Declaration&) { choose(true, alternatives); });
    }
  }

  /// Reads `type` in the present object and lets the alternative of that name read the rest.
  void choose(bool required, const Alternatives& alternatives) {
    std::vector<std::string_view> types;
    for (const Alternative& alternative : alternatives) types.push_back(alternative.type);
    const std::size_t faults = faults_.count();
    const Tree* node = take("type", {.help = {}, .required = required}, "one of " + listed(types));
    std::string type;
    if (node != nullptr) read_word(*node, path_of("type"), types, type);
    if (faults_.count() > faults) frames_.back().check_unknown = false;
    const auto chosen =
        std::find_if(alternatives.begin(), alternatives.end(),
                     [&](const Alternative& alternative) { return alternative.type == type; });
    if (chosen != alternatives.end()) chosen->fill(*this);
  }

  void read_object(const Tree& node, Place place, const std::string& path, const Fill& fill) {
    if (node.kind != Tree::Kind::map && node.kind != Tree::Kind::empty) {
      faults_.add(node.place, path, kind_in_words(node) + "; allowed: a map of keys");
      return;
    }
    frames_.push_back({node, place, path, faults_.count(), {}});
    const std::vector<const Tree::Entry*> entries = distinct_entries(node, path);
    fill(*this);
    if (frames_.back().check_unknown) refuse_unknown(entries);
    frames_.pop_back();
  }

  void refuse_unknown(const std::vector<const Tree::Entry*>& entries) {
    const std::vector<std::string_view> declared = views(frames_.back().declared);
    for (const Tree::Entry* entry : entries) {
      if (std::find(declared.begin(), declared.end(), entry->key) != declared.end()) continue;
      faults_.add(entry->place, path_of(entry->key),
                  "unknown key; " + suggestion_and_list(entry->key, declared));
    }
  }

  /// The entries of a map without those whose key stood before, which are faults.
  std::vector<const Tree::Entry*> distinct_entries(const Tree& node, const std::string& path) {
    std::map<std::string_view, const Tree::Entry*> seen;
    std::vector<const Tree::Entry*> entries;
    for (const Tree::Entry& entry : node.entries) {
      const auto [first, fresh] = seen.emplace(entry.key, &entry);
      if (fresh) {
        entries.push_back(&entry);
      } else {
        faults_.add(entry.place, path.empty() ? entry.key : path + "." + entry.key,
                    fmt::format("stands twice, first in line {}; allowed: once",
                                first->second->place.line));
      }
    }
    return entries;
  }

  void check_name(const Tree::Entry& entry, const std::string& path) {
    const bool plain = std::all_of(entry.key.begin(), entry.key.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '_' || c == '-';
    });
    if (entry.key.empty() || !plain) {
      faults_.add(entry.place, path,
                  in_quotes(entry.key) + " is no name; allowed: letters, digits, _ and -");
    }
  }

  /// The value under @p key of the present object, or null: then a required key is a fault.
  const Tree* take(std::string_view key, const About& about, std::string_view what) {
    frames_.back().declared.emplace_back(key);
    const Tree::Entry* entry = find(key);
    if (entry != nullptr) return &entry->value;
    if (about.required) {
      faults_.add(frames_.back().place, path_of(key),
                  "is missing; allowed: " + allowed_in_words(what, about));
    }
    return nullptr;
  }

  template <class T, class Parse>
  void read_scalar(std::string_view key, const About& about, T& value, std::string_view what,
                   const Parse& parse) {
    const Tree* node = take(key, about, what);
    if (node == nullptr) return;
    assign(*node, path_of(key), parse(*node, about), value, allowed_in_words(what, about));
  }

  template <class T, class Parse>
  void read_list(std::string_view key, const About& about, std::vector<T>& value,
                 std::string_view what, const Parse& parse) {
    each_item(
        key, about, fmt::format("a list, each entry {}", what),
        [&](std::size_t n) { value.assign(n, T{}); },
        [&](const Tree& item, const std::string& path, std::size_t i) {
          assign(item, path, parse(item, about), value[i], allowed_in_words(what, about));
        });
  }

  /// Visits the items of the list under @p key: `visit(item, path, index)`.
  template <class Restart, class Visit>
  void each_item(std::string_view key, const About& about, std::string_view what,
                 const Restart& restart, const Visit& visit) {
    const Tree* node = take(key, about, what);
    if (node == nullptr) return;
    const std::string allowed =
        allowed_in_words(what, about) +
        (about.count > 0 ? fmt::format(", {} entries", about.count) : std::string{});
    if (node->kind != Tree::Kind::list && node->kind != Tree::Kind::empty) {
      faults_.add(node->place, path_of(key), kind_in_words(*node) + "; allowed: " + allowed);
      return;
    }
    if (about.count > 0 && node->items.size() != about.count) {
      faults_.add(node->place, path_of(key),
                  fmt::format("has {} entries; allowed: {}", node->items.size(), allowed));
      return;
    }
    restart(node->items.size());
    for (std::size_t i = 0; i < node->items.size(); ++i) {
      visit(node->items[i], fmt::format("{}.{}", path_of(key), i), i);
    }
  }

  void read_triple(const Tree& node, const std::string& path, const About& about, Vec3& value) {
    const std::string allowed = allowed_in_words("three numbers", about);
    if (node.kind != Tree::Kind::list || node.items.size() != 3) {
      const std::string wrong = node.kind == Tree::Kind::list
                                    ? fmt::format("has {} entries", node.items.size())
                                    : kind_in_words(node);
      faults_.add(node.place, path, wrong + "; allowed: " + allowed);
      return;
    }
    for (std::size_t i = 0; i < 3; ++i) {
      assign(node.items[i], fmt::format("{}.{}", path, i), config::parse_real(node.items[i], about),
             value[static_cast<Eigen::Index>(i)], allowed_in_words("a number", about));
    }
  }

  void read_word(const Tree& node, const std::string& path,
                 std::span<const std::string_view> allowed, std::string& value) {
    std::string given;
    if (!assign(node, path, config::parse_text(node), given, "one of " + listed(allowed))) return;
    if (std::find(allowed.begin(), allowed.end(), given) != allowed.end()) {
      value = given;
    } else {
      faults_.add(node.place, path,
                  in_quotes(given) + " is unknown; " + suggestion_and_list(given, allowed));
    }
  }

  void read_name(const Tree& node, const std::string& path, std::string_view kind,
                 std::string& value) {
    const std::string allowed = fmt::format("the name of one of the {}", kind);
    if (assign(node, path, config::parse_text(node), value, allowed)) {
      uses_.push_back({std::string(kind), node.place, path, value});
    }
  }

  void resolve_names() {
    for (const NameUse& use : uses_) {
      const std::set<std::string>& known = names_[use.kind];
      if (known.contains(use.name)) continue;
      const std::vector<std::string_view> names(known.begin(), known.end());
      faults_.add(use.place, use.path,
                  fmt::format("{} is none of the {}; {}", in_quotes(use.name), use.kind,
                              suggestion_and_list(use.name, names)));
    }
  }

  template <class T>
  bool assign(const Tree& node, const std::string& path, const Parsed<T>& parsed, T& value,
              const std::string& allowed) {
    if (parsed.value) {
      value = *parsed.value;
      return true;
    }
    faults_.add(node.place, path, parsed.wrong + "; allowed: " + allowed);
    return false;
  }

  static std::string listed(std::span<const std::string_view> words) {
    return fmt::format("{}", fmt::join(words.begin(), words.end(), ", "));
  }

  std::filesystem::path located(const std::filesystem::path& given, Place place) const {
    const std::filesystem::path base =
        place.override < 0 ? folder_ : std::filesystem::current_path();
    return (base / given).lexically_normal();
  }

  const Tree::Entry* find(std::string_view key) const {
    const std::vector<Tree::Entry>& entries = frames_.back().node.entries;
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const Tree::Entry& entry) { return entry.key == key; });
    return found == entries.end() ? nullptr : &*found;
  }
  static Place place_of(const Tree::Entry& entry) {
    return entry.value.place.override >= 0 ? entry.value.place : entry.place;
  }
  Place entry_place(std::string_view key) const { return place_of(*find(key)); }
  std::string path_of(std::string_view key) const {
    const std::string& path = frames_.back().path;
    return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
  }

  Faults& faults_;
  std::filesystem::path folder_;
  std::vector<Frame> frames_;
  std::map<std::string, std::set<std::string>, std::less<>> names_;
  std::vector<NameUse> uses_;
};

}  // namespace

void read_declared(std::string_view text, const std::filesystem::path& file,
                   const Overrides& overrides, const std::function<void(Declaration&)>& declare) {
  Tree root = config::parse_yaml(text, file.string());
  Faults faults(file.string(), overrides);
  if (root.kind == Tree::Kind::scalar || root.kind == Tree::Kind::list) {
    faults.add(root.place, "", kind_in_words(root) + "; allowed: a map of keys");
    faults.throw_if_any();
  }
  for (std::size_t i = 0; i < overrides.size(); ++i) {
    const int index = static_cast<int>(i);
    const std::string wrong = config::apply_override(root, overrides[i], index);
    if (!wrong.empty()) faults.add({.line = 1, .override = index}, "", wrong);
  }
  Reader reader(faults, std::filesystem::absolute(file).parent_path());
  reader.read(root, declare);
  faults.throw_if_any();
}

std::string read_text_file(const std::filesystem::path& file) {
  std::error_code ignored;
  std::ifstream stream(file, std::ios::binary);
  if (!stream || std::filesystem::is_directory(file, ignored)) {
    throw InputError(fmt::format("{}: cannot be read; allowed: a YAML file", file.string()));
  }
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace scree
