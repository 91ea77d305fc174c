// ranks: 1 2 4, mostly 2
/// ReLCP: constraints found where a step would bring bodies (step/recursion.hpp).

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "scree/base/parallel.hpp"
#include "scree/contact/penetration.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"
#include "scree/step/energies.hpp"
#include "scree/step/recursion.hpp"
#include "support/impulses.hpp"
#include "support/relcp_cluster.hpp"
#include "support/simulate.hpp"
#include "support/step_figures.hpp"

namespace scree::test::relcp_test {
namespace {

/// Largest overlap of the bodies as they stand, over the smaller inscribed radius.
double overlap_of(Simulation& simulation) {
  double largest = 0.0;
  for (const Contact& contact : simulation.find_contacts()) {
    largest =
        std::max(largest, -contact.gap / smaller_radius(simulation.store(), contact.a, contact.b));
  }
  return max_over_ranks(MPI_COMM_WORLD, largest);
}

TEST(Relcp, NoOverlapIsLeftWhereOneConstraintAPairLeavesMuch) {
  Simulation recursive = simulation(cluster("relcp"));
  Simulation single = simulation(cluster("single"));
  double worst = 0.0;
  double worst_single = 0.0;
  std::int64_t recursions = 0;
  for (int k = 0; k < 100; ++k) {
    const StepResult& result = recursive.step();
    ASSERT_EQ(result.impact.report.status, Status::converged) << result.impact.report.reason;
    EXPECT_LE(result.overlap.largest, 1e-6);
    recursions += count_of(result, "recursions");
    const double reported = single.step().overlap.largest;
    const double left = overlap_of(single);
    worst = std::max(worst, overlap_of(recursive));
    worst_single = std::max(worst_single, left);
    EXPECT_NEAR(reported, left, 1e-9) << "step " << k;  // rounding of gaps over the radius
  }
  EXPECT_GT(recursions, 0);
  // the tolerance, and what detection anew may differ by: rounding over the radius
  EXPECT_LE(worst, 1e-6 + 1e-9);
  EXPECT_GT(worst_single, 1e-3);
}

/// Askew and deep in one another at the start: they are moved apart, and stay at rest.
TEST(Relcp, AnOverlapOfTheStartMovesBodiesAndGivesThemNoSpeed) {
  Simulation two = simulation(R"(
time: {dt: 1e-2, end: 10}
gravity: [0, 0, 0]
contact: {constraints: relcp}
solver: {tolerance: 1e-9}
materials: {stone: {density: 1000}}
friction: [{between: [stone, stone], mu: 0}]
bodies:
  one:
    material: stone
    shape: {type: ellipsoid, semi_axes: [0.1, 0.15, 0.3]}
    place: {type: points, positions: [[0, 0, 0]]}
  other:
    material: stone
    shape: {type: ellipsoid, semi_axes: [0.1, 0.15, 0.3]}
    orientation: {axis: [1, 2, 0], angle: 1.0}
    place: {type: points, positions: [[0.08, 0.03, 0.05]]}
)");
  ASSERT_GT(overlap_of(two), 0.5);
  for (int k = 0; k < 20; ++k) {
    const StepResult& result = two.step();
    ASSERT_EQ(result.impact.report.status, Status::converged) << result.impact.report.reason;
    EXPECT_LT(energies(MPI_COMM_WORLD, two.store(), Vec3::Zero()).kinetic, 1e-20) << "step " << k;
  }
  EXPECT_LT(overlap_of(two), kOverlapLeft);
}

/// Shapes of all kinds rain on a floor in a cell that repeats, with friction.
TEST(Relcp, ShapesOnAFloorInAPeriodicCellDoNotOverlap) {
  Simulation bed = simulation(R"(
time: {dt: 4e-3, end: 10}
periodic: {x: [0, 0.3], y: [0, 0.3]}
contact: {constraints: relcp, overlap_tolerance: 1e-4}
solver: {tolerance: 1e-8, friction: associated}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0.4}]
bodies:
  ellipsoids:
    material: stone
    shape: {type: ellipsoid, semi_axes: [0.03, 0.02, 0.05]}
    place: {type: box, low: [0, 0, 0.06], high: [0.3, 0.3, 0.4], count: 15, seed: 4}
  boxes:
    material: stone
    shape: {type: box, size: [0.04, 0.05, 0.06]}
    place: {type: box, low: [0, 0, 0.5], high: [0.3, 0.3, 0.8], count: 15, seed: 5}
tools:
  floor: {material: stone, shape: {type: plane}, position: [0, 0, 0]}
)");
  std::int64_t recursions = 0;
  for (int k = 0; k < 120; ++k) {
    const StepResult& result = bed.step();
    ASSERT_EQ(result.impact.report.status, Status::converged)
        << "step " << k << ": " << result.impact.report.reason;
    recursions += count_of(result, "recursions");
    EXPECT_LE(overlap_of(bed), 1.5e-4) << "step " << k;
  }
  EXPECT_GT(recursions, 10);
}

