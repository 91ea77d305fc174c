#include "gjk.hpp"

#include <algorithm>
#include <cmath>

#include "simplex.hpp"

namespace scree {
namespace {

using Vertex = NearestPoints::Vertex;

/// The nearest part of the simplex of the first @p size vertices.
SimplexPart nearest_part_of(const NearestPoints& s, int size) {
  std::array<Vec3, 4> corners;
  for (int i = 0; i < size; ++i) corners[i] = s.simplex[i].w;
  return nearest_part(corners, size);
}

void keep(NearestPoints& s, const SimplexPart& part) {
  std::array<Vertex, 3> kept;
  for (int i = 0; i < part.size; ++i) kept[i] = s.simplex[part.index[i]];
  s.size = part.size;
  for (int i = 0; i < part.size; ++i) {
    s.simplex[i] = kept[i];
    s.simplex[i].weight = part.weight[i];
  }
}

/// The vertex of A - B farthest against @p direction.
Vertex farthest_against(const Core& a, const Core& b, const Vec3& direction, const Vertex& start) {
  const std::int32_t i = a.support(-direction, start.a);
  const std::int32_t j = b.support(direction, start.b);
  const Vec3 p = a.vertex(i);
  const Vec3 q = b.vertex(j);
  return {i, j, p, q, p - q, 1.0};
}

bool holds(const NearestPoints& s, const Vertex& vertex) {
  return std::any_of(s.simplex.begin(), s.simplex.begin() + s.size, [&vertex](const Vertex& one) {
    return one.a == vertex.a && one.b == vertex.b;
  });
}

}  // namespace

Vec3 NearestPoints::point_a() const {
  Vec3 point = Vec3::Zero();
  for (int i = 0; i < size; ++i) {
    point += simplex[i].weight * simplex[i].point_a;
  }
  return point;
}

Vec3 NearestPoints::point_b() const {
  Vec3 point = Vec3::Zero();
  for (int i = 0; i < size; ++i) {
    point += simplex[i].weight * simplex[i].point_b;
  }
  return point;
}

NearestPoints nearest_points(const Core& a, const Core& b, double far) {
  constexpr int kIterations = 200;
  const double rounding = 1e-14 * (a.reach() + b.reach() + (a.origin() - b.origin()).norm());
  NearestPoints s;
  Vec3 v = a.origin() - b.origin();
  if (v.squaredNorm() == 0.0) v = Vec3::UnitX();
  s.simplex[0] = farthest_against(a, b, v, {});
  s.size = 1;
  v = s.simplex[0].w;
  for (int k = 0; k < kIterations; ++k) {
    s.distance = v.norm();
    if (s.distance <= rounding) return s;
    s.normal = v / s.distance;
    const Vertex next = farthest_against(a, b, v, s.simplex[0]);
    s.bound = s.normal.dot(next.w);
    if (s.bound > far || s.distance - s.bound <= rounding || holds(s, next)) return s;
    s.simplex[s.size] = next;
    const SimplexPart part = nearest_part_of(s, s.size + 1);
    if (part.size == 0) {
      s.overlap = true;
      return s;
    }
    // Rounding alone is left when the simplex with the new vertex is no nearer.
    if (part.v.squaredNorm() >= v.squaredNorm()) return s;
    keep(s, part);
    v = part.v;
  }
  return s;
}

}  // namespace scree
