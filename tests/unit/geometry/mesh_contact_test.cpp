/// Contacts of grains with meshes, against the analytic shapes that these meshes stand for.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <random>
#include <set>
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

/// A mesh in a library, placed as its file is.
struct PlacedMesh {
  explicit PlacedMesh(const MeshFile& file, bool is_sheet = false)
      : surface(std::make_shared<const SearchableMesh>(triangle_mesh(file, 1.0, "a test"))) {
    shape = Mesh{library.add(surface), is_sheet ? 1 : 0};
    pose = surface->mesh.in_file;
  }

  ShapeLibrary library;
  std::shared_ptr<const SearchableMesh> surface;
  Mesh shape;
  Pose pose;
};

/// The square from -half to half at z = 0, cut into n x n squares of two triangles.
MeshFile flat_grid(int n, double half) {
  MeshFile mesh;
  for (int j = 0; j <= n; ++j) {
    for (int i = 0; i <= n; ++i) {
      mesh.points.emplace_back(half * (2.0 * i / n - 1.0), half * (2.0 * j / n - 1.0), 0.0);
    }
  }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const std::int32_t a = j * (n + 1) + i;
      mesh.triangles.push_back({a, a + 1, a + n + 2});
      mesh.triangles.push_back({a, a + n + 2, a + n + 1});
    }
  }
  return mesh;
}

/// Grains of every kind, some tenths of a metre large.
std::vector<Shape> grains(ShapeLibrary& library) {
  return {Sphere{0.1},
          Ellipsoid{{0.15, 0.1, 0.07}},
          Capsule{0.05, 0.15},
          Box{{0.1, 0.07, 0.05}},
          Polyhedron{library.add(hull_of(dodecahedron(), "a test")), 0.06},
          Cylinder{0.08, 0.2},
          Cone{0.1, 0.2},
          Superellipsoid{{0.15, 0.1, 0.07}, {3.0, 6.0}}};
}

/// Whether it is met by the generic route.
bool is_generic(const Shape& grain) {
  return grain.is<Cylinder>() || grain.is<Cone>() || grain.is<Superellipsoid>();
}

TEST(MeshContact, OfAPlaneHasThePointsOfThePlane) {
  Random random(1);
  for (const int n : {1, 7, 70}) {
    PlacedMesh mesh(flat_grid(n, 2.0), true);
    for (const Shape& grain : grains(mesh.library)) {
      for (int k = 0; k < 200; ++k) {
        Quat turn = k % 4 == 0 ? Quat::Identity() : random_turn(random);
        Pose pose{{uniform(random, -1, 1), uniform(random, -1, 1), 0.0}, turn};
        // on inner edges and corners, too
        if (k % 3 == 0) pose.position.x() = 0.0;
        if (k % 6 == 0) pose.position.y() = 0.0;
        const double lowest = -box_of(grain, pose, mesh.library).low.z();
        pose.position.z() = lowest + uniform(random, -0.01, 0.02);
        const Manifold on_plane =
            contacts_between(grain, pose, Plane{}, Pose{}, mesh.library, 0.03);
        const Manifold on_mesh =
            contacts_between(grain, pose, mesh.shape, mesh.pose, mesh.library, 0.03);
        ASSERT_EQ(on_mesh.status, SeparationStatus::solved);
        EXPECT_NEAR(on_mesh.deepest().gap, on_plane.deepest().gap, 1e-12) << type_of(grain) << n;
        EXPECT_LE((on_mesh.deepest().normal - Vec3::UnitZ()).norm(), 1e-12);
        EXPECT_LE((on_mesh.deepest().point_a - on_mesh.deepest().point_b -
                   on_mesh.deepest().gap * on_mesh.deepest().normal)
                      .norm(),
                  1e-12);
        ASSERT_EQ(on_mesh.size(), on_plane.size()) << type_of(grain) << " " << n << " " << k;
        for (const ContactPoint& p : on_mesh) {
          EXPECT_TRUE(std::any_of(on_plane.begin(), on_plane.end(), [&](const ContactPoint& q) {
            return std::abs(p.gap - q.gap) < 1e-12 && (p.point_a - q.point_a).norm() < 1e-12;
          })) << type_of(grain);
        }
      }
    }
  }
}

