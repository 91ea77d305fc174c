#pragma once

/// Single values out of a tree: each function gives the value, or says what is wrong with it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scree/config/declaration.hpp"
#include "tree.hpp"

namespace scree::config {

/// Either a value, or what is wrong.
template <class T>
struct Parsed {
  std::optional<T> value;
  std::string wrong;
};

/// A finite number within bounds.
Parsed<double> parse_real(const Tree& node, const About& about);
/// A whole number within bounds; 5e3 and 2.0 are whole, 1.5 is not.
Parsed<std::int64_t> parse_integer(const Tree& node, const About& about);
/// `true` or `false`.
Parsed<bool> parse_flag(const Tree& node);
/// Any single value, taken as text.
Parsed<std::string> parse_text(const Tree& node);

/// `is a list`, `is empty`, ...: for a value of another kind than expected.
std::string kind_in_words(const Tree& node);
/// @p text in quotes, shortened, without control characters.
std::string in_quotes(std::string_view text);

}  // namespace scree::config
