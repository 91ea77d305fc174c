#include "override.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include "scree/base/check.hpp"
#include "scree/config/key_values.hpp"
#include "value_grid.hpp"

namespace scree::config {
namespace {

/// One step down a document: by a key or a number, or by the names in brackets.
struct Word {
  std::string text;  ///< as it was given
  bool in_brackets = false;
};

/// `a[b,c.d].e` is a, [b,c.d] and e. Says what is wrong with @p path in @p problem.
std::vector<Word> words_of(std::string_view path, std::string& problem) {
  std::vector<Word> words;
  while (problem.empty()) {
    const std::size_t end = std::min(path.find_first_of(".["), path.size());
    if (end == 0) problem = "has an empty key";
    words.push_back({std::string(path.substr(0, end)), false});
    path.remove_prefix(end);
    while (path.starts_with('[') && problem.empty()) {
      const std::size_t close = std::min(path.find(']'), path.size());
      if (close == path.size()) problem = "has a bracket that is not closed";
      words.push_back({std::string(path.substr(1, close - 1)), true});
      path.remove_prefix(std::min(close + 1, path.size()));
    }
    if (path.empty()) break;
    if (path[0] != '.') problem = "has a bracket that is followed by no dot";
    path.remove_prefix(1);
  }
  return words;
}

std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string_view name = text.substr(0, comma);
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    names.emplace_back(name);
    if (comma == text.size()) break;
    text.remove_prefix(comma + 1);
  }
  std::ranges::sort(names);
  return names;
}

std::optional<std::size_t> as_index(std::string_view word) {
  std::size_t index = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), index);
  if (code != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return index;
}

/// The names that @p value is: one, or a list of them, in alphabetical order; none where it is
/// neither.
std::vector<std::string> names_held(const Tree& value) {
  if (value.kind == Tree::Kind::scalar) return {value.scalar};
  std::vector<std::string> names;
  for (const Tree& item : value.items) {
    if (item.kind != Tree::Kind::scalar) return {};
    names.push_back(item.scalar);
  }
  std::ranges::sort(names);
  return names;
}

bool holds(const Tree& entry, const std::vector<std::string>& names) {
  return std::ranges::any_of(
      entry.entries, [&names](const Tree::Entry& each) { return names_held(each.value) == names; });
}

Tree* by_index(Tree& list, std::string_view word, std::string& problem) {
  const auto index = as_index(word);
  if (index && *index < list.items.size()) return &list.items[*index];
  problem = fmt::format("\"{}\" is no entry of a list; allowed: 0 to {}", word,
                        static_cast<std::ptrdiff_t>(list.items.size()) - 1);
  if (list.items.empty()) problem = fmt::format("\"{}\" is no entry of an empty list", word);
  return nullptr;
}

Tree* by_names(Tree& list, std::string_view text, std::string& problem) {
  const std::vector<std::string> names = names_in(text);
  std::vector<Tree*> found;
  for (Tree& item : list.items) {
    if (holds(item, names)) found.push_back(&item);
  }
  if (found.size() == 1) return found.front();
  problem = fmt::format(
      "[{}] is held by {} entries of the list; allowed: the names that one entry holds, or its "
      "number, 0 to {}",
      text, found.empty() ? "no" : std::to_string(found.size()),
      static_cast<std::ptrdiff_t>(list.items.size()) - 1);
  return nullptr;
}

Tree* by_key(Tree& tree, std::string_view word, Place place) {
  tree.kind = Tree::Kind::map;
  const auto found = std::ranges::find(tree.entries, word, &Tree::Entry::key);
  if (found != tree.entries.end()) return &found->value;
  Tree fresh;
  fresh.place = place;
  tree.entries.push_back({std::string(word), place, std::move(fresh)});
  return &tree.entries.back().value;
}

/// The value that @p word leads to from @p tree, made when it is not there; null with @p problem
/// set when there can be none.
Tree* descend(Tree& tree, const Word& word, Place place, std::string& problem) {
  const bool by_number = !word.in_brackets || as_index(word.text);
  if (tree.kind == Tree::Kind::list) {
    return by_number ? by_index(tree, word.text, problem) : by_names(tree, word.text, problem);
  }
  if (word.in_brackets) {
    problem = fmt::format("[{}] stands under what is no list; allowed: keys, a.b.c", word.text);
    return nullptr;
  }
  if (tree.kind == Tree::Kind::scalar) {
    problem =
        fmt::format("\"{}\" stands under \"{}\", which is a single value", word.text, tree.scalar);
    return nullptr;
  }
  return by_key(tree, word.text, place);
}

/// The value that @p key leads to from @p root; null, with @p problem set, where there can be none.
Tree* follow(Tree& root, std::string_view key, Place place, std::string& problem) {
  Tree* target = &root;
  for (const Word& word : words_of(key, problem)) {
    if (problem.empty()) target = descend(*target, word, place, problem);
  }
  return problem.empty() ? target : nullptr;
}

void set_place(Tree& tree, Place place) {
  tree.place = place;
  for (Tree& item : tree.items) set_place(item, place);
  for (Tree::Entry& entry : tree.entries) {
    entry.place = place;
    set_place(entry.value, place);
  }
}

}  // namespace

std::string apply_override(Tree& root, const Override& override, int index) {
  const std::string_view assignment = override.assignment;
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0) return "is not of the form key.key=value";
  const Place place{.line = 1, .override = index};
  Tree value;
  try {
    value = parse_yaml(assignment.substr(equals + 1), "value");
  } catch (const InputError& error) {
    return error.what();
  }
  set_place(value, place);
  std::string problem;
  Tree* const target = follow(root, assignment.substr(0, equals), place, problem);
  if (target != nullptr) *target = std::move(value);
  return problem;
}

}  // namespace scree::config

namespace scree {

std::string value_in_line(std::string_view text, std::string_view key) {
  constexpr config::Place kNoPlace{.line = 0};  // of a value that is made on the way
  config::Tree root = config::parse_yaml(text, "the configuration");
  std::string problem;
  const config::Tree* const value = config::follow(root, key, kNoPlace, problem);
  if (value != nullptr && value->place.line != kNoPlace.line) return config::flow_text(*value);
  throw InputError(
      fmt::format("{}: {}", key, problem.empty() ? "there is no such value" : problem));
}

}  // namespace scree