TEST(MeshContact, OfABoxIsThatOfTheBox) {
  Random random(2);
  PlacedMesh mesh(box_mesh({0.6, 0.5, 0.4}));
  const Box box{{0.3, 0.25, 0.2}};
  const Pose box_pose{{0.3, 0.25, 0.2}, Quat::Identity()};
  int near = 0;
  for (const Shape& grain : grains(mesh.library)) {
    for (int k = 0; k < 2000; ++k) {
      const Vec3 place(uniform(random, -0.3, 0.9), uniform(random, -0.3, 0.8),
                       uniform(random, -0.3, 0.7));
      const Pose pose{place, random_turn(random)};
      const Manifold of_box = contacts_between(grain, pose, box, box_pose, mesh.library, 0.02);
      // grains that are deeper have other ways out
      if (of_box.deepest().gap < 0.0) continue;
      const Manifold of_mesh =
          contacts_between(grain, pose, mesh.shape, mesh.pose, mesh.library, 0.02);
      const bool is_near = of_box.deepest().gap < 0.02;
      near += is_near ? 1 : 0;
      ASSERT_NEAR(of_mesh.deepest().gap, of_box.deepest().gap, 1e-10)
          << type_of(grain) << " " << k << " at " << place.transpose();
      if (is_near) {
        // the generic route ends by the gap, of which the normal's error is a root
        const double alike = is_generic(grain) ? 1e-5 : 1e-6;
        EXPECT_LE((of_mesh.deepest().normal - of_box.deepest().normal).norm(), alike)
            << type_of(grain) << " " << k;
      }
    }
  }
  EXPECT_GT(near, 300);
}

/// Where a grain has sunk in by little, as springs and rounding let it, the way out is the same.
TEST(MeshContact, OfABoxIsThatOfTheBoxWhereTheyOverlapALittle) {
  Random random(3);
  PlacedMesh mesh(box_mesh({0.6, 0.5, 0.4}));
  const Box box{{0.3, 0.25, 0.2}};
  const Pose box_pose{{0.3, 0.25, 0.2}, Quat::Identity()};
  for (const Shape& grain : grains(mesh.library)) {
    int near = 0;
    int others = 0;
    for (int k = 0; k < 2000; ++k) {
      const Vec3 place(uniform(random, -0.3, 0.9), uniform(random, -0.3, 0.8),
                       uniform(random, -0.3, 0.7));
      Pose pose{place, random_turn(random)};
      const Manifold apart = contacts_between(grain, pose, box, box_pose, mesh.library, 0.0);
      if (apart.deepest().gap < 0.0) continue;
      // towards the box until it has sunk in by a thousandth of its size
      pose.position -= (apart.deepest().gap + 1e-4) * apart.deepest().normal;
      const Manifold of_box = contacts_between(grain, pose, box, box_pose, mesh.library, 1e-3);
      const Manifold of_mesh =
          contacts_between(grain, pose, mesh.shape, mesh.pose, mesh.library, 1e-3);
      ++near;
      EXPECT_LT(of_mesh.deepest().gap, 0.0) << type_of(grain) << " " << k;
      // near an edge, by less than the overlap, the way out may be past the one face or the other
      others += std::abs(of_mesh.deepest().gap - of_box.deepest().gap) > 1e-4 ? 1 : 0;
    }
    EXPECT_GT(near, 500);
    // of shapes that answer to directions alone one in fifty, of a rim or tip over a corner
    EXPECT_LE(others, near / (is_generic(grain) ? 50 : 200)) << "at corners alone";
  }
}

