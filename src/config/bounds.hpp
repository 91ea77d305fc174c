#pragma once

/// The values that a key allows, in words and as a test: shared by the reader, the schema and the
/// reference.

#include <string>
#include <string_view>

#include "scree/config/declaration.hpp"

namespace scree::config {

bool within(double value, const About& about);

/// `above 0`, `at least 0 and at most 1`; empty where there is no bound.
std::string bounds_in_words(const About& about);

/// @p what, @p separator, then bounds and unit: `a number above 0, in m/s`.
std::string allowed_in_words(std::string_view what, const About& about,
                             std::string_view separator = " ");

}  // namespace scree::config
