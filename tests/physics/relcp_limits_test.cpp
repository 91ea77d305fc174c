// ranks: 1 2 4, mostly 2
/// What solves beside ReLCP leave of overlaps, and what a step says that ReLCP cannot solve or that
/// takes more recursions than it may. Bodies of several ranks are those of relcp_test.cpp.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "scree/base/parallel.hpp"
#include "scree/contact/penetration.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"
#include "support/relcp_cluster.hpp"
#include "support/simulate.hpp"
#include "support/step_figures.hpp"

namespace scree::test::relcp_limits_test {
namespace {

/// A solve that may be loose by its residual still leaves less than half the tolerance of overlaps,
/// since overlaps are told; the longest axis stands for the radius, and 1e-2 for what two
/// measurements differ by.
TEST(RelcpLimits, SolvesOfOtherConstraintsKeepToTheToleranceOfOverlaps) {
  for (const char* constraints : {"single", "multisphere"}) {
    Simulation loose = simulation(cluster(constraints), {"solver.tolerance=0.1"});
    for (int k = 0; k < 40; ++k) {
      const SolverReport& report = loose.step().impact.report;
      ASSERT_EQ(report.status, Status::converged) << constraints << ": " << report.reason;
      EXPECT_LE(report.measures.velocity_error, 1.01 * 0.5e-6 * 0.2 / 0.02) << constraints;
    }
  }
}

/// Largest overlap of the shapes as they stand, of all pairs. @pre one rank
double overlap_of_all_pairs(const Store& store) {
  double largest = 0.0;
  for (std::int32_t a = store.first_owned(); a < store.end_owned(); ++a) {
    for (std::int32_t b = a + 1; b < store.end_owned(); ++b) {
      const Manifold manifold = contacts_between(store.shape[a], pose_of(store, a), store.shape[b],
                                                 pose_of(store, b), *store.shapes, 0.0);
      largest = std::max(largest, -manifold.deepest().gap / smaller_radius(store, a, b));
    }
  }
  return largest;
}

/// Balls in spheroids let the shapes overlap by up to the valleys between them: at the distance d =
/// 2 e^2 / (a (n - 1)) of balls of the radius b, d^2 / (8 b) deep on either side. They keep apart
/// what the balls reach.
TEST(RelcpLimits, OfBallsTheShapesOverlapByTheirRoughness) {
  for (const int n : {3, 9}) {
    Simulation balls = simulation(cluster("multisphere"), {fmt::format("contact.balls={}", n)});
    const double distance = 2.0 * 0.03 / (0.2 * (n - 1));
    const double valleys = 2.0 * distance * distance / (8.0 * 0.1) / 0.1;
    double worst = 0.0;
    for (int k = 0; k < 100; ++k) {
      const StepResult& result = balls.step();
      ASSERT_EQ(result.impact.report.status, Status::converged) << result.impact.report.reason;
      worst = std::max(worst, result.overlap.largest);
      if (size_of(MPI_COMM_WORLD) > 1 || k % 20 > 0) continue;
      EXPECT_NEAR(result.overlap.largest, overlap_of_all_pairs(balls.store()), 1e-9);
    }
    EXPECT_GT(worst, 0.2 * valleys) << n;
    EXPECT_LT(worst, 1.5 * valleys) << n;  // in the step, too, the balls come to overlap a little
  }
}

/// The speed of the fastest of this rank's grains, m/s.
double fastest(const Store& store) {
  double speed = 0.0;
  for (std::int32_t slot = store.first_owned(); slot < store.first_owned() + store.n_owned;
       ++slot) {
    speed = std::max(speed, store.velocity[slot].norm());
  }
  return speed;
}

/// A lid presses ellipsoids together until there is no room: a step that cannot be solved says so
/// and names a pair, and no grain is thrown: those that are squeezed out from between others, at
/// some times the lid's speed, go no further in a part of a step than the gaps that one may close
/// (contact/closing.hpp): a radius.
TEST(RelcpLimits, ASolveThatFailsInAJamIsTakenBackAndThePairIsNamed) {
  Simulation jam = simulation(R"(
time: {dt: 0.005, end: 10}
gravity: [0, 0, 0]
contact: {constraints: relcp}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0}]
bodies:
  e:
    material: stone
    shape: {type: ellipsoid, semi_axes: [0.02, 0.016, 0.025]}
    place: {type: box, low: [0.0, 0.0, 0.0], high: [0.12, 0.12, 0.33], count: 20, seed: 4}
tools:
  floor: {material: stone, shape: {type: plane}, position: [0, 0, 0]}
  lid: {material: stone, shape: {type: plane}, normal: [0, 0, -1], position: [0, 0, 0.33], motion: {type: velocity, velocity: [0, 0, -0.7]}}
  w1: {material: stone, shape: {type: plane}, position: [0, 0, 0], normal: [1, 0, 0]}
  w2: {material: stone, shape: {type: plane}, position: [0.12, 0, 0], normal: [-1, 0, 0]}
  w3: {material: stone, shape: {type: plane}, position: [0, 0, 0], normal: [0, 1, 0]}
  w4: {material: stone, shape: {type: plane}, position: [0, 0.12, 0], normal: [0, -1, 0]}
)");
  bool was_taken_back = false;
  for (int k = 0; k < 100 && !was_taken_back; ++k) {
    const StepResult& result = jam.step();
    constexpr double kSmallestSemiAxis = 0.016;
    EXPECT_LT(fastest(jam.store()) * result.clock.dt, kSmallestSemiAxis) << k;
    const SolverReport& report = result.impact.report;
    was_taken_back = report.reason.find("was not solved: without it") != std::string::npos;
    if (!was_taken_back) continue;
    EXPECT_EQ(report.status, Status::iteration_limit);
    EXPECT_TRUE(code_of(report.attempts).ends_with("relcp:iteration-limit"));
    EXPECT_GT(result.overlap.largest, 1e-5);
    ASSERT_TRUE(result.worst);
    EXPECT_EQ(result.worst->key.id_a, result.overlap.id_a);
    EXPECT_EQ(result.worst->key.id_b, result.overlap.id_b);
    EXPECT_GE(result.overlap.id_a, 0);
    // the impulses are a solution of the problem without the constraints of the solve that failed
    EXPECT_LE(report.measures.residual, 1.01e-4);
    for (const Contact& contact : result.contacts) {
      EXPECT_LT(contact.key.recursion, count_of(result, "recursions"));
    }
  }
  EXPECT_TRUE(was_taken_back);
}

