#include "scree/loads/fluid.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "scree/base/check.hpp"
#include "scree/config/reader.hpp"

namespace scree {
namespace {

constexpr double kPi = std::numbers::pi;

Store ball_at(const Vec3& position, double radius, double density = 1000.0) {
  Store store;
  append_grain(store, {.id = 4, .position = position, .shape = Sphere{radius}, .density = density});
  return store;
}

TEST(Fluid, DragIsThatOfStokes) {
  const Store store = ball_at(Vec3::Zero(), 0.01);
  const Medium water{.viscosity = 1e-3};
  const DragCoefficients drag = drag_coefficients(store, 0, water);
  EXPECT_DOUBLE_EQ(drag.linear, 6.0 * kPi * 1e-3 * 0.01);
  EXPECT_DOUBLE_EQ(drag.angular, 8.0 * kPi * 1e-3 * 1e-6);
  EXPECT_EQ(drag_coefficients(store, 0, {}).linear, 0.0);
}

TEST(Fluid, BearsWhatIsDisplaced) {
  const Store store = ball_at(Vec3::Zero(), 0.1, 2500.0);
  EXPECT_EQ(buoyant_mass(store, 0, 0.0), store.mass[0]);
  EXPECT_NEAR(buoyant_mass(store, 0, 1000.0), 0.6 * store.mass[0], 1e-12);
}

TEST(Fluid, KnowsNoDragButOfBalls) {
  Store store;
  append_grain(store, {.id = 4, .shape = Box{{0.1, 0.1, 0.1}}, .density = 1.0});
  EXPECT_EQ(drag_coefficients(store, 0, {}).linear, 0.0);
  try {
    drag_coefficients(store, 0, {.viscosity = 1.0});
    FAIL() << "not refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("fluid: body 4 is a box"), std::string::npos);
  }
}

/// U and W of Faxen's laws, by hand. A simple shear turns a ball at half its rate; in a parabolic flow
/// the ball lags behind: laplace u = -4.
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
