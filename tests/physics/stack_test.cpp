// ranks: 1 2
/// Thirty balls one upon the other: each contact bears the weight above it.

#include <gtest/gtest.h>

#include <numbers>

#include "support/simulate.hpp"

namespace scree::test {
namespace {

TEST(Stack, BearsItsWeightAtTheBottom) {
  const int count = 30;
  const double radius = 0.05;
  std::string positions;
  for (int i = 0; i < count; ++i) {
    positions += fmt::format("{}[0, 0, {}]", i ? ", " : "", radius * (2 * i + 1));
  }
  Simulation stack = simulation(fmt::format(R"(
time: {{dt: 1e-3, end: 1}}
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: 0.4}}]
bodies:
  balls:
    material: stone
    radii: {{type: list, values: [{}]}}
    place: {{type: points, positions: [{}]}}
tools:
  floor: {{material: stone, shape: {{type: plane}}}}
solver: {{tolerance: 1e-10}}
)",
                                            radius, positions));
  const double weight =
      count * 2600.0 * 4.0 / 3.0 * std::numbers::pi * radius * radius * radius * 9.81;
  for (int i = 0; i < 20; ++i) {
    const StepResult& result = stack.step();
    ASSERT_EQ(result.impact.report.status, Status::converged);
    EXPECT_NEAR(result.wrenches.at(0).force.z(), -weight, 1e-6 * weight) << "step " << i;
  }
}

}  // namespace
}  // namespace scree::test
