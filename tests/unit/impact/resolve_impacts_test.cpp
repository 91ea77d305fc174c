#include "scree/impact/resolve_impacts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "impact/impact_zones.hpp"
#include "support/impacts.hpp"

namespace scree {
namespace {

void set_restitution(ImpactProblem& problem, double e) {
  for (ImpactContact& contact : problem.contacts) contact.restitution = e;
}

ImpactProblem ball_on_wall(const Vec3& ball, const Vec3& wall) {
  return test::touching({{Vec3::Zero(), 1.0, 2.0, ball}}, {{Vec3(0, 0, -1), Vec3::UnitZ(), wall}});
}

TEST(ResolveImpacts, OfABallOnAWallTurnsTheApproachByRestitution) {
  for (const double e : {0.0, 0.3, 0.5, 1.0}) {
    ImpactProblem problem = ball_on_wall(Vec3(1, 0, -3), Vec3::Zero());
    set_restitution(problem, e);
    const ImpactOutcome outcome = resolve_impacts(problem, {});
    ASSERT_EQ(outcome.zones.size(), 1U);
    EXPECT_EQ(outcome.zones[0].restitution, e);
    EXPECT_NEAR(outcome.velocity[0][0], 1.0, 1e-15);
    EXPECT_NEAR(outcome.velocity[0][2], 3.0 * e, 1e-14);
    EXPECT_NEAR(outcome.impulse[0][0], 2.0 * 3.0 * (1.0 + e), 1e-13);
  }
}

/// A wall that moves: the ball turns in the wall's frame, and the wall does work on it.
TEST(ResolveImpacts, OfAWallThatMovesIsThatInItsFrame) {
  for (const double e : {0.0, 0.5, 1.0}) {
    ImpactProblem problem = ball_on_wall(Vec3(0, 0, -1), Vec3(0, 0, 2));
    set_restitution(problem, e);
    EXPECT_NEAR(resolve_impacts(problem, {}).velocity[0][2], 2.0 + 3.0 * e, 1e-13);
  }
  // A wall that recedes more slowly than the ball comes is hit; one that recedes faster is not.
  EXPECT_NEAR(resolve_impacts(ball_on_wall(Vec3(0, 0, -3), Vec3(0, 0, -1)), {}).velocity[0][2], 1.0,
              1e-13);
  EXPECT_TRUE(resolve_impacts(ball_on_wall(Vec3(0, 0, -3), Vec3(0, 0, -4)), {}).zones.empty());
}

/// A ball of mass 1 comes down on a floor at rest, beside a wall that moves along x.
ImpactProblem ball_in_corner(const Vec3& ball, double wall_speed) {
  return test::touching(
      {{Vec3::Zero(), 1.0, 1.0, ball}},
      {{Vec3(0, 0, -1), Vec3::UnitZ()}, {Vec3(-1, 0, 0), Vec3::UnitX(), Vec3(wall_speed, 0, 0)}});
}

/// The look for implicit equalities of the elastic outcome is a program, and the frame of walls
/// another where they do not move together: in the corner the ball can stay on both walls, in the
/// slot that widens it cannot.
TEST(ResolveImpacts, CountsTheProgramsOfMovingWallsToo) {
  for (const double wall_speed : {0.0, 2.0}) {
    ImpactProblem corner = ball_in_corner(Vec3(0, 0, -1), wall_speed);
    ImpactProblem slot = test::touching(
        {{Vec3::Zero(), 1.0, 1.0, Vec3(0, 0, -1)}},
        {{Vec3(0, 0, -1), Vec3::UnitZ()}, {Vec3(0, 0, 1), -Vec3::UnitZ(), Vec3(0, 0, wall_speed)}});
    for (const double e : {0.0, 1.0}) {
      set_restitution(corner, e);
      set_restitution(slot, e);
      EXPECT_EQ(resolve_impacts(corner, {}).zones[0].programs, e > 0.0 ? 1 : 0);
      EXPECT_EQ(resolve_impacts(slot, {}).zones[0].programs,
                (wall_speed > 0.0 ? 1 : 0) + (e > 0.0 ? 1 : 0));
    }
  }
}

/// The friction of the floor slows the ball along x alone, off the wall, so that the elastic
/// outcome, and its program, is asked for once.
TEST(ResolveImpacts, EndsWithFrictionThatLetsNothingApproach) {
  ImpactProblem problem = ball_in_corner(Vec3(1, 0, -1), 0.0);
  set_restitution(problem, 1.0);
  problem.contacts[0].friction = 0.1;
  const ImpactOutcome outcome = resolve_impacts(problem, {});
  EXPECT_GT(outcome.zones[0].friction_sweeps, 0);
  EXPECT_EQ(outcome.zones[0].programs, 1);
  EXPECT_NEAR(outcome.velocity[0][2], 1.0, 1e-14);
  EXPECT_NEAR(outcome.velocity[0][0], 1.0 - 0.1 * 2.0, 1e-14);  // above 5/7: it slides on
}

/// A floor at rest and a piston that comes: each contact is at rest in the frame of its own wall.
TEST(ResolveImpacts, OfWallsThatMoveEachInTheirWayKeepsTheEnergyInTheirFrame) {
  const Vec6 velocity = resolve_impacts(ball_in_corner(Vec3(0, 0, -1), 2.0), {}).velocity[0];
  EXPECT_LT((velocity.head<3>() - Vec3(4, 0, 1)).norm(), 1e-13);
}

TEST(ResolveImpacts, IsTheSameInEveryInertialFrame) {
  const Vec3 drift(3, -2, 5);
  test::Ball left{Vec3(-1, 0, 0), 1.0, 1.0, Vec3(1, 0.5, 0)},
      right{Vec3(1, 0, 0), 1.0, 2.0, Vec3(-1, 0, 0)};
  test::Wall wall{Vec3(0, -1, 0), Vec3::UnitY()};
  const ImpactVelocities rest = resolve_impacts(test::touching({left, right}, {wall}), {}).velocity;
  for (Vec3* velocity : {&left.velocity, &right.velocity, &wall.velocity}) *velocity += drift;
  const ImpactVelocities moving =
      resolve_impacts(test::touching({left, right}, {wall}), {}).velocity;
  for (std::size_t b = 0; b < 2; ++b) {
    EXPECT_LT((moving[b].head<3>() - rest[b].head<3>() - drift).norm(), 1e-12);
  }
}

TEST(ResolveImpacts, BetweenWallsThatCloseInSaysSo) {
  ImpactProblem problem = test::touching(
      {{Vec3::Zero()}},
      {{Vec3(-1, 0, 0), Vec3::UnitX(), Vec3(1, 0, 0)}, {Vec3(1, 0, 0), -Vec3::UnitX()}});
  problem.bodies[0].id = 42;
  for (const double e : {0.0, 1.0}) {
    set_restitution(problem, e);
    const ImpactOutcome outcome = resolve_impacts(problem, {});
    ASSERT_EQ(outcome.zones.size(), 1U);
    EXPECT_EQ(outcome.zones[0].end, ImpactEnd::walls_close);
    EXPECT_NE(outcome.zones[0].fault.find("body 42"), std::string::npos);
    EXPECT_EQ(outcome.velocity[0].norm(), 0.0);
    EXPECT_EQ(outcome.zones[0].approach_left, 1.0);
  }
}

/// A ball between two walls, of which one is there twice: where that has a gap once, the others
/// take its motion across anyway. Up to rounding, e^2 of half a joule is told.
TEST(ResolveImpacts, LossesInGapsAreThoseThatContactsWithoutOneDoNotTake) {
  const test::Wall left{Vec3(-1, 0, 0), Vec3::UnitX()};
  const test::Wall right{Vec3(1, 0, 0), -Vec3::UnitX()};
  ImpactProblem problem =
      test::touching({{Vec3::Zero(), 1.0, 1.0, Vec3(1.0, 0.5, 0.0)}}, {left, right, left});
  ASSERT_EQ(problem.contacts.size(), 3U);
  problem.contacts[2].has_gap = true;
  for (const bool both : {false, true}) {
    problem.contacts[0].has_gap = both;
    for (const double e : {0.9, 1.0}) {
      set_restitution(problem, e);
      const ImpactReport zone = resolve_impacts(problem, {}).zones.at(0);
      EXPECT_NEAR(zone.lost_in_gaps, both ? 0.5 * e * e : 0.0, 1e-12) << e;
      EXPECT_EQ(zone.lost_by_length, zone.lost_in_gaps) << e;
    }
  }
}

/// Five balls at e = 0 end, all with the fifth of the velocity: no inelastic collapse
/// (section 6.1).
TEST(ResolveImpacts, OfNewtonsCradleIsTheMeanOfBothOutcomes) {
  for (const double e : {0.0, 0.5, 1.0}) {
    ImpactProblem problem = test::cradle({1, 1, 1, 1, 1}, {1, 0, 0, 0, 0});
    set_restitution(problem, e);
    const ImpactOutcome outcome = resolve_impacts(problem, {});
    EXPECT_EQ(outcome.zones[0].end, ImpactEnd::ended);
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_NEAR(outcome.velocity[i][0], (1.0 - e) * 0.2 + (i == 4 ? e : 0.0), 1e-14);
    }
  }
}

/// 0 and 1 are exactly the two outcomes: the other is not even asked for.
TEST(ResolveImpacts, AsksOnlyForTheOutcomesThatCount) {
  ImpactProblem problem = test::pool_break();
  for (const auto& [e, expected, elastic] :
       {std::tuple{0.0, 1, false}, {1.0, 0, true}, {0.4, 1, true}}) {
    set_restitution(problem, e);
    const ImpactOutcome outcome = resolve_impacts(problem, {});
    EXPECT_EQ(outcome.zones[0].inelastic_solves, expected);
    EXPECT_EQ(outcome.zones[0].applications > 0, elastic);
  }
}

/// A zone that loses energy leaves slow approaches, in fewer applications; without loss none.
TEST(ResolveImpacts, LossyZonesLeaveSlowApproaches) {
  std::mt19937_64 random(21);
  ImpactOptions leaves;
  leaves.elastic.kind = ImpactOperatorKind::gauss_seidel;
  leaves.elastic.order = ImpactOrder::worst_first;
  ImpactOptions exact = leaves;
  leaves.resting = 0.05;
  std::int64_t applications = 0;
  std::int64_t applications_exact = 0;
  for (int trial = 0; trial < 50; ++trial) {
    ImpactProblem problem = test::random_impact(random, 20 + random() % 200, false);
    for (ImpactContact& contact : problem.contacts) contact.friction = 0.3;
    set_restitution(problem, 1.0);
    EXPECT_EQ(resolve_impacts(problem, leaves).velocity, resolve_impacts(problem, exact).velocity);
    set_restitution(problem, 0.7);
    const ImpactReport zone = resolve_impacts(problem, leaves).zones.at(0);
    EXPECT_EQ(zone.end, ImpactEnd::ended);
    EXPECT_LE(zone.energy_after, zone.energy_before * (1.0 + 1e-14));
    EXPECT_LE(zone.approach_left, leaves.resting);
    applications += zone.applications;
    applications_exact += resolve_impacts(problem, exact).zones.at(0).applications;
  }
  EXPECT_LT(applications, applications_exact);
}

/// Coarse balls that nearly rest on a floor beside fine ones, one of which is struck.
TEST(ResolveImpacts, ACoarseBallAtRestAmongFineOnesIsLeft) {
  constexpr double kResting = 0.02;
  constexpr double kSlow = 0.9 * kResting;
  for (const int fine : {3, 150}) {  // a few contacts, and more than are solved exactly
    std::vector<test::Ball> balls;
    for (int i = 0; i < fine; ++i) {
      balls.push_back({Vec3(2.0 * i, 0, 1), 1.0, 1.0, Vec3(0, 0, -kSlow)});
    }
    const double x = 2.0 * (fine - 1);
    balls.push_back({Vec3(0, 0, 3), 1.0, 1.0, Vec3(0, 0, -1)});
    balls.push_back({Vec3(x + 2.0 * std::sqrt(10.0), 0, 10), 10.0, 1000.0, Vec3(0, 0, -kSlow)});
    ImpactProblem zone = test::touching(balls, {{Vec3::Zero(), Vec3::UnitZ()}});
    set_restitution(zone, 0.8);
    ImpactOptions leaves;
    leaves.resting = kResting;
    leaves.elastic.kind = ImpactOperatorKind::gauss_seidel;
    leaves.elastic.order = ImpactOrder::worst_first;
    const ImpactOutcome outcome = resolve_impacts(zone, leaves);
    ASSERT_EQ(outcome.zones.size(), 1U);
    EXPECT_LE(outcome.velocity.back().z(), 0.0) << fine << " fine balls";
    EXPECT_LE(outcome.zones[0].approach_left, kResting);
  }
}

/// A row of balls that nearly rest on a floor, and a fast one among them: it rebounds as alone.
TEST(ResolveImpacts, WhatIsLeftTakesNothingFromAFastBall) {
  constexpr double kResting = 0.02;
  std::vector<test::Ball> balls;
  for (int i = 0; i < 300; ++i) {
    const double speed = i == 150 ? 1.0 : 0.975 * kResting;
    balls.push_back({Vec3(2.0 * i, 0, 1), 1.0, 1.0, Vec3(0, 0, -speed)});
  }
  for (const double e : {0.1, 0.8}) {
    ImpactProblem row = test::touching(balls, {{Vec3::Zero(), Vec3::UnitZ()}});
    set_restitution(row, e);
    ImpactOptions leaves;
    leaves.resting = kResting;
    // it alone has an impulse, which is scaled to the least energy
    EXPECT_NEAR(resolve_impacts(row, leaves).velocity[150].z(), e, 2e-4) << e;
  }
}

/// What is left at each contact below a heavy body would add up over the depth.
TEST(ResolveImpacts, ALoadOnADeepColumnRebounds) {
  constexpr double kSpeed = 0.2;
  std::vector<test::Ball> balls;
  for (int i = 0; i < 110; ++i) balls.push_back({Vec3(0, 0, 1.0 + 2.0 * i), 1.0, 1.0});
  balls.push_back({Vec3(0, 0, 221), 1.0, 100.0, Vec3(0, 0, -kSpeed)});
  for (const double e : {0.2, 0.8}) {
    ImpactProblem column = test::touching(balls, {{Vec3::Zero(), Vec3::UnitZ()}});
    set_restitution(column, e);
    ImpactOptions leaves;
    leaves.resting = 0.1 * kSpeed;
    leaves.elastic.kind = ImpactOperatorKind::gauss_seidel;
    leaves.elastic.order = ImpactOrder::worst_first;
    const double exact = resolve_impacts(column, {.elastic = leaves.elastic}).velocity[110].z();
    // an independent solution has 0.1598 and 0.0400 m/s
    EXPECT_NEAR(exact, e * kSpeed, 0.02 * kSpeed) << e;
    // a tenth of what is left at one contact
    EXPECT_NEAR(resolve_impacts(column, leaves).velocity[110].z(), exact, 0.01 * kSpeed) << e;
  }
}

TEST(ResolveImpacts, CutOffNamesTheZone) {
  const ImpactProblem problem = test::between_walls(2, Vec3::UnitX());
  ImpactOptions options;
  options.elastic.patience = options.elastic.max_applications = 100;
  const ImpactReport report = resolve_impacts(problem, options).zones.at(0);
  EXPECT_EQ(report.end, ImpactEnd::cut_off);
  EXPECT_EQ(
      report.fault,
      "impact of bodies 0, 1 (3 contacts) still approaches after 100 applications of its operator");
}

/// Any restitution and friction: ends feasible, energy does not grow, and the velocities are those
/// of the impulses.
TEST(ResolveImpacts, OfAnyRestitutionAndFrictionNeverGainsEnergy) {
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  for (int trial = 0; trial < 200; ++trial) {
    ImpactProblem problem = test::random_impact(random, 2 + random() % 40, trial % 10 == 0);
    for (ImpactContact& contact : problem.contacts) {
      contact.restitution = unit(random);
      contact.friction = unit(random);
    }
    ImpactOptions options;
    options.elastic.kind =
        trial % 2 == 0 ? ImpactOperatorKind::reflections : ImpactOperatorKind::gauss_seidel;
    const ImpactOutcome outcome = resolve_impacts(problem, options);
    for (const ImpactReport& report : outcome.zones) {
      EXPECT_EQ(report.end, ImpactEnd::ended);
      EXPECT_LE(report.energy_after, report.energy_before * (1.0 + 1e-14));
      EXPECT_LT(report.approach_left, 1e-5);  // epsilon |y| of at most 80 bodies of 0.1 to 10 kg
    }
    ImpactVelocities velocity = velocities_of(problem);
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
      add_impulse(problem, problem.contacts[i], outcome.impulse[i], velocity);
    }
    for (std::size_t b = 0; b < velocity.size(); ++b) {
      EXPECT_LT((velocity[b] - outcome.velocity[b]).norm(), 1e-10) << "trial " << trial;
    }
  }
}

