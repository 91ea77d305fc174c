// ranks: 1 2
/// A coefficient of friction over time: a box on an incline slides, is held, and slides again.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "scree/base/parallel.hpp"
#include "support/simulate.hpp"

namespace scree::test::friction_over_time_test {
namespace {

double speed_of(const Simulation& simulation) {
  const Store& store = simulation.store();
  double speed = 0.0;
  for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
    speed += store.velocity[i].x();
  }
  return sum_over_ranks(simulation.comm(), speed);
}

/// g (sin a - mu(t) cos a), with mu from 0.1 at 0.1 s by a line to 0.6 at 0.2 s and back at 0.5 s.
TEST(FrictionOverTime, IsThatOfEachStepsEnd) {
  const double angle = 20.0 * std::numbers::pi / 180.0;
  Simulation box = simulation(fmt::format(R"(
time: {{dt: 1e-3, end: 1}}
gravity: [{}, 0, {}]
solver: {{tolerance: 1e-12}}
materials: {{stone: {{density: 2600}}}}
friction:
  - {{between: [stone, stone], mu: 0.1, mu_times: [0.1, 0.2, 0.5, 0.501], mu_values: [0.1, 0.6, 0.6, 0]}}
bodies:
  box: {{material: stone, shape: {{type: box, size: [0.2, 0.2, 0.1]}}, place: {{type: points, positions: [[0, 0, 0.05]]}}}}
tools: {{floor: {{material: stone, shape: {{type: plane}}}}}}
)",
                                          10 * std::sin(angle), -10 * std::cos(angle)));
  const auto mu = [](double t) { return t < 0.1 ? 0.1 : std::min(0.6, 0.1 + 5.0 * (t - 0.1)); };
  double expected = 0.0;
  for (int k = 1; k <= 400; ++k) {
    run(box, 1);
    const double pull = std::sin(angle) - mu(1e-3 * k) * std::cos(angle);
    expected = std::max(0.0, expected + 1e-2 * pull);
    ASSERT_NEAR(speed_of(box), expected, 1e-9) << k;
  }
  EXPECT_EQ(expected, 0.0);
  run(box, 200);  // without friction from 0.501 s on
  EXPECT_NEAR(speed_of(box), 10 * 0.1 * std::sin(angle), 2e-2);
}

}  // namespace
}  // namespace scree::test::friction_over_time_test
