#pragma once

/// Convex hulls by trying every triple of points: slow, and independent of what the library does.

#include <algorithm>
#include <map>
#include <numbers>
#include <vector>

#include "scree/geometry/hulls/hull.hpp"

namespace scree::test {

/// The points in the plane through @p i, @p j and @p k, or none where it has points on both sides.
inline std::vector<std::int32_t> in_supporting_plane(const std::vector<Vec3>& points,
                                                     const Vec3& on_plane, const Vec3& normal) {
  std::vector<std::int32_t> in_plane;
  for (std::size_t v = 0; v < points.size(); ++v) {
    const double height = normal.dot(points[v] - on_plane);
    if (height > 1e-9) return {};
    if (height > -1e-9) in_plane.push_back(static_cast<std::int32_t>(v));
  }
  return in_plane;
}

/// Sorts @p loop counter-clockwise about @p normal.
inline void sort_about(const std::vector<Vec3>& points, const Vec3& normal,
                       std::vector<std::int32_t>& loop) {
  const auto at = [&points](std::int32_t v) { return points[v]; };
  Vec3 middle = Vec3::Zero();
  for (const std::int32_t v : loop) middle += at(v) / static_cast<double>(loop.size());
  const Vec3 x = normal.unitOrthogonal();
  const Vec3 y = normal.cross(x);
  std::sort(loop.begin(), loop.end(), [&](std::int32_t a, std::int32_t b) {
    const Vec3 of_a = at(a) - middle;
    const Vec3 of_b = at(b) - middle;
    return std::atan2(of_a.dot(y), of_a.dot(x)) < std::atan2(of_b.dot(y), of_b.dot(x));
  });
}

/// The edge from @p start to @p end of the face @p face, made or completed.
inline std::int32_t add_edge(Hull& hull, std::map<std::pair<int, int>, std::int32_t>& known,
                             std::int32_t start, std::int32_t end, std::int32_t face) {
  const auto reverse = known.find({end, start});
  if (reverse != known.end()) {
    hull.edges[reverse->second].right = face;
    return reverse->second;
  }
  const auto index = static_cast<std::int32_t>(hull.edges.size());
  hull.edges.push_back({start, end, face, -1});
  known[{start, end}] = index;
  return index;
}

/// Vertices, faces and edges of the hull of @p points, all of which must be vertices of it. Mass
/// properties are not filled.
inline Hull brute_force_hull(const std::vector<Vec3>& points) {
  Hull hull;
  hull.vertices = points;
  const auto n = static_cast<std::int32_t>(points.size());
  const auto at = [&points](std::int32_t v) { return points[v]; };
  std::map<std::pair<int, int>, std::int32_t> known;
  std::vector<std::vector<std::int32_t>> faces;
  for (std::int32_t i = 0; i < n; ++i) {
    for (std::int32_t j = 0; j < n; ++j) {
      for (std::int32_t k = 0; k < n; ++k) {
        if (i == j || j == k || i == k) continue;
        const Vec3 normal = (at(j) - at(i)).cross(at(k) - at(i)).normalized();
        std::vector<std::int32_t> loop = in_supporting_plane(points, at(i), normal);
        if (loop.size() < 3 || std::find(faces.begin(), faces.end(), loop) != faces.end()) continue;
        faces.push_back(loop);
        sort_about(points, normal, loop);
        const auto face = static_cast<std::int32_t>(hull.faces.size());
        const auto begin = static_cast<std::int32_t>(hull.loops.size());
        for (std::size_t c = 0; c < loop.size(); ++c) {
          hull.loops.push_back(loop[c]);
          hull.loop_edges.push_back(
              add_edge(hull, known, loop[c], loop[(c + 1) % loop.size()], face));
        }
        hull.faces.push_back(
            {normal, normal.dot(at(i)), begin, static_cast<std::int32_t>(hull.loops.size())});
      }
    }
  }
  return hull;
}

/// The cuboid of edges 2 about the origin.
inline Hull cube() {
  std::vector<Vec3> corners;
  for (int c = 0; c < 8; ++c) {
    corners.emplace_back(c & 1 ? 1.0 : -1.0, c & 2 ? 1.0 : -1.0, c & 4 ? 1.0 : -1.0);
  }
  return brute_force_hull(corners);
}

}  // namespace scree::test
