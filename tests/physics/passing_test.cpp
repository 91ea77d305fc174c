// ranks: 1 2 4, mostly 2
/// Bodies that turn do not pass through walls, plates and each other, at any time step.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scree/base/parallel.hpp"
#include "scree/geometry/linking.hpp"
#include "scree/geometry/shapes/ring.hpp"
#include "support/simulate.hpp"

namespace scree::test::passing_test {
namespace {

struct Turning {
  const char* shape;
  const char* constraints;
};

constexpr Turning kTurning[] = {
    {"{type: ellipsoid, semi_axes: [0.02, 0.012, 0.006]}", "manifold"},
    {"{type: ellipsoid, semi_axes: [0.02, 0.016, 0.001]}", "manifold"},
    {"{type: box, size: [0.03, 0.02, 0.001]}", "manifold"},
    {"{type: box, size: [0.03, 0.02, 0.001]}", "relcp"},
    {"{type: capsule, radius: 0.003, length: 0.04}", "manifold"},
    {"{type: capsule, radius: 0.003, length: 0.04}", "relcp"},
    {"{type: ring, major_radius: 0.02, minor_radius: 0.002}", "manifold"},
};

std::string falling(const Turning& body, int seed, const std::string& tools) {
  return fmt::format(R"(
time: {{dt: 1e-2, end: 0.4}}
gravity: [0, 0, 0]
contact: {{constraints: {}}}
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: 0.3}}]
bodies:
  grains:
    material: stone
    shape: {}
    place: {{type: box, low: [0, 0, 0.03], high: [0.3, 0.3, 0.1], count: 12, seed: {}}}
    velocity: [0, 0, -1]
    angular_velocity: [30, 9, -21]
tools: {{{}}}
)",
                     body.constraints, body.shape, seed, tools);
}

/// The lowest centre of a grain over a run of all its steps, m.
double lowest(Simulation& simulation, int steps) {
  double z = 1.0;
  for (int k = 0; k < steps; ++k) {
    run(simulation, 1);
    const Store& store = simulation.store();
    for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
      z = std::min(z, store.position[slot].z());
    }
  }
  return -max_over_ranks(MPI_COMM_WORLD, -z);
}

TEST(Passing, WhatTurnsStaysAboveASlab) {
  for (const Turning& body : kTurning) {
    for (const int seed : {1, 2}) {
      SCOPED_TRACE(fmt::format("{} {} {}", body.shape, body.constraints, seed));
      Simulation scene = simulation(
          falling(body, seed,
                  "slab: {material: stone, shape: {type: box, size: [0.6, 0.6, 0.002]}, position: "
                  "[0.15, 0.15, -0.001]}"));
      EXPECT_GT(lowest(scene, 30), 0.0);
    }
  }
}

TEST(Passing, WhatTurnsStaysAboveAPlane) {
  for (const Turning& body : kTurning) {
    SCOPED_TRACE(fmt::format("{} {}", body.shape, body.constraints));
    Simulation scene = simulation(falling(
        body, 1,
        "floor: {material: stone, shape: {type: plane}, position: [0, 0, 0], normal: [0, 0, 1]}"));
    EXPECT_GT(lowest(scene, 30), 0.0);
  }
}

/// A plate as wide as the cell: grains near its edges lie on its images.
TEST(Passing, WhatTurnsStaysAboveASlabThatRepeats) {
  for (const Turning& body : kTurning) {
    SCOPED_TRACE(fmt::format("{} {}", body.shape, body.constraints));
    Simulation scene = simulation(
        falling(body, 3,
                "slab: {material: stone, shape: {type: box, size: [0.3, 0.3, 0.002]}, position: "
                "[0.25, 0.25, -0.001]}"),
        {"periodic={x: [0, 0.3], y: [0, 0.3]}", "gravity=[0, 0, -9.81]",
         "bodies.grains.velocity=[0.7, 0.4, -1]"});
    EXPECT_GT(lowest(scene, 40), 0.0);
  }
}

/// Eggs and plates in a drum, or rings and plates in a box of plates, that meet each other and the
/// walls as they turn.
std::string in_container(const char* first, const char* second, const char* tools, int seed) {
  return fmt::format(R"(
time: {{dt: 5e-3, end: 1}}
gravity: [0, 0, -9.81]
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: 0.3}}]
bodies:
  low: {{material: stone, shape: {0}, place: {{type: box, low: [0.032, 0.032, 0], high: [0.168, 0.168, 0.1], count: 6, seed: {3}}}, velocity: [0.8, 0.5, 1.2], angular_velocity: [13, -10, -10]}}
  high: {{material: stone, shape: {1}, place: {{type: box, low: [0.032, 0.032, 0.1], high: [0.168, 0.168, 0.2], count: 6, seed: {3}}}, velocity: [0.2, 0.3, -0.8], angular_velocity: [14, 20, 10]}}
tools:
{2}  floor: {{material: stone, shape: {{type: plane}}}}
  lid: {{material: stone, shape: {{type: plane}}, position: [0, 0, 0.2], normal: [0, 0, -1]}}
)",
                     first, second, tools, seed);
}

