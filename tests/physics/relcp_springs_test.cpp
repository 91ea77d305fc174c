// ranks: 1 2
/// ReLCP where contacts yield (step/allowance.hpp).

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "scree/base/parallel.hpp"
#include "support/impulses.hpp"
#include "support/relcp_cluster.hpp"
#include "support/simulate.hpp"
#include "support/step_figures.hpp"

namespace scree::test::relcp_springs_test {
namespace {

/// Springs of a pair that share its stiffness are compressed alike to a hundredth.
constexpr double kAlike = 1.01;

/// Ellipsoids whose contacts yield, drawn to the origin, so that they are pressed: at the end of a
/// step no pair overlaps by more than its springs are compressed, and so what it bears is no less
/// than their force.
TEST(RelcpSprings, PairsThatYieldOverlapByWhatTheirSpringsAreCompressed) {
  constexpr double kStiffness = 2e4;
  Simulation soft =
      simulation(cluster("relcp"), {fmt::format("friction.0.stiffness={}", kStiffness)});
  double deepest = 0.0;
  std::int64_t recursions = 0;
  for (int k = 0; k < 100; ++k) {
    const StepResult& result = soft.step();
    ASSERT_EQ(result.impact.report.status, Status::converged) << result.impact.report.reason;
    EXPECT_LE(result.overlap.largest, 1e-6);
    recursions += count_of(result, "recursions");
    std::map<PairKey, double> compressed;
    for (std::size_t i = 0; i < result.contacts.size(); ++i) {
      compressed[pair_of(result.contacts[i].key)] +=
          impulse_on_a(result, i).norm() / 0.02 / kStiffness;
    }
    for (const Contact& contact : soft.find_contacts()) {
      const auto pair = compressed.find(pair_of(contact.key));
      // contacts may be another rank's from one step to the next
      const double bears = pair == compressed.end() ? 0.0 : pair->second;
      if (size_of(MPI_COMM_WORLD) == 1) {
        EXPECT_LE(-contact.gap, kAlike * bears + 1e-6 * 0.1 + 1e-10) << "step " << k;
      }
      deepest = std::max(deepest, -contact.gap);
    }
  }
  EXPECT_GT(recursions, 0);
  EXPECT_GT(max_over_ranks(MPI_COMM_WORLD, deepest),
            1e-3 * 0.1);  // far beyond the tolerance: they yield
}

/// Capsules whose contacts yield and that meet as they turn, in pairs: the point of a pair changes
/// its feature within a step, and the pair is as stiff as its law all the same. What overlaps at a
/// step's end bears its stiffness times it, to some hundredths for what the row is linear in; a
/// second spring beside the first would make it twice.
TEST(RelcpSprings, PairsThatYieldAreAsStiffAsTheirLawWhicheverPointsMeet) {
  constexpr double kStiffness = 2e4;
  std::string a;
  std::string b;
  for (int k = 0; k < 200; ++k) {
    a += fmt::format("[{}, {}, 0.25], ", 3.0 * k, 0.0);
    b += fmt::format("[{}, {}, -0.25], ", 3.0 * k + 0.08 * std::sin(7.0 * k),
                     0.08 * std::cos(5.0 * k));
  }
  Simulation capsules = simulation(fmt::format(R"(
time: {{dt: 2e-3, end: 1}}
gravity: [0, 0, 0]
contact: {{constraints: relcp, overlap_tolerance: 1e-6, max_compression: 1}}
solver: {{tolerance: 1e-10}}
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: 0, stiffness: {}}}]
bodies:
  a:
    material: stone
    shape: {{type: capsule, radius: 0.05, length: 0.3}}
    velocity: [0, 0, -1]
    angular_velocity: [7, 5, 3]
    place: {{type: points, positions: [{}]}}
  b:
    material: stone
    shape: {{type: capsule, radius: 0.05, length: 0.3}}
    velocity: [0, 0, 1]
    angular_velocity: [-4, 6, 1]
    place: {{type: points, positions: [{}]}}
)",
                                               kStiffness, a, b));
  int loaded = 0;
  std::int64_t recursions = 0;
  for (int k = 0; k < 200; ++k) {
    const StepResult& result = capsules.step();
    ASSERT_EQ(result.impact.report.status, Status::converged) << result.impact.report.reason;
    recursions += count_of(result, "recursions");
    std::map<PairKey, double> force;
    for (std::size_t i = 0; i < result.contacts.size(); ++i) {
      force[pair_of(result.contacts[i].key)] += impulse_on_a(result, i).norm() / 2e-3;
    }
    std::map<PairKey, double> depth;
    for (const Contact& contact : capsules.find_contacts()) {
      double& deepest = depth[pair_of(contact.key)];
      deepest = std::max(deepest, -contact.gap);
    }
    for (const auto& [pair, deep] : depth) {
      const auto bears = force.find(pair);
      if (deep < 1e-3 || bears == force.end()) continue;
      ++loaded;
      EXPECT_GE(kAlike * bears->second, kStiffness * (deep - 1e-6 * 0.05 - 1e-10)) << "step " << k;
      EXPECT_LE(bears->second, 1.1 * kStiffness * deep) << "step " << k;
    }
  }
  EXPECT_GT(sum_over_ranks(capsules.comm(), static_cast<double>(loaded)), 100.0);
  EXPECT_GT(recursions, 0);
}

/// A ball that rolls in a drum on a path whose normal turns: the tangential spring turns with the
/// normal from step to step and from constraint to constraint, so that the ball slips no more than
/// with one constraint a step. Not turned it would slip by overlap over the path's radius times
/// k_n/k_t, here 1.2 %.
TEST(RelcpSprings, TangentialSpringsTurnWithTheConstraintsThatTakeTheirPlace) {
  const auto slip = [](const char* constraints) {
    Simulation roll = simulation(fmt::format(R"(
time: {{dt: 2e-3, end: 1.0}}
gravity: [0, 0, -10]
contact: {{constraints: {}, overlap_tolerance: 1e-6}}
solver: {{tolerance: 1e-10}}
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: 1.0, stiffness: 5e3, damping: 0.3}}]
bodies:
  ball:
    material: stone
    radii: {{type: list, values: [0.05]}}
    place: {{type: points, positions: [[0.39, 0, -0.225]]}}
tools:
  drum:
    material: stone
    shape: {{type: hollow_cylinder, radius: 0.5}}
    orientation: {{axis: [1, 0, 0], angle: 1.5707963267948966}}
)",
                                             constraints));
    run(roll, 220);  // 0.44 s: near the lowest point, where it is fastest
    const Store& store = roll.store();
    std::vector<double> sums(2, 0.0);
    for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
      const Vec3& at = store.position[slot];
      const Vec3 inward = -Vec3(at.x(), 0.0, at.z()).normalized();
      const Vec3 along = inward.cross(Vec3::UnitY());
      const Vec3 surface =
          store.velocity[slot] + store.angular_velocity[slot].cross(-0.05 * inward);
      sums = {surface.dot(along), store.velocity[slot].dot(along)};
    }
    sum_over_ranks(roll.comm(), sums);
    return sums[0] / sums[1];
  };
  EXPECT_NEAR(slip("relcp"), slip("manifold"), 4e-3);
}

}  // namespace
}  // namespace scree::test::relcp_springs_test
