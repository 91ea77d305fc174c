// ranks: 1 2 4, mostly 2
/// Grains that are no balls in cones, pipes and orifices: they rest on walls, faces and rims, and
/// pass through.

#include <cmath>
#include <numbers>

#include "scree/base/parallel.hpp"
#include "scree/step/energies.hpp"
#include "support/simulate.hpp"

namespace scree::test::holes_test {
namespace {

Simulation grains_in(const std::string& grains, const std::string& tools, double mu,
                     double tolerance = 1e-8) {
  return simulation(fmt::format(R"(
time: {{dt: 1e-3, end: 10}}
gravity: [0, 0, -10]
solver: {{tolerance: {}}}
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: {}}}]
bodies: {{{}}}
tools: {{{}}}
)",
                                tolerance, mu, grains, tools));
}

/// The height of the lowest or highest centre, and the largest of |v| and |w| r, over all ranks.
struct Figures {
  double lowest = 1e300;
  double highest = -1e300;
  double fastest = 0.0;
};
Figures figures_of(const Simulation& simulation) {
  const Store& store = simulation.store();
  Figures f;
  for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
    f.lowest = std::min(f.lowest, store.position[i].z());
    f.highest = std::max(f.highest, store.position[i].z());
    f.fastest = std::max({f.fastest, store.velocity[i].norm(),
                          bounding_radius(store, i) * store.angular_velocity[i].norm()});
  }
  return {-max_over_ranks(simulation.comm(), -f.lowest),
          max_over_ranks(simulation.comm(), f.highest),
          max_over_ranks(simulation.comm(), f.fastest)};
}

/// The deepest overlap, m.
double deepest(const StepResult& step, MPI_Comm comm) {
  double deepest = 0.0;
  for (const Contact& contact : step.contacts) deepest = std::max(deepest, -contact.gap);
  return max_over_ranks(comm, deepest);
}

/// Solves are to 1e-8 of what gravity gives in a step, 1e-2 m/s, and half a second damps what is
/// left of the fall to less than 1e-6 m/s; a curved wall that is met by its tangent plane leaves
/// less than 1e-5 m of height.
void expect_rest(Simulation grain, double height) {
  run(grain, 500);
  for (int i = 0; i < 50; ++i) {
    grain.step();
    const Figures f = figures_of(grain);
    ASSERT_LT(f.fastest, 1e-6) << "step " << i;
    ASSERT_NEAR(f.lowest, height, 1e-5);
  }
}

/// Takes steps that all are solved, leave no overlap above @p overlap (m), and give nothing to the
/// grains' energy but what a step of first order adds in an orientation that turns (at most a
/// thousandth of what there was). An overlap is what a step of d along a curve of radius r leaves
/// behind its tangent, d^2 / 2r: a bar that goes 3 mm along the rim of 0.1 m 5e-5 m; a grain whose
/// end of 1 cm goes 4 mm 8e-4 m.
void expect_no_gain(Simulation& bed, int steps, double overlap) {
  const auto energy = [&bed] {
    const Energies e = energies(bed.comm(), bed.store(), Vec3(0, 0, -10));
    return e.kinetic + e.potential;
  };
  double before = energy();
  const double scale = std::abs(before);
  for (int i = 0; i < steps; ++i) {
    const StepResult& step = bed.step();
    ASSERT_EQ(step.impact.report.status, Status::converged) << i << step.impact.report.reason;
    ASSERT_LT(deepest(step, bed.comm()), overlap) << i;
    const double now = energy();
    ASSERT_LE(now, before + 1e-3 * scale) << i;
    before = now;
  }
}

/// Along the cone's normals, at 45 degrees, the support function of the spheroid is sqrt((a^2 +
/// c^2)/2).
TEST(Holes, ALensRestsInAFunnel) {
  const double reach = std::sqrt(0.5 * (0.05 * 0.05 + 0.03 * 0.03));
  expect_rest(
      grains_in("lens: {material: stone, shape: {type: ellipsoid, semi_axes: [0.05, 0.05, 0.03]}, "
                "place: {type: points, positions: [[0, 0, 0.06]]}}",
                "cone: {material: stone, shape: {type: hollow_cone, low_radius: 0.01, "
                "high_radius: 0.21, height: 0.2}}",
                0.3),
      std::numbers::sqrt2 * reach - 0.01);
}

TEST(Holes, ALensLargerThanAnOrificeRestsOnItsRim) {
  // at the rim of radius 0.04 its surface is 0.03 sqrt(1 - (0.04/0.05)^2) below its middle
  expect_rest(
      grains_in("lens: {material: stone, shape: {type: ellipsoid, semi_axes: [0.05, 0.05, 0.03]}, "
                "place: {type: points, positions: [[0, 0, 0.02]]}}",
                "plate: {material: stone, shape: {type: orifice, radius: 0.04, thickness: 0.01}}",
                0.3),
      0.03 * 0.6);
}