/// Steps that are solved take no pair deeper than a tenth of the smaller radius, nor far deeper
/// than it was, in the corners of holes and where impulses turn bodies into others that they were
/// not to meet.
TEST(Passing, SolvedStepsBoundTheOverlapOfBodiesThatTurn) {
  const char* const plate = "{type: box, size: [0.03, 0.02, 0.001]}";
  const char* const egg = "{type: ellipsoid, semi_axes: [0.02, 0.012, 0.006]}";
  const char* const ring = "{type: ring, major_radius: 0.02, minor_radius: 0.002}";
  const char* const drum =
      "  drum: {material: stone, shape: {type: hollow_cylinder, radius: 0.1}, position: [0.1, 0.1, "
      "0]}\n";
  const char* const sides =
      "  x0: {material: stone, shape: {type: plane}, normal: [1, 0, 0]}\n"
      "  x1: {material: stone, shape: {type: plane}, position: [0.2, 0, 0], normal: [-1, 0, 0]}\n"
      "  y0: {material: stone, shape: {type: plane}, normal: [0, 1, 0]}\n"
      "  y1: {material: stone, shape: {type: plane}, position: [0, 0.2, 0], normal: [0, -1, 0]}\n";
  for (const int seed : {1, 2, 3, 4, 5, 6}) {
    for (const std::string& text :
         {in_container(egg, plate, drum, seed), in_container(ring, plate, sides, seed)}) {
      Simulation scene = simulation(text);
      double deepest = 0.0;
      bool was_solved = true;
      while (scene.n_steps() < 40) {
        const StepResult& part = scene.step();
        if (was_solved) deepest = std::max(deepest, part.figures.penetration);
        was_solved = part.impact.report.status == Status::converged;
      }
      EXPECT_LT(deepest, 0.2) << seed;
      EXPECT_GT(deepest, 0.01) << seed;
    }
  }
}

/// Two rings, linked, that fly apart.
std::string linked_rings(double speed, double spin, const char* constraints) {
  return fmt::format(R"(
time: {{dt: 1e-2, end: 1}}
gravity: [0, 0, 0]
contact: {{constraints: {0}}}
materials: {{steel: {{density: 7800}}}}
friction: [{{between: [steel, steel], mu: 0.1}}]
bodies:
  one:
    material: steel
    shape: {{type: ring, major_radius: 0.03, minor_radius: 0.002}}
    place: {{type: points, positions: [[0, 0, 0]]}}
    velocity: [-{1}, {2}, 0]
    angular_velocity: [0, {3}, 0]
  other:
    material: steel
    shape: {{type: ring, major_radius: 0.03, minor_radius: 0.002}}
    place: {{type: points, positions: [[0.03, 0, 0]]}}
    orientation: {{axis: [1, 0, 0], angle: 1.5707963267948966}}
    velocity: [{1}, 0, {2}]
    angular_velocity: [0, 0, -{3}]
)",
                     constraints, speed, 0.1 * speed, spin);
}

/// The circles of the two rings, on every rank.
std::pair<Circle, Circle> circles(const Simulation& simulation) {
  std::vector<double> all(16, 0.0);
  const Store& store = simulation.store();
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    double* mine = &all[8 * static_cast<std::size_t>(store.group[slot])];
    Vec3::Map(mine) = store.position[slot];
    Eigen::Vector4d::Map(mine + 3) = store.orientation[slot].coeffs();
    mine[7] = store.shape[slot].get<Ring>().major_radius;
  }
  sum_over_ranks(MPI_COMM_WORLD, all);
  const auto circle = [&all](std::size_t i) {
    return Circle{{Vec3(&all[8 * i]), Quat(Eigen::Vector4d(&all[8 * i + 3]))}, all[8 * i + 7]};
  };
  return {circle(0), circle(1)};
}

TEST(Passing, LinkedRingsStayLinked) {
  struct Pull {
    double speed;
    double spin;
  };
  for (const char* constraints : {"manifold", "relcp"}) {
    for (const auto& [speed, spin] : {Pull{1.0, 50.0}, Pull{100.0, 0.0}}) {
      SCOPED_TRACE(fmt::format("{} {} m/s {} rad/s", constraints, speed, spin));
      Simulation scene = simulation(linked_rings(speed, spin, constraints));
      for (int k = 0; k < 15; ++k) {
        run(scene, 1);
        const auto [one, other] = circles(scene);
        ASSERT_TRUE(are_linked(one, other)) << "step " << k;
      }
    }
  }
}

/// Grains that lie are not cut; ellipsoids without resistance to rolling rock on and on.
TEST(Passing, WhatLiesIsNotCut) {
  for (const Turning& body : kTurning) {
    if (std::string_view(body.shape).find("ellipsoid") != std::string_view::npos) continue;
    SCOPED_TRACE(fmt::format("{} {}", body.shape, body.constraints));
    Simulation scene = simulation(falling(body, 1,
                                          "floor: {material: stone, shape: {type: plane}, "
                                          "position: [0, 0, 0], normal: [0, 0, 1]}"),
                                  {"gravity=[0, 0, -9.81]", "bodies.grains.velocity=[0, 0, 0]",
                                   "bodies.grains.angular_velocity=[0, 0, 0]"});
    run(scene, 200);
    int parts = 0;
    for (const std::int64_t end = scene.n_steps() + 50; scene.n_steps() < end; ++parts) {
      scene.step();
    }
    EXPECT_EQ(parts, 50);
  }
}

}  // namespace
}  // namespace scree::test::passing_test
