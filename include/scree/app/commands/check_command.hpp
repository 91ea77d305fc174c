#pragma once

#include <mpi.h>

#include <filesystem>
#include <string>

#include "scree/app/config/run_config.hpp"
#include "scree/config/reader.hpp"

namespace scree {

/// Arguments of `scree check`.
struct CheckArguments {
  std::filesystem::path config;
  Overrides overrides;
};

/// Reads a configuration and the files it names, makes the grains, and says on rank 0 what would be
/// run; warns of bodies that overlap. Writes nothing. Collective. Returns the exit status 0.
/// @throws InputError, on all ranks.
int check_command(MPI_Comm comm, const CheckArguments& arguments);

/// The summary that `scree check` prints, of what @p run begins with: its first stage where it has
/// stages. Empty on ranks other than 0. Collective.
std::string summarise(MPI_Comm comm, const RunConfig& run);

}  // namespace scree
