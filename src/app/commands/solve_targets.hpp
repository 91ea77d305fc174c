#pragma once

/// The files that `scree solve` writes: whether they can be written, and to where.

#include <mpi.h>

#include <filesystem>
#include <string>

#include "scree/app/commands/solve_command.hpp"

namespace scree {

/// The file that @p path names, behind links; itself where that has no path, as a pipe. Not
/// collective.
std::filesystem::path target_of(const std::filesystem::path& path);

/// Collective. Refuses before the solve what could not, or must not, be written after it. @throws
/// InputError
void check_writable(MPI_Comm comm, const SolveArguments& arguments);

/// Writes @p text to @p path: a file as a whole, a device or a pipe as it is. Not collective.
/// @throws Failure
void write_report(const std::filesystem::path& path, const std::string& text);

}  // namespace scree
