#pragma once

/// `scree solve PROBLEM.hdf5`: one problem from a file through the solvers and the error measure
/// that a run uses.

#include <mpi.h>

#include <filesystem>

#include "scree/config/reader.hpp"

namespace scree {

struct SolveArguments {
  std::filesystem::path file;
  Overrides overrides;           ///< `solver.KEY=value` each
  bool replay = false;           ///< take the keys and the start of the run that wrote the file
  std::filesystem::path report;  ///< JSON, with the history; empty: none
  std::filesystem::path output;  ///< the problem with its /solution group; empty: none
  bool quiet = false;            ///< no table
};

/// Collective. Prints a table on rank 0. @returns the exit status: 0 solved, 1 not converged.
/// Without `replay` the solve starts from zero with the default keys.
/// @throws InputError when the file, a key or a path to write is not right, or the file does not
/// say what `replay` asks for.
int solve_command(MPI_Comm comm, const SolveArguments& arguments);

}  // namespace scree
