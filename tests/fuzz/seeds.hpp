#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace scree::fuzz {

/// The files from which the mutations of @p target start: those of its folder in @p corpus; the
/// examples, for configurations; and for HDF5 what scree itself writes to @p work, so that they are
/// of the present format.
std::vector<std::string> seeds(std::string_view target, const std::filesystem::path& corpus,
                               const std::filesystem::path& work);

}  // namespace scree::fuzz
