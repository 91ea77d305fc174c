// ranks: 1 2 4
/// Bodies of several parts rest, roll, hang and dig as the rigid bodies that they are.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "scree/base/parallel.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "support/motion.hpp"
#include "support/simulate.hpp"

namespace scree::test::clump_test {
namespace {

Simulation scene(const std::string& bodies, const std::string& tools, const std::string& more,
                 double tolerance = 1e-12) {
  return simulation(fmt::format(R"(
time: {{dt: 1e-3, end: 10}}
solver: {{tolerance: {}}}
materials: {{stone: {{density: 2600}}}}
bodies: {{{}}}
tools: {{{}}}
{}
)",
                                tolerance, bodies, tools, more));
}

/// Two balls of 0.05 on an axle of 0.02 along y, which touches nothing.
const std::string kDumbbell =
    "{type: clump, parts: ["
    "{shape: {type: sphere, radius: 0.05}, position: [0, -0.1, 0]}, "
    "{shape: {type: sphere, radius: 0.05}, position: [0, 0.1, 0]}, "
    "{shape: {type: capsule, radius: 0.02, length: 0.2}, orientation: {axis: [1, 0, 0], angle: "
    "1.5707963267948966}}]}";

/// Down an incline of 20 degrees: a = g sin(alpha) / (1 + I / (m r^2)), with the moment about the
/// axle that the clump has.
TEST(Clump, ADumbbellRollsDownAnIncline) {
  const double angle = 20.0 * std::numbers::pi / 180.0;
  Simulation rolling =
      scene(fmt::format("dumbbell: {{material: stone, shape: {}, place: {{type: points, positions: "
                        "[[0, 0, 0.05]]}}}}",
                        kDumbbell),
            "floor: {material: stone, shape: {type: plane}}",
            fmt::format("gravity: [{}, 0, {}]\nfriction: [{{between: [stone, stone], mu: 0.5}}]",
                        9.81 * std::sin(angle), -9.81 * std::cos(angle)));
  const Store& store = rolling.store();
  double moment = 0.0;  // about the y axis over the mass, in the world's frame
  for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
    const Mat3 axes = store.orientation[i].toRotationMatrix();
    const Vec3 own = inertia_per_mass(store.shape[i], *store.shapes);
    moment = (axes * own.asDiagonal() * axes.transpose())(1, 1);
  }
  moment = sum_over_ranks(rolling.comm(), moment);
  // of two balls alone 0.4 r^2; the axle's is less
  EXPECT_GT(moment, 0.3 * 0.05 * 0.05);
  EXPECT_LT(moment, 0.4 * 0.05 * 0.05);
  const double expected = 9.81 * std::sin(angle) / (1.0 + moment / (0.05 * 0.05));
  run(rolling, 500);
  const Motion m = motion_of(rolling);
  EXPECT_NEAR(m.velocity.x() / (0.5 * expected), 1.0, 1e-9);
  EXPECT_NEAR(m.spin.y() / (m.velocity.x() / 0.05), 1.0, 1e-9);
  EXPECT_NEAR(m.velocity.y(), 0.0, 1e-9);
  EXPECT_NEAR(m.place.z(), 0.05, 1e-9);
}

/// An L whose foot bears it stands; without friction, too, and the floor carries its weight.
TEST(Clump, AnLStandsOnItsFoot) {
  const std::string ell =
      "{type: clump, parts: [{shape: {type: box, size: [0.3, 0.1, 0.1]}}, "
      "{shape: {type: box, size: [0.1, 0.1, 0.2]}, position: [0.1, 0, 0.15]}]}";
  Simulation standing = scene(
      fmt::format("ell: {{material: stone, shape: {}, place: {{type: points, positions: [[0.0, 0, "
                  "0.11]]}}}}",
                  ell),
      "floor: {material: stone, shape: {type: plane}}",
      "gravity: [0, 0, -9.81]\nfriction: [{between: [stone, stone], mu: 0}]");
  run(standing, 400);
  const Motion before = motion_of(standing);
  run(standing, 200);
  const Motion after = motion_of(standing);
  EXPECT_LT((after.place - before.place).norm(), 1e-8);
  EXPECT_LT(after.velocity.norm(), 1e-8);
  EXPECT_LT(after.spin.norm(), 1e-8);
}

/// A ball rolls along the foot of an L over its seam, and stops in the corner.
TEST(Clump, ABallRollsOverAFlatSeam) {
  Simulation rolling = scene(
      "ball: {material: stone, radii: {type: uniform, min: 0.05, max: 0.05}, velocity: [1, 0, 0], "
      "angular_velocity: [0, 20, 0], place: {type: points, positions: [[-0.35, 0, 0.05]]}}",
      "ell: {material: stone, shape: {type: clump, parts: ["
      "{shape: {type: box, size: [0.4, 0.4, 0.1]}, position: [-0.2, 0, -0.05]}, "
      "{shape: {type: box, size: [0.4, 0.4, 0.1]}, position: [0.2, 0, -0.05]}, "
      "{shape: {type: box, size: [0.1, 0.4, 0.3]}, position: [0.45, 0, 0.05]}]}}",
      "gravity: [0, 0, -10]\nfriction: [{between: [stone, stone], mu: 0.5}]");
  for (int k = 0; k < 650; ++k) {
    rolling.step();
    ASSERT_NEAR(motion_of(rolling).velocity.x(), 1.0, 1e-9) << k;
  }
  run(rolling, 400);
  EXPECT_NEAR(motion_of(rolling).place.x(), 0.35, 1e-3);
}

