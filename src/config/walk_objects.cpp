#include <fmt/format.h>

#include <algorithm>

#include "bounds.hpp"
#include "scree/config/suggest.hpp"
#include "walk.hpp"

namespace scree::config {
namespace {

/// The map in which @p value stands under @p key.
Tree map_of(std::string_view key, const Tree& value) {
  Tree map;
  map.kind = Tree::Kind::map;
  map.place = value.place;
  map.entries.push_back({.key = std::string(key), .place = value.place, .value = value});
  return map;
}

}  // namespace

void Walk::read(const Tree& root, const Fill& fill) {
  read_object(root, root.place, "", fill);
  resolve_names();
}

void Walk::nested(std::string_view key, const About& about, const Fill& fill) {
  const Tree* node = take(key, about, "a map of keys");
  if (node == nullptr) return;
  const bool is_number = node->kind == Tree::Kind::scalar && !about.number_for.empty();
  read_object(is_number ? map_of(about.number_for, *node) : *node, entry_place(key), path_of(key),
              fill);
}

void Walk::optional_nested(std::string_view key, const About& about, bool /*present*/,
                           const std::function<void()>& reset, const Fill& fill) {
  const Tree* node = take(key, about, "a map of keys");
  if (node == nullptr) return;
  reset();
  if (node->kind != Tree::Kind::empty) {
    read_object(*node, entry_place(key), path_of(key), fill);
  }
}

void Walk::items(std::string_view key, const About& about, std::size_t /*count*/,
                 const std::function<void(std::size_t)>& restart, const FillItem& fill) {
  each_item(key, about, "a list", restart,
            [&](const Tree& item, const std::string& path, std::size_t i) {
              read_object(item, item.place, path, [&](Declaration& d) { fill(d, i); });
            });
}

void Walk::named_items(std::string_view key, const About& about,
                       const std::vector<std::string>& defaults,
                       const std::function<void(const std::vector<std::string>&)>& restart,
                       const FillItem& fill) {
  std::set<std::string>& known = names_[std::string(key)];
  known.insert(defaults.begin(), defaults.end());
  const Tree* node = take(key, about, "a map from names");
  if (node == nullptr) return;
  const std::string path = path_of(key);
  if (node->kind != Tree::Kind::map && node->kind != Tree::Kind::empty) {
    faults_.add(node->place, path, kind_in_words(*node) + "; allowed: a map from names");
    return;
  }
  const Entries entries = distinct_entries(*node, path);
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

void Walk::choice(std::string_view key, const About& about, std::size_t chosen,
                  const Alternatives& alternatives) {
  if (key.empty()) {
    choose(about.required, chosen, alternatives);
  } else if (const Tree* node = take(key, about, "a map of keys with `type:`")) {
    read_object(*node, entry_place(key), path_of(key),
                [&](Declaration&) { choose(true, chosen, alternatives); });
  }
}

void Walk::choose(bool required, std::size_t standard, const Alternatives& alternatives) {
  std::vector<std::string_view> types;
  for (const Alternative& alternative : alternatives) types.push_back(alternative.type);
  const std::size_t faults = faults_.count();
  const Tree* node = take("type", {.help = {}, .required = required}, "one of " + listed(types));
  std::string type(types[standard]);
  if (node != nullptr) read_word(*node, path_of("type"), types, type);
  if (faults_.count() > faults) {
    frames_.back().check_unknown = false;
    return;
  }
  const auto chosen = std::find(types.begin(), types.end(), type) - types.begin();
  alternatives[chosen].fill(*this);
}

void Walk::read_object(const Tree& node, Place place, const std::string& path, const Fill& fill) {
  if (node.kind != Tree::Kind::map && node.kind != Tree::Kind::empty) {
    faults_.add(node.place, path, kind_in_words(node) + "; allowed: a map of keys");
    return;
  }
  frames_.push_back({node, place, path, faults_.count(), {}});
  const Entries entries = distinct_entries(node, path);
  fill(*this);
  if (frames_.back().check_unknown) refuse_unknown(entries);
  frames_.pop_back();
}

void Walk::refuse_unknown(const Entries& entries) {
  const std::vector<std::string>& keys = frames_.back().declared;
  const std::vector<std::string_view> declared(keys.begin(), keys.end());
  for (const Tree::Entry* entry : entries) {
    if (std::find(declared.begin(), declared.end(), entry->key) != declared.end()) continue;
    faults_.add(entry->place, path_of(entry->key),
                "unknown key; " + suggestion_and_list(entry->key, declared));
  }
}

Walk::Entries Walk::distinct_entries(const Tree& node, const std::string& path) {
  std::map<std::string_view, const Tree::Entry*> seen;
  Entries entries;
  for (const Tree::Entry& entry : node.entries) {
    const auto [first, fresh] = seen.emplace(entry.key, &entry);
    if (fresh) {
      entries.push_back(&entry);
    } else {
      faults_.add(
          entry.place, path.empty() ? entry.key : path + "." + entry.key,
          fmt::format("stands twice, first in line {}; allowed: once", first->second->place.line));
    }
  }
  return entries;
}

void Walk::check_name(const Tree::Entry& entry, const std::string& path) {
  const bool plain = std::all_of(entry.key.begin(), entry.key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
  if (entry.key.empty() || !plain) {
    faults_.add(entry.place, path,
                in_quotes(entry.key) + " is no name; allowed: letters, digits, _ and -");
  }
}

const Tree* Walk::take(std::string_view key, const About& about, std::string_view what) {
  frames_.back().declared.emplace_back(key);
  const Tree::Entry* entry = find(key);
  if (entry != nullptr) return &entry->value;
  if (about.required && !is_excused(about.unless)) {
    faults_.add(frames_.back().place, path_of(key),
                "is missing; allowed: " + allowed_in_words(what, about));
  }
  return nullptr;
}

bool Walk::is_excused(const WordOfKey& unless) const {
  const Tree::Entry* entry = find(unless.key);
  return entry != nullptr && entry->value.kind == Tree::Kind::scalar &&
         entry->value.scalar == unless.word;
}

void Walk::require(std::string_view key, bool holds, std::string_view problem) {
  const Frame& frame = frames_.back();
  if (holds || faults_.count() > frame.faults_before) return;
  const Tree::Entry* entry = find(key);
  faults_.add(entry != nullptr ? place_of(*entry) : frame.place, path_of(key),
              std::string(problem));
}

void Walk::resolve_names() {
  for (const NameUse& use : uses_) {
    const std::set<std::string>& known = names_[use.kind];
    if (known.contains(use.name)) continue;
    const std::vector<std::string_view> names(known.begin(), known.end());
    faults_.add(use.place, use.path,
                fmt::format("{} is none of the {}; {}", in_quotes(use.name), use.kind,
                            suggestion_and_list(use.name, names)));
  }
}

const Tree::Entry* Walk::find(std::string_view key) const {
  const std::vector<Tree::Entry>& entries = frames_.back().node.entries;
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Tree::Entry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &*found;
}
Place Walk::entry_place(std::string_view key) const {
  return place_of(*find(key));
}
std::string Walk::path_of(std::string_view key) const {
  const std::string& path = frames_.back().path;
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

}  // namespace scree::config
