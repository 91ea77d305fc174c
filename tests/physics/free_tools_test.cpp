// ranks: 1 2 4
/// Tools that a load moves, one by one: they fall and turn as closed forms say, hold what is held,
/// and share momentum with grains, whatever ranks these are on. Bounds are rounding, over the steps
/// that are taken.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "scree/base/parallel.hpp"
#include "scree/step/energies.hpp"
#include "support/simulate.hpp"

namespace scree::test::free_tools_test {
namespace {

constexpr double kDt = 2e-3;

/// A grain far away, and the @p tools.
Simulation alone(const std::string& tools, const Overrides& overrides = {}) {
  return simulation(fmt::format(R"(
time: {{dt: {}, end: 1}}
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: 0.4}}]
bodies:
  far: {{material: stone, radii: {{type: list, values: [0.01]}}, place: {{type: points, positions: [[50, 0, 0]]}}}}
tools:
{})",
                                kDt, tools),
                    overrides);
}

TEST(FreeTools, FallAndArePushed) {
  Simulation scene = alone(R"(
  plate:
    {material: stone, shape: {type: box, size: [0.2, 0.2, 0.01]}, position: [1, 2, 3], mass: 2,
     motion: {type: load, force: [4, 0, "10*t"], free: [x, z]}}
)");
  constexpr int kSteps = 50;
  double height = 3.0;
  double speed = 0.0;
  for (int n = 0; n < kSteps; ++n) {
    scene.step();
    speed += kDt * (-9.81 + 5.0 * n * kDt);
    height += kDt * speed;
  }
  const Store& store = scene.store();
  EXPECT_NEAR(store.velocity[0].x(), 2.0 * kSteps * kDt, 1e-13);
  EXPECT_NEAR(store.position[0].x(), 1.0 + kDt * kDt * kSteps * (kSteps + 1), 1e-13);
  EXPECT_NEAR(store.velocity[0].z(), speed, 1e-12);
  EXPECT_NEAR(store.position[0].z(), height, 1e-12);
  EXPECT_EQ(store.position[0].y(), 2.0);
}

TEST(FreeTools, HaveTheMassOfTheirMaterialAndTurn) {
  Simulation scene = alone(R"(
  ball:
    {material: stone, shape: {type: sphere, radius: 0.1},
     motion: {type: load, torque: [0, 0, 0.3], free: [rx, ry, rz]}}
)");
  const Store& store = scene.store();
  const double mass = 2600.0 * 4.0 / 3.0 * M_PI * 1e-3;
  EXPECT_NEAR(store.mass[0], mass, 1e-12 * mass);
  run(scene, 40);
  const double spin = 0.3 * 40 * kDt / (0.4 * mass * 0.01);
  EXPECT_NEAR(store.angular_velocity[0].z(), spin, 1e-12 * spin);
  EXPECT_EQ(store.position[0], Vec3::Zero());
}

// The plate of a cell that widens keeps its pressure: its force follows the area between the
// others.
TEST(FreeTools, PressOnTheAreaOfTheirCell) {
  Simulation scene = alone(R"(
  bottom: {material: stone, shape: {type: plane}, normal: [0, 0, 1]}
  top: {material: stone, shape: {type: plane}, position: [0, 0, 0.5], normal: [0, 0, -1],
        motion: {type: velocity, velocity: [0, 0, 2]}}
  front: {material: stone, shape: {type: plane}, normal: [0, 1, 0]}
  back: {material: stone, shape: {type: plane}, position: [0, 0.2, 0], normal: [0, -1, 0]}
  left: {material: stone, shape: {type: plane}, position: [-1, 0, 0], normal: [1, 0, 0], mass: 2,
         motion: {type: load, pressure: "30*t", within: [bottom, top, back, front], free: [x]}}
  right: {material: stone, shape: {type: plane}, position: [60, 0, 0], normal: [-1, 0, 0], mass: 2,
          motion: {type: load, pressure: "5", area: 0.3, free: [x]}}
)");
  double speed = 0.0;
  for (int n = 0; n < 50; ++n) {
    scene.step();
    const double t = n * kDt;
    speed += kDt * 30.0 * t * (0.5 + 2.0 * t) * 0.2 / 2.0;
  }
  EXPECT_NEAR(scene.store().velocity[4].x(), speed, 1e-13);
  EXPECT_NEAR(scene.store().velocity[5].x(), -5.0 * 0.3 / 2.0 * 50 * kDt, 1e-13);
}

