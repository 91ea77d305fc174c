// ranks: 1 2 4 7, mostly 7
/// Grains in the hollow of a sphere of 19,880 triangles, beside what the smooth one does.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "scree/step/energies.hpp"
#include "support/mesh_files.hpp"
#include "support/meshes.hpp"
#include "support/motion.hpp"
#include "support/simulate.hpp"

namespace scree::test::mesh_hollow_test {
namespace {

constexpr int kRows = 71;
/// How far a triangle's normal is off that of the sphere, rad, at most: half the
/// diagonal of its largest quadrangle, the sides of which are pi / kRows.
const double kTilt = std::numbers::pi / kRows / std::sqrt(2.0);

std::string hollow(const OffFile& file, const std::string& bodies, const std::string& more) {
  return fmt::format(R"(
time: {{dt: 1e-3, end: 10}}
solver: {{tolerance: 1e-12}}
materials: {{stone: {{density: 2600}}}}
bodies: {{{}}}
tools: {{wall: {{material: stone, shape: {}}}}}
{}
)",
                     bodies, file.shape(), more);
}

/// The smooth sphere turns the velocity of a ball about the normal at its place and keeps its
/// size; triangles do so about their own normals.
TEST(MeshHollow, ABallKeepsItsEnergyAndIsTurnedAsByTheSphere) {
  const OffFile file(reversed(sphere_mesh(kRows)));
  const std::string yaml = hollow(
      file,
      "ball: {material: stone, radii: {type: uniform, min: 0.1, max: 0.1}, velocity: [2.1, 3.3, "
      "-1.7], place: {type: points, positions: [[0.3, -0.2, 0.1]]}}",
      "gravity: [0, 0, 0]\nfriction: [{between: [stone, stone], mu: 0, restitution: 1}]");
  Simulation bouncing(MPI_COMM_SELF, read_run_config(yaml, "test.yaml"));
  const double speed = Vec3(2.1, 3.3, -1.7).norm();
  int bounces = 0;
  Motion before = motion_of(bouncing);
  for (int k = 0; k < 4000; ++k) {
    bouncing.step();
    const Motion after = motion_of(bouncing);
    // the tolerance of a solve, 1e-12 of its velocities, in each bounce
    ASSERT_NEAR(after.velocity.norm(), speed, 1e-10 * speed) << k;
    const Vec3 push = after.velocity - before.velocity;
    if (push.norm() > 1e-9 * speed) {
      ++bounces;
      const double cosine = -push.normalized().dot(before.place.normalized());
      // a step of way beside the place of the bounce, seen from the centre
      const double way = 1e-3 * speed / before.place.norm();
      EXPECT_GT(cosine, std::cos(kTilt + way)) << k;
    }
    before = after;
  }
  EXPECT_GE(bounces, 10);
}

/// Capsules, boxes and ellipsoids that fall into the hollow and slide about in it: alike on any
/// number of ranks until chaos parts them, energy never grows, none is out.
TEST(MeshHollow, AHeapInItIsAlikeOnAnyNumberOfRanks) {
  const OffFile file(reversed(sphere_mesh(kRows)));
  const auto grains = [](const char* shape, double height) {
    return fmt::format(
        "{{material: stone, shape: {}, velocity: [1, 0.5, 0], place: {{type: points, positions: "
        "[[-0.3, 0, {}], [0, 0.3, {}], [0.3, -0.3, {}], [0, -0.2, {}]]}}}}",
        shape, height, height, height, height);
  };
  const std::string yaml =
      hollow(file,
             fmt::format("balls: {}, boxes: {}, eggs: {}",
                         grains("{type: capsule, radius: 0.08, length: 0.05}", -0.5),
                         grains("{type: box, size: [0.2, 0.15, 0.1]}", -0.2),
                         grains("{type: ellipsoid, semi_axes: [0.12, 0.08, 0.06]}", 0.1)),
             "gravity: [0, 0, -10]\nfriction: [{between: [stone, stone], mu: 0.3}]");
  Simulation shared = simulation(yaml);
  Simulation alone(MPI_COMM_SELF, read_run_config(yaml, "test.yaml"));
  const Vec3 gravity(0, 0, -10);
  const auto energy_now = [&] {
    const Energies all = energies(MPI_COMM_SELF, alone.store(), gravity);
    return all.kinetic + all.potential;
  };
  double energy = energy_now();
  for (int k = 0; k < 300; ++k) {
    shared.step();
    alone.step();
    if (k % 20 != 0) continue;
    const double now = energy_now();
    EXPECT_LT(now, energy) << k;
    energy = now;
    for (std::int64_t id = 0; id < 12; ++id) {
      const Motion one = motion_of(shared, id);
      const Motion other = motion_of(alone, id);
      // by judgement: solves leave 1e-12, which each bounce of an edge multiplies
      ASSERT_LT((one.place - other.place).norm(), 1e-6) << id << " in step " << k;
      ASSERT_LT(one.place.norm(), 1.0) << id << " in step " << k;
    }
  }
}

}  // namespace
}  // namespace scree::test::mesh_hollow_test
