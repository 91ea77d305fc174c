/// Surfaces of shapes as triangles, against functions that are zero on the surface and above zero
/// outside of the solid.

#include "scree/geometry/hulls/surface_mesh.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/shapes/box.hpp"
#include "scree/geometry/shapes/capsule.hpp"
#include "scree/geometry/shapes/ellipsoid.hpp"
#include "scree/geometry/shapes/plane.hpp"
#include "scree/geometry/shapes/polyhedron.hpp"
#include "scree/geometry/shapes/ring.hpp"
#include "scree/geometry/shapes/round_hole.hpp"
#include "scree/geometry/shapes/sphere.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

namespace scree {
namespace {

constexpr double kPiOfCircle = std::numbers::pi;
const Box3 kSeen{Vec3(-1, -2, -3), Vec3(1, 2, 3)};

struct Case {
  std::string name;
  Shape shape;
  std::function<double(const Vec3&)> outside;  ///< in the body's frame, m
  double area;                                 ///< m^2
};

double rho(const Vec3& p) {
  return std::hypot(p.x(), p.y());
}

/// The function of a box with the half lengths @p half.
double out_of_box(const Vec3& p, const Vec3& half) {
  return (p.cwiseAbs() - half).maxCoeff();
}

/// The area of the spheroid of 2 a = 0.4, 0.4 and 1.2 m: 2 pi a^2 (1 + c asin(e) / (a e)).
double area_of_spheroid() {
  const double e = std::sqrt(1.0 - 0.04 / 0.36);
  return 2.0 * kPiOfCircle * 0.04 * (1.0 + 0.6 / (0.2 * e) * std::asin(e));
}

std::vector<Case> cases(ShapeLibrary& shapes) {
  const Vec3 half(0.1, 0.2, 0.3);
  const std::int32_t hull = shapes.add(cuboid(half));
  return {
      {"sphere", Sphere{0.3}, [](const Vec3& p) { return p.norm() - 0.3; },
       4.0 * kPiOfCircle * 0.09},
      {"ellipsoid", Ellipsoid{.semi_axes = {0.2, 0.2, 0.6}},
       [](const Vec3& p) { return p.cwiseQuotient(Vec3(0.2, 0.2, 0.6)).norm() - 1.0; },
       area_of_spheroid()},
      {"box", Box{.half_size = {0.1, 0.2, 0.3}},
       [half](const Vec3& p) { return out_of_box(p, half); }, 8.0 * 0.11},
      {"polyhedron", Polyhedron{hull, 2.0},
       [half](const Vec3& p) { return out_of_box(p, 2.0 * half); }, 32.0 * 0.11},
      {"capsule", Capsule{.radius = 0.2, .length = 0.5},
       [](const Vec3& p) {
         return (p - std::clamp(p.z(), -0.25, 0.25) * Vec3::UnitZ()).norm() - 0.2;
       },
       2.0 * kPiOfCircle * 0.2 * 0.9},
      {"ring", Ring{.major_radius = 0.5, .minor_radius = 0.1},
       [](const Vec3& p) { return std::hypot(rho(p) - 0.5, p.z()) - 0.1; },
       4.0 * kPiOfCircle * kPiOfCircle * 0.05},
      {"hollow_cylinder", HollowCylinder{{0.5, 0.5, 0.0, 0.8}},
       [](const Vec3& p) { return 0.5 - rho(p); }, 2.0 * kPiOfCircle * 0.5 * 0.8},
      {"hollow_cone", HollowCone{{0.2, 0.5, 0.0, 0.4}},
       [](const Vec3& p) { return 0.8 * (0.2 + 0.75 * p.z() - rho(p)); }, kPiOfCircle * 0.7 * 0.5}};
}

const Pose kTurned{Vec3(1, 2, 3), Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, 2) / 3.0))};

double area_of(const SurfaceMesh& mesh) {
  double area = 0.0;
  for (const auto& [a, b, c] : mesh.triangles) {
    area += 0.5 * (mesh.points[b] - mesh.points[a]).cross(mesh.points[c] - mesh.points[a]).norm();
  }
  return area;
}

