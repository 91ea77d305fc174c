#pragma once

/// `scree info FILE`: what a file of scree's, or an FCLIB problem, holds.

#include <mpi.h>

#include <filesystem>
#include <string>

namespace scree {

/// A description of @p path in a few lines: a snapshot (sizes, time, ranks, version, arrays with
/// units), a checkpoint (the same, and whether it is whole), an FCLIB problem (kind, sizes,
/// sections), another HDF5 file (its groups and datasets), or one of the tables of a run (rows,
/// columns with units). Not collective.
/// @throws InputError when there is no such file or it is none of these.
std::string describe_file(const std::filesystem::path& path);

/// Prints the description on rank 0. Collective. Gives the exit status.
/// @throws InputError, on all ranks, as describe_file().
int info_command(MPI_Comm comm, const std::filesystem::path& path);

}  // namespace scree
