// ranks: 1 2 4, mostly 2
/// Force fields in inertial dynamics: the closed form of the scheme, the balance of energy, and
/// what is refused before and in a run. Nothing is solved here (no contacts): bounds are the
/// rounding of some hundred steps.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "scree/base/parallel.hpp"
#include "scree/step/energies.hpp"
#include "support/simulate.hpp"

namespace scree::test::force_field_test {
namespace {

/// Balls that fly apart, among @p more.
std::string flying(const std::string& more) {
  return fmt::format(R"(
time: {{dt: 0.02, end: 10}}
gravity: [0, 0, 0]
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: 0}}]
bodies:
  one:
    material: stone
    radii: {{type: list, values: [0.01]}}
    place: {{type: points, positions: [[1, 0.5, 0]]}}
    velocity: [0, 1, 0]
  two:
    material: stone
    radii: {{type: list, values: [0.02]}}
    place: {{type: points, positions: [[-1, 0.5, 5]]}}
    velocity: [0, 1, 0]
    angular_velocity: [0, 0, 3]
{})",
                     more);
}

Vec3 position_of(const Simulation& simulation, std::int64_t id) {
  std::vector<double> x(3, 0.0);
  const Store& store = simulation.store();
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    if (store.id[slot] == id)
      x = {store.position[slot].x(), store.position[slot].y(), store.position[slot].z()};
  }
  sum_over_ranks(MPI_COMM_WORLD, x);
  return Vec3(x.data());
}

// v+ = v - dt w^2 x, x+ = x + dt v+ is the recurrence x+ = (2 - (w dt)^2) x - x-, whose solution is
// x_n = x_0 cos(n a) + (x_1 - x_0 cos a) sin(n a)/sin a, with cos a = 1 - (w dt)^2/2.
TEST(ForceFields, AnOscillatorFollowsTheSchemesClosedForm) {
  Simulation run = simulation(flying("forces: {spring: {force: [-4*x, -4*y, 0], per: mass}}"));
  const double dt = 0.02;
  const double a = std::acos(1.0 - 0.5 * 4.0 * dt * dt);
  const Vec3 start(1, 0.5, 0);
  const Vec3 second = start + dt * (Vec3(0, 1, 0) - dt * 4.0 * start);
  for (int n = 1; n <= 200; ++n) {
    run.step();
    const Vec3 exact =
        std::cos(n * a) * start + std::sin(n * a) / std::sin(a) * (second - std::cos(a) * start);
    ASSERT_LT((position_of(run, 0) - exact).norm(), 1e-12) << "step " << n;
  }
}

constexpr const char* kDriven = R"(
fluid: {viscosity: 0.5, velocity: [y, 0, 0]}
forces:
  wind: {force: ['0.01*sin(t)', 0.002 - 0.001*vy, 0]}
  swirl: {force: [-3*y, 3*x, 0], torque: [0, 0, 0.2 - t], per: mass}
)";

// The power of fields and fluid, times dt, is the change of kinetic energy, to rounding.
TEST(ForceFields, PowerIsTheChangeOfKineticEnergy) {
  Simulation run = simulation(flying(kDriven));
  double before = energies(MPI_COMM_WORLD, run.store(), Vec3::Zero()).kinetic;
  for (int n = 0; n < 100; ++n) {
    const LoadPower power = run.step().load_power;
    const double after = energies(MPI_COMM_WORLD, run.store(), Vec3::Zero()).kinetic;
    ASSERT_NEAR(after - before, 0.02 * (power.fields + power.drag), 1e-12 * after) << "step " << n;
    before = after;
  }
}

// A ball that is held goes on in a fluid at rest and against a force: no load acts on it.
TEST(ForceFields, DoNoWorkOnHeldDegreesOfFreedom) {
  Simulation run = simulation(flying(R"(fluid: {viscosity: 0.5}
forces: {push: {force: [0, 3, 0]}}
)"),
                              {"bodies.one.fix=[y]", "bodies.two.fix=[y, rotation]"});
  const LoadPower power = run.step().load_power;
  EXPECT_EQ(power.fields, 0.0);
  EXPECT_EQ(power.drag, 0.0);
}

// In a periodic direction formulas take the place in the cell: here a force along x in a part of
// it.
TEST(ForceFields, PlacesAreInThePeriodicCell) {
  Simulation run = simulation(
      flying("periodic: {y: [0, 0.8]}\n"
             "forces: {pull: {force: ['y > 0.11 && y < 0.41 ? 1 : 0', 0, 0], per: mass}}"));
  double speed = 0.0;
  for (int n = 0; n < 100; ++n) {
    const double place = std::fmod(0.5 + 0.02 * n, 0.8);
    speed += place > 0.11 && place < 0.41 ? 0.02 : 0.0;
    run.step();
  }
  EXPECT_GT(speed, 0.5);
  const double kinetic = energies(MPI_COMM_WORLD, run.store(), Vec3::Zero()).kinetic;
  double expected = 0.0;
  for (const double r : {0.01, 0.02}) {
    const double mass = 2600.0 * 4.0 / 3.0 * std::numbers::pi * r * r * r;
    expected += 0.5 * mass * (1.0 + speed * speed);
    if (r > 0.015) expected += 0.5 * 0.4 * mass * r * r * 9.0;
  }
  EXPECT_NEAR(kinetic, expected, 1e-10 * expected);
}

TEST(ForceFields, WithoutAValueAtTheStartAreRefused) {
  EXPECT_THROW(simulation(flying("forces: {pull: {force: [1/(x + 1), 0, 0]}}")), InputError);
}

// The grain with id 1, wherever it is; the step is not taken on any rank.
TEST(ForceFields, WithoutAValueInTheRunEndIt) {
  Simulation run =
      simulation(flying("forces: {pull: {force: [0, 0, 'x < 0 && t > 0.05 ? 1/0 : 0']}}"));
  test::run(run, 3);
  const Vec3 before = position_of(run, 1);
  try {
    run.step();
    FAIL() << "not refused";
  } catch (const Failure& failure) {
    EXPECT_NE(
        std::string(failure.what())
            .find("step 4: forces.pull.force: \"x < 0 && t > 0.05 ? 1/0 : 0\" is inf for body "
                  "1 at (-1, 0.56, 5) m"),
        std::string::npos)
        << failure.what();
  }
  EXPECT_EQ(position_of(run, 1), before);
}

}  // namespace
}  // namespace scree::test::force_field_test