/// The kinetic and potential energy of the grain in @p slot under gravity along z, J.
double energy_of(const Store& store, std::int32_t slot) {
  const Quat& q = store.orientation[slot];
  const Vec3 spin = q.conjugate() * store.angular_velocity[slot];
  return 0.5 * store.mass[slot] * store.velocity[slot].squaredNorm() +
         0.5 * spin.dot(store.inertia[slot].cwiseProduct(spin)) +
         9.81 * store.mass[slot] * store.position[slot].z();
}

/// Ellipsoids that lie too far apart to meet fall on a floor with friction, each on its own: so
/// many random drops. What a step may give is the work of weight along the overlap that it may
/// leave, since the next may undo it.
TEST(Relcp, NoRandomDropGainsEnergyInAnyStep) {
  Simulation drops = simulation(R"(
time: {dt: 2e-3, end: 10}
contact: {constraints: relcp, overlap_tolerance: 1e-4}
solver: {tolerance: 1e-7}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0.4}]
bodies:
  grains:
    material: stone
    shape: {type: ellipsoid, semi_axes: [0.01, 0.007, 0.015]}
    velocity: [0.3, 0.1, -0.2]
    angular_velocity: [3, 9, 2]
    place: {type: box, low: [0, 0, 0.02], high: [200, 200, 0.08], count: 100, seed: 7}
tools:
  floor: {material: stone, shape: {type: plane}, position: [0, 0, 0]}
)");
  std::map<std::int64_t, double> before;
  double most = 0.0;
  std::int64_t recursions = 0;
  for (int k = 0; k < 250; ++k) {
    const StepResult& result = drops.step();
    ASSERT_EQ(result.impact.report.status, Status::converged) << result.impact.report.reason;
    recursions += count_of(result, "recursions");
    for (const Contact& contact : result.contacts) ASSERT_TRUE(drops.store().is_tool(contact.b));
    const Store& store = drops.store();
    for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
      const double now = energy_of(store, slot);
      const double weight = 9.81 * store.mass[slot];
      const auto [last, is_new] = before.try_emplace(store.id[slot], now);
      most = std::max(most, (now - last->second) / (weight * 0.007));
      last->second = now;
    }
  }
  EXPECT_GT(recursions, 10);
  EXPECT_LE(most, 1e-4) << "of the work of weight over the inscribed radius";
}

/// Rows that take the place of others leave what is known of the start as it is: the overlap then,
/// 0.59 of a radius, which depends on no solve, and that each pair has one point.
TEST(Relcp, PairsAreKnownByTheirPointsOfTheStart) {
  const std::string scene = R"(
time: {dt: 2e-2, end: 0.2}
gravity: [0, -9.81, 0]
dynamics: overdamped
fluid: {drag: local, viscosity: 1.0}
solver: {tolerance: 1e-8}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0}]
bodies:
  one:
    material: stone
    shape: {type: ellipsoid, semi_axes: [0.1, 0.06, 0.03]}
    place: {type: points, positions: [[0, 0, 0.3]]}
  two:
    material: stone
    shape: {type: ellipsoid, semi_axes: [0.1, 0.06, 0.03]}
    place: {type: points, positions: [[0.10, 0.085, 0.3]]}
)";
  Simulation single = simulation(scene, {"contact.constraints=single"});
  Simulation recursive = simulation(scene, {"contact.constraints=relcp"});
  const double deep = single.step().figures.penetration;
  const StepResult& step = recursive.step();
  EXPECT_GT(count_of(step, "recursions"), 0);
  EXPECT_GT(deep, 0.5);
  EXPECT_DOUBLE_EQ(step.figures.penetration, deep);
  for (const Contact& contact : step.contacts) EXPECT_EQ(contact.key.recursion, 0);
}

