// ranks: 1 2 3 4
/// A ball that flies many radii a step must not pass a thin wall, nor another ball in its way.

#include <gtest/gtest.h>

#include "scree/base/parallel.hpp"
#include "support/simulate.hpp"

namespace scree::test {
namespace {

TEST(Tunnelling, AFastBallStopsAtAThinWall) {
  Simulation shot = simulation(R"(
time: {dt: 1e-2, end: 1}
gravity: [0, 0, 0]
solver: {tolerance: 1e-12}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0.3}]
bodies:
  ball:
    material: stone
    radii: {type: list, values: [0.01]}
    place: {type: points, positions: [[0.013, 0, 0]]}
    velocity: [60, 0, 0]
tools:
  wall: {material: stone, shape: {type: box, size: [0.004, 1, 1]}, position: [2.0, 0, 0]}
)");
  run(shot, 20);
  double x = -1e300;
  if (shot.store().n_owned == 1) {
    x = shot.store().position[static_cast<std::size_t>(shot.store().first_owned())].x();
  }
  x = max_over_ranks(MPI_COMM_WORLD, x);
  EXPECT_NEAR(x, 2.0 - 0.002 - 0.01, 1e-8);
}

TEST(Tunnelling, AFastBallDoesNotPassThroughAnother) {
  Simulation shot = simulation(R"(
time: {dt: 1e-2, end: 1}
gravity: [0, 0, 0]
solver: {tolerance: 1e-12}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0}]
bodies:
  bullet:
    material: stone
    radii: {type: list, values: [0.01]}
    place: {type: points, positions: [[0.0, 0, 0]]}
    velocity: [30, 0, 0]
  target:
    material: stone
    radii: {type: list, values: [0.01]}
    place: {type: points, positions: [[1.0, 0, 0]]}
)");
  run(shot, 10);
  // Inelastic and central: both go on at half the speed, the target ahead.
  const Store& store = shot.store();
  std::vector<double> x(2, 0.0);
  for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
    const auto slot = static_cast<std::size_t>(i);
    x.at(static_cast<std::size_t>(store.group[slot])) = store.position[slot].x();
    EXPECT_NEAR(store.velocity[slot].x(), 15.0, 1e-8);
  }
  sum_over_ranks(MPI_COMM_WORLD, x);
  EXPECT_GE(x[1] - x[0], 0.02 - 1e-8);
}

}  // namespace
}  // namespace scree::test