TEST(RelcpLimits, AStepThatNeedsMoreRecursionsThanAllowedNamesThePairAndTheTool) {
  Simulation one = simulation(R"(
time: {dt: 0.05, end: 10}
gravity: [0, 0, -9.81]
contact: {constraints: relcp, overlap_tolerance: 1e-10, max_recursions: 1}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0.3}]
bodies:
  egg:
    material: stone
    shape: {type: ellipsoid, semi_axes: [0.02, 0.016, 0.035]}
    angular_velocity: [10, 20, 5]
    place: {type: points, positions: [[0, 0, 0.05]]}
tools:
  floor: {material: stone, shape: {type: plane}, position: [0, 0, 0]}
)");
  int refused = 0;
  for (int k = 0; k < 10; ++k) {
    const StepResult& result = one.step();
    if (result.impact.report.status != Status::iteration_limit) continue;
    ++refused;
    EXPECT_EQ(count_of(result, "recursions"), 1);
    EXPECT_NE(result.impact.report.reason.find("after 1 recursions grain 0 and floor overlap"),
              std::string::npos)
        << result.impact.report.reason;
    EXPECT_TRUE(code_of(result.impact.report.attempts).ends_with("relcp:iteration-limit"));
  }
  EXPECT_GT(refused, 0);
}

/// Fast bodies, for which each step is cut into many parts, most of which would take the one
/// recursion that they may have.
TEST(RelcpLimits, ThePartsOfAStepShareTenTimesTheRecursionsOfOne) {
  Simulation swarm = simulation(R"(
time: {dt: 0.01, end: 1}
gravity: [0, 0, 0]
contact: {constraints: relcp, overlap_tolerance: 1e-10, max_recursions: 1}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0.3, restitution: 0.8}]
bodies:
  eggs:
    material: stone
    shape: {type: ellipsoid, semi_axes: [0.02, 0.012, 0.006]}
    velocity: [9, 5, -7]
    angular_velocity: [30, 9, -21]
    place: {type: box, low: [0, 0, 0], high: [0.198, 0.198, 0.198], count: 60, seed: 1}
tools:
  x0: {material: stone, shape: {type: plane}, normal: [1, 0, 0]}
  x1: {material: stone, shape: {type: plane}, position: [0.2, 0, 0], normal: [-1, 0, 0]}
  y0: {material: stone, shape: {type: plane}, normal: [0, 1, 0]}
  y1: {material: stone, shape: {type: plane}, position: [0, 0.2, 0], normal: [0, -1, 0]}
  z0: {material: stone, shape: {type: plane}, normal: [0, 0, 1]}
  z1: {material: stone, shape: {type: plane}, position: [0, 0, 0.2], normal: [0, 0, -1]}
)");
  std::int64_t largest = 0;
  int without = 0;
  for (int k = 0; k < 3; ++k) {
    std::int64_t of_step = 0;
    for (bool ended = false; !ended;) {
      const StepResult& part = swarm.step();
      of_step += count_of(part, "recursions");
      if (part.impact.report.reason.find("after 0 recursions") != std::string::npos) ++without;
      ended = part.clock.ends_step();
    }
    largest = std::max(largest, of_step);
  }
  EXPECT_EQ(largest, 10);
  EXPECT_GT(without, 0);
}

}  // namespace
}  // namespace scree::test::relcp_limits_test
