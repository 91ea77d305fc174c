// ranks: 1 2
/// A ball between two walls (impact law energetic): with no room, with room that it
/// crosses within a step, and with less than it crosses in the shortest part of one.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "scree/step/energies.hpp"
#include "support/simulate.hpp"
#include "support/step_figures.hpp"

namespace scree::test::rooms_test {
namespace {

constexpr double kStep = 1e-3;  // s
constexpr double kSpeed = 1.0;  // across the room, m/s

/// A ball of 5 cm somewhere in its @p room between walls along x; it goes along y, too.
std::string between_walls(double room, double place, double restitution = 1.0) {
  return fmt::format(R"(
time: {{dt: {}, end: 1}}
gravity: [0, 0, 0]
impact: {{law: energetic}}
materials: {{steel: {{density: 7800}}}}
friction: [{{between: [steel, steel], mu: 0, restitution: {}}}]
bodies:
  ball: {{material: steel, radii: {{type: list, values: [0.05]}}, velocity: [{}, 0.5, 0],
         place: {{type: points, positions: [[{:.17g}, 0, 0]]}}}}
tools:
  left: {{material: steel, shape: {{type: plane}}, normal: [1, 0, 0]}}
  right: {{material: steel, shape: {{type: plane}}, normal: [-1, 0, 0], position: [{:.17g}, 0, 0]}}
)",
                     kStep, restitution, kSpeed, 0.05 + place, 0.1 + room);
}

double kinetic_energy(const Simulation& balls) {
  return energies(balls.comm(), balls.store(), Vec3::Zero()).kinetic;
}

double speed_across(const Simulation& balls) {
  const Energies all = energies(balls.comm(), balls.store(), Vec3::Zero());
  return std::abs(all.momentum.x()) / all.mass;
}

/// One that just fits loses its way across, and its way along goes on: rounding is no fault.
TEST(Rooms, ABallThatJustFitsIsConvergedInEveryStep) {
  Simulation ball = simulation(between_walls(0.0, 0.0));
  for (int i = 0; i < 50; ++i) {
    const StepResult& result = ball.step();
    ASSERT_TRUE(result.refusal.empty()) << result.refusal;
    ASSERT_EQ(result.impact.report.status, Status::converged)
        << "step " << i << ": " << result.impact.report.reason;
  }
}

TEST(Rooms, OfABallThatCrossesItsRoomWithinAStepEnergyIsKept) {
  for (const double steps : {1.0 / 16.0, 0.1, 0.3, 0.5, 1.0, 1.7, 3.0}) {
    const double room = steps * kStep * kSpeed;
    Simulation ball = simulation(between_walls(room, 0.3 * room));
    const double before = kinetic_energy(ball);
    for (int i = 0; i < 40; ++i) {
      const StepResult& result = ball.step();
      ASSERT_EQ(result.impact.report.status, Status::converged);
      ASSERT_EQ(result.impact.lost_by_length, 0.0) << steps;
      ASSERT_NEAR(kinetic_energy(ball), before, 1e-12 * before) << steps << ", part " << i;
    }
  }
}

/// After n impacts, on one wall after the other, the ball crosses its room at e^n of its speed.
TEST(Rooms, OfABallThatCrossesItsRoomWithinAStepEachImpactTakesItsShareAlone) {
  for (const double restitution : {0.5, 0.9, 0.99}) {
    for (const double steps : {1.0 / 16.0, 0.3, 0.5, 1.7}) {
      const double room = steps * kStep * kSpeed;
      Simulation ball = simulation(between_walls(room, 0.3 * room, restitution));
      double impacts = 0.0;
      for (int i = 0; i < 20; ++i) {
        const StepResult& result = ball.step();
        ASSERT_EQ(result.impact.report.status, Status::converged);
        ASSERT_EQ(result.impact.lost_by_length, 0.0) << restitution << ", " << steps;
        impacts = std::log(speed_across(ball) / kSpeed) / std::log(restitution);
        // rounding of speeds over the logarithm of 0.99
        ASSERT_NEAR(impacts, std::round(impacts), 1e-6) << restitution << ", " << steps;
      }
      EXPECT_GE(impacts, 1.0);
    }
  }
}

/// However fast the ball goes along its channel, its way across is not lost.
TEST(Rooms, OfABallThatGoesFastAlongItsRoomTheWayAcrossIsKept) {
  const double room = 0.5 * kStep * kSpeed;
  Simulation ball = simulation(between_walls(room, 0.3 * room, 0.9),
                               {fmt::format("bodies.ball.velocity=[{}, 40, 0]", kSpeed)});
  for (int i = 0; i < 10; ++i) ASSERT_EQ(ball.step().impact.lost_by_length, 0.0);
  EXPECT_GT(speed_across(ball), 0.3 * kSpeed);  // after an impact a part at most: 0.9^10
}

/// Only the energy of the way across is lost, once. Told is what two impacts leave of it: that on
/// one wall, and that on the other, which with the first takes all.
void expect_loss_told(double restitution) {
  const double room = kStep * kSpeed / 1000.0;
  Simulation ball = simulation(between_walls(room, 0.3 * room, restitution));
  const double before = kinetic_energy(ball);
  double told = 0.0;
  for (int i = 0; i < 10; ++i) {
    const StepResult& result = ball.step();
    ASSERT_EQ(result.impact.report.status, Status::converged);
    EXPECT_EQ(figure_of(result, "impact_lost_in_gaps"), result.impact.lost_by_length);
    told += result.impact.lost_by_length;
  }
  EXPECT_GT(told, 0.0);
  const double lost = before - kinetic_energy(ball);
  EXPECT_NEAR(told, std::pow(restitution, 4) * lost, 1e-9 * before);
}

TEST(Rooms, OfLessRoomTheLossIsTold) {
  expect_loss_told(1.0);
  expect_loss_told(0.9);
}

}  // namespace
}  // namespace scree::test::rooms_test
