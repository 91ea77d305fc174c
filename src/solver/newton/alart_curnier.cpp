#include "scree/solver/newton/alart_curnier.hpp"

namespace scree {

ContactMap alart_curnier(const Vec3& z, double mu) {
  ContactMap map;
  const double normal = z[0];
  if (!(normal > 0.0)) return map;
  map.piece = ContactMap::Piece::stick;
  map.value[0] = normal;
  map.slope(0, 0) = 1.0;
  if (mu == 0.0) return map;
  const Eigen::Vector2d tangent = z.tail<2>();
  const double size = tangent.norm();
  if (size <= mu * normal) {
    map.value = z;
    map.slope.setIdentity();
    return map;
  }
  map.piece = ContactMap::Piece::slide;
  const Eigen::Vector2d direction = tangent / size;
  map.value.tail<2>() = mu * normal * direction;
  map.slope.block<2, 1>(1, 0) = mu * direction;
  map.slope.block<2, 2>(1, 1) =
      mu * normal / size * (Eigen::Matrix2d::Identity() - direction * direction.transpose());
  return map;
}

}  // namespace scree
