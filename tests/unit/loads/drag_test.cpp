// Resistance of bodies in a viscous fluid against closed forms.

#include "scree/loads/drag.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/shapes/capsule.hpp"
#include "scree/geometry/shapes/ellipsoid.hpp"
#include "scree/geometry/shapes/sphere.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace scree {
namespace {

constexpr double kPi = std::numbers::pi;

Resistance stokes(const Vec3& axes) {
  return *stokes_resistance(Ellipsoid{{axes.x(), axes.y(), axes.z()}});
}

TEST(Drag, ABallAsAnEllipsoidFeelsStokesDrag) {
  const double r = 0.3;
  const Resistance ball = *stokes_resistance(Sphere{r});
  const Resistance round = stokes({r, r, r});
  for (int i = 0; i < 3; ++i) {
    EXPECT_DOUBLE_EQ(ball.linear[i], 6.0 * kPi * r);
    EXPECT_DOUBLE_EQ(ball.angular[i], 8.0 * kPi * r * r * r);
    EXPECT_NEAR(round.linear[i] / ball.linear[i], 1.0, 1e-14);
    EXPECT_NEAR(round.angular[i] / ball.angular[i], 1.0, 1e-14);
    EXPECT_EQ(round.straining[i], 0.0);
  }
}

// Perrin's closed forms for a prolate spheroid of eccentricity e, with L = log((1 + e) / (1 - e))
// (Happel and Brenner, Low Reynolds number hydrodynamics, section 5-11; Kim and Karrila,
// Microhydrodynamics, table 3.4).
TEST(Drag, ProlateSpheroidsFeelPerrinsDrag) {
  for (const double aspect : {1.01, 1.5, 2.0, 5.0, 20.0}) {
    const double a = 0.7;
    const double b = a / aspect;
    const double e = std::sqrt(1.0 - 1.0 / (aspect * aspect));
    const double l = std::log((1.0 + e) / (1.0 - e));
    const double e2 = e * e;
    const double e3 = e2 * e;
    const Resistance drag = stokes({b, b, a});
    const double bound = 1e-13 / std::pow(e, 5);  // the closed forms cancel as e^5
    EXPECT_NEAR(drag.linear.z() / (6.0 * kPi * a * 8.0 / 3.0 * e3 / (-2.0 * e + (1.0 + e2) * l)),
                1.0, bound);
    EXPECT_NEAR(
        drag.linear.x() / (6.0 * kPi * a * 16.0 / 3.0 * e3 / (2.0 * e + (3.0 * e2 - 1.0) * l)), 1.0,
        bound);
    const double a3 = a * a * a;
    EXPECT_NEAR(drag.angular.z() /
                    (8.0 * kPi * a3 * 4.0 / 3.0 * e3 * (1.0 - e2) / (2.0 * e - (1.0 - e2) * l)),
                1.0, bound);
    EXPECT_NEAR(drag.angular.y() /
                    (8.0 * kPi * a3 * 4.0 / 3.0 * e3 * (2.0 - e2) / (-2.0 * e + (1.0 + e2) * l)),
                1.0, bound);
    EXPECT_NEAR(drag.straining.x(), (b * b - a * a) / (a * a + b * b), 1e-15);
    EXPECT_NEAR(drag.straining.y(), (a * a - b * b) / (a * a + b * b), 1e-15);
    EXPECT_EQ(drag.straining.z(), 0.0);
  }
}

// A disc without thickness: 16 a across, 32/3 a along its plane, 32/3 a^3 about every axis.
TEST(Drag, AFlatEllipsoidIsNearlyADisc) {
  const Resistance drag = stokes({1.0, 1.0, 1e-6});
  EXPECT_NEAR(drag.linear.z(), 16.0, 1e-4);
  EXPECT_NEAR(drag.linear.x(), 32.0 / 3.0, 1e-4);
  EXPECT_NEAR(drag.angular.x(), 32.0 / 3.0, 1e-4);
  EXPECT_NEAR(drag.angular.z(), 32.0 / 3.0, 1e-4);
}

TEST(Drag, AxesMayBeNamedInAnyOrder) {
  const Resistance one = stokes({0.2, 0.5, 0.9});
  const Resistance other = stokes({0.5, 0.9, 0.2});
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(other.linear[i], one.linear[(i + 1) % 3], 1e-14);
    EXPECT_NEAR(other.angular[i], one.angular[(i + 1) % 3], 1e-14);
    EXPECT_NEAR(other.straining[i], one.straining[(i + 1) % 3], 1e-14);
  }
}

TEST(Drag, LocalDragGoesByTheLongestAxis) {
  const ShapeLibrary none;
  EXPECT_DOUBLE_EQ(local_resistance(Ellipsoid{{1.0, 1.0, 2.0}}, none).linear.x(), 4.0);
  const Resistance cell = local_resistance(Capsule{0.25, 1.5}, none);
  EXPECT_DOUBLE_EQ(cell.linear.z(), 2.0);
  EXPECT_DOUBLE_EQ(cell.angular.x(), 8.0 / 12.0);
  EXPECT_FALSE(stokes_resistance(Capsule{0.25, 1.5}).has_value());
}

}  // namespace
}  // namespace scree
