// ranks: 1 2
/// Surfaces that run along themselves carry grains as belts and drums do.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "support/motion.hpp"
#include "support/simulate.hpp"

namespace scree::test::surface_test {
namespace {

Simulation scene(const std::string& grain, const std::string& tool, double mu,
                 const Vec3& gravity = {0, 0, -10}) {
  return simulation(fmt::format(R"(
time: {{dt: 1e-3, end: 10}}
gravity: [{}, {}, {}]
solver: {{tolerance: 1e-12}}
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: {}}}]
bodies: {{grain: {{material: stone, {}}}}}
tools: {{belt: {{material: stone, {}}}}}
)",
                                gravity.x(), gravity.y(), gravity.z(), mu, grain, tool));
}

const std::string kBall =
    "radii: {type: list, values: [0.05]}, place: {type: points, positions: [[0, 0, 0.05]]}";
const std::string kBox =
    "shape: {type: box, size: [0.1, 0.1, 0.05]}, place: {type: points, positions: [[0, 0, 0.025]]}";

/// A ball laid on a belt slips until it rolls, with 2/7 of the belt's velocity.
TEST(Surface, ABallOnABeltGetsTwoSeventhsOfItsVelocity) {
  for (const std::string shape :
       {"shape: {type: plane}", "shape: {type: box, size: [9, 9, 0.2]}, position: [0, 0, -0.1]"}) {
    Simulation belt = scene(kBall, shape + ", surface_velocity: [1.4, 0.7, 0]", 0.3);
    run(belt, 100);  // m mu g t < 2/7 m v
    EXPECT_NEAR(motion_of(belt).velocity.norm(), 0.3 * 10 * 0.1, 1e-9);
    run(belt, 500);
    const Motion m = motion_of(belt);
    EXPECT_LT((m.velocity - Vec3(0.4, 0.2, 0)).norm(), 1e-9);
    EXPECT_LT((m.spin - Vec3(0.5 / 0.05, -1.0 / 0.05, 0)).norm(), 1e-7);
    EXPECT_NEAR(m.place.z(), 0.05, 1e-9);
  }
}

/// A box is carried up an incline once it has the belt's velocity.
TEST(Surface, ABoxIsCarriedUpABelt) {
  const double angle = 20.0 * std::numbers::pi / 180.0;
  Simulation belt = scene(kBox, "shape: {type: plane}, surface_velocity: [0.5, 0, 3]", 0.6,
                          {-10 * std::sin(angle), 0, -10 * std::cos(angle)});
  run(belt, 600);
  const Motion m = motion_of(belt);  // what is across the surface, 3 m/s, does not count
  EXPECT_LT((m.velocity - Vec3(0.5, 0, 0)).norm(), 1e-9);
  EXPECT_LT(m.spin.norm(), 1e-9);
  EXPECT_NEAR(m.place.z(), 0.025, 1e-9);
}

/// The wall of a drum that runs about its axis does what a drum that turns about it does.
TEST(Surface, ADrumByItsWallIsTheDrum) {
  const std::string drum =
      "shape: {type: hollow_cylinder, radius: 0.3}, position: [0, 0, 0.3], orientation: {axis: [1, "
      "0, 0], angle: 1.5707963267948966}, ";
  for (const std::string& grain : {kBall, kBox}) {
    Simulation turns =
        scene(grain, drum + "motion: {type: velocity, angular_velocity: [0, 4, 0]}", 0.5);
    Simulation runs = scene(grain, drum + "surface_angular_velocity: [0, 4, 0]", 0.5);
    run(turns, 400);
    run(runs, 400);
    const Motion a = motion_of(turns);
    const Motion b = motion_of(runs);
    EXPECT_GT(a.velocity.norm() + a.spin.norm() + (a.place - Vec3(0, 0, 0.05)).norm(), 1e-3);
    EXPECT_LT((a.place - b.place).norm(), 1e-8);
    EXPECT_LT((a.velocity - b.velocity).norm(), 1e-7);
    EXPECT_LT((a.spin - b.spin).norm(), 1e-6);
  }
}

/// A belt turns with its tool: after a quarter of a turn it runs along y.
TEST(Surface, ABeltTurnsWithItsTool) {
  Simulation belt =
      scene(kBox,
            "shape: {type: box, size: [9, 9, 0.2]}, position: [0, 0, -0.1], surface_velocity: [1, "
            "0, 0], motion: {type: table, times: [0, 0.1], displacements: [[0, 0, 0], [0, 0, 0]], "
            "rotations: [[0, 0, 0], [0, 0, 1.5707963267948966]]}",
            1.0);
  run(belt, 1000);
  const Motion m = motion_of(belt);
  EXPECT_LT((m.velocity - Vec3(0, 1, 0)).norm(), 1e-9);
}

/// On springs, which remember how far they are sheared, too.
TEST(Surface, ACompliantBoxIsCarried) {
  Simulation belt = simulation(R"(
time: {dt: 1e-4, end: 10}
gravity: [0, 0, -10]
solver: {tolerance: 1e-12}
materials: {stone: {density: 2600, young_modulus: 1e7}}
friction: [{between: [stone, stone], mu: 0.6}]
bodies:
  grain:
    material: stone
    shape: {type: box, size: [0.1, 0.1, 0.05]}
    place: {type: points, positions: [[0, 0, 0.025]]}
tools: {belt: {material: stone, shape: {type: plane}, surface_velocity: [0.3, 0, 0]}}
)");
  run(belt, 3000);
  const Motion before = motion_of(belt);
  run(belt, 2000);
  // the springs that shear along swing, with nothing that damps them
  const Vec3 mean = (motion_of(belt).place - before.place) / 0.2;
  EXPECT_LT((mean - Vec3(0.3, 0, 0)).norm(), 2e-3);
}

}  // namespace
}  // namespace scree::test::surface_test
