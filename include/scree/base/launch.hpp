#pragma once

/// How this process was started. A launcher whose ranks the program's MPI does not know of (srun
/// without its PMIx plugin, the mpirun of another MPI) starts as many runs as it should have
/// started ranks, each of which takes itself for the only one and writes what the others write. Not
/// collective: there is no one to talk to.

#include <string>

namespace scree {

/// Whether the environment has what an MPI needs to find the other processes of its launcher.
bool can_find_launcher();

/// Whether a launcher has started this process, be it one that its MPI does not know of.
bool has_launcher();

/// Why a process whose MPI has @p size ranks is not what its launcher meant; empty where it is. A
/// Slurm step's own number of tasks counts, not the job's: one rank in a large allocation is no
/// mistake.
std::string fault_of_launch(int size);

/// Whether this process is the first of its launcher, or has none: of many that fail alike, one
/// speaks.
bool is_first_of_launch();

}  // namespace scree
