/// The gap of grains and meshes against all of their triangles, one by one.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"
#include "scree/geometry/shapes/all_shapes.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "support/hulls.hpp"
#include "support/meshes.hpp"
#include "unit/geometry/separation_oracle.hpp"

namespace scree::test {
namespace {

/// A sheet in a library, placed as its file is.
struct Sheet {
  Sheet(const MeshFile& file, ShapeLibrary& library) {
    const auto surface = std::make_shared<const SearchableMesh>(triangle_mesh(file, 1.0, "a test"));
    shape = Mesh{library.add(surface), 1};
    pose = surface->mesh.in_file;
  }

  Shape shape;
  Pose pose;
};

/// Hills and hollows between -1 and 1: squares of two triangles, whose edges bend both ways.
MeshFile hills(int n, double height) {
  const auto at = [n, height](int i, int j) -> Vec3 {
    const double x = 2.0 * i / n - 1.0;
    const double y = 2.0 * j / n - 1.0;
    return {x, y, height * std::sin(4.0 * x) * std::cos(5.0 * y)};
  };
  MeshFile file;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      add_triangle(file, at(i, j), at(i + 1, j), at(i + 1, j + 1));
      add_triangle(file, at(i, j), at(i + 1, j + 1), at(i, j + 1));
    }
  }
  return file;
}

/// Also where the grain is farther than the margin: then there is the gap alone.
TEST(MeshGap, IsThatOfTheNearestOfItsTriangles) {
  ShapeLibrary library;
  const MeshFile file = hills(7, 0.25);
  const Sheet whole(file, library);
  std::vector<Sheet> triangles;
  for (const std::array<std::int32_t, 3>& t : file.triangles) {
    MeshFile one;
    add_triangle(one, file.points[t[0]], file.points[t[1]], file.points[t[2]]);
    triangles.emplace_back(one, library);
  }
  const std::vector<Shape> grains = {
      Sphere{0.2}, Ellipsoid{{0.3, 0.2, 0.14}}, Capsule{0.1, 0.3}, Box{{0.2, 0.14, 0.1}},
      Polyhedron{library.add(hull_of(dodecahedron(), "a test")), 0.12}};
  Random random(7);
  for (const Shape& grain : grains) {
    int apart = 0;
    for (int k = 0; k < 150; ++k) {
      const Vec3 place(uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, -1, 1));
      const Pose pose{place, random_turn(random)};
      const double margin = k % 2 == 0 ? 0.0 : 0.05;
      double least = std::numeric_limits<double>::infinity();
      for (const Sheet& one : triangles) {
        const Manifold m = contacts_between(grain, pose, one.shape, one.pose, library, margin);
        least = std::min(least, m.deepest().gap);
      }
      if (least <= margin) continue;
      ++apart;
      const Manifold m = contacts_between(grain, pose, whole.shape, whole.pose, library, margin);
      EXPECT_EQ(m.size(), 1U);
      EXPECT_NEAR(m.deepest().gap, least, 1e-12) << type_of(grain) << " " << k;
    }
    EXPECT_GT(apart, 50) << type_of(grain);
  }
}

}  // namespace
}  // namespace scree::test
