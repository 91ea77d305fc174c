#include "scree/base/runtime.hpp"

#include <fmt/format.h>
#include <petscsys.h>

#include <cstdlib>

#include "scree/base/check.hpp"
#include "scree/base/parallel.hpp"

namespace scree {

Runtime::Runtime() {
  SCREE_MPI(MPI_Init(nullptr, nullptr));
  SCREE_PETSC(PetscInitialize(nullptr, nullptr, nullptr, nullptr));
  SCREE_PETSC(PetscPopSignalHandler());
  SCREE_PETSC(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr));
  SCREE_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
}

Runtime::~Runtime() {
  static_cast<void>(PetscFinalize());
  static_cast<void>(MPI_Finalize());
}

void abort_all(MPI_Comm comm, const char* message, int status) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  if (size > 1) {
    fmt::print(stderr, "scree: rank {}: {}\n", rank, message);
  } else {
    fmt::print(stderr, "scree: {}\n", message);
  }
  std::fflush(stderr);
  if (size > 1) MPI_Abort(comm, status);
  std::exit(status);
}

}  // namespace scree
