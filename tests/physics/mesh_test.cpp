// ranks: 1 2 4, mostly 2
/// Walls and tools of triangles do to grains what the smooth ones do that they stand for, and
/// nothing passes through them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "scree/step/energies.hpp"
#include "support/mesh_files.hpp"
#include "support/meshes.hpp"
#include "support/motion.hpp"
#include "support/simulate.hpp"

namespace scree::test::mesh_test {
namespace {

/// The square from -half to half at z = 0, cut into n x n squares of two triangles.
MeshFile flat_grid(int n, double half) {
  MeshFile mesh;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const auto at = [&](int di, int dj) {
        return Vec3(half * (2.0 * (i + di) / n - 1.0), half * (2.0 * (j + dj) / n - 1.0), 0.0);
      };
      add_polygon(mesh, {at(0, 0), at(1, 0), at(1, 1), at(0, 1)});
    }
  }
  return mesh;
}

Simulation scene(const std::string& bodies, const std::string& tools, const std::string& more) {
  return simulation(fmt::format(R"(
time: {{dt: 1e-3, end: 10}}
solver: {{tolerance: 1e-12}}
materials: {{stone: {{density: 2600}}}}
bodies: {{{}}}
tools: {{{}}}
{}
)",
                                bodies, tools, more));
}

double difference(const Motion& a, const Motion& b) {
  return std::max(
      {(a.place - b.place).norm(), (a.velocity - b.velocity).norm(), (a.spin - b.spin).norm()});
}

/// A ball, a box and a capsule that are thrown on the floor at an angle bounce, slide and roll on a
/// plane, on one of two triangles and on one of 10,000 alike.
TEST(Mesh, AFloorOfAnyNumberOfTrianglesIsThePlane) {
  const OffFile two(flat_grid(1, 1.0));
  const OffFile many(flat_grid(70, 1.0));
  const std::vector<std::pair<std::string, std::string>> grains = {
      {"{type: sphere}, radii: {type: uniform, min: 0.05, max: 0.05}", "0.051"},
      {"{type: box, size: [0.1, 0.07, 0.05]}", "0.06"},
      {"{type: capsule, radius: 0.03, length: 0.08}", "0.05"}};
  for (const auto& [shape, height] : grains) {
    const auto thrown = [&, s = shape, h = height](const std::string& floor) {
      return scene(
          fmt::format("grain: {{material: stone, shape: {}, velocity: [1, 0.3, -1], place: "
                      "{{type: points, positions: [[-0.4, -0.1, {}]]}}}}",
                      s, h),
          fmt::format("floor: {{material: stone, shape: {}}}", floor),
          "gravity: [0, 0, -10]\n"
          "friction: [{between: [stone, stone], mu: 0.3, restitution: 0.5}]");
    };
    Simulation plane = thrown("{type: plane}");
    Simulation on_two = thrown(two.shape());
    Simulation on_many = thrown(many.shape());
    double furthest = 0.0;
    for (int k = 0; k < 400; ++k) {
      plane.step();
      on_two.step();
      on_many.step();
      furthest = std::max({furthest, difference(motion_of(plane), motion_of(on_two)),
                           difference(motion_of(plane), motion_of(on_many))});
    }
    EXPECT_LT(furthest, 1e-9) << shape;
  }
}

