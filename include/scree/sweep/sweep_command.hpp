#pragma once

#include <filesystem>
#include <string>

namespace scree {

/// Arguments of `scree sweep`.
struct SweepArguments {
  std::filesystem::path sweep;
  std::filesystem::path output;  ///< folder of the sweep; empty: output/NAME
  std::size_t jobs = 0;          ///< cases at once; 0: as many as there are cores for
  std::string only;              ///< the case that is run alone; empty: all
  bool slurm = false;            ///< write the script, or, with `only`, run it as a task of Slurm
  bool collect = false;          ///< run nothing, make the table of what there is
  bool retry = false;            ///< run cases that failed, too
  bool quiet = false;
};

/// Runs the cases of a sweep that have not been run, or have changed. Without MPI: it starts runs
/// that have it, and is itself no rank. Returns the exit status: 0 all are done; 1 one or more
/// failed; 3 stopped by a signal.
/// @throws InputError before anything is written when the input is wrong, Failure while running.
int sweep_command(const SweepArguments& arguments);

/// Prints what `scree check` says of a sweep: its cases, each with what is left to do. Writes
/// nothing. Not collective. Returns the exit status 0. @throws InputError.
int check_sweep(const std::filesystem::path& sweep);

}  // namespace scree
