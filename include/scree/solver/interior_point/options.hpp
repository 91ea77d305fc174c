#pragma once

/// The keys that the interior point methods share: how each Newton step is solved, and how long it is.

#include <cstdint>
#include <string>

#include "scree/config/declaration.hpp"

namespace scree {

struct InteriorPointOptions {
  std::string linear_solver = "auto";  ///< auto | cg | bicgstab | gmres | mumps
  std::string preconditioner = "point_jacobi";
  double forcing = 1e-3;           ///< eta: of the linear residual, relative to the iterate's
  std::int64_t max_krylov = 4000;  ///< of one linear solve
  double step_fraction = 0.99;     ///< of the way to the boundary
  void declare(Declaration& d);
};

}  // namespace scree
