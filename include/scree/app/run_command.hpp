#pragma once

#include <mpi.h>

#include <filesystem>
#include <string>
#include <vector>

namespace scree {

/// What `scree run` is asked.
struct RunArguments {
  std::filesystem::path config;
  std::vector<std::string> overrides;  ///< `a.b.c=value` each
  std::filesystem::path output;        ///< replaces output.directory; empty: as the file says
  bool quiet = false;
  bool verbose = false;
};

/// Runs a simulation to its end. Collective. Returns the exit status 0.
/// @throws InputError before anything is written when the input is wrong, Failure while running.
int run_command(MPI_Comm comm, const RunArguments& arguments);

}  // namespace scree
