// ranks: 1 2 4, mostly 2
/// Balls that go up to one and a half of their radius in a step, by their own way, across a hole or
/// a ring little wider than themselves or along its wall: the wall holds them, whichever side of it
/// they come to.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include "scree/base/parallel.hpp"
#include "scree/contact/passing.hpp"
#include "support/motion.hpp"
#include "support/simulate.hpp"

namespace scree::test::narrow_hole_test {
namespace {

constexpr double kRadius = 0.01;
/// Bound on errors of energies and angular momenta: ten times the tolerance of the solves.
constexpr double kRounding = 1e-9;

/// A ball in a smooth hole along z, in steps of a second; ways over the ball's radius.
struct Way {
  const char* constraints = "manifold";
  bool in_ring = false;
  double room = 0.3;  ///< between the ball and the wall, where it is on the axis
  double restitution = 0.0;
  Vec3 from = Vec3::Zero();  ///< of the centre, from the axis
  Vec3 per_step = Vec3::Zero();
};

std::string place_of(const Vec3& v) {
  return fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z());
}

std::string ball_on(const Way& way, const std::string& motion = "") {
  const double hole = (1.0 + way.room) * kRadius;
  const std::string shape = way.in_ring
                                ? fmt::format("{{type: ring, major_radius: {}, minor_radius: {}}}",
                                              hole + kRadius, kRadius)
                                : fmt::format("{{type: hollow_cylinder, radius: {}}}", hole);
  return fmt::format(R"(
time: {{dt: 1, end: 1000}}
gravity: [0, 0, 0]
solver: {{tolerance: 1e-10}}
contact: {{constraints: {}}}
materials: {{stone: {{density: 1000}}}}
friction: [{{between: default, mu: 0, restitution: {}}}]
bodies:
  ball: {{material: stone, radii: {{type: list, values: [{}]}}, place: {{type: points, positions: [{}]}}, velocity: {}}}
tools: {{wall: {{material: stone, shape: {}{}}}}}
)",
                     way.constraints, way.restitution, kRadius, place_of(kRadius * way.from),
                     place_of(kRadius * way.per_step), shape, motion);
}

double energy(const Motion& motion) {
  return motion.velocity.squaredNorm();
}

double about_axis(const Motion& motion) {
  return motion.place.cross(motion.velocity).z();
}

/// How far the ball is in the wall of a hole about the origin, over its radius.
double depth(const Motion& motion, const Way& way) {
  return motion.place.head<2>().norm() / kRadius - way.room;
}

/// The deepest that a ball may end. Along the wall it comes deeper by what it falls behind its
/// plane where its way is a quarter of kDeepest at most, too short to be looked at; sides may move
/// it by a millionth (contact/sides.cpp).
double deepest(const Way& way) {
  return std::hypot(way.room + kDeepest, 0.25 * kDeepest) - way.room + 1e-6;
}

/// Takes whole steps, in parts, and looks at the end of each part.
void expect_in_the_hole(const Way& way, int steps, MPI_Comm comm = MPI_COMM_WORLD) {
  Simulation ball(comm, read_run_config(ball_on(way), "test.yaml", {}));
  const Motion start = motion_of(ball);
  // ring_contact.hpp: a ring's planes are an eighth of a turn apart, and so in one as narrow a ball
  // that is in the wall is in two of them
  const bool is_on_one_plane = !way.in_ring || way.room > kDeepest;
  // of the largest that a ball of that speed may have in the hole
  const double rounding = kRounding * way.room * kRadius * start.velocity.norm();
  while (ball.n_steps() < steps) {
    const StepResult& part = ball.step();
    ASSERT_EQ(part.impact.report.status, Status::converged) << part.impact.report.reason;
    const Motion end = motion_of(ball);
    ASSERT_LE(depth(end, way), deepest(way));
    ASSERT_LE(energy(end), energy(start) * (1.0 + kRounding));
    if (way.restitution == 1.0) {
      ASSERT_NEAR(energy(end), energy(start), kRounding * energy(start));
    }
    if (is_on_one_plane) {
      ASSERT_NEAR(about_axis(end), about_axis(start), rounding);
    }
  }
}

TEST(NarrowHole, ABallThatCrossesItEndsAtItsFarWall) {
  for (const bool in_ring : {false, true}) {
    for (const char* constraints : {"manifold", "single"}) {
      SCOPED_TRACE(constraints);
      expect_in_the_hole({.constraints = constraints,
                          .in_ring = in_ring,
                          .from = {-0.3, 0.0, 0.0},
                          .per_step = {0.95, 0.0, 0.0}},
                         3);
    }
  }
}

