#pragma once

/// The gap of two convex bodies by trying everything: distance over all pairs of triangles'
/// features, depth over all faces' normals and all cross products of edges. Slow, and without any
/// iteration.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/shapes/box.hpp"
#include "scree/geometry/shapes/capsule.hpp"
#include "scree/geometry/shapes/polyhedron.hpp"
#include "scree/geometry/shapes/shape_list.hpp"
#include "scree/geometry/shapes/sphere.hpp"

namespace scree::test {

/// A core in the world, as lists.
struct Solid {
  std::vector<Vec3> vertices;
  std::vector<std::pair<Vec3, Vec3>> edges;
  std::vector<std::array<Vec3, 3>> triangles;
  std::vector<Vec3> normals;  ///< of faces
  double radius = 0.0;        ///< of the rounding

  double reach(const Vec3& n) const {
    double most = -std::numeric_limits<double>::infinity();
    for (const Vec3& v : vertices) most = std::max(most, n.dot(v));
    return most;
  }
};

inline Solid solid_of_hull(const Hull& hull, double scale, const Pose& pose) {
  Solid solid;
  for (const Vec3& v : hull.vertices) solid.vertices.push_back(pose.to_world(scale * v));
  const auto at = [&](std::int32_t i) { return solid.vertices[i]; };
  for (const Hull::Face& face : hull.faces) {
    const auto loop = hull.loop(face);
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const std::int32_t next = loop[(k + 1) % loop.size()];
      if (loop[k] < next) solid.edges.emplace_back(at(loop[k]), at(next));
      if (k >= 2) solid.triangles.push_back({at(loop[0]), at(loop[k - 1]), at(loop[k])});
    }
    const Vec3 normal = (at(loop[1]) - at(loop[0])).cross(at(loop[2]) - at(loop[0])).normalized();
    solid.normals.push_back(normal);
  }
  return solid;
}

inline Solid solid_of(const Shape& shape, const Pose& pose, const ShapeLibrary& library) {
  if (const auto* polyhedron = shape.get_if<Polyhedron>()) {
    return solid_of_hull(library.hull(polyhedron->handle), polyhedron->scale, pose);
  }
  if (const auto* box = shape.get_if<Box>()) {
    return solid_of_hull(cuboid(box->half()), 1.0, pose);
  }
  Solid solid;
  if (const auto* capsule = shape.get_if<Capsule>()) {
    const Vec3 end(0.0, 0.0, 0.5 * capsule->length);
    solid.vertices = {pose.to_world(-end), pose.to_world(end)};
    solid.edges = {{solid.vertices[0], solid.vertices[1]}};
    solid.radius = capsule->radius;
  } else {
    solid.vertices = {pose.position};
    solid.radius = shape.get<Sphere>().radius;
  }
  return solid;
}

inline double to_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 ab = b - a;
  const double length2 = ab.squaredNorm();
  const double t = length2 > 0.0 ? std::clamp((p - a).dot(ab) / length2, 0.0, 1.0) : 0.0;
  return (p - (a + t * ab)).norm();
}

/// The foot inside of the triangle, else infinite: sides and corners are asked for by themselves.
inline double to_inside(const Vec3& p, const std::array<Vec3, 3>& t) {
  const Vec3 n = (t[1] - t[0]).cross(t[2] - t[0]).normalized();
  for (std::size_t k = 0; k < 3; ++k) {
    if (n.dot((t[(k + 1) % 3] - t[k]).cross(p - t[k])) < 0.0) {
      return std::numeric_limits<double>::infinity();
    }
  }
  return std::abs(n.dot(p - t[0]));
}

inline double between_segments(const std::pair<Vec3, Vec3>& s, const std::pair<Vec3, Vec3>& t) {
  double least =
      std::min({to_segment(s.first, t.first, t.second), to_segment(s.second, t.first, t.second),
                to_segment(t.first, s.first, s.second), to_segment(t.second, s.first, s.second)});
  const Vec3 a = s.second - s.first;
  const Vec3 b = t.second - t.first;
  const Vec3 n = a.cross(b);
  const double n2 = n.squaredNorm();
  if (!(n2 > 1e-20 * a.squaredNorm() * b.squaredNorm())) return least;
  const Vec3 d = t.first - s.first;
  const double u = d.cross(b).dot(n) / n2;
  const double v = d.cross(a).dot(n) / n2;
  if (u >= 0.0 && u <= 1.0 && v >= 0.0 && v <= 1.0) {
    least = std::min(least, std::abs(d.dot(n)) / std::sqrt(n2));
  }
  return least;
}

/// g(n), see contacts_between; of the cores.
inline double separation_by(const Solid& a, const Solid& b, const Vec3& n) {
  return -a.reach(-n) - b.reach(n);
}

inline double greatest_separation(const Solid& a, const Solid& b) {
  double best = -std::numeric_limits<double>::infinity();
  const auto consider = [&](const Vec3& n) {
    best = std::max({best, separation_by(a, b, n), separation_by(a, b, -n)});
  };
  for (const Vec3& n : a.normals) consider(n);
  for (const Vec3& n : b.normals) consider(n);
  for (const auto& s : a.edges) {
    for (const auto& t : b.edges) {
      const Vec3 n = (s.second - s.first).normalized().cross((t.second - t.first).normalized());
      if (n.norm() > 1e-8) consider(n.normalized());
    }
  }
  return best;
}

inline double distance(const Solid& a, const Solid& b) {
  double least = std::numeric_limits<double>::infinity();
  const auto points = [&least](const Solid& one, const Solid& other) {
    for (const Vec3& p : one.vertices) {
      for (const Vec3& q : other.vertices) least = std::min(least, (p - q).norm());
      for (const auto& e : other.edges) least = std::min(least, to_segment(p, e.first, e.second));
      for (const auto& t : other.triangles) least = std::min(least, to_inside(p, t));
    }
  };
  points(a, b);
  points(b, a);
  for (const auto& s : a.edges) {
    for (const auto& t : b.edges) least = std::min(least, between_segments(s, t));
  }
  return least;
}

/// The gap of two bodies, rounding included.
inline double gap_by_trying(const Solid& a, const Solid& b) {
  const bool has_faces = !a.normals.empty() || !b.normals.empty();
  const double greatest = has_faces ? greatest_separation(a, b) : 1.0;
  return (greatest > 0.0 ? distance(a, b) : greatest) - a.radius - b.radius;
}

}  // namespace scree::test