TEST(ImpactZones, AreJoinedByBodiesThatMoveAndNotByWalls) {
  // Balls 0 and 1 touch, as do 2 and 3; all are on one floor, and 3 moves away from 2.
  std::vector<test::Ball> balls = {
      {Vec3(0, 0, 0)}, {Vec3(2, 0, 0)}, {Vec3(10, 0, 0)}, {Vec3(12, 0, 0)}};
  balls[0].velocity = Vec3(1, 0, 0);
  balls[3].velocity = Vec3(1, 0, 0);
  const test::Wall floor{Vec3(0, 0, -1), Vec3::UnitZ()};
  std::vector<ImpactZone> zones = impact_zones(test::touching(balls, {floor}));
  ASSERT_EQ(zones.size(), 1U);
  EXPECT_EQ(zones[0].bodies, (std::vector<std::int32_t>{0, 1}));
  balls[3].velocity = Vec3(-1, 0, 0);
  EXPECT_EQ(impact_zones(test::touching(balls, {floor})).size(), 2U);

  // A held ball between two that come from both sides joins nothing, and belongs to both zones.
  ImpactProblem row = test::cradle({1, 1, 1}, {1, 0, -1});
  row.bodies[1].inverse_mass.setZero();
  zones = impact_zones(row);
  ASSERT_EQ(zones.size(), 2U);
  EXPECT_EQ(zones[0].bodies, (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(zones[1].bodies, (std::vector<std::int32_t>{1, 2}));
  const ImpactOutcome outcome = resolve_impacts(row, {});
  EXPECT_NEAR(outcome.velocity[0][0], -1.0, 1e-15);
  EXPECT_NEAR(outcome.velocity[1].norm(), 0.0, 0.0);
  EXPECT_NEAR(outcome.velocity[2][0], 1.0, 1e-15);
}

TEST(ImpactZones, HaveTheMeanRestitutionByReducedMasses) {
  ImpactProblem problem = test::cradle({1, 2, 6}, {1, 0, 0});
  problem.contacts[0].restitution = 0.2;  // reduced mass 2/3
  problem.contacts[1].restitution = 0.8;  // 12/8
  EXPECT_NEAR(zone_restitution(problem), (0.2 * 2.0 / 3.0 + 0.8 * 1.5) / (2.0 / 3.0 + 1.5), 1e-15);
  problem.contacts[1].restitution = 0.2;
  EXPECT_EQ(zone_restitution(problem), 0.2);
}

/// A held body keeps its velocity, which counts at its contacts: a body that only turns
/// about z, hit on its rim.
TEST(EnergySpace, HoldsHeldDegreesOfFreedom) {
  ImpactProblem problem;
  problem.bodies.resize(1);
  problem.bodies[0].inverse_mass(5, 5) = 4.0;        // moment 1/4 kg m^2
  problem.bodies[0].velocity << 0, -1, 0, 0, 0, -2;  // carried along -y, turning
  ImpactContact contact;
  contact.body = {0, -1};
  contact.rows[0] =
      test::rows_of(test::frame_of(Vec3::UnitY()), Vec3(1, 0, 0), 1.0);  // u_n = v_y + w_z = -3
  problem.contacts.push_back(contact);
  const ImpactOutcome outcome = resolve_impacts(problem, {});
  Vec6 expected = problem.bodies[0].velocity;
  expected[5] += 6.0;
  EXPECT_LT((outcome.velocity[0] - expected).norm(), 1e-13);
  EXPECT_NEAR(outcome.impulse[0][0], 6.0 * 0.25, 1e-13);
}

}  // namespace
}  // namespace scree