/// Whether in any of 60 steps a grain that falls and turns has both a point of the start and one
/// that a recursion found.
bool keeps_rows_of_the_start(const char* law, const char* impact) {
  Simulation drops = simulation(fmt::format(R"(
time: {{dt: 2e-3, end: 10}}
contact: {{constraints: relcp}}
impact: {{law: {}}}
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: 0.4{}}}]
bodies:
  grains:
    material: stone
    shape: {{type: ellipsoid, semi_axes: [0.01, 0.007, 0.015]}}
    angular_velocity: [3, 9, 2]
    place: {{type: box, low: [0, 0, 0], high: [2, 2, 0.04], count: 20, seed: 7}}
tools:
  floor: {{material: stone, shape: {{type: plane}}, position: [0, 0, 0]}}
)",
                                            impact, law));
  std::int64_t recursions = 0;
  int found = 0;
  for (int k = 0; k < 60; ++k) {
    const StepResult& step = drops.step();
    recursions += count_of(step, "recursions");
    for (std::size_t i = 1; i < step.contacts.size(); ++i) {
      const ContactKey key = step.contacts[i].key;
      found += key.recursion > 0 && pair_of(step.contacts[i - 1].key) == pair_of(key) ? 1 : 0;
    }
  }
  EXPECT_GT(recursions, 0);
  return max_over_ranks(MPI_COMM_WORLD, found) > 0;
}

TEST(Relcp, RowsOfTheStartThatHoldAnImpactOrAPullStay) {
  EXPECT_FALSE(keeps_rows_of_the_start("", "newton"));
  EXPECT_TRUE(keeps_rows_of_the_start(", restitution: 0.5", "newton"));
  EXPECT_TRUE(keeps_rows_of_the_start(", cohesion: 1e-4, rupture_distance: 1e-4", "newton"));
  EXPECT_TRUE(keeps_rows_of_the_start(", restitution: 0.5", "energetic"));
}

/// With friction the impulse of a pair with several points is no more than friction
/// within the spread of their normals: the cone of atan(mu), and the largest angle of a normal to
/// their mean.
TEST(Relcp, TheImpulseOfAPairLiesWithinFrictionAndTheSpreadOfItsNormals) {
  constexpr double kMu = 0.4;
  Simulation bed = simulation(R"(
time: {dt: 4e-3, end: 10}
contact: {constraints: relcp, overlap_tolerance: 1e-5}
solver: {tolerance: 1e-8}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0.4}]
bodies:
  grains:
    material: stone
    shape: {type: capsule, radius: 0.014, length: 0.02}
    place: {type: box, low: [0, 0, 0.03], high: [0.12, 0.12, 0.35], count: 15, seed: 4}
tools:
  floor: {material: stone, shape: {type: plane}, position: [0, 0, 0]}
)");
  int several = 0;
  for (int k = 0; k < 300; ++k) {
    const StepResult& step = bed.step();
    ASSERT_EQ(step.impact.report.status, Status::converged) << step.impact.report.reason;
    std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::size_t>> pairs;
    double largest = 0.0;
    for (std::size_t i = 0; i < step.contacts.size(); ++i) {
      const double size = impulse_on_a(step, i).norm();
      largest = std::max(largest, size);
      if (size > 0.0) pairs[{step.contacts[i].key.id_a, step.contacts[i].key.id_b}].push_back(i);
    }
    for (const auto& [ids, points] : pairs) {
      if (points.size() < 2) continue;
      Vec3 sum = Vec3::Zero();
      Vec3 mean = Vec3::Zero();
      for (const std::size_t i : points) sum += impulse_on_a(step, i);
      for (const std::size_t i : points) mean += step.contacts[i].normal;
      mean.normalize();
      double spread = 0.0;
      for (const std::size_t i : points) {
        spread = std::max(spread, std::acos(std::min(1.0, step.contacts[i].normal.dot(mean))));
      }
      if (sum.norm() < 1e-3 * largest) continue;  // below what the solve resolves
      ++several;
      // 1e-4: what the impulses of a solve to 1e-8 miss their cones by
      EXPECT_LE(std::acos(std::min(1.0, sum.normalized().dot(mean))),
                std::atan(kMu) + spread + 1e-4);
    }
  }
  EXPECT_GT(max_over_ranks(MPI_COMM_WORLD, several), 0);
}

