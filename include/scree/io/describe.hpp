#pragma once

#include <filesystem>
#include <string>

namespace scree {

/// The content of an HDF5 file, in lines: a snapshot, a checkpoint, an FCLIB problem, or any other.
/// Not collective.
/// @throws InputError when there is no such file or it is not HDF5.
std::string describe_hdf5(const std::filesystem::path& path);

}  // namespace scree
