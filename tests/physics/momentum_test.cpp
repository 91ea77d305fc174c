// ranks: 1 2 3 4, mostly 3
/// A cloud of balls that collide without gravity or walls: linear and angular momentum stay,
/// whatever ranks the balls cross. Impulses act as +lambda and -lambda at one point, and between
/// steps each ball moves along its own velocity, so that each step errs by rounding only.

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "scree/base/parallel.hpp"
#include "scree/step/energies.hpp"
#include "support/simulate.hpp"

namespace scree::test::momentum_test {
namespace {

Simulation cloud(double mu, const std::string& constraints) {
  return simulation(fmt::format(R"(
time: {{dt: 2e-3, end: 1}}
gravity: [0, 0, 0]
materials: {{stone: {{density: 2600}}}}
contact: {{constraints: {}}}
friction: [{{between: [stone, stone], mu: {}}}]
bodies:
  left:
    material: stone
    radii: {{type: uniform, min: 0.01, max: 0.02}}
    place: {{type: box, low: [-0.3, -0.12, -0.12], high: [-0.02, 0.12, 0.12], count: 120, seed: 1}}
    velocity: [1.0, 0.1, 0]
    angular_velocity: [3, -2, 1]
  right:
    material: stone
    radii: {{type: uniform, min: 0.01, max: 0.02}}
    place: {{type: box, low: [0.02, -0.12, -0.12], high: [0.3, 0.12, 0.12], count: 120, seed: 2}}
    velocity: [-1.5, 0, 0.1]
)",
                                constraints, mu));
}

TEST(Momentum, IsConservedAcrossRanks) {
  using Scene = std::pair<double, const char*>;
  for (const auto& [mu, constraints] :
       {Scene{0.0, "single"}, Scene{0.5, "single"}, Scene{0.0, "relcp"}}) {
    SCOPED_TRACE(constraints);
    Simulation cloud_run = cloud(mu, constraints);
    const Energies start = energies(MPI_COMM_WORLD, cloud_run.store(), Vec3::Zero());
    std::int64_t closed = 0;
    const int steps = 100;
    for (int i = 0; i < steps; ++i) {
      const StepResult& result = cloud_run.step();
      closed += result.figures.closed;
    }
    const Energies end = energies(MPI_COMM_WORLD, cloud_run.store(), Vec3::Zero());
    EXPECT_GT(closed, 1000) << "the clouds must have met";
    EXPECT_LT(end.kinetic, 0.9 * start.kinetic);
    const double scale = start.mass * 1.5;
    const double rounding = 1e-15 * 240 * steps;
    EXPECT_LT((end.momentum - start.momentum).norm(), rounding * scale) << "mu " << mu;
    EXPECT_LT((end.angular_momentum - start.angular_momentum).norm(), rounding * scale * 0.3);
  }
}

}  // namespace
}  // namespace scree::test::momentum_test
