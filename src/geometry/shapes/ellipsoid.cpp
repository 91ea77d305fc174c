#include "scree/geometry/shapes/ellipsoid.hpp"

#include "geometry/pairs/ellipsoid/nearest_on_ellipsoid.hpp"

namespace scree {

SurfacePoint Ellipsoid::nearest(const Vec3& p) const {
  const NearestOnEllipsoid<3> found = nearest_on_ellipsoid<3>(axes(), p);
  return {support(found.outward), found.outward, found.distance};
}

}  // namespace scree
