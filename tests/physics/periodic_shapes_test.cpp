// ranks: 1 2 4 7, mostly 4
/// Grains of many shapes in a cell that is periodic in all directions: collisions across its sides
/// keep momentum, and the number of ranks is of no matter.

#include <gtest/gtest.h>

#include <cmath>

#include "scree/base/parallel.hpp"
#include "scree/step/energies.hpp"
#include "support/simulate.hpp"

namespace scree::test::periodic_shapes_test {
namespace {

constexpr const char* kGas = R"(
time: {dt: 1e-3, end: 1}
gravity: [0, 0, 0]
periodic: {x: [0, 0.2], y: [0, 0.2], z: [0, 0.2]}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0.5}]
bodies:
  low:
    populations:
      balls: {material: stone, share: 1, radii: {type: list, values: [0.01]}}
      eggs: {material: stone, share: 1, shape: {type: ellipsoid, semi_axes: [0.02, 0.01, 0.008]}}
      rods: {material: stone, share: 1, shape: {type: capsule, radius: 0.006, length: 0.02}}
      bricks: {material: stone, share: 1, shape: {type: box, size: [0.02, 0.015, 0.01]}}
    place: {type: box, low: [0, 0, 0], high: [0.2, 0.2, 0.1], count: 45, seed: 3}
    velocity: [1, 0.5, 0.7]
  high:
    material: stone
    shape: {type: box, size: [1, 2, 3]}
    radii: {type: list, values: [0.012]}
    place: {type: box, low: [0, 0, 0.1], high: [0.2, 0.2, 0.2], count: 45, seed: 4}
    velocity: [-1, 0, -0.7]
    angular_velocity: [20, -10, 5]
solver: {tolerance: 1e-10}
balance: {bound: 1.02}
)";

Energies momenta(const Simulation& gas) {
  return energies(gas.comm(), gas.store(), Vec3::Zero());
}

/// How many grains have gone through a side. Collective.
std::int64_t gone_through(const Simulation& gas) {
  std::int64_t n = 0;
  for (std::int32_t i = gas.store().first_owned(); i < gas.store().end_owned(); ++i) {
    if (!gas.store().wraps[static_cast<std::size_t>(i)].isZero()) ++n;
  }
  return sum_over_ranks(gas.comm(), n);
}

// Each impulse acts as +lambda and -lambda: what a step adds to the sum of m v is rounding of as
// many terms as there are grains.
TEST(PeriodicShapes, CollisionsAcrossTheSidesKeepMomentum) {
  Simulation gas = simulation(kGas);
  const Energies start = momenta(gas);
  constexpr int kSteps = 100;
  std::int64_t closed = 0;
  for (int k = 0; k < kSteps; ++k) closed += gas.step().figures.closed;
  const Energies end = momenta(gas);
  EXPECT_GT(closed, 500);
  EXPECT_GT(gone_through(gas), 30);
  EXPECT_LT(end.kinetic, 0.9 * start.kinetic);
  EXPECT_LT((end.momentum - start.momentum).norm(), 1e-15 * 100 * kSteps * start.mass * 1.5);
}

// To what solves to 1e-10 leave open, which collisions multiply; angles of meeting grains of such
// sizes change by a hundred times what their places do.
TEST(PeriodicShapes, GoAlikeOnOneRankAndOnAll) {
  const RunConfig config = read_run_config(kGas, "test.yaml");
  Simulation alone(MPI_COMM_SELF, config);
  Simulation together(MPI_COMM_WORLD, config);
  for (int k = 0; k < 40; ++k) {
    const StepResult& one = alone.step();
    const StepResult& all = together.step();
    ASSERT_EQ(all.impact.report.status, Status::converged) << "step " << k;
    ASSERT_EQ(all.figures.potential, one.figures.potential) << "step " << k;
    const Energies a = momenta(alone);
    const Energies b = momenta(together);
    ASSERT_NEAR(b.kinetic, a.kinetic, 1e-6 * a.kinetic) << "step " << k;
    ASSERT_LT((b.momentum - a.momentum).norm(), 1e-12 * a.mass) << "step " << k;
  }
  EXPECT_EQ(gone_through(together), gone_through(alone));
}

}  // namespace
}  // namespace scree::test::periodic_shapes_test