// A common normal is known by the size of the pair, and so is whether a point of it is on an edge.
// The edge as a thin capsule has the same gap: the bound is a hundred times that capsule's radius,
// and a small part of how deep the grain is, to which a point that is lost would show.
TEST(MeshContact, AShortEdgeOfALongTriangleBears) {
  Random random(4);
  constexpr double kWidth = 0.01;
  constexpr double kThin = 1e-9;
  PlacedMesh strip({{{-0.5 * kWidth, 0.0, 0.0},
                     {0.5 * kWidth, 0.0, 0.0},
                     {0.5 * kWidth, 0.0, -50.0},
                     {-0.5 * kWidth, 0.0, -50.0}},
                    {{0, 1, 2}, {0, 2, 3}}},
                   true);
  const Capsule edge{kThin, kWidth};
  const Pose along_x{Vec3::Zero(), Quat(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vec3::UnitY()))};
  const Superellipsoid grain{{0.05, 0.04, 0.04}, {4.0, 4.0}};
  for (int k = 0; k < 1000; ++k) {
    Pose pose{{0.0, 0.0, 0.2}, random_turn(random)};
    const double sunk = uniform(random, 0.0, grain.rounding_radius());
    for (int step = 0; step < 60; ++step) {
      const double gap =
          contacts_between(grain, pose, edge, along_x, strip.library, 0.0).deepest().gap;
      pose.position.z() -= gap + sunk;
    }
    const Manifold over = contacts_between(grain, pose, edge, along_x, strip.library, 0.0);
    const Manifold found =
        contacts_between(grain, pose, strip.shape, strip.pose, strip.library, 0.0);
    EXPECT_NEAR(found.deepest().gap, over.deepest().gap, 1e-7) << k;
  }
}

TEST(MeshContact, ABallInACornerTouchesItsThreeFaces) {
  PlacedMesh mesh(box_mesh({1.0, 1.0, 1.0}, true), true);
  const double r = 0.1;
  const Manifold m = contacts_between(Sphere{r}, {{r, r + 1e-4, r + 2e-4}, Quat::Identity()},
                                      mesh.shape, mesh.pose, mesh.library, 0.01);
  ASSERT_EQ(m.size(), 3U);
  EXPECT_NEAR(m[0].gap, 0.0, 1e-12);
  EXPECT_NEAR(m[1].gap, 1e-4, 1e-12);
  EXPECT_NEAR(m[2].gap, 2e-4, 1e-12);
}

TEST(MeshContact, APlanePastAConcaveEdgeIsKnownAhead) {
  // a floor and a slope of 45 degrees from x = 0 on
  MeshFile file;
  add_polygon(file, {{-1, -1, 0}, {0, -1, 0}, {0, 1, 0}, {-1, 1, 0}});
  add_polygon(file, {{0, -1, 0}, {1, -1, 1}, {1, 1, 1}, {0, 1, 0}});
  PlacedMesh mesh(file, true);
  const double r = 0.1;
  const double reach = r * std::tan(std::numbers::pi / 8);  // where it touches both
  const auto at = [&](double x) {
    return contacts_between(Sphere{r}, {{x, 0.1, r}, Quat::Identity()}, mesh.shape, mesh.pose,
                            mesh.library, 0.05);
  };
  EXPECT_EQ(at(-reach).size(), 2U);
  EXPECT_NEAR(at(-reach)[1].gap, 0.0, 1e-12);
  const double foot_at_edge = r * std::tan(std::numbers::pi / 4);
  const Manifold ahead = at(-foot_at_edge - 0.01);
  ASSERT_EQ(ahead.size(), 2U);
  const Vec3 slope = Vec3(-1, 0, 1).normalized();
  EXPECT_LE((ahead[1].normal - slope).norm(), 1e-12);
  EXPECT_NEAR(ahead[1].gap, slope.dot(Vec3(-foot_at_edge - 0.01, 0, r)) - r, 1e-12);
  EXPECT_EQ(at(-foot_at_edge - 0.1).size(), 1U);
}