/// The slope of a function by differences.
Vec3 slope(const std::function<double(const Vec3&)>& f, const Vec3& p) {
  constexpr double kStep = 1e-6;
  Vec3 slope;
  for (int k = 0; k < 3; ++k) {
    slope[k] = (f(p + kStep * Vec3::Unit(k)) - f(p - kStep * Vec3::Unit(k))) / (2.0 * kStep);
  }
  return slope;
}

/// Each point is on the surface, and each triangle looks out of the solid: where it has an area,
/// for those at a pole are flat, within 10 degrees of the function's slope, since a circle has 48
/// corners and a tube 24.
void expect_surface(const SurfaceMesh& mesh, const Pose& pose,
                    const std::function<double(const Vec3&)>& outside) {
  ASSERT_FALSE(mesh.triangles.empty());
  for (const Vec3& point : mesh.points) EXPECT_NEAR(outside(pose.to_body(point)), 0.0, 1e-12);
  for (const auto& [a, b, c] : mesh.triangles) {
    const Vec3 normal = (mesh.points[b] - mesh.points[a]).cross(mesh.points[c] - mesh.points[a]);
    if (normal.norm() < 1e-12) continue;
    const Vec3 middle = (mesh.points[a] + mesh.points[b] + mesh.points[c]) / 3.0;
    const Vec3 out = pose.orientation * slope(outside, pose.to_body(middle));
    EXPECT_GT(normal.normalized().dot(out.normalized()), 0.985);
  }
}

// Of a polygon of n corners instead of a circle the length is less by pi^2/(6 n^2), the area by
// four times that: 0.3 % of 48 corners, 1.2 % of the 24 of a tube.
TEST(SurfaceMeshes, ArePointsOfTheSurfaceAndLookOut) {
  ShapeLibrary shapes;
  for (const Case& one : cases(shapes)) {
    SCOPED_TRACE(one.name);
    const SurfaceMesh mesh = surface_of(one.shape, shapes, kTurned, kSeen);
    expect_surface(mesh, kTurned, one.outside);
    EXPECT_NEAR(area_of(mesh) / one.area, 1.0, 0.013);
    EXPECT_LE(area_of(mesh), one.area * (1.0 + 1e-12));
  }
}

// A floor is as long and wide as what is seen, wherever its point is.
TEST(SurfaceMeshes, APlaneIsBesideTheBox) {
  const Pose pose{Vec3(5, 5, -3), Quat::Identity()};
  const SurfaceMesh mesh = surface_of(Plane{}, {}, pose, kSeen);
  expect_surface(mesh, pose, [](const Vec3& p) { return p.z(); });
  EXPECT_NEAR(area_of(mesh), 2.0 * 4.0, 1e-12);
  for (const Vec3& point : mesh.points) {
    EXPECT_NEAR(std::abs(point.x()), 1.0, 1e-12);
    EXPECT_NEAR(std::abs(point.y()), 2.0, 1e-12);
  }
  EXPECT_EQ(surface_of(Plane{}, {}, kTurned, kSeen).triangles.size(), 2u);
  expect_surface(surface_of(Plane{}, {}, kTurned, kSeen), kTurned,
                 [](const Vec3& p) { return p.z(); });
}

// The wall of a hole without ends is as long as what is seen; an orifice has the upper face of its
// plate, out to the farthest side that is seen.
TEST(SurfaceMeshes, HolesAndPlatesWithoutEnds) {
  constexpr double kBoundless = std::numeric_limits<double>::infinity();
  const Pose pose{Vec3::Zero(), Quat::Identity()};
  const SurfaceMesh pipe =
      surface_of(HollowCylinder{{0.5, 0.5, -kBoundless, kBoundless}}, {}, pose, kSeen);
  expect_surface(pipe, pose, [](const Vec3& p) { return 0.5 - rho(p); });
  EXPECT_NEAR(area_of(pipe) / (2.0 * kPiOfCircle * 0.5 * 6.0), 1.0, 0.003);
  const SurfaceMesh plate = surface_of(Orifice{{0.5, 0.5, -0.1, 0.0}}, {}, pose, kSeen);
  expect_surface(plate, pose, [](const Vec3& p) { return std::max(0.5 - rho(p), p.z()); });
  EXPECT_NEAR(area_of(plate) / (2.0 * kPiOfCircle * 0.5 * 0.1 + kPiOfCircle * (4.0 - 0.25)), 1.0,
              0.003);
}

}  // namespace
}  // namespace scree
