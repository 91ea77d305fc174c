#pragma once

#include <string_view>

namespace scree {

/// Version of the project, as `0.1.0`.
std::string_view version();

/// The commit that the program was configured from; `unknown` outside a repository.
std::string_view git_hash();

}  // namespace scree
