#include "scree/base/petsc_communicator.hpp"

#include <petscsys.h>

#include "scree/base/check.hpp"

namespace scree::petsc {

Communicator::Communicator(MPI_Comm comm) {
  SCREE_PETSC(PetscCommDuplicate(comm, &copy_, nullptr));
}

Communicator::~Communicator() {
  static_cast<void>(PetscCommDestroy(&copy_));
}

}  // namespace scree::petsc
