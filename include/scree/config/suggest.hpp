#pragma once

/// Help with misspelt words: the legal word that is nearest to what was written.
///
/// Nearness is the restricted Damerau-Levenshtein distance (insertion, deletion, substitution and
/// exchange of neighbours cost 1), blind to case. A word is near when its distance is at most a
/// third of the longer length, rounded up.

#include <span>
#include <string>
#include <string_view>

namespace scree {

/// The word of @p known nearest to @p word; empty when none is near. Of several, the first.
std::string_view nearest_word(std::string_view word, std::span<const std::string_view> known);

/// `did you mean "nsgs"?`, or an empty text when no known word is near.
std::string suggestion(std::string_view word, std::span<const std::string_view> known);

/// The part of a message about @p word, which is none of @p known: the suggestion, if any, then
/// `allowed: a, b, c`.
std::string suggestion_and_list(std::string_view word, std::span<const std::string_view> known);

}  // namespace scree
