// ranks: 1
/// A pile upon a plane: without rolling resistance it spreads to one layer, with it, it stands.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/simulate.hpp"

namespace scree::test::pile_test {
namespace {

constexpr double kLargest = 5.5e-3;  // radius, m
constexpr double kRolling = 0.5e-3;  // m

/// The heap that is left of 120 grains when the tube around them has been lifted.
struct Pile {
  double angle;  ///< of the cone that has the grains' mean height and distance from the middle
  double top;    ///< of the highest centre, m
};

Pile pile(double rolling) {
  Simulation run = simulation(fmt::format(R"(
time: {{dt: 2e-3, end: 10}}
gravity: [0, 0, -9.81]
materials: {{stone: {{density: 2500, young_modulus: 1e7}}}}
friction: [{{between: [stone, stone], mu: 0.5, rolling: {}}}]
bodies:
  heap: {{material: stone, radii: {{type: uniform, min: 4.5e-3, max: {}}}, place: {{type: box, low: [-0.018, -0.018, 1e-3], high: [0.018, 0.018, 0.3], count: 120, seed: 1}}}}
tools:
  floor: {{material: stone, shape: {{type: plane}}, normal: [0, 0, 1]}}
  tube:
    material: stone
    shape: {{type: hollow_cylinder, radius: 0.026, length: 0.4}}
    motion: {{type: velocity, velocity: [0, 0, 0.15], start: 0.3, stop: 1.5}}
)",
                                          rolling, kLargest));
  for (int i = 0; i < 600; ++i) run.step();
  const Store& store = run.store();
  double height = 0.0;
  double distance = 0.0;
  double top = 0.0;
  for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
    const Vec3& x = store.position[i];
    height += x.z() - 5e-3;
    distance += std::hypot(x.x(), x.y());
    top = std::max(top, x.z());
  }
  // Of a cone the centres' mean height is a quarter of its own, their mean distance half its
  // radius.
  return {std::atan(2.0 * height / distance), top};
}

TEST(Pile, SpreadsToOneLayerWithoutRollingResistance) {
  const Pile flat = pile(0.0);
  EXPECT_LT(flat.top, 2.0 * kLargest + 1e-3);  // here and there one grain still rides on others
  EXPECT_LT(flat.angle, 0.01);
}

/// One grain begins to roll down a slope of tan = length/radius; in a pile others hold it back.
TEST(Pile, StandsAtTheAngleThatRollingResistanceHolds) {
  const Pile steep = pile(kRolling);
  EXPECT_GT(steep.angle, std::atan(kRolling / kLargest));
  EXPECT_GT(steep.top, 3.0 * kLargest);  // two layers at least
}

}  // namespace
}  // namespace scree::test::pile_test
