// ranks: 1 2, mostly 2
/// A grain that a plate presses into a floor: rigid contacts have no solution, compliant ones have.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scree/base/parallel.hpp"
#include "scree/bodies/elasticity.hpp"
#include "step/wedges.hpp"
#include "support/simulate.hpp"

namespace scree::test::wedge_test {
namespace {

constexpr double kRadius = 0.01;    // m
constexpr double kSpeed = 0.1;      // of the plate, m/s
constexpr double kStep = 1e-3;      // s
constexpr double kStiffness = 1e5;  // N/m

/// A ball on a floor, under a plate that comes down on it and reaches it after 10 ms.
Simulation press(const std::string& pair) {
  return simulation(fmt::format(R"(
time: {{dt: {}, end: 10}}
gravity: [0, 0, -10]
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: 0.3{}}}]
bodies:
  ball: {{material: stone, radii: {{type: list, values: [{}]}}, place: {{type: points, positions: [[0, 0, {}]]}}}}
tools:
  floor: {{material: stone, shape: {{type: plane}}, normal: [0, 0, 1]}}
  plate:
    material: stone
    shape: {{type: box, size: [0.1, 0.1, 0.02]}}
    position: [0, 0, {}]
    motion: {{type: velocity, velocity: [0, 0, -{}]}}
solver: {{tolerance: 1e-6}}
)",
                                kStep, pair, kRadius, kRadius, 2.0 * kRadius + 0.01 + 1e-3,
                                kSpeed));
}

TEST(Wedge, OfRigidGrainsEndsTheRunByName) {
  Simulation run = press("");
  Wrench plate;  // of the last step that was taken
  try {
    for (int i = 0; i < 100; ++i) plate = run.step().wrenches[1];
    FAIL() << "the plate went through the ball";
  } catch (const StepRefused& refused) {
    const std::string text = refused.what();
    for (const char* part : {"grain 0", "is wedged", "floor", "plate", "young_modulus"}) {
      EXPECT_NE(text.find(part), std::string::npos) << text;
    }
  }
  // The plate met the ball after 10 steps; three without a solution follow, and a step or two may
  // find one while overlap is recovered at its bounded speed.
  EXPECT_LE(run.n_steps(), 20);
  // A contact that yields a tenth of what free bodies would bears ten times the momentum that the
  // ball would get at the plate's speed, or in the recovery of a tenth of a radius a step,
  // whichever is more; two contacts.
  const double mass = 2600.0 * 4.0 / 3.0 * std::numbers::pi * std::pow(kRadius, 3);
  const double speed = kSpeed + 0.1 * kRadius / kStep;
  EXPECT_LE(plate.force.norm(), 2.0 * 10.0 * mass * speed / kStep);
}

/// The worst of many wedged grains changes from step to step.
TEST(Wedge, OfManyGrainsEndsTheRunAsSoon) {
  std::string places;
  for (int i = 0; i < 16; ++i) {
    places += fmt::format("{}[{}, {}, 0.00255]", i > 0 ? ", " : "", 0.05 * (i % 4), 0.05 * (i / 4));
  }
  Simulation run = simulation(fmt::format(R"(
time: {{dt: 2e-3, end: 10}}
gravity: [0, 0, -9.81]
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: 0.4}}]
bodies:
  balls: {{material: stone, radii: {{type: list, values: [0.00255]}}, place: {{type: points, positions: [{}]}}}}
tools:
  floor: {{material: stone, shape: {{type: plane}}, normal: [0, 0, 1]}}
  lid:
    material: stone
    shape: {{type: plane}}
    position: [0, 0, 0.006]
    normal: [0, 0, -1]
    motion: {{type: velocity, velocity: [0.3, 0.1, -0.02]}}
)",
                                          places));
  int infeasible = 0;
  try {
    for (int i = 0; i < 100; ++i) {
      const bool solved = run.step().impact.report.status != Status::infeasible;
      infeasible = solved ? 0 : infeasible + 1;
    }
    FAIL() << "the lid went through the balls";
  } catch (const StepRefused& refused) {
    EXPECT_NE(std::string(refused.what()).find("is wedged"), std::string::npos) << refused.what();
  }
  EXPECT_EQ(infeasible, kMostInfeasibleSteps - 1);  // the last is not taken
}

TEST(Wedge, OfCompliantGrainsBearsWhatTheirStiffnessSays) {
  Simulation run = press(fmt::format(", stiffness: {}", kStiffness));
  for (int i = 0; i < 30; ++i) {
    const StepResult& result = run.step();
    EXPECT_EQ(result.impact.report.status, Status::converged) << result.impact.report.reason;
  }
  // After 30 steps the plate is 2 mm too low: half of it at the floor and half at the plate, but
  // for the weight.
  const double overlap = 30 * kStep * kSpeed - 1e-3;
  const double mass = 2600.0 * 4.0 / 3.0 * std::numbers::pi * std::pow(kRadius, 3);
  const double force = run.result().wrenches[1].force.z();
  EXPECT_NEAR(force, 0.5 * kStiffness * overlap, mass * 10.0 + 1e-3 * kStiffness * overlap);
}

/// A ball of 10.2 mm that a blade draws along, with 10 mm of room between blade and floor.
Simulation draw(const std::string& young_modulus) {
  return simulation(fmt::format(R"(
time: {{dt: 2e-3, end: 10}}
gravity: [0, 0, -9.81]
materials: {{gravel: {{density: 2600{}}}, steel: {{density: 7850}}}}
friction:
  - {{between: [gravel, gravel], mu: 0.5}}
  - {{between: [gravel, steel], mu: 0.3}}
bodies:
  ball: {{material: gravel, radii: {{type: list, values: [0.0051]}}, place: {{type: points, positions: [[0.05, 0, 0.0051]]}}}}
tools:
  floor: {{material: gravel, shape: {{type: plane}}, normal: [0, 0, 1]}}
  blade:
    material: steel
    shape: {{type: box, size: [0.02, 0.15, 0.15]}}
    position: [0, 0, 0.085]
    motion: {{type: velocity, velocity: [0.5, 0, 0]}}
)",
                                young_modulus));
}

TEST(Wedge, UnderADrawnBladeEndsTheRunByName) {
  Simulation run = draw("");
  try {
    for (int i = 0; i < 250; ++i) run.step();
    FAIL() << "the blade went over the ball";
  } catch (const StepRefused& refused) {
    const std::string text = refused.what();
    for (const char* part : {"grain 0", "is wedged", "floor", "blade", "young_modulus"}) {
      EXPECT_NE(text.find(part), std::string::npos) << text;
    }
  }
}

TEST(Wedge, ACompliantBallPassesUnderTheBlade) {
  Simulation run = draw(", young_modulus: 1e8");
  double largest = 0.0;
  for (int i = 0; i < 250; ++i) {
    const StepResult& result = run.step();
    EXPECT_EQ(result.impact.report.status, Status::converged) << result.impact.report.reason;
    largest = std::max(largest, std::abs(result.wrenches[1].force.z()));
  }
  // Room is short by 0.2 mm; at most all of that is the overlap with the blade, whose stiffness is
  // that of the linear law at the reference force of 1 N between a ball of 1e8 Pa, nu = 0.3, and a
  // rigid flat.
  const double stiffness = 1.0 / hertz_overlap(1e8 / (1.0 - 0.3 * 0.3), 0.0051, 1.0);
  EXPECT_GT(largest, 0.1 * stiffness * 0.2e-3);
  EXPECT_LE(largest, stiffness * 0.2e-3);
}

}  // namespace
}  // namespace scree::test::wedge_test
