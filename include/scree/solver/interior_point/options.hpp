#pragma once

/// The keys that the interior point methods share: how each Newton step is solved, and how long it
/// is.

#include <cstdint>
#include <string>

#include "scree/base/enumeration.hpp"
#include "scree/solver/linear/preconditioner.hpp"

namespace scree {

class Declaration;

/// The solver of the linear system of a Newton step.
enum class LinearSolverName {
  automatic,  ///< cg for bodies while that is faster than mumps, and for the largest systems; mumps
              ///< otherwise
  cg,         ///< gmres where the matrix is not symmetric
  bicgstab,
  gmres,
  mumps,
};
template <>
inline constexpr std::array kNamesOf<LinearSolverName> = names("auto", "cg", "bicgstab", "gmres",
                                                               "mumps");

struct InteriorPointOptions {
  LinearSolverName linear_solver = LinearSolverName::automatic;
  Preconditioner preconditioner = Preconditioner::point_jacobi;
  double forcing = 1e-3;           ///< eta: of the linear residual, relative to the iterate's
  std::int64_t max_krylov = 4000;  ///< Krylov iterations of one linear solve at most
  bool strict =
      false;  ///< the solver and the preconditioner are those named, whatever becomes of it
  double step_fraction = 0.99;  ///< share of the way to the boundary that a step takes
  void declare(Declaration& d);
};

}  // namespace scree
