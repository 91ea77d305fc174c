#pragma once

/// Nearest points of two cores (Gilbert, Johnson and Keerthi, IEEE J. Robotics and Automation 4
/// (1988) 193).
///
/// The point of A - B nearest to the origin is sought on simplices of its vertices w = a - b: each
/// iteration adds the vertex farthest towards the origin and keeps the part of the simplex that
/// holds the nearest point v. The vertex bounds the distance from below, v . w / |v| <= distance <=
/// |v|.

#include <array>

#include "core.hpp"

namespace scree {

struct NearestPoints {
  /// A vertex of A - B and its weight in the nearest point.
  struct Vertex {
    std::int32_t a, b;  ///< vertices of the cores
    Vec3 point_a, point_b;
    Vec3 w;  ///< point_a - point_b
    double weight;
  };

  bool overlap = false;        ///< the origin is inside of a tetrahedron of vertices
  double distance = 0.0;       ///< |v|, m: the distance is not larger
  Vec3 normal = Vec3::Zero();  ///< v / |v|, from B to A
  double bound = 0.0;          ///< m: the distance is not smaller
  std::array<Vertex, 4> simplex;
  int size = 0;

  Vec3 point_a() const;
  Vec3 point_b() const;
};

/// Where cores overlap only `overlap` means anything, or `distance` is rounding. The search ends
/// where `bound` is beyond @p far, m.
NearestPoints nearest_points(const Core& a, const Core& b, double far);

}  // namespace scree
