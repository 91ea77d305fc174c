#pragma once

/// The list of shapes: one line each. A shape is a plain struct in geometry/shapes/.

#include <variant>

#include "scree/geometry/shapes/box.hpp"
#include "scree/geometry/shapes/capsule.hpp"
#include "scree/geometry/shapes/cluster.hpp"
#include "scree/geometry/shapes/ellipsoid.hpp"
#include "scree/geometry/shapes/plane.hpp"
#include "scree/geometry/shapes/polyhedron.hpp"
#include "scree/geometry/shapes/ring.hpp"
#include "scree/geometry/shapes/round_hole.hpp"
#include "scree/geometry/shapes/sphere.hpp"

namespace scree {

/// Trivially copyable, so that it travels between ranks as bytes.
using Shape = std::variant<Sphere, Plane, Box, HollowCylinder, HollowCone, Orifice, Capsule,
                           Ellipsoid, Polyhedron, Ring, Cluster>;

}  // namespace scree
