#pragma once

/// A sweep on one page of HTML.

#include <filesystem>
#include <string>

namespace scree {

/// Does the folder hold results of a sweep?
bool is_sweep_folder(const std::filesystem::path& folder);

/// The page: how many cases are done, each observable over each parameter that takes several
/// numbers, and a table of the cases. In a plot the other parameters tell curves apart, where these
/// are not too many; repeats are a mean with the least and the largest as a bar. HTML that needs no
/// other file. Not collective.
/// @throws InputError when a file of the sweep cannot be read.
std::string sweep_page(const std::filesystem::path& folder);

}  // namespace scree
