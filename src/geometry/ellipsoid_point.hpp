#pragma once

#include "scree/geometry/ellipsoid_contacts.hpp"
#include "scree/geometry/ellipsoid_features.hpp"

namespace scree {

/// The manifold of the one point that @p way leads to, with @p radius around what it leads to.
Manifold ellipsoid_point(const Ellipsoid& a, const Pose& pose_a, const WayOut& way, double radius);

}  // namespace scree