/// A ball of springs that rolls down a slope: what holds it from slipping is the tangential spring,
/// which goes with it from triangle to triangle.
TEST(Mesh, SpringsGoOnFromTriangleToTriangle) {
  const OffFile many(flat_grid(70, 1.0));
  const auto rolls = [](const std::string& floor) {
    return scene(
        "ball: {material: stone, radii: {type: uniform, min: 0.05, max: 0.05}, velocity: [0.3, "
        "0.1, "
        "0], angular_velocity: [-2, 6, 0], place: {type: points, positions: [[-0.45, -0.1, "
        "0.0501]]}}",
        fmt::format("floor: {{material: stone, shape: {}}}", floor),
        "gravity: [2, 0.5, -10]\n"
        "friction: [{between: [stone, stone], mu: 0.3, stiffness: 2e5, damping: 0.2}]");
  };
  Simulation plane = rolls("{type: plane}");
  Simulation on_many = rolls(many.shape());
  for (int k = 0; k < 700; ++k) {
    plane.step();
    on_many.step();
    ASSERT_LT(difference(motion_of(plane), motion_of(on_many)), 1e-9) << k;
  }
  const Motion end = motion_of(plane);
  EXPECT_GT(end.place.x(), 0.1);
  EXPECT_NEAR(end.velocity.x(), 0.05 * end.spin.y(), 1e-3 * end.velocity.x()) << "it rolls";
}

/// Rolling without slip over 70 inner edges and diagonals, nothing drives or brakes.
TEST(Mesh, RollingOverInnerEdgesKeepsTheVelocity) {
  const OffFile floor(flat_grid(70, 1.0));
  Simulation rolling = scene(
      "ball: {material: stone, radii: {type: uniform, min: 0.05, max: 0.05}, velocity: [1, 0.3, "
      "0], "
      "angular_velocity: [-6, 20, 0], place: {type: points, positions: [[-0.45, -0.1, 0.05]]}}",
      fmt::format("floor: {{material: stone, shape: {}}}", floor.shape()),
      "gravity: [0, 0, -10]\nfriction: [{between: [stone, stone], mu: 0.5}]");
  for (int k = 0; k < 900; ++k) {
    rolling.step();
    const Motion m = motion_of(rolling);
    ASSERT_LT((m.velocity - Vec3(1, 0.3, 0)).norm(), 1e-10) << k;
    ASSERT_LT((m.spin - Vec3(-6, 20, 0)).norm(), 1e-8) << k;
  }
  EXPECT_NEAR(motion_of(rolling).place.x(), 0.45, 1e-9);
}

/// A thread of another code's users tells of a box as a mesh that rebounds otherwise than the box:
/// balls that fall on its faces, edges and corners leave it alike.
TEST(Mesh, ABoxAsAMeshReboundsAsTheBox) {
  MeshFile cube = box_mesh({0.4, 0.4, 0.4});
  for (Vec3& p : cube.points) p -= Vec3(0.2, 0.2, 0.4);
  const OffFile file(cube);
  for (const char* place : {"[0.05, 0.03, 0.1]", "[0.21, 0.03, 0.1]", "[0.22, 0.215, 0.1]"}) {
    const auto falls = [&](const std::string& tool) {
      return scene(
          fmt::format("ball: {{material: stone, radii: {{type: uniform, min: 0.05, max: 0.05}}, "
                      "velocity: [0, 0, -2], place: {{type: points, positions: [{}]}}}}",
                      place),
          tool, "friction: [{between: [stone, stone], mu: 0.3, restitution: 0.8}]");
    };
    Simulation on_box = falls(
        "block: {material: stone, shape: {type: box, size: [0.4, 0.4, 0.4]}, position: [0, 0, "
        "-0.2]}");
    Simulation on_mesh = falls(fmt::format("block: {{material: stone, shape: {}}}", file.shape()));
    run(on_box, 100);
    run(on_mesh, 100);
    EXPECT_LT(difference(motion_of(on_box), motion_of(on_mesh)), 1e-9) << place;
    EXPECT_GT(std::abs(motion_of(on_mesh).velocity.z() + 2.0), 0.1) << "it was met";
  }
}

