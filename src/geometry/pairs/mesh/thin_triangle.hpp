#pragma once

#include <algorithm>
#include <array>

#include "scree/geometry/hulls/hull.hpp"

namespace scree {

/// A triangle as a polytope without thickness: two faces, of which the first looks along its
/// normal. Its vertices are changed from one triangle to the next.
class ThinTriangle {
 public:
  static constexpr int kVertices = 3;
  static constexpr int kEdges = 3;

  ThinTriangle() {
    hull_.vertices.resize(kVertices);
    hull_.faces = {{Vec3::UnitZ(), 0.0, 0, 3}, {-Vec3::UnitZ(), 0.0, 3, 6}};
    hull_.loops = {0, 1, 2, 0, 2, 1};
    hull_.loop_edges = {0, 1, 2, 2, 1, 0};
    hull_.edges = {{0, 1, 0, 1}, {1, 2, 0, 1}, {2, 0, 0, 1}};
    hull_.neighbours = {1, 2, 0, 2, 0, 1};
    hull_.neighbours_begin = {0, 2, 4, 6};
  }

  const Hull& set(const std::array<Vec3, 3>& corners, const Vec3& normal, const Vec3& origin) {
    hull_.bounding_radius = 0.0;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      hull_.vertices[k] = corners[k] - origin;
      hull_.bounding_radius = std::max(hull_.bounding_radius, hull_.vertices[k].norm());
    }
    hull_.faces[0].normal = normal;
    hull_.faces[0].offset = normal.dot(hull_.vertices[0]);
    hull_.faces[1].normal = -normal;
    hull_.faces[1].offset = -hull_.faces[0].offset;
    return hull_;
  }

 private:
  Hull hull_;
};

}  // namespace scree
