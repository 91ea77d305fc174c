#pragma once

#include <string>
#include <string_view>

namespace scree {

/// @p text with what XML and HTML read as their own (&, <, >, ") escaped. Not collective.
std::string escaped(std::string_view text);

}  // namespace scree
