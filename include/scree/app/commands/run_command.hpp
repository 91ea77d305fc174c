#pragma once

#include <mpi.h>

#include <filesystem>
#include <string>

#include "scree/config/reader.hpp"

namespace scree {

/// Arguments of `scree run`.
struct RunArguments {
  std::filesystem::path config;
  Overrides overrides;
  std::filesystem::path output;  ///< replaces output.directory; empty: as the file says
  std::string restart;           ///< a checkpoint or `latest`; empty: from the beginning
  double wall_limit = 0.0;       ///< s of wall clock after which to stop; 0: none
  bool quiet = false;
  bool verbose = false;
};

/// Runs a simulation to its end, or until a signal or the limit of wall-clock time stops it with a
/// checkpoint (app/run/stop_request.hpp). Collective. Returns the exit status: 0 done, 3 stopped.
/// @throws InputError before anything is written when the input is wrong, Failure while running.
int run_command(MPI_Comm comm, const RunArguments& arguments);

}  // namespace scree
