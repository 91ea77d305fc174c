// ranks: 1 2 4, mostly 2
/// Balls that go most of their radius in a step across a hole little wider than themselves, or
/// along its wall: they touch the wall where they come to it, whichever side it is on.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "scree/base/parallel.hpp"
#include "support/simulate.hpp"

namespace scree::test::narrow_hole_test {
namespace {

constexpr double kRadius = 0.01;

/// Balls in a long hole along z, apart along it, each from the wall or from the axis in a direction
/// of its own, in steps of 1 s. @param clearance the hole's radius less the ball's, over the latter
std::string balls_across(double clearance, double way, const std::string& tools) {
  constexpr int kDirections = 24;
  std::string bodies;
  int n = 0;
  for (const double start : {0.0, 1.0}) {
    for (int k = 0; k < kDirections; ++k, ++n) {
      const double angle = 2.0 * std::numbers::pi * k / kDirections;
      bodies += fmt::format(
          "  ball{}: {{material: stone, radii: {{type: list, values: [{}]}}, place: {{type: "
          "points, "
          "positions: [[{}, 0, {}]]}}, velocity: [{}, {}, 0]}}\n",
          n, kRadius, -start * clearance * kRadius, 0.03 * n, way * kRadius * std::cos(angle),
          way * kRadius * std::sin(angle));
    }
  }
  return fmt::format(R"(
time: {{dt: 1, end: 10}}
gravity: [0, 0, 0]
solver: {{tolerance: 1e-10}}
materials: {{stone: {{density: 1000}}, iron: {{density: 8000}}}}
friction: [{{between: default, mu: 0}}]
bodies:
{}tools: {{{}}}
)",
                     bodies, tools);
}

/// How far the furthest ball is in the wall, over its radius.
double deepest(const Simulation& balls, double clearance) {
  const Store& store = balls.store();
  double furthest = 0.0;
  for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
    furthest = std::max(furthest, store.position[i].head<2>().norm());
  }
  return max_over_ranks(balls.comm(), furthest) / kRadius - clearance;
}

/// A ball leaves the tangent planes that a step knows, those of the start and of the end of its
/// path, by no more than a step may let any body into another, a tenth of its radius; and no step
/// is cut for that.
TEST(NarrowHole, BallsOfTheirOwnWayEndAtItsFarWall) {
  for (const double clearance : {0.05, 0.15, 0.3, 0.58, 1.0, 1.7, 3.0}) {
    for (const double way : {0.3, 0.6, 0.95}) {
      Simulation balls = simulation(balls_across(
          clearance, way,
          fmt::format("hole: {{material: iron, shape: {{type: hollow_cylinder, radius: {}}}}}",
                      (1.0 + clearance) * kRadius)));
      const StepResult& step = balls.step();
      EXPECT_EQ(step.impact.report.status, Status::converged) << step.impact.report.reason;
      EXPECT_TRUE(step.clock.ends_step()) << clearance << ", " << way;
      EXPECT_LE(deepest(balls, clearance), 0.1) << clearance << ", " << way;
    }
  }
}

/// A ball that starts at the wall and goes straight across ends where the far wall holds it, but
/// for what the wall falls behind its tangent plane where the ball's end is aside of that, moved
/// there by a plane of the start: less than a thousandth of the radius.
TEST(NarrowHole, ABallGoesStraightAcrossToTheFarWall) {
  Simulation ball = simulation(R"(
time: {dt: 1, end: 10}
gravity: [0, 0, 0]
solver: {tolerance: 1e-10}
materials: {stone: {density: 1000}, iron: {density: 8000}}
friction: [{between: default, mu: 0}]
bodies:
  one: {material: stone, radii: {type: list, values: [0.01]}, place: {type: points, positions: [[0.02, 0, 0]]}, velocity: [0.0095, 0, 0]}
tools:
  hole: {material: iron, position: [0.023, 0, 0], shape: {type: hollow_cylinder, radius: 0.013}}
)");
  ball.step();
  const Store& store = ball.store();
  for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
    EXPECT_NEAR(store.position[i].x(), 0.026, 1e-3 * kRadius);
  }
}

}  // namespace
}  // namespace scree::test::narrow_hole_test