/// A block across a side of a periodic cell: balls that fall on its image's face and edge, and one
/// that bounces on it and flies over the side, leave the mesh as the box.
TEST(Mesh, AcrossTheSideOfAPeriodicCellItIsTheBox) {
  MeshFile cube = box_mesh({0.2, 0.2, 0.4});
  for (Vec3& p : cube.points) p -= Vec3(0.1, 0.1, 0.4);
  const OffFile file(cube);
  for (const char* ball :
       {"velocity: [0, 0, -2], place: {type: points, positions: [[-0.26, 0.03, 0.1]]}",
        "velocity: [0, 0, -2], place: {type: points, positions: [[-0.21, 0.03, 0.1]]}",
        "velocity: [1.5, 0.1, -1], place: {type: points, positions: [[0.22, 0.03, 0.1]]}"}) {
    const auto falls = [&](const std::string& shape, double height) {
      return scene(fmt::format("ball: {{material: stone, radii: {{type: uniform, min: 0.05, max: "
                               "0.05}}, {}}}",
                               ball),
                   fmt::format("block: {{material: stone, shape: {}, position: [0.28, 0, {}]}}",
                               shape, height),
                   "friction: [{between: [stone, stone], mu: 0.3, restitution: 0.8}]\n"
                   "periodic: {x: [-0.3, 0.3], y: [-0.3, 0.3]}");
    };
    Simulation on_box = falls("{type: box, size: [0.2, 0.2, 0.4]}", -0.2);
    Simulation on_mesh = falls(file.shape(), 0.0);
    run(on_box, 150);
    run(on_mesh, 150);
    EXPECT_LT(difference(motion_of(on_box), motion_of(on_mesh)), 1e-9) << ball;
    EXPECT_GT(motion_of(on_mesh).velocity.z(), -0.5) << "it was met";
  }
}

/// Fast balls, rods and plates, which turn, against a sheet without thickness from both sides, and
/// against a sheet that sweeps over grains at rest.
TEST(Mesh, NothingPassesASheet) {
  const OffFile file(flat_grid(3, 1.0));
  for (const char* shape :
       {"{type: sphere}, radii: {type: uniform, min: 0.01, max: 0.01}",
        "{type: capsule, radius: 0.003, length: 0.04}", "{type: box, size: [0.03, 0.02, 0.001]}",
        "{type: ellipsoid, semi_axes: [0.02, 0.012, 0.003]}"}) {
    for (const double speed : {3.0, 40.0}) {
      for (const double side : {1.0, -1.0}) {
        SCOPED_TRACE(fmt::format("{} {} {}", shape, speed, side));
        Simulation hits = simulation(fmt::format(
            R"(
time: {{dt: 5e-3, end: 1}}
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: 0.3}}]
bodies: {{grains: {{material: stone, shape: {},
  place: {{type: box, low: [-0.1, -0.1, {}], high: [0.1, 0.1, {}], count: 12, seed: 1}},
  velocity: [1, 0, {}], angular_velocity: [30, 9, -21]}}}}
tools: {{sheet: {{material: stone, shape: {}}}}}
)",
            shape, side > 0 ? 0.04 : -0.14, side > 0 ? 0.14 : -0.04, -side * speed, file.shape()));
        run(hits, 30);
        const Store& store = hits.store();
        for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
          EXPECT_GT(side * store.position[i].z(), 0.0) << store.id[i];
        }
      }
    }
  }
}

TEST(Mesh, ASheetThatMovesSweepsWhatItMeets) {
  const OffFile file(flat_grid(3, 1.0));
  for (const double speed : {2.0, 30.0}) {
    Simulation sweep = simulation(fmt::format(
        R"(
time: {{dt: 5e-3, end: 1}}
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: 0.3}}]
bodies:
  grains:
    material: stone
    radii: {{type: uniform, min: 0.01, max: 0.01}}
    place: {{type: box, low: [-0.1, -0.1, 0.02], high: [0.1, 0.1, 0.1], count: 20, seed: 1}}
tools:
  sheet:
    material: stone
    shape: {}
    motion: {{type: velocity, velocity: [0, 0, {}], angular_velocity: [0, 0.5, 0]}}
)",
        file.shape(), speed));
    run(sweep, 20);
    const Store& store = sweep.store();
    const Pose sheet = pose_of(store, 0);
    for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
      EXPECT_GT((sheet.orientation.conjugate() * (store.position[i] - sheet.position)).z() *
                    (sheet.orientation * Vec3::UnitZ()).z(),
                0.0);
    }
  }
}

