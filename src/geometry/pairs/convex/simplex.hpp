#pragma once

/// The simplices of Gilbert, Johnson and Keerthi's iteration (gjk.hpp, generic/apart.hpp).

#include <array>

#include "scree/base/math.hpp"

namespace scree {

/// The part of a simplex that holds its point nearest to the origin, and that point.
struct SimplexPart {
  std::array<int, 3> index{};  ///< of its corners
  std::array<double, 3> weight{};
  int size = 0;
  Vec3 v = Vec3::Zero();
};

/// The nearest part of the simplex of the first @p size of @p corners, one to four; of size 0 where
/// the origin is inside of the tetrahedron of four.
SimplexPart nearest_part(const std::array<Vec3, 4>& corners, int size);

}  // namespace scree
