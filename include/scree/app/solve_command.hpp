#pragma once

/// `scree solve PROBLEM.hdf5`: one problem from a file through the solvers and the error measure
/// that a run uses.

#include <mpi.h>

#include <filesystem>
#include <string>

#include "scree/problem/contact_problem.hpp"
#include "scree/solver/options.hpp"

namespace scree {

struct SolveArguments {
  std::filesystem::path file;
  FrictionLaw friction = FrictionLaw::coulomb;
  SolverOptions options;
  std::filesystem::path report;  ///< JSON, with the history; empty: none
  std::filesystem::path output;  ///< the problem with its /solution group; empty: none
  bool quiet = false;            ///< no table
};

/// Collective. Prints a table on rank 0. @returns the exit status: 0 solved, 1 not converged.
/// @throws InputError when the file, the solver or a path to write is not right.
int solve_command(MPI_Comm comm, const SolveArguments& arguments);

}  // namespace scree
