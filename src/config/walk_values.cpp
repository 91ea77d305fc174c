#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "bounds.hpp"
#include "scree/config/suggest.hpp"
#include "value_grid.hpp"
#include "walk.hpp"

namespace scree::config {

std::string listed(std::span<const std::string_view> words) {
  return fmt::format("{}", fmt::join(words.begin(), words.end(), ", "));
}

std::string no_such_file(const std::filesystem::path& file) {
  return fmt::format(
      "there is no file \"{}\"; allowed: a file that exists, its path absolute or relative to the "
      "folder of the YAML file",
      file.string());
}

template <class T, class Words>
bool Walk::assign(const Tree& node, const std::string& path, const Parsed<T>& parsed, T& value,
                  const Words& allowed) {
  if (parsed.value) {
    value = *parsed.value;
    return true;
  }
  faults_.add(node.place, path, parsed.wrong + "; allowed: " + allowed());
  return false;
}

template <class T, class Parse>
void Walk::read_scalar(std::string_view key, const About& about, T& value, std::string_view what,
                       const Parse& parse) {
  const Tree* node = take(key, about, what);
  if (node == nullptr) return;
  assign(*node, path_of(key), parse(*node, about), value,
         [&] { return allowed_in_words(what, about); });
}

template <class T, class Parse>
void Walk::read_list(std::string_view key, const About& about, std::vector<T>& value,
                     std::string_view what, const Parse& parse) {
  each_item(
      key, about, fmt::format("a list, each entry {}", what),
      [&](std::size_t n) { value.assign(n, T{}); },
      [&](const Tree& item, const std::string& path, std::size_t i) {
        assign(item, path, parse(item, about), value[i],
               [&] { return allowed_in_words(what, about); });
      });
}

void Walk::real(std::string_view key, double& value, const About& about) {
  read_scalar(key, about, value, "a number", parse_real);
}
void Walk::real_or(std::string_view word, std::string_view key, std::optional<double>& value,
                   const About& about) {
  const std::string what = fmt::format("`{}`, or a number", word);
  const Tree* node = take(key, about, what);
  if (node == nullptr) return;
  if (node->kind == Tree::Kind::scalar && node->scalar == word) {
    value.reset();
    return;
  }
  double number = 0.0;
  if (assign(*node, path_of(key), parse_real(*node, about), number,
             [&] { return allowed_in_words(what, about); })) {
    value = number;
  }
}
void Walk::integer(std::string_view key, std::int64_t& value, const About& about) {
  read_scalar(key, about, value, "a whole number", parse_integer);
}
void Walk::flag(std::string_view key, bool& value, const About& about) {
  read_scalar(key, about, value, "true or false",
              [](const Tree& node, const About&) { return parse_flag(node); });
}
void Walk::text(std::string_view key, std::string& value, const About& about) {
  read_scalar(key, about, value, "a text",
              [](const Tree& node, const About&) { return parse_text(node); });
}
void Walk::reals(std::string_view key, std::vector<double>& value, const About& about) {
  read_list(key, about, value, "a number", parse_real);
}
void Walk::integers(std::string_view key, std::vector<std::int64_t>& value, const About& about) {
  read_list(key, about, value, "a whole number", parse_integer);
}

void Walk::texts(std::string_view key, std::vector<std::string>& value, const About& about) {
  read_list(key, about, value, "a text",
            [](const Tree& node, const About&) { return parse_text(node); });
}

const Tree* Walk::read_path(std::string_view key, std::filesystem::path& value,
                            const About& about) {
  std::string given;
  const Tree* node = take(key, about, "the name of a file");
  if (node == nullptr ||
      !assign(*node, path_of(key), parse_text(*node), given, [] { return "the name of a file"; })) {
    return nullptr;
  }
  value = given.empty() ? std::filesystem::path{} : located(given, node->place);
  return value.empty() ? nullptr : node;
}

void Walk::path(std::string_view key, std::filesystem::path& value, const About& about) {
  const Tree* node = read_path(key, value, about);
  std::error_code ignored;
  if (node != nullptr && about.must_exist && !std::filesystem::is_regular_file(value, ignored)) {
    faults_.add(node->place, path_of(key), no_such_file(value));
  }
}

template <class Use>
void Walk::use_file(std::string_view key, std::filesystem::path& value, const About& about,
                    const Use& use) {
  const Tree* node = read_path(key, value, about);
  if (node == nullptr) return;
  try {
    use();
  } catch (const InputError& error) {
    faults_.add(node->place, path_of(key), error.what());
  }
}

void Walk::file(std::string_view key, std::filesystem::path& value,
                const std::function<void(std::string_view)>& read, const About& about) {
  use_file(key, value, about, [&] { read(read_file_.bytes(value)); });
}
void Walk::large_file(std::string_view key, std::filesystem::path& value, const std::string& how,
                      const std::function<std::any(std::string_view)>& make,
                      const std::function<void(const std::any&)>& take, const About& about) {
  use_file(key, value, about, [&] { take(read_file_.made(value, how, make)); });
}

void Walk::vector(std::string_view key, Vec3& value, const About& about) {
  if (const Tree* node = take(key, about, "three numbers")) {
    read_triple(*node, path_of(key), about, value);
  }
}
void Walk::vectors(std::string_view key, std::vector<Vec3>& value, const About& about) {
  each_item(
      key, about, "a list of triples of numbers", [&](std::size_t n) { value.resize(n); },
      [&](const Tree& item, const std::string& path, std::size_t i) {
        read_triple(item, path, about, value[i]);
      });
}

void Walk::word(std::string_view key, std::string& value, std::span<const std::string_view> allowed,
                const About& about) {
  const Tree* node = take(key, about, "one of " + listed(allowed));
  if (node != nullptr) read_word(*node, path_of(key), allowed, value);
}
void Walk::words(std::string_view key, std::vector<std::string>& value,
                 std::span<const std::string_view> allowed, const About& about) {
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

void Walk::name_of(std::string_view kind, std::string_view key, std::string& value,
                   const About& about) {
  const Tree* node = take(key, about, fmt::format("the name of one of the {}", kind));
  if (node == nullptr) return;
  const bool none = !about.required && node->kind == Tree::Kind::scalar && node->scalar.empty();
  if (!none) read_name(*node, path_of(key), kind, value);
}
void Walk::names_of(std::string_view kind, std::string_view key, std::vector<std::string>& value,
                    const About& about) {
  std::string what = fmt::format("a list of names of {}", kind);
  if (!about.instead.empty()) {
    const Tree::Entry* entry = find(key);
    if (entry != nullptr && entry->value.kind == Tree::Kind::scalar &&
        entry->value.scalar == about.instead) {
      static_cast<void>(take(key, about, what));
      value = {std::string(about.instead)};
      return;
    }
    what = fmt::format("`{}`, or {}", about.instead, what);
  }
  each_item(
      key, about, what, [&](std::size_t n) { value.assign(n, ""); },
      [&](const Tree& item, const std::string& path, std::size_t i) {
        read_name(item, path, kind, value[i]);
      });
}

std::optional<Walk::Entries> Walk::entries_of_keys(std::string_view key, const About& about) {
  constexpr std::string_view kWhat = "a map from keys to values";
  const Tree* node = take(key, about, kWhat);
  if (node == nullptr) return std::nullopt;
  if (node->kind == Tree::Kind::map || node->kind == Tree::Kind::empty) {
    return distinct_entries(*node, path_of(key));
  }
  faults_.add(node->place, path_of(key),
              fmt::format("{}; allowed: {}", kind_in_words(*node), kWhat));
  return std::nullopt;
}

void Walk::settings(std::string_view key, std::vector<Setting>& value, const About& about) {
  const std::optional<Entries> entries = entries_of_keys(key, about);
  if (!entries) return;
  value.clear();
  for (const Tree::Entry* entry : *entries) {
    const Place place = place_of(*entry);
    value.push_back({.key = entry->key,
                     .value = flow_text(entry->value),
                     .place = faults_.in_words(place),
                     .folder = folder_at(place)});
  }
}

void Walk::values_of_keys(std::string_view key, std::vector<KeyValues>& value, const About& about) {
  const std::optional<Entries> entries = entries_of_keys(key, about);
  if (!entries) return;
  const std::string path = path_of(key);
  value.clear();
  for (const Tree::Entry* entry : *entries) {
    value.push_back({.key = entry->key, .values = {}, .line = entry->place.line});
    assign(entry->value, fmt::format("{}.{}", path, entry->key), parse_values(entry->value),
           value.back().values, [] { return std::string(kValuesInWords); });
  }
}

void Walk::each_item(std::string_view key, const About& about, std::string_view what,
                     const std::function<void(std::size_t)>& restart, const VisitItem& visit) {
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

void Walk::read_triple(const Tree& node, const std::string& path, const About& about, Vec3& value) {
  if (node.kind != Tree::Kind::list || node.items.size() != 3) {
    const std::string wrong = node.kind == Tree::Kind::list
                                  ? fmt::format("has {} entries", node.items.size())
                                  : kind_in_words(node);
    faults_.add(node.place, path, wrong + "; allowed: " + allowed_in_words("three numbers", about));
    return;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    assign(node.items[i], fmt::format("{}.{}", path, i), parse_real(node.items[i], about),
           value[static_cast<Eigen::Index>(i)],
           [&] { return allowed_in_words("a number", about); });
  }
}

void Walk::read_word(const Tree& node, const std::string& path,
                     std::span<const std::string_view> allowed, std::string& value) {
  std::string given;
  if (!assign(node, path, parse_text(node), given, [&] { return "one of " + listed(allowed); }))
    return;
  if (std::find(allowed.begin(), allowed.end(), given) != allowed.end()) {
    value = given;
  } else {
    faults_.add(node.place, path,
                in_quotes(given) + " is unknown; " + suggestion_and_list(given, allowed));
  }
}

void Walk::read_name(const Tree& node, const std::string& path, std::string_view kind,
                     std::string& value) {
  const auto allowed = [&] { return fmt::format("the name of one of the {}", kind); };
  if (assign(node, path, parse_text(node), value, allowed)) {
    uses_.push_back({std::string(kind), node.place, path, value});
  }
}

std::filesystem::path Walk::folder_at(Place place) const {
  if (place.override < 0) return folder_;
  const std::filesystem::path& folder = overrides_[place.override].folder;
  return folder.empty() ? std::filesystem::current_path() : folder;
}

std::filesystem::path Walk::located(const std::filesystem::path& given, Place place) const {
  return (folder_at(place) / given).lexically_normal();
}

}  // namespace scree::config
