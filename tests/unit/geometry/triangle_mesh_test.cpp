#include "scree/geometry/meshes/triangle_mesh.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "geometry/meshes/mesh_file.hpp"
#include "support/meshes.hpp"
#include "unit/geometry/mesh_checks.hpp"

namespace scree {
namespace {

using test::Bend;
using test::box_mesh;
using test::edges_with;
using test::expect_sound;
using test::kPlaceInFile;
using test::n_corners;
using test::n_faces;
using test::prism;
using test::sphere_mesh;

Vec3 in_order(Vec3 v) {
  std::sort(v.begin(), v.end());
  return v;
}

/// Largest difference of a component over the largest component.
double relative(const Vec3& v, const Vec3& expected) {
  return (v - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff();
}

TEST(TriangleMesh, OfACubeHasItsTopologyAndMass) {
  const TriangleMesh mesh = triangle_mesh(box_mesh({1, 1, 1}), 2.0, "cube");
  expect_sound(mesh);
  EXPECT_EQ(mesh.vertices.size(), 8U);
  EXPECT_EQ(mesh.triangles.size(), 12U);
  EXPECT_EQ(mesh.edges.size(), 18U);
  EXPECT_EQ(edges_with(mesh, Bend::flat), 6);
  EXPECT_EQ(edges_with(mesh, Bend::convex), 12);
  EXPECT_EQ(n_faces(mesh), 6U);
  EXPECT_EQ(n_corners(mesh), 8);
  EXPECT_TRUE(mesh.closed);
  EXPECT_NEAR(mesh.area, 24.0, 1e-13);
  EXPECT_NEAR(mesh.volume, 8.0, 1e-13);
  EXPECT_LT(relative(mesh.inertia_per_mass, Vec3::Constant(2.0 / 3.0)), 1e-14);
  EXPECT_NEAR(mesh.bounding_radius, std::sqrt(3.0), 1e-14);
  EXPECT_LT((mesh.in_file.position - Vec3::Ones()).norm(), 1e-14);
  EXPECT_EQ(mesh.in_file.orientation.angularDistance(Quat::Identity()), 0.0);
  EXPECT_EQ(mesh.diagnosis.read, 12);
  EXPECT_EQ(mesh.diagnosis.extent, 2.0);
  EXPECT_TRUE(warnings(mesh).empty());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    EXPECT_NEAR(mesh.normals[t].dot(mesh.vertices[mesh.triangles[t][0]]), 1.0, 1e-14);
  }
}

TEST(TriangleMesh, OfABoxAnywhereHasTheBoxsMass) {
  const Vec3 size(0.4, 1.0, 0.7);
  const TriangleMesh mesh = triangle_mesh(test::moved(box_mesh(size), kPlaceInFile), 1.0, "box");
  expect_sound(mesh);
  EXPECT_NEAR(mesh.volume, size.prod(), 1e-14);
  const Vec3 squares = size.cwiseProduct(size);
  const Vec3 inertia = (Vec3::Constant(squares.sum()) - squares) / 12.0;
  EXPECT_LT(relative(in_order(mesh.inertia_per_mass), in_order(inertia)), 1e-13);
  EXPECT_LT((mesh.in_file.position - kPlaceInFile.to_world(0.5 * size)).norm(), 1e-13);
  for (const Vec3& v : mesh.vertices) {
    const Vec3 in_box = kPlaceInFile.to_body(mesh.in_file.to_world(v));
    EXPECT_LT(((in_box - 0.5 * size).cwiseAbs() - 0.5 * size).norm(), 1e-13);
  }
}

TEST(TriangleMesh, MassPropertiesDoNotDependOnTheFilesFrame) {
  const MeshFile part =
      prism({{0, 0, 0}, {3, 0, 0}, {3, 1, 0}, {1, 1, 0}, {1, 4, 0}, {0, 4, 0}}, 2);
  const TriangleMesh own = triangle_mesh(part, 1.0, "part");
  for (int turn = 1; turn <= 5; ++turn) {
    const Pose pose{Vec3(3.0 * turn, -1.0, 0.5), rotation_by(Vec3(0.7, -0.2 * turn, 0.9))};
    const TriangleMesh mesh = triangle_mesh(test::moved(part, pose), 1.0, "part");
    EXPECT_NEAR(mesh.volume, own.volume, 1e-12);
    EXPECT_NEAR(mesh.area, own.area, 1e-12);
    EXPECT_LT(relative(mesh.inertia_per_mass, own.inertia_per_mass), 1e-12);
    EXPECT_LT((mesh.in_file.position - pose.to_world(own.in_file.position)).norm(), 1e-12);
    EXPECT_EQ(edges_with(mesh, Bend::flat), edges_with(own, Bend::flat));
    EXPECT_EQ(edges_with(mesh, Bend::concave), 1);
  }
}

TEST(TriangleMesh, OfAnAngleHasOneConcaveEdge) {
  const TriangleMesh mesh = triangle_mesh(
      prism({{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}}, 1), 1.0, "angle");
  expect_sound(mesh);
  EXPECT_EQ(mesh.vertices.size(), 12U);
  EXPECT_EQ(edges_with(mesh, Bend::concave), 1);
  EXPECT_EQ(edges_with(mesh, Bend::convex), 17);
  EXPECT_EQ(n_faces(mesh), 8U);
  EXPECT_EQ(n_corners(mesh), 12);
  EXPECT_NEAR(mesh.volume, 3.0, 1e-14);
  EXPECT_LT((mesh.in_file.position - Vec3(5.0 / 6.0, 5.0 / 6.0, 0.5)).norm(), 1e-14);
}

TEST(TriangleMesh, VerticesWithinFacesAndStraightEdgesAreNoCorners) {
  // A plate of 3 x 3 squares: nine of sixteen vertices are within the border or on its sides.
  MeshFile plate;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      test::add_polygon(
          plate, {Vec3(i, j, 0), Vec3(i + 1, j, 0), Vec3(i + 1, j + 1, 0), Vec3(i, j + 1, 0)});
    }
  }
  const TriangleMesh mesh = triangle_mesh(test::moved(plate, kPlaceInFile), 1.0, "plate");
  expect_sound(mesh);
  EXPECT_EQ(mesh.vertices.size(), 16U);
  EXPECT_EQ(n_corners(mesh), 4);
  EXPECT_EQ(n_faces(mesh), 1U);
  EXPECT_EQ(edges_with(mesh, Bend::open), 12);
  EXPECT_EQ(mesh.volume, 0.0);
  EXPECT_NEAR(mesh.area, 9.0, 1e-13);
  // A square plate: a^2 / 12 about its sides, a^2 / 6 about its normal.
  EXPECT_LT(relative(in_order(mesh.inertia_per_mass), Vec3(0.75, 0.75, 1.5)), 1e-13);
}

