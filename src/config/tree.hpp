#pragma once

/// A YAML document as plain data, in which every key and value knows where it was written. The one
/// door to yaml-cpp: what reads configurations walks this tree.

#include <string>
#include <string_view>
#include <vector>

namespace scree::config {

/// Where something was written: a line of the file, or one of the overrides.
struct Place {
  int line = 1;       ///< number of the line in the file, from 1
  int override = -1;  ///< index of the `--set`; -1: in the file
};

struct Tree {
  enum class Kind { empty, scalar, list, map };
  struct Entry;

  Kind kind = Kind::empty;
  Place place;
  std::string scalar;
  bool quoted = false;         ///< a scalar in quotes is text, whatever it looks like
  std::vector<Tree> items;     ///< items of a list
  std::vector<Entry> entries;  ///< entries of a map, in the order written; a key may stand twice
};

struct Tree::Entry {
  std::string key;
  Place place;
  Tree value;
};

/// Where a key is to be found: an override takes the place of what the file says.
Place place_of(const Tree::Entry& entry);

/// Not collective. @throws InputError `file:line: ...` when @p text is not one YAML document of
/// reasonable depth and size.
Tree parse_yaml(std::string_view text, const std::string& file);

}  // namespace scree::config
