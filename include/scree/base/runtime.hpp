#pragma once

#include <mpi.h>

#include <string_view>

namespace scree {

/// Does @p message begin with the place of a fault, `FILE:LINE: ` or `--set `? Of such there may be
/// many, a line each, and all lines shall look alike. Not collective.
bool names_a_place(std::string_view message);

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

  /// Reports an error that ended this rank's work, once for all ranks, and returns @p status. When
  /// all ranks come here (an error that they met together) rank 0 speaks and all return; when the
  /// others do not come within a short time, they wait for this rank in vain: it says so and ends
  /// them all. `scree: ` goes before the message, but for wrong input (status 2) that begins with
  /// its place, `FILE:LINE: `.
  int fail(std::string_view message, int status) const;

 private:
  MPI_Comm error_comm_ = MPI_COMM_NULL;  ///< apart from the work's own messages
};

}  // namespace scree