TEST(Holes, ABarAndARodLieAcrossAPipe) {
  for (const std::string shape :
       {"{type: box, size: [0.3, 0.04, 0.04]}, orientation: {axis: [0, 0, 1], angle: 0.3}",
        "{type: capsule, radius: 0.02, length: 0.3}, orientation: {axis: [0, 1, 0], angle: "
        "1.5707963267948966}"}) {
    expect_rest(
        grains_in(
            fmt::format("bar: {{material: stone, shape: {}, place: {{type: points, "
                        "positions: [[0.01, 0, 0.222]]}}}}",
                        shape),
            "pipe: {material: stone, shape: {type: hollow_cylinder, radius: 0.1, length: 0.2}}",
            0.3),
        0.22);
  }
}

/// A rod that turns about its end on the wall: the other end, far from it at the start, would be
/// beyond it after a step.
TEST(Holes, AFastRodThatPivotsOnItsEndStaysInTheDrum) {
  Simulation rod = simulation(R"(
time: {dt: 1e-2, end: 10}
gravity: [0, 0, 0]
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0.3}]
bodies:
  rod:
    material: stone
    shape: {type: capsule, radius: 0.01, length: 0.2}
    orientation: {axis: [0, 1, 0], angle: 1.5707963267948966}
    velocity: [0, 14.3, 0]
    angular_velocity: [0, 0, 130]
    place: {type: points, positions: [[-0.04, 0, 0]]}
tools:
  drum: {material: stone, shape: {type: hollow_cylinder, radius: 0.15}}
)");
  for (int i = 0; i < 20; ++i) {
    rod.step();
    const Store& store = rod.store();
    for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
      for (const double end : {-0.1, 0.1}) {
        const Vec3 at = store.position[slot] + store.orientation[slot] * Vec3(0.0, 0.0, end);
        ASSERT_LT(std::hypot(at.x(), at.y()), 0.15 - 0.01 + 0.002) << i;
      }
    }
  }
}

/// The middle of the bar is over the hole, one of its ends in it.
TEST(Holes, ARodStandsInAPipeAndLeansOnItsRim) {
  Simulation rod = grains_in(
      "rod: {material: stone, shape: {type: box, size: [0.5, 0.03, 0.03]}, orientation: {axis: [0, "
      "1, 0], "
      "angle: 1.0}, place: {type: points, positions: [[-0.085, 0, 0.24]]}}",
      "pipe: {material: stone, shape: {type: hollow_cylinder, radius: 0.1, length: 0.2}}, "
      "floor: {material: stone, shape: {type: plane}}",
      0.3);
  expect_no_gain(rod, 1500, 1e-4);
  EXPECT_LT(figures_of(rod).fastest, 1e-3);
  EXPECT_GT(figures_of(rod).lowest, 0.1);
}

const char* const kMixture =
    "eggs: {material: stone, shape: {type: ellipsoid, semi_axes: [0.016, 0.012, 0.01]}, place: "
    "{type: cylinder, base: [0, 0, 0.1], axis: [0, 0, 1], radius: 0.08, height: 0.06, count: 14, "
    "seed: 1}}, "
    "rods: {material: stone, shape: {type: capsule, radius: 0.008, length: 0.03}, place: "
    "{type: cylinder, base: [0, 0, 0.17], axis: [0, 0, 1], radius: 0.08, height: 0.08, count: 5, "
    "seed: 2}}, "
    "bricks: {material: stone, shape: {type: box, size: [0.03, 0.02, 0.016]}, place: "
    "{type: cylinder, base: [0, 0, 0.26], axis: [0, 0, 1], radius: 0.08, height: 0.06, count: 8, "
    "seed: 3}}";

TEST(Holes, AMixtureFallsIntoAFunnelAndRests) {
  Simulation bed =
      grains_in(kMixture,
                "cone: {material: stone, shape: {type: hollow_cone, low_radius: 0.005, "
                "high_radius: 0.305, height: 0.3}}",
                0.4, 1e-6);
  expect_no_gain(bed, 600, 1e-3);
  EXPECT_LT(figures_of(bed).fastest, 0.1) << "of 1.5 m/s that they fall with";
  EXPECT_GT(figures_of(bed).lowest, 0.0) << "none goes through the outlet or the wall";
  EXPECT_LT(figures_of(bed).highest, 0.2);
}

TEST(Holes, AMixtureRunsOutThroughAWideOutlet) {
  Simulation bed = grains_in(kMixture,
                             "cone: {material: stone, shape: {type: hollow_cone, low_radius: 0.07, "
                             "high_radius: 0.17, height: 0.2}}",
                             0.1, 1e-6);
  expect_no_gain(bed, 500, 1e-3);
  EXPECT_LT(figures_of(bed).highest, -0.1) << "all are below the outlet";
}

}  // namespace
}  // namespace scree::test::holes_test
