#pragma once

/// The files that a configuration names and that are read with it: from the disk on rank 0 alone,
/// so that every rank has the same.

#include <mpi.h>

#include <filesystem>
#include <map>
#include <string>

#include "scree/config/reader.hpp"

namespace scree {

/// Files by the names that the configuration resolves to, and their bytes.
using NamedFiles = std::map<std::filesystem::path, std::string>;

/// Reads from the disk what is not in @p files yet, and keeps it there. Valid as long as @p files.
ReadFile recorded(NamedFiles& files);

/// Gives what is in @p files. Valid as long as they. @throws InputError for another.
ReadFile from(const NamedFiles& files);

/// Gives every rank those of rank 0. Collective.
NamedFiles broadcast(MPI_Comm comm, NamedFiles files);

}  // namespace scree