// The spin of a body with three moments wanders, its energy never grows.
TEST(FreeTools, TumbleWithoutGainingEnergy) {
  Simulation scene = alone(R"(
  box:
    {material: stone, shape: {type: box, size: [0.1, 0.2, 0.3]}, mass: 1, inertia: [0.3, 0.2, 0.15],
     motion: {type: load, torque: ["t < 0.1 ? 3 : 0", "t < 0.1 ? 2 : 0", 0], free: [rx, ry, rz]}}
)",
                           {"gravity=[0, 0, 0]"});
  run(scene, 50);
  const Vec3 spin = scene.store().angular_velocity[0];
  double energy = energies(MPI_COMM_WORLD, scene.store(), Vec3::Zero()).kinetic;
  EXPECT_GT(energy, 0.1);
  for (int i = 0; i < 100; ++i) {
    scene.step();
    const double now = energies(MPI_COMM_WORLD, scene.store(), Vec3::Zero()).kinetic;
    EXPECT_LE(now, energy * (1.0 + 1e-12));
    energy = now;
  }
  EXPECT_GT((scene.store().angular_velocity[0] - spin).norm(), 0.05 * spin.norm());
}

/// A cloud of grains flies against a ball of their mass, which is a tool, without gravity.
Simulation cloud(const std::string& law) {
  return simulation(fmt::format(R"(
time: {{dt: 2e-3, end: 1}}
gravity: [0, 0, 0]
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: 0.5, restitution: 0.5}}]
impact: {{law: {}}}
bodies:
  left:
    material: stone
    radii: {{type: uniform, min: 0.01, max: 0.02}}
    place: {{type: box, low: [-0.4, -0.08, -0.08], high: [-0.06, 0.08, 0.08], count: 100, seed: 1}}
    velocity: [1.0, 0.1, 0]
    angular_velocity: [3, -2, 1]
tools:
  ball: {{material: stone, shape: {{type: sphere, radius: 0.05}}, position: [0.0, 0.01, 0.0],
          motion: {{type: load}}}}
)",
                                law));
}

TEST(FreeTools, ShareMomentumWithGrains) {
  for (const std::string law : {"newton", "energetic"}) {
    Simulation scene = cloud(law);
    const Energies start = energies(MPI_COMM_WORLD, scene.store(), Vec3::Zero());
    constexpr int kSteps = 150;
    for (int i = 0; i < kSteps; ++i) {
      const Vec3 before = scene.store().velocity[0];
      const StepResult& step = scene.step();
      const Vec3 gained = scene.store().mass[0] * (scene.store().velocity[0] - before);
      EXPECT_LT((gained - step.clock.dt * step.wrenches[0].force).norm(), 1e-14) << law;
    }
    const Energies end = energies(MPI_COMM_WORLD, scene.store(), Vec3::Zero());
    const double rounding = 1e-15 * 100 * kSteps;
    EXPECT_LT(end.kinetic, 0.95 * start.kinetic) << law;
    EXPECT_LT((end.momentum - start.momentum).norm(), rounding * start.mass) << law;
    EXPECT_LT((end.angular_momentum - start.angular_momentum).norm(), rounding * start.mass) << law;
    EXPECT_GT(scene.store().velocity[0].x(), 0.02) << law;
    EXPECT_GT(scene.store().angular_velocity[0].norm(), 0.01) << law;
  }
}

}  // namespace
}  // namespace scree::test::free_tools_test
