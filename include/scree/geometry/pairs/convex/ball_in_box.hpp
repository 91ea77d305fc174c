#pragma once

#include "scree/base/math.hpp"

namespace scree {

/// Volume of the part of a ball that lies in @p box, m^3: the integral over z of the area that a
/// disc and a rectangle have in common, which has a closed form, to 1e-8 of the ball's volume (ten
/// points of Gauss a smooth piece, whose ends are roots). Not collective.
double volume_of_ball_in_box(const Vec3& centre, double radius, const Box3& box);

}  // namespace scree