TEST(TriangleMesh, OfAnOpenBoxIsAShell) {
  const TriangleMesh mesh = triangle_mesh(box_mesh({2, 2, 2}, true), 1.0, "tray");
  expect_sound(mesh);
  EXPECT_FALSE(mesh.closed);
  EXPECT_EQ(mesh.diagnosis.open_edges, 4);
  EXPECT_EQ(edges_with(mesh, Bend::open), 4);
  EXPECT_EQ(mesh.volume, 0.0);
  EXPECT_EQ(mesh.area, 20.0);
  // Four walls with their centres at z = 1 and a floor at z = 0.
  EXPECT_LT((mesh.in_file.position - Vec3(1.0, 1.0, 0.8)).norm(), 1e-14);
  // Walls: 4/12 + 4/12 + 1 or 4/12 about z, floor 8/12.
  EXPECT_NEAR(mesh.inertia_per_mass.z(), (4.0 * (1.0 / 3.0 + 1.0) + 2.0 / 3.0) / 5.0, 1e-14);
  ASSERT_EQ(warnings(mesh).size(), 1U);
  EXPECT_NE(warnings(mesh)[0].find("4 edges of one triangle"), std::string::npos);
}

TEST(TriangleMesh, OfASphereConverges) {
  // Inscribed polyhedra: the error of volume and inertia falls with the square of the edges.
  double last = 1.0;
  for (const int rows : {18, 36, 72}) {
    const MeshFile file = test::moved(sphere_mesh(rows), kPlaceInFile);
    const TriangleMesh mesh = triangle_mesh(file, 0.1, "ball");
    EXPECT_TRUE(mesh.closed);
    EXPECT_EQ(mesh.vertices.size(), 2U + 2U * rows * (rows - 1U));
    EXPECT_EQ(edges_with(mesh, Bend::concave), 0);
    const double error = 1.0 - mesh.volume / (4e-3 * std::numbers::pi / 3.0);
    EXPECT_GT(error, 0.0);
    EXPECT_LT(error, last == 1.0 ? 0.02 : 0.26 * last);
    EXPECT_LT(relative(mesh.inertia_per_mass, Vec3::Constant(4e-3)), 2.0 * error);
    EXPECT_NEAR(mesh.bounding_radius, 0.1, 1e-9);
    EXPECT_TRUE(warnings(mesh).empty());
    last = error;
  }
  EXPECT_LT(last, 2e-3);
}

TEST(TriangleMesh, LookingInwardIsAContainer) {
  const TriangleMesh mesh = triangle_mesh(test::reversed(box_mesh({2, 2, 2})), 1.0, "silo");
  expect_sound(mesh);
  EXPECT_TRUE(mesh.closed);
  EXPECT_TRUE(mesh.diagnosis.inward);
  EXPECT_EQ(edges_with(mesh, Bend::concave), 12);
  EXPECT_EQ(mesh.volume, 0.0);
  // A hollow cube of edge a: 5/18 a^2.
  EXPECT_LT(relative(mesh.inertia_per_mass, Vec3::Constant(20.0 / 18.0)), 1e-14);
  ASSERT_EQ(warnings(mesh).size(), 1U);
  EXPECT_NE(warnings(mesh)[0].find("container"), std::string::npos);
}

}  // namespace
}  // namespace scree
