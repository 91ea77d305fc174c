// ranks: 1 2 3 4, mostly 3
/// Thirty balls one upon the other: each contact bears the weight above it.

#include <gtest/gtest.h>

#include <numbers>

#include "support/simulate.hpp"

namespace scree::test::stack_test {
namespace {

constexpr int kCount = 30;

/// The contact of ball k (ids from 0 upwards) with what is below it bears the balls k ... 29.
void expect_each_contact_bears(const StepResult& result, double ball, double dt) {
  const petsc::ConstView lambda(result.impact.impulse.get());
  for (std::size_t i = 0; i < result.contacts.size(); ++i) {
    const ContactKey& key = result.contacts[i].key;
    const auto upper = static_cast<double>(key.id_b < kFirstToolId ? key.id_b : key.id_a);
    const double force = lambda[result.formulated.problem.cones.offset[i]] / dt;
    EXPECT_NEAR(force, ball * (kCount - upper), 1e-6 * ball * kCount);
  }
}

TEST(Stack, BearsItsWeightAtTheBottom) {
  const double radius = 0.05;
  std::string positions;
  for (int i = 0; i < kCount; ++i) {
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
      kCount * 2600.0 * 4.0 / 3.0 * std::numbers::pi * radius * radius * radius * 9.81;
  for (int i = 0; i < 20; ++i) {
    const StepResult& result = stack.step();
    ASSERT_EQ(result.impact.report.status, Status::converged);
    EXPECT_NEAR(result.wrenches.at(0).force.z(), -weight, 1e-6 * weight) << "step " << i;
    expect_each_contact_bears(result, weight / kCount, stack.config().time.dt);
  }
}

}  // namespace
}  // namespace scree::test::stack_test