/// A flat ellipsoid slides on a floor and rocks as it does: all its constraints have one normal, so
/// that friction is mu times what bears it, and the momentum that it loses is mu times that which
/// the floor gives, to the accuracy of the solves. It stops, and goes on to rock without sliding;
/// one that is put down at rest stays so.
TEST(Relcp, ASlidingEllipsoidObeysCoulombAndOneAtRestRests) {
  constexpr double kMu = 0.1;
  constexpr double kStart = 0.5;
  Simulation slide = simulation(R"(
time: {dt: 5e-3, end: 10}
contact: {constraints: relcp, overlap_tolerance: 1e-7}
solver: {tolerance: 1e-9}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0.1}]
bodies:
  slides:
    material: stone
    shape: {type: ellipsoid, semi_axes: [0.1, 0.1, 0.03]}
    velocity: [0.5, 0, 0]
    place: {type: points, positions: [[0, 0, 0.03]]}
  rests:
    material: stone
    shape: {type: ellipsoid, semi_axes: [0.1, 0.1, 0.03]}
    place: {type: points, positions: [[0, 1, 0.03]]}
tools:
  floor: {material: stone, shape: {type: plane}}
)");
  const auto velocities_of = [&slide](std::int64_t id) -> Vec6 {
    const Store& store = slide.store();
    std::vector<double> v(6, 0.0);
    for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
      if (store.id[slot] != id) continue;
      Vec6::Map(v.data()) << store.velocity[slot], store.angular_velocity[slot];
    }
    sum_over_ranks(MPI_COMM_WORLD, v);
    return Vec6::Map(v.data());
  };
  std::int64_t recursions = 0;
  for (int k = 1; k <= 80; ++k) {
    recursions += count_of(slide.step(), "recursions");
    const Vec6 v = velocities_of(0);
    EXPECT_NEAR(v.x(), kStart - kMu * (9.81 * slide.time() + v.z()), 1e-6 * kStart) << "step " << k;
  }
  EXPECT_GT(recursions, 10);
  run(slide, 80);
  const Vec6 rocks = velocities_of(0);
  EXPECT_LE(std::abs(rocks[0]), 0.01 * kStart);
  EXPECT_NEAR(rocks[0], 0.03 * rocks[4], 1e-5 * kStart);  // but for the square of its tilt
  EXPECT_LE(velocities_of(1).norm(), 1e-9);               // as the solves
}

/// Where overlaps of several ranks are equal, all ranks name the same pair, and none is made of
/// two.
TEST(Relcp, OfEqualOverlapsAllRanksNameOne) {
  const int self = rank_of(MPI_COMM_WORLD);
  const int last = size_of(MPI_COMM_WORLD) - 1;
  EndOverlap report;
  report_largest({{}, {}, self == last ? 0.5 : 0.25, 10 + self, 20 - self}, MPI_COMM_WORLD, report);
  EXPECT_EQ(report.largest, 0.5);
  EXPECT_EQ(report.id_a, 10 + last);
  EXPECT_EQ(report.id_b, 20 - last);
  report_largest({{}, {}, 0.5, 10 + self, 20 - self}, MPI_COMM_WORLD, report);
  EXPECT_EQ(report.id_a + report.id_b, 30);
  EXPECT_GE(report.id_a, 10);
}

/// Without friction the problems are those of half lines, which any method may take.
TEST(Relcp, EverySolverOfHalfLinesLeavesNoOverlap) {
  for (const char* method :
       {"psor", "pgs", "nsgs", "apgd", "ipm", "pac", "minmap", "fischer", "lemke"}) {
    Simulation recursive =
        simulation(cluster("relcp"), {{fmt::format("solver.method={}", method)}});
    std::int64_t recursions = 0;
    for (int k = 0; k < 25; ++k) {
      const StepResult& result = recursive.step();
      ASSERT_EQ(result.impact.report.status, Status::converged)
          << method << " " << result.impact.report.reason;
      EXPECT_LE(result.overlap.largest, 1e-6);
      recursions += count_of(result, "recursions");
    }
    EXPECT_GT(recursions, 0) << method;
  }
}

/// Records of contacts tell recursions apart: a run that goes on from a checkpoint is the same to
/// the bit on one rank.
TEST(Relcp, GoesOnFromACheckpoint) {
  if (size_of(MPI_COMM_WORLD) > 1)
    GTEST_SKIP() << "sums over ranks have another order after a restart";
  Simulation whole = simulation(cluster("relcp"));
  run(whole, 60);
  const CheckpointContent content = checkpoint(whole);
  Simulation continued(MPI_COMM_WORLD, whole.config(), content);
  run(whole, 5);
  run(continued, 5);
  ASSERT_EQ(whole.store().id, continued.store().id);
  EXPECT_EQ(whole.store().position, continued.store().position);
  EXPECT_EQ(whole.store().angular_velocity, continued.store().angular_velocity);
}

}  // namespace
}  // namespace scree::test::relcp_test
