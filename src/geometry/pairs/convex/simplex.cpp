#include "simplex.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace scree {
namespace {

using Corners = std::array<Vec3, 4>;

SimplexPart vertex_part(const Corners& corners, int i) {
  return {{i}, {1.0}, 1, corners[i]};
}

SimplexPart on_segment(const Corners& corners, int i, int j) {
  const Vec3& a = corners[i];
  const Vec3 ab = corners[j] - a;
  const double length2 = ab.squaredNorm();
  const double t = length2 > 0.0 ? -a.dot(ab) / length2 : 0.0;
  if (t <= 0.0) return vertex_part(corners, i);
  if (t >= 1.0) return vertex_part(corners, j);
  // From the nearer end: less is lost to rounding.
  const Vec3 v = t < 0.5 ? Vec3(a + t * ab) : Vec3(corners[j] - (1.0 - t) * ab);
  return {{i, j}, {1.0 - t, t}, 2, v};
}

/// The nearer of @p parts.
SimplexPart nearest_of(std::initializer_list<SimplexPart> parts) {
  return *std::min_element(parts.begin(), parts.end(),
                           [](const SimplexPart& p, const SimplexPart& q) {
                             return p.v.squaredNorm() < q.v.squaredNorm();
                           });
}

SimplexPart on_triangle(const Corners& corners, int i, int j, int k) {
  const Vec3& a = corners[i];
  const Vec3& b = corners[j];
  const Vec3& c = corners[k];
  const Vec3 normal = (b - a).cross(c - a);
  const double area2 = normal.squaredNorm();
  // Areas of the triangles that the origin makes with the sides, seen along the normal.
  const double in_a = normal.dot(b.cross(c));
  const double in_b = normal.dot(c.cross(a));
  const double in_c = normal.dot(a.cross(b));
  if (area2 > 0.0 && in_a > 0.0 && in_b > 0.0 && in_c > 0.0) {
    const double sum = in_a + in_b + in_c;
    return {{i, j, k}, {in_a / sum, in_b / sum, in_c / sum}, 3, normal * (normal.dot(a) / area2)};
  }
  return nearest_of(
      {on_segment(corners, i, j), on_segment(corners, j, k), on_segment(corners, k, i)});
}

/// Whether the triangle (i, j, k) has the origin and the vertex l on two sides, or l in its plane.
bool looks_at_origin(const Corners& corners, int i, int j, int k, int l) {
  const Vec3& a = corners[i];
  const Vec3 normal = (corners[j] - a).cross(corners[k] - a);
  const double of_origin = -normal.dot(a);
  const double of_vertex = normal.dot(corners[l] - a);
  const double flat = 1e-15 * normal.norm() * (a.norm() + corners[l].norm());
  return std::abs(of_vertex) <= flat || of_origin * of_vertex <= 0.0;
}

/// The nearest part of a tetrahedron; of size 0 when the origin is inside.
SimplexPart on_tetrahedron(const Corners& corners) {
  constexpr int kFaces[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
  SimplexPart best;
  for (const auto& f : kFaces) {
    if (!looks_at_origin(corners, f[0], f[1], f[2], f[3])) continue;
    const SimplexPart part = on_triangle(corners, f[0], f[1], f[2]);
    if (best.size == 0 || part.v.squaredNorm() < best.v.squaredNorm()) best = part;
  }
  return best;
}

}  // namespace

SimplexPart nearest_part(const std::array<Vec3, 4>& corners, int size) {
  if (size == 1) return vertex_part(corners, 0);
  if (size == 2) return on_segment(corners, 0, 1);
  if (size == 3) return on_triangle(corners, 0, 1, 2);
  return on_tetrahedron(corners);
}

}  // namespace scree
