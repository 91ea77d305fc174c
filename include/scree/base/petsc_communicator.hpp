#pragma once

/// PETSc works on a copy of a communicator, which it makes with the first of its objects there and
/// frees with the last. Making one is collective, and costs more than a small step.

#include <mpi.h>

namespace scree::petsc {

/// Holds PETSc's copy of a communicator, so that objects which come and go share it.
class Communicator {
 public:
  /// Collective.
  explicit Communicator(MPI_Comm comm);
  /// Collective.
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

 private:
  MPI_Comm copy_ = MPI_COMM_NULL;
};

}  // namespace scree::petsc