/// Solids thinner than the grains: a way that crosses one meets a face from behind, too.
TEST(Mesh, NothingPassesASolidThinnerThanIt) {
  const OffFile file(
      moved(box_mesh({1.0, 1.0, 0.002}), {Vec3(-0.5, -0.5, -0.001), Quat::Identity()}));
  for (const double side : {1.0, -1.0}) {
    Simulation hits = simulation(fmt::format(
        R"(
time: {{dt: 5e-3, end: 1}}
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: 0.3}}]
bodies: {{grains: {{material: stone, radii: {{type: uniform, min: 0.01, max: 0.01}},
  place: {{type: box, low: [-0.1, -0.1, {}], high: [0.1, 0.1, {}], count: 12, seed: 1}}}}}}
tools: {{plate: {{material: stone, shape: {},
  motion: {{type: velocity, velocity: [0, 0, {}]}}}}}}
)",
        side > 0 ? 0.04 : -0.14, side > 0 ? 0.14 : -0.04, file.shape(), 20.0 * side));
    run(hits, 20);
    const Store& store = hits.store();
    const double plate = pose_of(store, 0).position.z();
    for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
      EXPECT_GT(side * (store.position[i].z() - plate), 0.0) << store.id[i];
    }
  }
}

/// A closed mesh in a bed that a load moves, and a checkpoint in the middle: the run goes on to the
/// same end, to what a solve is to.
TEST(Mesh, AToolOfTrianglesIsMovedByALoadAndGoesOnFromACheckpoint) {
  MeshFile cube = box_mesh({0.2, 0.2, 0.1});
  for (Vec3& p : cube.points) p -= Vec3(0.1, 0.1, 0.0);
  const OffFile file(cube);
  const std::string yaml = fmt::format(
      R"(
time: {{dt: 2e-3, end: 10}}
gravity: [0, 0, -10]
solver: {{tolerance: 1e-8}}
materials: {{stone: {{density: 2600, young_modulus: 1e7}}, light: {{density: 500, young_modulus: 1e7}}}}
friction: [{{between: default, mu: 0.4}}]
bodies:
  grains:
    material: stone
    radii: {{type: uniform, min: 0.02, max: 0.02}}
    place: {{type: box, low: [-0.1, -0.1, 0], high: [0.1, 0.1, 0.15], count: 60, seed: 1}}
tools:
  floor: {{material: stone, shape: {{type: plane}}}}
  left: {{material: stone, shape: {{type: plane}}, position: [-0.12, 0, 0], normal: [1, 0, 0]}}
  right: {{material: stone, shape: {{type: plane}}, position: [0.12, 0, 0], normal: [-1, 0, 0]}}
  front: {{material: stone, shape: {{type: plane}}, position: [0, -0.12, 0], normal: [0, 1, 0]}}
  back: {{material: stone, shape: {{type: plane}}, position: [0, 0.12, 0], normal: [0, -1, 0]}}
  block: {{material: light, shape: {}, position: [0, 0, 0.3], motion: {{type: load}}}}
)",
      file.shape());
  Simulation whole = simulation(yaml);
  run(whole, 200);
  const CheckpointContent middle = checkpoint(whole);
  const std::int32_t block = 5;
  EXPECT_NEAR(whole.store().mass[block], 500 * 0.004, 1e-9);
  run(whole, 100);
  Simulation rest(MPI_COMM_WORLD, read_run_config(yaml, "test.yaml", {}), middle);
  run(rest, 100);
  // on several ranks sums over ghosts have another order after a restart
  EXPECT_LT((whole.store().position[block] - rest.store().position[block]).norm(), 1e-9);
  EXPECT_GT(whole.store().position[block].z(), 0.1);
  EXPECT_LT(whole.store().position[block].z(), 0.3);
}

}  // namespace
}  // namespace scree::test::mesh_test
