#pragma once

/// The values of a key of a sweep, out of a tree: a list, or a grid of numbers
/// (config/key_values.hpp).

#include <string>
#include <string_view>
#include <vector>

#include "scalars.hpp"
#include "tree.hpp"

namespace scree::config {

/// The forms in which the values of a key may be written.
inline constexpr std::string_view kValuesInWords =
    "a list of values, {linear: [first, last, count]}, {log: [first, last, count]} or {range: "
    "[first, last, step]}";

/// The values that @p node stands for, or what is wrong with it.
Parsed<std::vector<std::string>> parse_values(const Tree& node);

/// @p tree as YAML on one line, which reads back as the same.
std::string flow_text(const Tree& tree);

}  // namespace scree::config
