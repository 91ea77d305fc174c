/// Which tools that turn may come into grains by turning.

#include <gtest/gtest.h>

#include <numbers>
#include <vector>

#include "scenes.hpp"
#include "scree/contact/passing.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/shapes/all_shapes.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree::testing {
namespace {

const Vec3 kSpin(0.3, -2.0, 0.5);

std::vector<Shape> shapes_of_revolution() {
  return {Plane{}, Cylinder{0.1, 0.2}, Cone{0.1, 0.2}, Capsule{0.1, 0.2},
          HollowCylinder{{0.1, 0.1, 0.0, 0.2}}};
}

Quat tilted() {
  return Quat(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vec3::UnitX())) *
         Quat(Eigen::AngleAxisd(0.7, Vec3::UnitY()));
}

TEST(SurfaceSpin, IsWithoutThatAboutTheAxisOfRevolution) {
  const Vec3 axis = tilted() * Vec3::UnitZ();
  const Vec3 across = kSpin - kSpin.dot(axis) * axis;
  for (const Shape& shape : shapes_of_revolution()) {
    EXPECT_TRUE(surface_spin(shape, tilted(), 2.0 * axis).isZero(0.0)) << type_of(shape);
    EXPECT_TRUE(surface_spin(shape, tilted(), kSpin).isApprox(across)) << type_of(shape);
  }
  for (const Shape& shape : {Shape(Box{{0.1, 0.2, 0.3}}), Shape(Ring{0.1, 0.02})}) {
    EXPECT_EQ(surface_spin(shape, tilted(), axis), axis) << type_of(shape);
  }
  EXPECT_TRUE(surface_spin(Sphere{0.1}, tilted(), kSpin).isZero(0.0));
}

/// A tool's spin is the difference of two poses over dt: slow turns in short steps leave much
/// rounding.
TEST(SurfaceSpin, TakesRoundingOfPosesForNothing) {
  const Vec3 axis = tilted() * Vec3::UnitZ();
  for (const double angle : {1e-6, 1e-5, 1e-3}) {
    for (int k = 1; k < 200; ++k) {
      const auto turned = [&](int steps) {
        return Quat(Eigen::AngleAxisd(steps * angle, axis)) * tilted();
      };
      const Vec3 spin = rotation_vector(turned(k + 1) * turned(k).conjugate());
      EXPECT_TRUE(surface_spin(Plane{}, turned(k), spin).isZero(0.0)) << angle << ", step " << k;
    }
  }
}

/// Whether a grain at rest beside a tool makes a look at the ends of the step due.
bool is_due(const Shape& shape, const Vec3& spin) {
  Store store;
  Body turning = tool(0, shape, Vec3::Zero(), tilted());
  turning.angular_velocity = spin;
  append_tool(store, turning);
  append_grain(store, ball(0, Vec3(0.0, 0.0, 0.5), 0.01));
  return any_turns_far(store, std::vector<double>(6, 0.0), 0.01, 1e-3);
}

TEST(AnyTurnsFar, NotByATurnAboutAToolsOwnAxis) {
  const Vec3 axis = tilted() * Vec3::UnitZ();
  for (const Shape& shape : shapes_of_revolution()) {
    EXPECT_FALSE(is_due(shape, 2.0 * axis)) << type_of(shape);
    EXPECT_TRUE(is_due(shape, kSpin)) << type_of(shape);
  }
  EXPECT_TRUE(is_due(Box{{0.1, 0.2, 0.3}}, axis));
}

}  // namespace
}  // namespace scree::testing