TEST(MeshContact, InsideASphereIsThatOfTheSphere) {
  const int rows = 70;
  MeshFile file = sphere_mesh(rows);
  file = reversed(file);  // the solid is all around
  PlacedMesh mesh(file);
  Random random(4);
  const double r = 0.1;
  // chords of an angle of pi / rows, and diagonals of it
  const double error = 1.0 - std::cos(std::numbers::pi / rows);
  for (int k = 0; k < 500; ++k) {
    const Vec3 away = random_turn(random) * Vec3::UnitX();
    const Vec3 centre = uniform(random, 0.85, 0.899) * away;
    const Manifold m = contacts_between(Sphere{r}, {centre, Quat::Identity()}, mesh.shape,
                                        mesh.pose, mesh.library, 0.1);
    EXPECT_LE(std::count_if(m.begin(), m.end(),
                            [&](const ContactPoint& p) { return p.gap < m.deepest().gap + error; }),
              4);
    EXPECT_NEAR(m.deepest().gap, 1.0 - centre.norm() - r, 1.01 * error);
    EXPECT_GT(m.deepest().normal.dot(-away), 0.99);
  }
}

TEST(MeshContact, ASheetHoldsOnBothSidesAndASolidOnOne) {
  PlacedMesh sheet(flat_grid(3, 1.0), true);
  for (const double side : {1.0, -1.0}) {
    const Manifold m = contacts_between(Sphere{0.1}, {{0.2, 0.1, side * 0.11}, Quat::Identity()},
                                        sheet.shape, sheet.pose, sheet.library, 0.05);
    EXPECT_NEAR(m.deepest().gap, 0.01, 1e-12);
    EXPECT_LE((m.deepest().normal - side * Vec3::UnitZ()).norm(), 1e-12);
  }
  PlacedMesh plate(box_mesh({1.0, 1.0, 0.01}));
  const Manifold on_plate = contacts_between(Sphere{0.1}, {{0.5, 0.5, 0.12}, Quat::Identity()},
                                             plate.shape, plate.pose, plate.library, 0.2);
  EXPECT_EQ(on_plate.size(), 1U) << "the lower face is behind";
  const Manifold within = contacts_between(Sphere{0.1}, {{0.5, 0.5, 0.008}, Quat::Identity()},
                                           plate.shape, plate.pose, plate.library, 0.2);
  EXPECT_NEAR(within.deepest().gap, -0.102, 1e-12) << "out through the nearer face";
}

/// A rod past the rim of a sheet: its lower end is beneath the sheet, but did not come through.
TEST(MeshContact, WhatIsRoundTheRimOfASheetIsNotThroughIt) {
  PlacedMesh sheet(flat_grid(4, 1.0), true);
  const Pose pose{{1.12, 0.0, 0.05}, rotation_by(Vec3(0, 0.8, 0))};
  const Manifold m =
      contacts_between(Capsule{0.02, 0.6}, pose, sheet.shape, sheet.pose, sheet.library, 0.1);
  EXPECT_LT(pose.to_world(Vec3(0, 0, -0.3)).z(), 0.0);
  EXPECT_LT(pose.to_world(Vec3(0, 0, -0.3)).x(), 1.0);
  EXPECT_GT(m.deepest().gap, 0.0);
}

TEST(MeshContact, FarAwayTheGapIsTheDistance) {
  PlacedMesh mesh(box_mesh({0.6, 0.5, 0.4}));
  for (const Shape& grain : grains(mesh.library)) {
    const Pose pose{{3.0, 0.2, 0.1}, rotation_by(Vec3(0.3, 0.7, 0.2))};
    const double reach = -box_of(grain, {Vec3::Zero(), pose.orientation}, mesh.library).low.x();
    const Manifold m = contacts_between(grain, pose, mesh.shape, mesh.pose, mesh.library, 0.0);
    EXPECT_NEAR(m.deepest().gap, 2.4 - reach, 1e-9) << type_of(grain);
  }
}

