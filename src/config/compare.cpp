#include "scree/config/compare.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tree.hpp"

namespace scree {
namespace {

using config::Tree;

/// A tree in one line.
std::string in_words(const Tree* tree) {
  if (tree == nullptr) return {};
  std::vector<std::string> words;
  switch (tree->kind) {
    case Tree::Kind::empty:
      return "null";
    case Tree::Kind::scalar:
      return tree->scalar;
    case Tree::Kind::list:
      for (const Tree& item : tree->items) words.push_back(in_words(&item));
      return fmt::format("[{}]", fmt::join(words, ", "));
    case Tree::Kind::map:
      for (const auto& entry : tree->entries) {
        words.push_back(fmt::format("{}: {}", entry.key, in_words(&entry.value)));
      }
      return fmt::format("{{{}}}", fmt::join(words, ", "));
  }
  return {};
}

const Tree* find(const Tree& map, std::string_view key) {
  const auto found = std::find_if(map.entries.begin(), map.entries.end(),
                                  [key](const Tree::Entry& entry) { return entry.key == key; });
  return found == map.entries.end() ? nullptr : &found->value;
}

std::vector<std::string_view> keys_of(const Tree& map) {
  std::vector<std::string_view> keys;
  for (const auto& entry : map.entries) keys.push_back(entry.key);
  return keys;
}

class Comparison {
 public:
  std::vector<Difference> take() { return std::move(found_); }

  /// Either may be null: absent.
  void compare(const std::string& path, const Tree* before, const Tree* after) {
    const bool maps = before != nullptr && after != nullptr && before->kind == Tree::Kind::map &&
                      after->kind == Tree::Kind::map;
    if (!maps) {
      std::string a = in_words(before);
      std::string b = in_words(after);
      if (a != b) found_.push_back({path, std::move(a), std::move(b)});
    } else if (in_other_order(*before, *after)) {
      found_.push_back({path, fmt::format("{}", fmt::join(keys_of(*before), ", ")),
                        fmt::format("{}", fmt::join(keys_of(*after), ", "))});
    } else {
      compare_maps(path, *before, *after);
    }
  }

 private:
  static bool in_other_order(const Tree& before, const Tree& after) {
    std::vector<std::string_view> a = keys_of(before);
    std::vector<std::string_view> b = keys_of(after);
    if (a == b) return false;
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    return a == b;
  }

  void compare_maps(const std::string& path, const Tree& before, const Tree& after) {
    const std::string prefix = path.empty() ? "" : path + ".";
    for (const auto& entry : before.entries) {
      compare(prefix + entry.key, &entry.value, find(after, entry.key));
    }
    for (const auto& entry : after.entries) {
      if (find(before, entry.key) == nullptr) compare(prefix + entry.key, nullptr, &entry.value);
    }
  }

  std::vector<Difference> found_;
};

}  // namespace

std::vector<Difference> differences(std::string_view before, std::string_view after) {
  const Tree a = config::parse_yaml(before, "the earlier configuration");
  const Tree b = config::parse_yaml(after, "the present configuration");
  Comparison comparison;
  comparison.compare("", &a, &b);
  return comparison.take();
}

}  // namespace scree