/// Three links of a chain, each a rectangle of four capsules: the first is held, the others hang.
TEST(Clump, LinksOfAChainHang) {
  const std::string link =
      "{type: clump, parts: ["
      "{shape: {type: capsule, radius: 0.01, length: 0.1}, position: [-0.03, 0, 0]}, "
      "{shape: {type: capsule, radius: 0.01, length: 0.1}, position: [0.03, 0, 0]}, "
      "{shape: {type: capsule, radius: 0.01, length: 0.06}, position: [0, 0, 0.05], orientation: "
      "{axis: [0, 1, 0], angle: 1.5707963267948966}}, "
      "{shape: {type: capsule, radius: 0.01, length: 0.06}, position: [0, 0, -0.05], orientation: "
      "{axis: [0, 1, 0], angle: 1.5707963267948966}}]}";
  Simulation chain = scene(
      fmt::format("upper: {{material: stone, shape: {0}, orientation: {{axis: [0, 0, 1], angle: "
                  "1.5707963267948966}}, place: {{type: points, positions: [[0, 0, -0.078]]}}}}\n"
                  ", lower: {{material: stone, shape: {0}, place: {{type: points, positions: [[0, "
                  "0, -0.156]]}}}}",
                  link),
      fmt::format("held: {{material: stone, shape: {}}}", link),
      "gravity: [0, 0, -9.81]\nfriction: [{between: [stone, stone], mu: 0.3}]");
  run(chain, 800);
  const Motion upper = motion_of(chain, 0);
  const Motion lower = motion_of(chain, 1);
  EXPECT_LT(upper.velocity.norm(), 1e-3);
  EXPECT_LT(lower.velocity.norm(), 1e-3);
  // inner length 0.08, one thickness of 0.02 each
  EXPECT_NEAR(upper.place.z(), -0.08, 1e-3);
  EXPECT_NEAR(lower.place.z(), -0.16, 1e-3);
}

/// A ball that rolls along the foot of an L, at ten radii a step, does not come through its wall;
/// nor does a blade of a stirrer that turns a radian a step go past a ball that touches the other
/// one.
TEST(Clump, NothingFastPasses) {
  Simulation fast = scene(
      "ball: {material: stone, radii: {type: list, values: [0.05]}, velocity: [500, 0, 0], place: "
      "{type: points, positions: [[0, 0, 0.05]]}}",
      "ell: {material: stone, shape: {type: clump, parts: ["
      "{shape: {type: box, size: [4, 0.4, 0.1]}, position: [0, 0, -0.05]}, "
      "{shape: {type: box, size: [0.02, 0.4, 0.3]}, position: [0.3, 0, 0.15]}]}}",
      "gravity: [0, 0, -10]\nfriction: [{between: [stone, stone], mu: 0.2}]", 1e-8);
  run(fast, 20);
  EXPECT_LT(motion_of(fast).place.x(), 0.25);
  Simulation stirred = scene(
      "ball: {material: stone, radii: {type: list, values: [0.05]}, place: {type: points, "
      "positions: [[0.5, 0.061, 0.0]]}}",
      "stirrer: {material: stone, motion: {type: velocity, angular_velocity: [0, 0, 1000]}, shape: "
      "{type: clump, parts: [{shape: {type: box, size: [2, 0.02, 0.4]}}, "
      "{shape: {type: box, size: [0.02, 2, 0.4]}}]}}",
      "gravity: [0, 0, 0]\nfriction: [{between: [stone, stone], mu: 0}]", 1e-8);
  run(stirred, 1);
  // the ball was before the first blade and behind the second one, and is driven on between them
  const Motion ball = motion_of(stirred);
  const double blade = 1.0;  // rad
  const double at = std::atan2(ball.place.y(), ball.place.x());
  EXPECT_GT(at, blade);
  EXPECT_LT(at, blade + 0.5 * std::numbers::pi);
}

/// Jacks, three rods across each other, fall on each other and come to rest.
TEST(Clump, APileComesToRest) {
  const std::string jack =
      "{type: clump, parts: [{shape: {type: capsule, radius: 0.02, length: 0.1}}, "
      "{shape: {type: capsule, radius: 0.02, length: 0.1}, orientation: {axis: [1, 0, 0], angle: "
      "1.5707963267948966}}, "
      "{shape: {type: capsule, radius: 0.02, length: 0.1}, orientation: {axis: [0, 1, 0], angle: "
      "1.5707963267948966}}]}";
  Simulation pile = scene(
      fmt::format("jacks: {{material: stone, shape: {}, place: {{type: points, positions: [[0, 0, "
                  "0.1], [0.05, 0.03, 0.25], [-0.02, 0.04, 0.4], [0.03, -0.04, 0.55], [0, 0.05, "
                  "0.7]]}}, orientation: {{axis: [1, 2, 3], angle: 1}}}}",
                  jack),
      "floor: {material: stone, shape: {type: plane}}",
      "gravity: [0, 0, -9.81]\nfriction: [{between: [stone, stone], mu: 0.5}]", 1e-6);
  while (pile.n_steps() < 1500) {
    ASSERT_EQ(pile.step().impact.report.status, Status::converged) << pile.n_steps();
  }
  for (std::int64_t id = 0; id < 5; ++id) {
    const Motion m = motion_of(pile, id);
    EXPECT_LT(m.velocity.norm(), 1e-3) << id;
    EXPECT_GT(m.place.z(), 0.048) << id;  // on three feet 0.0489
  }
}

}  // namespace
}  // namespace scree::test::clump_test