TEST(TriangleTree, FindsWhatTryingAllFinds) {
  const SearchableMesh surface(triangle_mesh(sphere_mesh(12), 1.0, "a test"));
  Random random(5);
  for (int k = 0; k < 300; ++k) {
    const Vec3 p(uniform(random, -1.5, 1.5), uniform(random, -1.5, 1.5),
                 uniform(random, -1.5, 1.5));
    double least = 1e300;
    std::set<std::int32_t> in_box;
    const Vec3 half = Vec3::Constant(0.2);
    for (std::int32_t t = 0; t < std::ssize(surface.mesh.facets); ++t) {
      const auto c = surface.mesh.facets[t].corners;
      least = std::min(least, (nearest_on_triangle(c, p).point - p).norm());
      const Box3 box{c[0].cwiseMin(c[1]).cwiseMin(c[2]), c[0].cwiseMax(c[1]).cwiseMax(c[2])};
      if (box.meets({p - half, p + half})) in_box.insert(t);
    }
    EXPECT_NEAR(surface.tree.nearest(p).distance, least, 1e-15);
    std::set<std::int32_t> found;
    surface.tree.for_each_in({p - half, p + half},
                             [&](std::int32_t t) { EXPECT_TRUE(found.insert(t).second); });
    EXPECT_EQ(found, in_box) << "none is within the rounding of the tree's boxes here";
    EXPECT_EQ(surface.tree.any_in({p - half, p + half}), !in_box.empty());
    const bool passes = surface.tree.met_by(Vec3::Zero(), p).has_value();
    const double inscribed = std::cos(std::numbers::pi / 12);
    if (p.norm() > 1.0) {
      EXPECT_TRUE(passes);
    }
    if (p.norm() < inscribed * inscribed) {
      EXPECT_FALSE(passes);
    }
  }
}

/// By balls, of meshes of few and many triangles, tiny, large and far from the origin: boxes in
/// single precision are wider by some 1e-7 of where they are.
TEST(TriangleTree, FindsWhatIsNearABallAtAnyScale) {
  Random random(8);
  for (const int fineness : {3, 4, 12}) {
    for (const double scale : {1e-9, 1.0, 1e9}) {
      for (const double away : {0.0, 100.0}) {
        MeshFile file = sphere_mesh(fineness);
        for (Vec3& point : file.points) point = scale * (point + Vec3(away, -away, 0.0));
        const SearchableMesh surface(triangle_mesh(file, 1.0, "a test"));
        const double slack = 1e-6 * scale * (1.0 + away);
        for (int k = 0; k < 50; ++k) {
          const Vec3 centre = scale * Vec3(uniform(random, -1.2, 1.2), uniform(random, -1.2, 1.2),
                                           uniform(random, -1.2, 1.2));
          const double radius = scale * uniform(random, 0.01, 0.4);
          std::set<std::int32_t> found;
          surface.tree.for_each_near(centre, radius,
                                     [&](std::int32_t t) { EXPECT_TRUE(found.insert(t).second); });
          for (std::int32_t t = 0; t < std::ssize(surface.mesh.facets); ++t) {
            const auto c = surface.mesh.facets[t].corners;
            const Vec3 low = c[0].cwiseMin(c[1]).cwiseMin(c[2]) - centre;
            const Vec3 high = centre - c[0].cwiseMax(c[1]).cwiseMax(c[2]);
            const double distance = low.cwiseMax(high).cwiseMax(0.0).norm();
            if (distance <= radius) {
              EXPECT_TRUE(found.contains(t));
            } else if (distance > radius + slack) {
              EXPECT_FALSE(found.contains(t));
            }
          }
        }
      }
    }
  }
}

TEST(TriangleTree, NearestOnATriangleIsTheLeastOfManyPoints) {
  Random random(6);
  const auto any = [&] {
    return Vec3(uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, -0.3, 0.3));
  };
  for (int k = 0; k < 200; ++k) {
    const std::array<Vec3, 3> c{any(), any(), any()};
    const Vec3 p = 2.0 * any();
    const NearestOnTriangle on = nearest_on_triangle(c, p);
    double least = 1e300;
    constexpr int kParts = 60;
    for (int i = 0; i <= kParts; ++i) {
      for (int j = 0; i + j <= kParts; ++j) {
        const double u = static_cast<double>(i) / kParts;
        const double v = static_cast<double>(j) / kParts;
        least = std::min(least, (c[0] + u * (c[1] - c[0]) + v * (c[2] - c[0]) - p).norm());
      }
    }
    EXPECT_LE((on.point - p).norm(), least + 1e-12);
    EXPECT_GE((on.point - p).norm(), least - 0.06);
  }
}

}  // namespace
}  // namespace scree::test