/// A ball goes straight across to the far wall and stays there, but for what a solve leaves of its
/// way: no plane of the start stops it before or moves it aside.
TEST(NarrowHole, ABallGoesStraightAcrossToTheFarWall) {
  const Way way{.from = {-0.3, 0.0, 0.0}, .per_step = {0.95, 0.0, 0.0}};
  Simulation ball = simulation(ball_on(way));
  while (ball.n_steps() < 1) ball.step();
  const Motion end = motion_of(ball);
  EXPECT_NEAR(end.place.x(), way.room * kRadius, 1e-3 * kRadius);
  EXPECT_NEAR(end.place.y(), 0.0, 1e-3 * kRadius);
}

/// Each rank takes its share of the ways, alone.
TEST(NarrowHole, HoldsBallsOnAnyWay) {
  constexpr int kWays = 600;
  std::mt19937_64 random(7);
  const auto between = [&random](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  constexpr std::array kConstraints = {"manifold", "single"};
  constexpr std::array kRooms = {0.05, 0.1, 0.3, 0.58, 1.0, 2.0};
  constexpr std::array kRestitutions = {0.0, 0.5, 1.0};
  const auto across = [](double angle) { return Vec3(std::cos(angle), std::sin(angle), 0.0); };
  for (int k = 0; k < kWays; ++k) {
    Way way{.constraints = kConstraints[random() % kConstraints.size()],
            .in_ring = random() % 2 == 0,
            .room = kRooms[random() % kRooms.size()],
            .restitution = kRestitutions[random() % kRestitutions.size()]};
    const bool is_at_the_wall = random() % 4 == 0;
    const double off_axis = is_at_the_wall ? 1.0 : std::sqrt(between(0.0, 1.0));
    way.from = off_axis * way.room * across(between(0.0, 2.0 * std::numbers::pi));
    way.per_step = between(0.0, 1.5) * across(between(0.0, 2.0 * std::numbers::pi));
    if (!way.in_ring) way.per_step.z() = between(-0.5, 0.5);
    SCOPED_TRACE(fmt::format("{} in {}, room {}, restitution {}, from {} by {}", way.constraints,
                             way.in_ring ? "ring" : "hole", way.room, way.restitution,
                             place_of(way.from), place_of(way.per_step)));
    if (k % size_of(MPI_COMM_WORLD) != rank_of(MPI_COMM_WORLD)) continue;
    expect_in_the_hole(way, 2, MPI_COMM_SELF);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(NarrowHole, ABallThatBouncesKeepsItsEnergyAndAngularMomentum) {
  for (const bool in_ring : {false, true}) {
    for (const double room : {0.3, 1.0}) {
      expect_in_the_hole({.in_ring = in_ring,
                          .room = room,
                          .restitution = 1.0,
                          .from = {0.1, -0.2, 0.0},
                          .per_step = {0.9, 0.5, 0.0}},
                         20);
    }
  }
}

TEST(NarrowHole, AWallThatComesAlongTakesTheBall) {
  for (const bool in_ring : {false, true}) {
    const Way way{.in_ring = in_ring, .from = {-0.2, 0.1, 0.0}};
    Simulation ball =
        simulation(ball_on(way, ", motion: {type: velocity, velocity: [-0.009, 0.003, 0]}"));
    while (ball.n_steps() < 4) {
      ball.step();
      Motion motion = motion_of(ball);
      motion.place -= ball.store().position[0];
      EXPECT_LE(depth(motion, way), deepest(way));
    }
  }
}

/// Balls that lie in a pipe little wider than themselves do not go as far as its sides are apart.
TEST(NarrowHole, BallsAtRestAreNotCut) {
  Simulation column = simulation(R"(
time: {dt: 1e-3, end: 10}
gravity: [0, 0, -10]
materials: {stone: {density: 1000}}
friction: [{between: default, mu: 0.3}]
bodies:
  balls:
    material: stone
    radii: {type: list, values: [0.01]}
    place: {type: points, positions: [[0.003, 0, 0.01], [-0.003, 0, 0.0291], [0.001, 0.0028, 0.0482]]}
tools:
  pipe: {material: stone, shape: {type: hollow_cylinder, radius: 0.013}}
  floor: {material: stone, shape: {type: plane}}
)");
  while (column.n_steps() < 200) {
    ASSERT_EQ(column.step().clock.halvings(), 0) << column.n_steps();
  }
}

}  // namespace
}  // namespace scree::test::narrow_hole_test
