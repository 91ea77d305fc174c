#include "scree/contact/contact.hpp"

namespace scree {

// The rotation that takes e_z to n by the shortest way, applied to e_x and e_y:
//     t1 = (1 - x^2 a, -x y a, -x),   t2 = (-x y a, 1 - y^2 a, -y),   a = 1 / (1 + z)
// with 1 + z = (x^2 + y^2) / (1 - z) below the equator, where 1 + z itself would lose its digits.
void tangent_frame(const Vec3& normal, Vec3& tangent1, Vec3& tangent2) {
  const double x = normal.x();
  const double y = normal.y();
  const double z = normal.z();
  const double h = x * x + y * y;
  if (z < 0.0 && h < 1e-280) {
    tangent1 = Vec3(1, 0, 0);
    tangent2 = Vec3(0, -1, 0);
    return;
  }
  const double a = z < 0.0 ? (1.0 - z) / h : 1.0 / (1.0 + z);
  tangent1 = Vec3(1.0 - x * x * a, -x * y * a, -x);
  tangent2 = Vec3(-x * y * a, 1.0 - y * y * a, -y);
}

}  // namespace scree
