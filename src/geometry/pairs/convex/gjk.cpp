#include "gjk.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

namespace scree {
namespace {

using Vertex = NearestPoints::Vertex;

/// The part of a simplex that holds the point nearest to the origin, and that point.
struct Part {
  std::array<int, 3> index{};  ///< into the simplex
  std::array<double, 3> weight{};
  int size = 0;
  Vec3 v = Vec3::Zero();
};

Part vertex_part(const NearestPoints& s, int i) {
  return {{i}, {1.0}, 1, s.simplex[i].w};
}

const Vec3& w_of(const NearestPoints& s, int i) {
  return s.simplex[i].w;
}

Part on_segment(const NearestPoints& s, int i, int j) {
  const Vec3& a = w_of(s, i);
  const Vec3 ab = w_of(s, j) - a;
  const double length2 = ab.squaredNorm();
  const double t = length2 > 0.0 ? -a.dot(ab) / length2 : 0.0;
  if (t <= 0.0) return vertex_part(s, i);
  if (t >= 1.0) return vertex_part(s, j);
  // From the nearer end: less is lost to rounding.
  const Vec3 v = t < 0.5 ? Vec3(a + t * ab) : Vec3(w_of(s, j) - (1.0 - t) * ab);
  return {{i, j}, {1.0 - t, t}, 2, v};
}

/// The nearer of @p parts.
Part nearest_of(std::initializer_list<Part> parts) {
  return *std::min_element(parts.begin(), parts.end(), [](const Part& p, const Part& q) {
    return p.v.squaredNorm() < q.v.squaredNorm();
  });
}

Part on_triangle(const NearestPoints& s, int i, int j, int k) {
  const Vec3& a = w_of(s, i);
  const Vec3& b = w_of(s, j);
  const Vec3& c = w_of(s, k);
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
  return nearest_of({on_segment(s, i, j), on_segment(s, j, k), on_segment(s, k, i)});
}

/// Whether the triangle (i, j, k) has the origin and the vertex l on two sides, or l in its plane.
bool looks_at_origin(const NearestPoints& s, int i, int j, int k, int l) {
  const Vec3& a = w_of(s, i);
  const Vec3 normal = (w_of(s, j) - a).cross(w_of(s, k) - a);
  const double of_origin = -normal.dot(a);
  const double of_vertex = normal.dot(w_of(s, l) - a);
  const double flat = 1e-15 * normal.norm() * (a.norm() + w_of(s, l).norm());
  return std::abs(of_vertex) <= flat || of_origin * of_vertex <= 0.0;
}

/// The nearest part of a tetrahedron; of size 0 when the origin is inside.
Part on_tetrahedron(const NearestPoints& s) {
  constexpr int kFaces[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
  Part best;
  for (const auto& f : kFaces) {
    if (!looks_at_origin(s, f[0], f[1], f[2], f[3])) continue;
    const Part part = on_triangle(s, f[0], f[1], f[2]);
    if (best.size == 0 || part.v.squaredNorm() < best.v.squaredNorm()) best = part;
  }
  return best;
}

Part nearest_part(const NearestPoints& s) {
  if (s.size == 1) return vertex_part(s, 0);
  if (s.size == 2) return on_segment(s, 0, 1);
  if (s.size == 3) return on_triangle(s, 0, 1, 2);
  return on_tetrahedron(s);
}

void keep(NearestPoints& s, const Part& part) {
  const std::array<Vertex, 4> all = s.simplex;
  s.size = part.size;
  for (int i = 0; i < part.size; ++i) {
    s.simplex[i] = all[part.index[i]];
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

NearestPoints nearest_points(const Core& a, const Core& b) {
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
    if (s.distance - s.bound <= rounding || holds(s, next)) return s;
    NearestPoints larger = s;
    larger.simplex[larger.size++] = next;
    const Part part = nearest_part(larger);
    if (part.size == 0) {
      s.overlap = true;
      return s;
    }
    // Rounding alone is left when the simplex with the new vertex is no nearer.
    if (part.v.squaredNorm() >= v.squaredNorm()) return s;
    keep(larger, part);
    s = larger;
    v = part.v;
  }
  return s;
}

}  // namespace scree
