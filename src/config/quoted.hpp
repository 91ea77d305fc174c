#pragma once

/// Texts as YAML writes them.

#include <string>
#include <string_view>

namespace scree::config {

/// @p text in double quotes, with what YAML reads as its own escaped.
std::string double_quoted(std::string_view text);

/// Does @p text, without quotes, read back as the same scalar wherever it stands? So it is with
/// words and numbers.
bool reads_as_is(std::string_view text);

/// @p text with a mark for each NUL, at which a message would end.
std::string printable(std::string text);

}  // namespace scree::config
