/// Files whose triangles are degenerate, flipped, crowded, or flat to single precision alone.

#include "scree/geometry/meshes/triangle_mesh.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <string>

#include "geometry/meshes/mesh_file.hpp"
#include "scree/base/check.hpp"
#include "support/meshes.hpp"
#include "unit/geometry/mesh_checks.hpp"

namespace scree {
namespace {

using test::add_triangle;
using test::Bend;
using test::box_mesh;
using test::edges_with;
using test::expect_sound;
using test::kPlaceInFile;
using test::n_corners;
using test::n_faces;
using test::prism;
using test::sphere_mesh;

std::string refusal_of_mesh(const MeshFile& file, double scale = 1.0) {
  try {
    triangle_mesh(file, scale, "part.stl");
  } catch (const InputError& error) {
    return error.what();
  }
  return "(accepted)";
}

TEST(TriangleMesh, FlippedTrianglesAreBordersOfTheirOwn) {
  MeshFile file = box_mesh({1, 1, 1});
  std::swap(file.triangles[3][0], file.triangles[3][1]);
  const TriangleMesh mesh = triangle_mesh(file, 1.0, "cube");
  expect_sound(mesh);
  EXPECT_FALSE(mesh.closed);
  EXPECT_EQ(mesh.diagnosis.flipped_edges, 3);
  EXPECT_EQ(mesh.diagnosis.open_edges, 0);
  EXPECT_EQ(edges_with(mesh, Bend::open), 6);
  EXPECT_EQ(mesh.edges.size(), 21U);
  ASSERT_EQ(warnings(mesh).size(), 1U);
  EXPECT_NE(warnings(mesh)[0].find("3 edges between"), std::string::npos);
}

TEST(TriangleMesh, OfAMoebiusBandHasAFlippedEdge) {
  constexpr int kAround = 24;
  const auto at = [](int k, double side) -> Vec3 {
    const double angle = 2.0 * std::numbers::pi * k / kAround;
    const double r = 1.0 + side * std::cos(0.5 * angle);
    return {r * std::cos(angle), r * std::sin(angle), side * std::sin(0.5 * angle)};
  };
  MeshFile band;
  for (int k = 0; k < kAround; ++k) {
    add_triangle(band, at(k, -0.3), at(k + 1, -0.3), at(k + 1, 0.3));
    add_triangle(band, at(k, -0.3), at(k + 1, 0.3), at(k, 0.3));
  }
  const TriangleMesh mesh = triangle_mesh(band, 1.0, "band");
  expect_sound(mesh);
  EXPECT_EQ(mesh.vertices.size(), 2U * kAround);
  EXPECT_EQ(mesh.diagnosis.flipped_edges, 1);
  EXPECT_EQ(mesh.diagnosis.open_edges, 2 * kAround);
  EXPECT_FALSE(mesh.closed);
}

TEST(TriangleMesh, ACrowdedEdgeIsABorderOfEachOfItsTriangles) {
  MeshFile fins;
  for (int k = 0; k < 3; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / 3.0;
    add_triangle(fins, {0, 0, 0}, {0, 0, 1}, {std::cos(angle), std::sin(angle), 0.5});
  }
  const TriangleMesh mesh = triangle_mesh(fins, 1.0, "fins");
  expect_sound(mesh);
  EXPECT_EQ(mesh.vertices.size(), 5U);
  EXPECT_EQ(mesh.edges.size(), 9U);
  EXPECT_EQ(mesh.diagnosis.crowded_edges, 1);
  EXPECT_EQ(mesh.diagnosis.open_edges, 6);
  EXPECT_EQ(edges_with(mesh, Bend::open), 9);
  EXPECT_EQ(n_corners(mesh), 5);
  EXPECT_EQ(warnings(mesh).size(), 2U);
}

TEST(TriangleMesh, DegenerateAndSecondTrianglesAreLeftOut) {
  MeshFile file = box_mesh({1, 1, 1});
  add_triangle(file, {0, 0, 0}, {0, 0, 1e-9}, {1, 1, 1});     // two corners weld
  add_triangle(file, {0, 0, 0}, {0.5, 0, 0}, {1, 0, 1e-10});  // no height
  add_triangle(file, {5e-8, 0, 0}, {5e-8, 0, 0}, {5e-8, 0, 0});
  const std::array<Vec3, 3> second{file.points[0], file.points[1], file.points[2]};
  add_triangle(file, second[1], second[2], second[0]);
  add_triangle(file, second[1], second[0], second[2]);
  const TriangleMesh mesh = triangle_mesh(file, 1.0, "cube");
  expect_sound(mesh);
  EXPECT_EQ(mesh.diagnosis.read, 17);
  EXPECT_EQ(mesh.diagnosis.degenerate, 3);
  EXPECT_EQ(mesh.diagnosis.duplicate, 2);
  EXPECT_EQ(mesh.vertices.size(), 8U);
  EXPECT_TRUE(mesh.closed);
  EXPECT_NEAR(mesh.volume, 1.0, 1e-14);
  const std::vector<std::string> told = warnings(mesh);
  ASSERT_EQ(told.size(), 2U);
  EXPECT_NE(told[0].find("3 triangles of 17 without area"), std::string::npos) << told[0];
  EXPECT_NE(told[1].find("2 triangles of 17 between"), std::string::npos) << told[1];
}

TEST(TriangleMesh, PointsOfSinglePrecisionWeldFarFromTheOrigin) {
  const Pose far{Vec3(40.0, -30.0, 20.0), rotation_by({0.4, 1.3, -0.8})};
  MeshFile file = test::moved(sphere_mesh(30), far);
  // A writer that computes each triangle by itself: corners differ by the last bits of a float.
  for (std::size_t k = 0; k < file.points.size(); ++k) {
    const Vec3 shake = 1e-8 * Vec3(static_cast<double>(k % 3), static_cast<double>(k % 5),
                                   static_cast<double>(k % 7));
    file.points[k] += shake;
  }
  const TriangleMesh mesh = triangle_mesh(file, 1.0, "ball");
  EXPECT_EQ(mesh.vertices.size(), 2U + 60U * 29U);
  EXPECT_TRUE(mesh.closed);
}

/// The mesh with coordinates rounded as a binary STL has them.
MeshFile single(MeshFile mesh) {
  for (Vec3& p : mesh.points) p = p.cast<float>().cast<double>();
  return mesh;
}

// Small triangles are tilted by 1e-4 by the rounding of their corners.
TEST(TriangleMesh, AFineFaceOfSinglePrecisionIsOneFace) {
  constexpr int kSquares = 150;
  MeshFile plate;
  for (int i = 0; i < kSquares; ++i) {
    for (int j = 0; j < kSquares; ++j) {
      const Vec3 at = Vec3(i, j, 0) / kSquares;
      const Vec3 x = Vec3::UnitX() / kSquares;
      const Vec3 y = Vec3::UnitY() / kSquares;
      test::add_polygon(plate, {at, at + x, at + x + y, at + y});
    }
  }
  const Pose tilted{Vec3(0.1, -0.2, 0.3), rotation_by({0.4, 1.3, -0.8})};
  const TriangleMesh mesh = triangle_mesh(single(test::moved(plate, tilted)), 1.0, "plate");
  EXPECT_EQ(mesh.vertices.size(), (kSquares + 1U) * (kSquares + 1U));
  EXPECT_EQ(n_faces(mesh), 1U);
  EXPECT_EQ(n_corners(mesh), 4);
}

// About the poles of a fine sphere neighbours differ by less than the rounding, but not a cap.
TEST(TriangleMesh, GentleBendsDoNotAddUpToAFace) {
  constexpr int kRows = 300;
  const TriangleMesh mesh = triangle_mesh(sphere_mesh(kRows), 1.0, "ball");
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const std::int32_t face = mesh.face_of[t];
    const Vec3& on_face = mesh.vertices[mesh.triangles[face][0]];
    for (const std::int32_t i : mesh.triangles[t]) {
      EXPECT_LT(std::abs(mesh.normals[face].dot(mesh.vertices[i] - on_face)), 2e-6);
    }
  }
  EXPECT_EQ(edges_with(mesh, Bend::concave), 0);
}

TEST(TriangleMesh, AFoldedPlateIsConvexAtItsFold) {
  MeshFile file;
  add_triangle(file, {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  add_triangle(file, {1, 0, 0}, {0, 0, 0}, {0.9, 1, 0});
  const TriangleMesh mesh = triangle_mesh(test::moved(file, kPlaceInFile), 1.0, "sheet");
  expect_sound(mesh);
  EXPECT_EQ(edges_with(mesh, Bend::convex), 1);
  EXPECT_EQ(edges_with(mesh, Bend::open), 4);
}

// Meshers fill the gap beside a vertex on an edge by a triangle whose side is a matter of rounding.
TEST(TriangleMesh, SliversTakeTheNormalOfTheirFace) {
  for (const double aside : {-2e-8, 2e-8}) {
    MeshFile file = box_mesh({1, 1, 1}, true);
    const Vec3 a(0, 0, 1);
    const Vec3 b(1, 0, 1);
    const Vec3 between(0.5, aside, 1);
    test::add_polygon(file, {between, b, {1, 1, 1}, {0, 1, 1}, a});
    add_triangle(file, a, b, between);
    const TriangleMesh mesh = triangle_mesh(file, 1.0, "cube");
    expect_sound(mesh);
    EXPECT_EQ(mesh.vertices.size(), 9U);
    EXPECT_TRUE(mesh.closed);
    EXPECT_EQ(n_faces(mesh), 6U);
    EXPECT_EQ(n_corners(mesh), 8);
    EXPECT_EQ(edges_with(mesh, Bend::concave), 0);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      EXPECT_NEAR(mesh.normals[t].dot(mesh.vertices[mesh.triangles[t][0]]), 0.5, 1e-6);
    }
  }
}

TEST(TriangleMesh, AnExtentOfHundredsLooksLikeMillimetres) {
  const MeshFile file = box_mesh({300, 20, 20});
  const std::vector<std::string> told = warnings(triangle_mesh(file, 1.0, "blade"));
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(told[0].find("300 m long"), std::string::npos) << told[0];
  EXPECT_NE(told[0].find("scale: 1.0e-3"), std::string::npos) << told[0];
  EXPECT_TRUE(warnings(triangle_mesh(file, 1e-3, "blade")).empty());
}

TEST(TriangleMesh, WithoutTrianglesIsRefused) {
  const auto says = [](const std::string& message, const std::string& part) {
    EXPECT_NE(message.find("part.stl: "), std::string::npos) << message;
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  MeshFile file{.points = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 0, 0}}, .triangles = {}};
  says(refusal_of_mesh(file), "has 4 points and no faces; give a mesh of triangles");
  file.triangles = {{0, 1, 2}};
  says(refusal_of_mesh(file), "none of its 1 triangles has an area");
  file.triangles = {{0, 3, 3}};
  says(refusal_of_mesh(file), "extend over 0 m");
  says(refusal_of_mesh(box_mesh({1, 1, 1}), 1e-13), "give scale and points");
  says(refusal_of_mesh(box_mesh({1, 1, 1e300}), 1e300), "extend over inf m");
}

}  // namespace
}  // namespace scree
