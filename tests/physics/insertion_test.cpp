// ranks: 1 2 4, mostly 2
/// Grains rain into a box: they settle like others, on one rank and on all, until the bed has its
/// height.

#include <gtest/gtest.h>

#include "scree/base/parallel.hpp"
#include "scree/geometry/shapes/sphere.hpp"
#include "scree/step/energies.hpp"
#include "support/simulate.hpp"

namespace scree::test::insertion_test {
namespace {

constexpr const char* kPour = R"(
time: {dt: 2e-3, end: 10}
materials: {stone: {density: 2600}, steel: {density: 7850}}
friction:
  - {between: [stone, stone], mu: 0.4}
  - {between: [stone, steel], mu: 0.3}
  - {between: [steel, steel], mu: 0.2}
insertions:
  rain:
    populations:
      stones: {material: stone, share: 3, radii: {type: uniform, min: 0.012, max: 0.02}}
      balls: {material: steel, share: 1, radii: {type: list, values: [0.01]}}
    region: {type: box, low: [0, 0, 0.2], high: [0.16, 0.16, 0.5]}
    rate: 8
    velocity: [0, 0, -1]
tools:
  floor: {material: steel, shape: {type: plane}}
  left: {material: steel, shape: {type: plane}, normal: [1, 0, 0]}
  right: {material: steel, shape: {type: plane}, position: [0.16, 0, 0], normal: [-1, 0, 0]}
  front: {material: steel, shape: {type: plane}, normal: [0, 1, 0]}
  back: {material: steel, shape: {type: plane}, position: [0, 0.16, 0], normal: [0, -1, 0]}
)";

const InsertionState& state_of(const Simulation& simulation) {
  return simulation.state().insertions[0];
}

/// Top of the highest grain that is slower than @p speed, m.
double top(const Simulation& simulation, double speed) {
  const Store& store = simulation.store();
  double top = 0.0;
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    if (store.velocity[slot].norm() > speed) continue;
    top = std::max(top, store.position[slot].z() + bounding_radius(store, slot));
  }
  return max_over_ranks(simulation.comm(), top);
}

// Masses are sums in other orders (1e-12). Contacts are solved to 1e-10, and 160 steps of a loose
// rain enlarge that: potential energies are asked to 1e-8.
TEST(Insertion, RainsAlikeOnOneRankAndOnAll) {
  const RunConfig config = read_run_config(kPour, "test.yaml", {"solver.tolerance=1e-10"});
  Simulation alone(MPI_COMM_SELF, config);
  Simulation together(MPI_COMM_WORLD, config);
  for (int i = 0; i < 160; ++i) {
    const StepResult& one = alone.step();
    const StepResult& all = together.step();
    ASSERT_EQ(state_of(together).count, state_of(alone).count) << "step " << i;
    ASSERT_EQ(state_of(together).mass, state_of(alone).mass) << "step " << i;
    ASSERT_EQ(all.figures.potential, one.figures.potential) << "step " << i;
    ASSERT_LT(all.figures.penetration, 0.02) << "step " << i;
    const Energies a = energies(MPI_COMM_SELF, alone.store(), config.gravity);
    const Energies b = energies(MPI_COMM_WORLD, together.store(), config.gravity);
    ASSERT_NEAR(b.mass, a.mass, 1e-12 * a.mass);
    ASSERT_NEAR(a.mass, state_of(alone).mass, 1e-12 * a.mass);
    ASSERT_NEAR(b.potential, a.potential, 1e-8 * std::abs(a.potential)) << "step " << i;
  }
  EXPECT_NEAR(state_of(alone).mass, 8.0 * alone.time(), 2600.0 * Sphere{0.02}.volume());
  EXPECT_GT(alone.result().figures.closed, 20);  // some have landed
}

TEST(Insertion, EndsWhenTheBedHasItsHeight) {
  Simulation simulation(MPI_COMM_WORLD,
                        read_run_config(kPour, "test.yaml", {"insertions.rain.height=0.08"}));
  int steps = 0;
  while (!state_of(simulation).ended && ++steps < 2000) {
    simulation.step();
  }
  ASSERT_TRUE(state_of(simulation).ended);
  const std::int64_t count = state_of(simulation).count;
  // 0.16 m x 0.16 m x 0.08 m, loosely filled at the top: about half of it is grains.
  EXPECT_GT(state_of(simulation).mass, 0.35 * 2600.0 * 0.16 * 0.16 * 0.08);
  run(simulation, 150);
  EXPECT_EQ(state_of(simulation).count, count);
  EXPECT_GT(top(simulation, 0.1), 0.06);
  EXPECT_LT(top(simulation, 0.1), 0.08 + 3 * 0.04);  // what was in the air has landed on it
}

}  // namespace
}  // namespace scree::test::insertion_test
