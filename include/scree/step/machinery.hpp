#pragma once

#include "scree/base/petsc_communicator.hpp"
#include "scree/contact/neighbour_list.hpp"
#include "scree/domain/exchange.hpp"
#include "scree/domain/numbering.hpp"
#include "scree/domain/partition.hpp"
#include "scree/solver/driver.hpp"

namespace scree {

/// The machinery with which steps work on the ranks of a communicator: it holds no physics, and can
/// be made anew between any two steps. Its making is collective. Ghosts, rows and pair list are
/// kept from step to step while bodies stay in their skins (contact/neighbour_list.hpp).
struct Machinery {
  Machinery(MPI_Comm on, const SolverOptions& options)
      : comm(on), petsc(on), partition(on), exchange(on), solver(options) {}

  MPI_Comm comm;
  petsc::Communicator petsc;  ///< all that steps make with PETSc is on it
  Partition partition;
  Exchange exchange;
  Numbering numbers;  ///< rows since ghosts were last made
  NeighbourList neighbours;
  SolverDriver solver;
};

}  // namespace scree
