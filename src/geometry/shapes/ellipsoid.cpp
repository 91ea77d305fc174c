#include "scree/geometry/shapes/ellipsoid.hpp"

#include "geometry/pairs/ellipsoid/nearest_on_ellipsoid.hpp"
#include "scree/config/declaration.hpp"

namespace scree {

SurfacePoint Ellipsoid::nearest(const Vec3& p) const {
  const NearestOnEllipsoid<3> found = nearest_on_ellipsoid<3>(axes(), p);
  return {support(found.outward), found.outward, found.distance};
}

void Ellipsoid::declare(Declaration& d) {
  Vec3 a = axes();
  d.vector("semi_axes", a,
           {.help = "half the lengths along the axes; below 1:1000 of each other",
            .unit = "m",
            .above = 0.0,
            .required = true});
  d.require("semi_axes", a.maxCoeff() < kLargestRatio * a.minCoeff(),
            "has axes of 1:1000 or more; allowed: the longest below 1000 times the shortest");
  semi_axes = {a.x(), a.y(), a.z()};
}

}  // namespace scree
