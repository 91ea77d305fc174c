// ranks: 1 2 4
/// ReLCP: constraints found where a step would bring bodies (step/recursion.hpp).

#include <gtest/gtest.h>

#include <cmath>

#include "scree/base/parallel.hpp"
#include "scree/contact/penetration.hpp"
#include "support/simulate.hpp"

namespace scree::test {
namespace {

/// Ellipsoids that are drawn to the origin.
std::string cluster(const char* constraints) {
  return fmt::format(R"(
time: {{dt: 0.02, end: 10}}
gravity: [0, 0, 0]
contact: {{constraints: {}, overlap_tolerance: 1e-6}}
solver: {{tolerance: 1e-9}}
materials: {{stone: {{density: 1000}}}}
friction: [{{between: [stone, stone], mu: 0}}]
forces: {{well: {{force: ["-20*x", "-20*y", "-20*z"]}}}}
bodies:
  grains:
    material: stone
    shape: {{type: ellipsoid, semi_axes: [0.1, 0.1, 0.2]}}
    place: {{type: box, low: [-0.8, -0.8, -0.8], high: [0.8, 0.8, 0.8], count: 60, seed: 4}}
)",
                     constraints);
}

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
  for (int k = 0; k < 150; ++k) {
    const StepResult& result = recursive.step();
    ASSERT_EQ(result.impact.report.status, Status::converged) << result.impact.report.reason;
    EXPECT_LE(result.recursions.overlap, 1e-6);
    recursions += result.recursions.count;
    single.step();
    worst = std::max(worst, overlap_of(recursive));
    worst_single = std::max(worst_single, overlap_of(single));
  }
  EXPECT_GT(recursions, 0);
  // the tolerance, and what a solve may miss: half of it
  EXPECT_LE(worst, 1.5e-6);
  EXPECT_GT(worst_single, 1e-3);
}

}  // namespace
}  // namespace scree::test
