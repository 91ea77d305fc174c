#pragma once

/// All numbers of a distributed vector on every rank: for small problems and for tests.

#include <vector>

#include "scree/base/petsc.hpp"

namespace scree {

/// Collective.
inline std::vector<double> whole(Vec v) {
  petsc::Scatter scatter;
  petsc::Vector all;
  SCREE_PETSC(VecScatterCreateToAll(v, scatter.out(), all.out()));
  SCREE_PETSC(VecScatterBegin(scatter.get(), v, all.get(), INSERT_VALUES, SCATTER_FORWARD));
  SCREE_PETSC(VecScatterEnd(scatter.get(), v, all.get(), INSERT_VALUES, SCATTER_FORWARD));
  const petsc::ConstView view(all.get());
  return {view.data(), view.data() + view.size()};
}

}  // namespace scree
