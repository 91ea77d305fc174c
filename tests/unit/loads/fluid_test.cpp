#include "scree/loads/fluid.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "scree/base/check.hpp"
#include "scree/config/reader.hpp"
#include "scree/geometry/shapes/box.hpp"
#include "scree/geometry/shapes/ellipsoid.hpp"
#include "scree/geometry/shapes/sphere.hpp"

namespace scree {
namespace {

constexpr double kHalfTurn = std::numbers::pi;

Store ball_at(const Vec3& position, double radius, double density = 1000.0) {
  Store store;
  append_grain(store, {.id = 4, .position = position, .shape = Sphere{radius}, .density = density});
  return store;
}

TEST(Fluid, DragIsThatOfStokes) {
  const Store store = ball_at(Vec3::Zero(), 0.01);
  const Medium water{.viscosity = 1e-3};
  const DragCoefficients drag = drag_coefficients(store, 0, water);
  EXPECT_DOUBLE_EQ(drag.linear.x(), 6.0 * kHalfTurn * 1e-3 * 0.01);
  EXPECT_DOUBLE_EQ(drag.angular.z(), 8.0 * kHalfTurn * 1e-3 * 1e-6);
  EXPECT_TRUE(drag_coefficients(store, 0, {}).is_zero());
}

TEST(Fluid, BearsWhatIsDisplaced) {
  const Store store = ball_at(Vec3::Zero(), 0.1, 2500.0);
  EXPECT_EQ(buoyant_mass(store, 0, 0.0), store.mass[0]);
  EXPECT_NEAR(buoyant_mass(store, 0, 1000.0), 0.6 * store.mass[0], 1e-12);
}

TEST(Fluid, KnowsNoDragOfBoxes) {
  Store store;
  append_grain(store, {.id = 4, .shape = Box{{0.1, 0.1, 0.1}}, .density = 1.0});
  EXPECT_TRUE(drag_coefficients(store, 0, {}).is_zero());
  try {
    drag_coefficients(store, 0, {.viscosity = 1.0});
    FAIL() << "not refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("fluid: body 4 is a box"), std::string::npos);
  }
}

/// U and W of Faxen's laws, by hand. A simple shear turns a ball at half its rate; in a parabolic
/// flow the ball lags behind: laplace u = -4.
TEST(Flow, IsTheMeanOverTheBallAndHalfItsVorticity) {
  const double r = 0.5;
  const Vec3 x(0.3, -0.2, 2.0);
  const Store store = ball_at(x, r);
  const Flow shear({.velocity = {"3*z", "0", "t"}});
  const Velocities a = shear.around(store, 0, 7.0);
  EXPECT_LT((a.linear - Vec3(6.0, 0, 7.0)).norm(), 1e-14);
  EXPECT_LT((a.angular - Vec3(0, 1.5, 0)).norm(), 1e-14);
  const Flow pipe({.velocity = {"0", "0", "1 - x^2 - y^2"}});
  const Velocities b = pipe.around(store, 0, 0.0);
  EXPECT_LT((b.linear - Vec3(0, 0, 1 - 0.13 - 4.0 * r * r / 6.0)).norm(), 1e-14);
  EXPECT_LT((b.angular - Vec3(-x.y(), x.x(), 0)).norm(), 1e-14);
  EXPECT_TRUE(Flow().at_rest());
  EXPECT_TRUE(Flow(FluidSpec{}).at_rest());
}

Store ellipsoid_at(const Vec3& position, const Vec3& axes, const Quat& turn) {
  Store store;
  append_grain(store, {.id = 4,
                       .position = position,
                       .orientation = turn,
                       .shape = Ellipsoid{{axes.x(), axes.y(), axes.z()}},
                       .density = 1000.0});
  return store;
}

// In a flow that is linear in place the ellipsoid goes with the flow at its centre, and turns by
// Jeffery's equations: with the gradient G in its frame, W_1 + (a_2^2 - a_3^2)/(a_2^2 + a_3^2)
// (G_23 + G_32)/2 about its first axis, and so on.
TEST(Flow, TurnsAnEllipsoidAsJefferySays) {
  const Vec3 axes(0.3, 0.2, 0.7);
  const Quat turn(Eigen::AngleAxisd(0.8, Vec3(1, -2, 3).normalized()));
  const Vec3 x(0.3, -0.2, 2.0);
  const Store store = ellipsoid_at(x, axes, turn);
  Mat3 gradient;
  gradient << 0.5, 2.0, -1.0, 0.25, -1.5, 3.0, 4.0, 0.75, 1.0;
  const Flow flow({.velocity = {"0.5*x + 2*y - z", "0.25*x - 1.5*y + 3*z", "4*x + 0.75*y + z"}});
  const Velocities got = flow.around(store, 0, 0.0);
  EXPECT_LT((got.linear - gradient * x).norm(), 1e-13);
  const Mat3 g = turn.conjugate() * gradient * turn.toRotationMatrix();
  const Mat3 strain = 0.5 * (g + g.transpose());
  Vec3 expected = 0.5 * Vec3(g(2, 1) - g(1, 2), g(0, 2) - g(2, 0), g(1, 0) - g(0, 1));
  const auto share = [&axes](int j, int k) {
    return (axes[j] * axes[j] - axes[k] * axes[k]) / (axes[j] * axes[j] + axes[k] * axes[k]);
  };
  expected +=
      Vec3(share(1, 2) * strain(1, 2), share(2, 0) * strain(2, 0), share(0, 1) * strain(0, 1));
  EXPECT_LT((turn.conjugate() * got.angular - expected).norm(), 1e-13);
}

// Brenner's U = u + sum a_i^2/6 d^2u/dx_i^2 in a parabolic flow along the axes: d^2u/dy^2 = -2, of
// its second axis.
TEST(Flow, IsTheMeanOverAnEllipsoid) {
  const Store store = ellipsoid_at(Vec3::Zero(), {0.3, 0.5, 0.7}, Quat::Identity());
  const Velocities got = Flow({.velocity = {"1 - y^2", "0", "0"}}).around(store, 0, 0.0);
  EXPECT_NEAR(got.linear.x(), 1.0 - 0.25 / 3.0, 1e-15);
}

TEST(Fluid, ResistsAlongTheAxesOfAnEllipsoid) {
  const Quat turn(Eigen::AngleAxisd(0.8, Vec3(1, -2, 3).normalized()));
  const Store store = ellipsoid_at(Vec3::Zero(), {0.3, 0.5, 0.7}, turn);
  const DragCoefficients drag = drag_coefficients(store, 0, {.viscosity = 2.0});
  const Resistance resistance = *stokes_resistance(store.shape[0]);
  for (int axis = 0; axis < 3; ++axis) {
    Vec6 slip;
    slip << turn * Vec3::Unit(axis), turn * Vec3::Unit(axis);
    Vec6 expected = slip;
    expected.head<3>() *= 2.0 * resistance.linear[axis];
    expected.tail<3>() *= 2.0 * resistance.angular[axis];
    EXPECT_LT((drag_force(store, 0, drag, slip) - expected).norm(), 1e-13 * expected.norm());
  }
}

TEST(Fluid, OfLocalDragHasNoFlow) {
  FluidSpec spec;
  read_yaml("{drag: local, viscosity: 1}", "c.yaml", {}, spec);
  EXPECT_EQ(spec.drag, DragLaw::local);
  EXPECT_THROW(read_yaml("{drag: local, viscosity: 1, velocity: [z, 0, 0]}", "c.yaml", {}, spec),
               InputError);
}

TEST(Flow, WithoutAFiniteValueIsRefused) {
  const Flow flow({.velocity = {"1/(x - 0.5)", "0", "0"}});
  try {
    flow.around(ball_at(Vec3::Zero(), 0.5), 0, 2.0);
    FAIL() << "not refused";
  } catch (const InputError& error) {
    EXPECT_EQ(
        std::string(error.what()),
        "fluid.velocity: \"1/(x - 0.5)\" is inf at (0.5, 0, 0) m, on the surface of body 4, at 2 "
        "s; it must have a finite value wherever bodies come, as \"x > 1e-6 ? 1/x : 0\" has");
  }
}

TEST(Fluid, IsReadWithItsFlow) {
  FluidSpec spec;
  read_yaml("{viscosity: 1e-3, density: 1000, velocity: [2*z, 0, 0]}", "c.yaml", {}, spec);
  EXPECT_EQ(spec.velocity, (FormulaTexts{"2*z", "0", "0"}));
  EXPECT_THROW(read_yaml("{density: 1000}", "c.yaml", {}, spec), InputError);
  EXPECT_THROW(read_yaml("{viscosity: 0}", "c.yaml", {}, spec), InputError);
  EXPECT_THROW(read_yaml("{viscosity: 1, velocity: [vx, 0, 0]}", "c.yaml", {}, spec), InputError);
}

}  // namespace
}  // namespace scree
