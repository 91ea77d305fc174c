#include "scree/geometry/shapes/box.hpp"

#include <cmath>

#include "scree/config/declaration.hpp"

namespace scree {
namespace {

/// Inside: the nearest face; of equally near ones the first axis, its positive side.
SurfacePoint nearest_face(const Vec3& p, const Vec3& half) {
  Eigen::Index axis = 0;
  const double depth = (half - p.cwiseAbs()).minCoeff(&axis);
  const double side = p[axis] < 0.0 ? -1.0 : 1.0;
  SurfacePoint result{p, Vec3::Zero(), -depth};
  result.point[axis] = side * half[axis];
  result.normal[axis] = side;
  return result;
}

}  // namespace

SurfacePoint Box::nearest(const Vec3& p) const {
  const Vec3 h = half();
  const Vec3 clamped = p.cwiseMax(-h).cwiseMin(h);
  const Vec3 away = p - clamped;
  const double distance = away.norm();
  // Inside, or so close to the surface that `away` has no direction.
  if (distance <= 1e-14 * h.maxCoeff()) return nearest_face(clamped, h);
  return {clamped, away / distance, distance};
}

void Box::declare(Declaration& d) {
  Vec3 size = 2.0 * half();
  d.vector("size", size,
           {.help = "lengths of the edges", .unit = "m", .above = 0.0, .required = true});
  half_size = {0.5 * size.x(), 0.5 * size.y(), 0.5 * size.z()};
}

}  // namespace scree
