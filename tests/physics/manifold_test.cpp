// ranks: 1 2, mostly 2
/// Cubes on soft contacts: a pair is as stiff as its law says whether it meets by a face, an edge
/// or a corner, and pulls as it says; and how far detection looks changes nothing.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "scree/base/parallel.hpp"
#include "scree/step/energies.hpp"
#include "support/balls.hpp"

namespace scree::test::manifold_test {
namespace {

constexpr double kHalf = 0.01;      // m
constexpr double kStiffness = 1e4;  // N/m
const double kMass = 2600.0 * std::pow(2.0 * kHalf, 3);
const double kWeight = kMass * kBallGravity;

/// How far detection looks, over what it needs: as far as other materials may pull.
constexpr double kNear = 1e-9;
constexpr double kFar = 0.03;  // m: all corners

struct CubeScene {
  Vec3 axis = Vec3::UnitY();
  double angle = 0.0;
  double height = kHalf;  ///< of its centre, m
  std::string pair = fmt::format("mu: 0.5, stiffness: {}, damping: 0.3", kStiffness);
  double looks = kNear;
  std::string fix = "";
  Vec3 normal = Vec3::UnitZ();  ///< of the plane through the origin
  double dt = 1e-3;
};

Simulation cube(const CubeScene& scene) {
  return simulation(fmt::format(
      "time: {{dt: {}, end: 1e3}}\n"
      "gravity: [0, 0, {}]\n"
      "materials: {{stone: {{density: 2600}}, wet: {{density: 1000}}}}\n"
      "friction: [{{between: [stone, stone], {}}}, {{between: [wet, wet], mu: 0, cohesion: 1, "
      "rupture_distance: {}}}]\n"
      "bodies: {{cube: {{material: stone, shape: {{type: box, size: [{}, {}, {}]}}, orientation: "
      "{{axis: {}, angle: {:.17g}}}, fix: [{}], place: {{type: points, positions: [[0, 0, "
      "{:.17g}]]}}}}}}\n"
      "tools: {{floor: {{material: stone, shape: {{type: plane}}, normal: {}}}}}\n"
      "solver: {{tolerance: 1e-12}}\n",
      scene.dt, -kBallGravity, scene.pair, scene.looks, 2 * kHalf, 2 * kHalf, 2 * kHalf,
      text(scene.axis), scene.angle, scene.fix, scene.height, text(scene.normal)));
}

/// A way to meet the plane.
struct Stance {
  const char* name;
  Vec3 axis;
  double angle;
  double height;  ///< of the centre where it touches, m
};

/// On its face, an edge and a corner, which leans far enough for none to count as flat.
std::vector<Stance> stances() {
  const double tip = std::acos(1.0 / std::sqrt(3.0));  // from (1, 1, 1) to z
  return {{"face", Vec3::UnitY(), 0.0, kHalf},
          {"edge", Vec3::UnitY(), 0.25 * std::numbers::pi, std::sqrt(2.0) * kHalf},
          {"leaning edge", Vec3::UnitY(), 0.05, kHalf * (std::cos(0.05) + std::sin(0.05))},
          {"corner", Vec3(1.0, -1.0, 0.0), tip, std::sqrt(3.0) * kHalf}};
}

// m g = k delta at rest. What the springs swing dies out by their dampers, 0.3 of critical at
// 700/s, within 0.1 s.
TEST(Manifold, ACubeSinksAlikeOnFaceEdgeAndCorner) {
  for (const Stance& stance : stances()) {
    for (const double looks : {kNear, kFar}) {
      Simulation run = cube({.axis = stance.axis,
                             .angle = stance.angle,
                             .height = stance.height,
                             .looks = looks,
                             .fix = "rotation"});
      test::run(run, 300);
      const double sunk = stance.height - state(run).position.z();
      EXPECT_NEAR(sunk, kWeight / kStiffness, 1e-6 * kWeight / kStiffness)
          << stance.name << ", looks " << looks << " m further";
    }
  }
}

// It falls on its face, and rocks until it lies.
TEST(Manifold, ACubeTipsAlikeHoweverFarDetectionLooks) {
  const double angle = 0.4;
  CubeScene scene{.angle = angle, .height = kHalf * (std::cos(angle) + std::sin(angle))};
  scene.dt = 2e-4;
  Simulation near = cube(scene);
  scene.looks = kFar;
  Simulation far = cube(scene);
  const auto energy = [](const Simulation& run) {
    const Energies e = energies(run.comm(), run.store(), Vec3(0, 0, -kBallGravity));
    return e.kinetic + e.potential;
  };
  const double start = energy(near);
  std::int64_t further = 0;
  for (int k = 0; k < 2000; ++k) {
    further = std::max(further, far.step().figures.potential - near.step().figures.potential);
    const BallState a = state(near);
    const BallState b = state(far);
    ASSERT_LT((a.position - b.position).norm(), 1e-9) << "step " << k;
    ASSERT_LT((a.velocity - b.velocity).norm(), 1e-6) << "step " << k;
    ASSERT_LT((a.spin - b.spin).norm(), 1e-4) << "step " << k;
    ASSERT_LT(energy(near), start) << "step " << k;
  }
  EXPECT_GE(further, 2) << "far detection must have listed corners that the near one did not";
  EXPECT_NEAR(state(near).position.z(), kHalf - kWeight / kStiffness, 1e-8);
  EXPECT_LT(state(near).velocity.norm() + kHalf * state(near).spin.norm(), 1e-6);
}

// Under a ceiling: a pair pulls with one force, that of its law, by however many points.
TEST(Manifold, ACubeHangsByFaceEdgeAndCornerUpToItsPull) {
  for (const Stance& stance : stances()) {
    for (const double share : {0.95, 1.05}) {
      for (const double looks : {kNear, kFar}) {
        Simulation run =
            cube({.axis = stance.axis,
                  .angle = stance.angle,
                  .height = -stance.height + 1e-9,
                  .pair = fmt::format("mu: 0.3, cohesion: {:.17g}, rupture_distance: 1e-4",
                                      share * kWeight),
                  .looks = looks,
                  .fix = "rotation",
                  .normal = -Vec3::UnitZ()});
        test::run(run, 100);
        const double fallen = -stance.height - state(run).position.z();
        if (share > 1.0) {
          EXPECT_LT(std::abs(fallen), 1e-8) << stance.name << ", looks " << looks;
        } else {
          EXPECT_GT(fallen, 1e-3) << stance.name << ", looks " << looks;
        }
      }
    }
  }
}

// One pair, four corners.
TEST(Manifold, ACubeOnItsFaceIsOneActiveContact) {
  Simulation run = cube({});
  test::run(run, 50);
  EXPECT_EQ(run.result().figures.potential, 4);
  EXPECT_EQ(run.result().figures.closed, 1);
}

}  // namespace
}  // namespace scree::test::manifold_test
