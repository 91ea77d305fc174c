#pragma once

/// The common normal of two cores that are clearly apart: Gilbert, Johnson and Keerthi's iteration
/// (convex/gjk.hpp) on the points that directions tell of curved bodies.
///
/// Of a simplex of such points v is nearest to the origin, and the next point is that farthest
/// against v. The distance lies between two bounds,
///
///     -h(-v/|v|) <= distance <= |v|
///
/// which come together within some 10 to 40 iterations. Superellipsoids with flat sides need the
/// most: the common normal of smooth bodies is solved for after the first ones (smooth_normal.hpp).
/// For cores that are nearer than
/// 1e-5 of their size rounding of the points hides the rest: they, and those that take more
/// iterations, are left to the expanding polytope (common_normal.hpp), which takes some ten times
/// as long. A normal is known to the root of what the distance may be off, some 5e-7 to 2e-6; one
/// that was solved for to some 1e-9.

#include <optional>

#include "common_normal.hpp"
#include "difference.hpp"

namespace scree {

/// The distance is known to 1e-13 of the size, or 1e-12 where rounding hides the rest. None where
/// the cores overlap or nearly touch, have one centre, or that is not reached.
std::optional<CommonNormal> normal_of_apart(const Difference& difference);

/// Whether the first few iterations show that the cores are at least @p distance apart.
bool are_parted(const Difference& difference, double distance);

}  // namespace scree
