#pragma once

#include <mpi.h>

namespace scree {

/// Starts MPI and PETSc and ends them: one object, first in main (Zoltan needs no more than MPI;
/// its version check is in domain/partition.cpp). Collective on all processes.
///
/// PETSc's signal handler is off and its errors are returned, not printed (check_petsc reports
/// them). Options for PETSc are read from the environment variable PETSC_OPTIONS only, so that a
/// word on scree's command line is never mistaken for one of PETSc's.
class Runtime {
 public:
  Runtime();
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  MPI_Comm comm() const { return MPI_COMM_WORLD; }
};

/// Not collective. Prints @p message, led by the rank where there are several, and ends all ranks
/// with
/// @p status. For what a single rank meets while the others wait in a collective call.
[[noreturn]] void abort_all(MPI_Comm comm, const char* message, int status);

}  // namespace scree
