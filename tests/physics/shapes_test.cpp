// ranks: 1 2, mostly 2
/// Grains that are no balls: they rest on what they lie on, whatever their shape, and keep
/// momentum.

#include <cmath>

#include "scree/base/parallel.hpp"
#include "scree/step/energies.hpp"
#include "support/simulate.hpp"

namespace scree::test::shapes_test {
namespace {

std::string on_a_floor(const std::string& grains, const std::string& time,
                       const std::string& more = "") {
  return fmt::format(R"(
time: {}
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: 0.5}}]
bodies: {}
tools:
  floor: {{material: stone, shape: {{type: plane}}, normal: [0, 0, 1]}}
{})",
                     time, grains, more);
}

/// The largest of |v| and |w| r of all grains, m/s.
double fastest(const Simulation& simulation) {
  const Store& store = simulation.store();
  double fastest = 0.0;
  for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
    fastest = std::max({fastest, store.velocity[i].norm(),
                        bounding_radius(store, i) * store.angular_velocity[i].norm()});
  }
  return max_over_ranks(simulation.comm(), fastest);
}

double height_of(const Simulation& simulation, std::int64_t id) {
  const Store& store = simulation.store();
  double height = -1e300;
  for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
    if (store.id[i] == id) height = store.position[i].z();
  }
  return max_over_ranks(simulation.comm(), height);
}

std::int64_t n_contacts(const Simulation& simulation) {
  return sum_over_ranks(simulation.comm(),
                        static_cast<std::int64_t>(simulation.result().contacts.size()));
}

// It lies on both of its ends: one point could not hold it level. To the solver's tolerance times g
// dt.
TEST(Shapes, ACapsuleAtRestHasTwoContactsAndDoesNotRock) {
  Simulation run = simulation(on_a_floor(
      "{rod: {material: stone, shape: {type: capsule, radius: 0.01, length: 0.04}, orientation: "
      "{axis: [0, 1, 0], angle: 1.5707963267948966}, place: {type: points, positions: [[0, 0, "
      "0.01]]}}}",
      "{dt: 2e-3, end: 1}", "solver: {tolerance: 1e-10}"));
  test::run(run, 500);
  EXPECT_EQ(n_contacts(run), 2);
  EXPECT_LT(fastest(run), 1e-8 * 9.81 * 2e-3);
  EXPECT_NEAR(height_of(run, 0), 0.01, 1e-9);
}

// Ten cubes one upon another, 0.5 s in the test (10 s by hand: CHANGELOG): each face bears by its
// four corners.
TEST(Shapes, AStackOfCubesStands) {
  std::string places;
  for (int k = 0; k < 10; ++k) {
    places += fmt::format("{}[0, 0, {}]", k == 0 ? "" : ", ", 0.01 + 0.02 * k);
  }
  Simulation run = simulation(on_a_floor(
      fmt::format("{{cubes: {{material: stone, shape: {{type: box, size: [0.02, 0.02, 0.02]}}, "
                  "place: {{type: points, positions: [{}]}}}}}}",
                  places),
      "{dt: 2e-3, end: 10}", "solver: {tolerance: 1e-8}"));
  test::run(run, 250);
  EXPECT_GE(n_contacts(run), 40);
  for (int k = 0; k < 10; ++k) {
    EXPECT_NEAR(height_of(run, k), 0.01 + 0.02 * k, 1e-6 * 0.02) << k;
  }
}

// Bodies that rock and roll have no more than they had; to what a step of first order adds in an
// orientation that turns (I w is kept to dt w), which impacts take many times over.
TEST(Shapes, AnEllipsoidThatRocksGainsNoEnergy) {
  Simulation run = simulation(on_a_floor(
      "{egg: {material: stone, shape: {type: ellipsoid, semi_axes: [0.02, 0.015, 0.008]}, "
      "orientation: {axis: [1, 1, 0], angle: 0.5}, place: {type: points, positions: [[0, 0, "
      "0.03]]}}}",
      "{dt: 1e-3, end: 20}", "solver: {tolerance: 1e-10}"));
  const auto energy = [&run] {
    const Energies e = energies(run.comm(), run.store(), Vec3(0, 0, -9.81));
    return e.kinetic + e.potential;
  };
  const double start = energy();
  double before = start;
  for (int k = 0; k < 2000; ++k) {
    run.step();
    const double now = energy();
    EXPECT_LE(now, before + 1e-3 * start) << k;
    before = now;
  }
  EXPECT_LT(before, 0.8 * start);
}

TEST(Shapes, AnEllipsoidAtRestOnItsFlatSideStaysThere) {
  Simulation run = simulation(on_a_floor(
      "{egg: {material: stone, shape: {type: ellipsoid, semi_axes: [0.02, 0.015, 0.008]}, place: "
      "{type: points, positions: [[0, 0, 0.008]]}}}",
      "{dt: 2e-3, end: 20}", "solver: {tolerance: 1e-10}"));
  test::run(run, 500);
  EXPECT_NEAR(height_of(run, 0), 0.008, 1e-9);
  EXPECT_LT(fastest(run), 1e-8);
}

// Of all shapes together, without gravity: what impulses there are come in pairs at one point.
// Momentum is kept to rounding; angular momentum to first order in dt, since orientations turn with
// a velocity that stands in a step.
TEST(Shapes, CollisionsKeepMomentum) {
  Simulation run = simulation(R"(
time: {dt: 1e-3, end: 1}
gravity: [0, 0, 0]
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0.5}]
bodies:
  left:
    populations:
      balls: {material: stone, share: 1, radii: {type: list, values: [0.01]}}
      eggs: {material: stone, share: 1, shape: {type: ellipsoid, semi_axes: [0.02, 0.01, 0.008]}}
      rods: {material: stone, share: 1, shape: {type: capsule, radius: 0.006, length: 0.02}}
      bricks: {material: stone, share: 1, shape: {type: box, size: [0.02, 0.015, 0.01]}}
    place: {type: box, low: [0, 0, 0], high: [0.12, 0.12, 0.12], count: 20, seed: 3}
    velocity: [1, 0.1, 0]
  right:
    material: stone
    shape: {type: box, size: [1, 2, 3]}
    radii: {type: list, values: [0.012]}
    place: {type: box, low: [0.13, 0, 0], high: [0.25, 0.12, 0.12], count: 20, seed: 4}
    velocity: [-1, 0, 0.2]
solver: {tolerance: 1e-8}
)");
  const auto momenta = [&run] { return energies(run.comm(), run.store(), Vec3::Zero()); };
  const Energies before = momenta();
  double closed = 0.0;
  for (int k = 0; k < 200; ++k) closed += static_cast<double>(run.step().figures.closed);
  const Energies after = momenta();
  EXPECT_GT(closed, 100.0);
  EXPECT_LT((after.momentum - before.momentum).norm(), 1e-13 * before.mass);
  EXPECT_LT((after.angular_momentum - before.angular_momentum).norm(), 1e-3 * before.mass * 0.1);
  EXPECT_LT(after.kinetic, before.kinetic);
}

}  // namespace
}  // namespace scree::test::shapes_test
