// ranks: 1 2 4, mostly 2
/// Simultaneous impacts of any restitution in runs (step/impact/energetic.hpp).

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "scree/base/parallel.hpp"
#include "scree/step/energies.hpp"
#include "support/simulate.hpp"
#include "support/step_figures.hpp"

namespace scree::test::energetic_test {
namespace {

const MPI_Comm kWorld = MPI_COMM_WORLD;

/// The velocity along x of each of the grains with the ids below @p n, of all ranks.
std::vector<double> speeds(const Simulation& simulation, std::size_t n) {
  std::vector<double> vx(n, 0.0);
  const Store& store = simulation.store();
  for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
    vx.at(static_cast<std::size_t>(store.id[i])) = store.velocity[i].x();
  }
  sum_over_ranks(simulation.comm(), vx);
  return vx;
}

double kinetic(const Simulation& simulation) {
  return energies(simulation.comm(), simulation.store(), Vec3::Zero()).kinetic;
}

/// Balls in a row that touch, the first of them moving; without weight.
std::string cradle(double e, const std::vector<double>& radii, std::size_t moving,
                   const char* options = "") {
  std::string bodies;
  double x = 0.0;
  for (std::size_t k = 0; k < radii.size(); ++k) {
    x += (k == 0 ? 0.0 : radii[k - 1]) + radii[k];
    bodies += fmt::format(R"(
  ball{}: {{material: steel, radii: {{type: list, values: [{}]}}, velocity: [{}, 0, 0], place: {{type: points, positions: [[{:.17g}, 0, 0]]}}}})",
                          k, radii[k], k < moving ? 1.0 : 0.0, x);
  }
  return fmt::format(R"(
time: {{dt: 1.0e-3, end: 1}}
gravity: [0, 0, 0]
impact: {{law: energetic{}}}
materials: {{steel: {{density: 7800}}}}
friction: [{{between: [steel, steel], mu: 0.3, restitution: {}}}]
solver: {{tolerance: 1.0e-8}}
bodies:{}
)",
                     options, e, bodies);
}

const std::vector<double> kFive(5, 0.05);

constexpr std::array<const char*, 4> kOperators{"", ", operator: reflections",
                                                ", order: lexicographic", ", order: random"};

TEST(Energetic, OfANewtonsCradleAsManyGoOutAsComeIn) {
  for (const char* options : kOperators) {
    for (const std::size_t n : {1, 2}) {
      Simulation balls = simulation(cradle(1.0, kFive, n, options));
      const StepResult& result = balls.step();
      EXPECT_EQ(result.impact.report.status, Status::converged);
      EXPECT_EQ(count_of(result, "impact_zones"), 1);
      EXPECT_EQ(count_of(result, "impact_contacts"), 4);
      const std::vector<double> vx = speeds(balls, 5);
      for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(vx[k], k >= 5 - n ? 1.0 : 0.0, 1e-13);
    }
  }
}

/// Without restitution all go on together; between, velocities are those of both, mixed.
TEST(Energetic, OfACradleTheOutcomeIsLinearInTheRestitution) {
  Simulation stuck = simulation(cradle(0.0, kFive, 1));
  stuck.step();
  for (const double vx : speeds(stuck, 5)) EXPECT_NEAR(vx, 0.2, 1e-6);  // of the solve
  Simulation half = simulation(cradle(0.5, kFive, 1));
  half.step();
  const std::vector<double> vx = speeds(half, 5);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(vx[k], k == 4 ? 0.6 : 0.1, 1e-13);
}

/// Masses of 1 to 100: momentum and energy are kept, and nothing approaches any more.
TEST(Energetic, OfACradleOfManyMassesEnergyAndMomentumAreKept) {
  const std::vector<double> radii{0.05, 0.05 * std::cbrt(100.0), 0.07, 0.2, 0.06};
  Simulation balls = simulation(cradle(1.0, radii, 1));
  const Energies before = energies(kWorld, balls.store(), Vec3::Zero());
  balls.step();
  const Energies after = energies(kWorld, balls.store(), Vec3::Zero());
  EXPECT_NEAR(after.kinetic, before.kinetic, 1e-13 * before.kinetic);
  EXPECT_LT((after.momentum - before.momentum).norm(), 1e-13 * before.momentum.norm());
  const std::vector<double> vx = speeds(balls, 5);
  for (std::size_t k = 1; k < 5; ++k) EXPECT_GE(vx[k], vx[k - 1] - 1e-6);
}

/// A ball hits a second, which reaches a third within the same step: it must not stop there
/// inelastically.
TEST(Energetic, PairsThatAnImpactClosesInTheSameStepAreImpactsToo) {
  Simulation balls = simulation(R"(
time: {dt: 1.0e-3, end: 1}
gravity: [0, 0, 0]
impact: {law: energetic}
materials: {steel: {density: 7800}}
friction: [{between: [steel, steel], mu: 0.3, restitution: 1}]
bodies:
  fast: {material: steel, radii: {type: list, values: [0.05]}, velocity: [1, 0, 0], place: {type: points, positions: [[0, 0, 0]]}}
  row: {material: steel, radii: {type: list, values: [0.05]}, place: {type: points, positions: [[0.1002, 0, 0], [0.2004, 0, 0]]}}
)");
  const StepResult& result = balls.step();
  EXPECT_EQ(count_of(result, "impact_rounds"), 2);
  const std::vector<double> vx = speeds(balls, 3);
  EXPECT_NEAR(vx[0], 0.0, 1e-13);
  EXPECT_NEAR(vx[1], 0.0, 1e-13);
  EXPECT_NEAR(vx[2], 1.0, 1e-13);
}

/// Long bodies that tumble change their spin by themselves, at an energy that does not grow:
/// impacts come after it, and add none, though half of that change alone would.
TEST(Energetic, EllipsoidsThatTumbleAndBounceGainNoEnergy) {
  Simulation gas = simulation(R"(
time: {dt: 0.004, end: 10}
gravity: [0, 0, 0]
impact: {law: energetic}
solver: {tolerance: 1e-9}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0, restitution: 1}]
bodies:
  e:
    material: stone
    shape: {type: ellipsoid, semi_axes: [0.02, 0.016, 0.035]}
    velocity: [0.5, 1, -1]
    angular_velocity: [10, 20, 5]
    place: {type: box, low: [0, 0, 0], high: [0.2, 0.2, 0.25], count: 8, seed: 4}
tools:
  f: {material: stone, shape: {type: plane}, position: [0, 0, 0]}
  g: {material: stone, shape: {type: plane}, position: [0, 0, 0.25], normal: [0, 0, -1]}
  w1: {material: stone, shape: {type: plane}, position: [0, 0, 0], normal: [1, 0, 0]}
  w2: {material: stone, shape: {type: plane}, position: [0.2, 0, 0], normal: [-1, 0, 0]}
  w3: {material: stone, shape: {type: plane}, position: [0, 0, 0], normal: [0, 1, 0]}
  w4: {material: stone, shape: {type: plane}, position: [0, 0.2, 0], normal: [0, -1, 0]}
)");
  std::int64_t zones = 0;
  double before = kinetic(gas);
  for (int k = 0; k < 250; ++k) {
    const StepResult& result = gas.step();
    zones += count_of(result, "impact_zones");
    const double now = kinetic(gas);
    // what the solve of the step, to 1e-9 of its own energies, may add
    EXPECT_LE(now, before * (1.0 + 1e-8)) << "step " << k;
    before = now;
  }
  EXPECT_GT(zones, 50);
}

std::string falling(double e, double dt) {
  return fmt::format(R"(
time: {{dt: {}, end: 10}}
gravity: [0, 0, -10]
impact: {{law: energetic}}
materials: {{steel: {{density: 7800}}}}
friction: [{{between: [steel, steel], mu: 0.3, restitution: {}}}]
bodies:
  ball: {{material: steel, radii: {{type: list, values: [0.05]}}, place: {{type: points, positions: [[0, 0, 0.55]]}}}}
tools: {{floor: {{material: steel, shape: {{type: plane}}}}}}
solver: {{tolerance: 1.0e-10}}
)",
                     dt, e);
}

struct Height {
  double z = -1e300;
  double vz = -1e300;
};

Height height(const Simulation& simulation) {
  Height mine;
  const Store& store = simulation.store();
  if (store.n_owned > 0) {
    mine = {store.position[store.first_owned()].z(), store.velocity[store.first_owned()].z()};
  }
  return {max_over_ranks(simulation.comm(), mine.z), max_over_ranks(simulation.comm(), mine.vz)};
}

/// v^2/2 + g z - g dt v/2 is what the step keeps in free flight, and so does each bounce
/// (striking_bodies.hpp).
TEST(Energetic, ABallWithoutLossBouncesForEver) {
  const double dt = 1e-2;
  Simulation ball = simulation(falling(1.0, dt));
  int bounces = 0;
  double before = 0.0;
  for (int i = 0; i < 400; ++i) {
    ball.step();
    const auto [z, vz] = height(ball);
    if (before < 0.0 && vz > 0.0) ++bounces;
    before = vz;
    ASSERT_NEAR(0.5 * vz * vz + 10.0 * z - 5.0 * dt * vz, 5.5, 1e-10) << "step " << i;
  }
  EXPECT_GE(bounces, 5);
}

/// The bounce takes place where the ball is, at most a step's way above the floor.
TEST(Energetic, ABallComesBackToESquaredOfItsHeight) {
  for (const double e : {0.3, 0.7, 0.9}) {
    for (const double dt : {4e-3, 1e-3}) {
      Simulation ball = simulation(falling(e, dt));
      double before = 1.0;
      double top = 0.0;
      for (int i = 0; i < static_cast<int>(1.2 / dt); ++i) {
        ball.step();
        const auto [z, vz] = height(ball);
        if (before > 0.0 && vz <= 0.0 && i > 4) {
          top = z;
          break;
        }
        before = vz;
      }
      const double way = dt * std::sqrt(10.0);  // at its speed at the floor, sqrt(2 g h), of 0.5 m
      EXPECT_NEAR((top - 0.05) / 0.5, e * e, 2.0 * (1.0 - e * e) * way + 1e-4)
          << "e " << e << ", dt " << dt;
    }
  }
}

/// The energy of the scheme: kinetic, and the mean of the potential at both ends of the step, since
/// a velocity is that of the step that led to it.
class SchemeEnergy {
 public:
  explicit SchemeEnergy(const Simulation& simulation) : before_(of(simulation).potential) {}
  double after_step(const Simulation& simulation) {
    const Energies now = of(simulation);
    const double result = now.kinetic + 0.5 * (before_ + now.potential);
    before_ = now.potential;
    return result;
  }

 private:
  static Energies of(const Simulation& simulation) {
    return energies(simulation.comm(), simulation.store(), simulation.config().gravity);
  }
  double before_;
};

TEST(Energetic, ABounceNeverGivesEnergy) {
  for (const double e : {0.3, 0.8, 1.0}) {
    Simulation ball = simulation(falling(e, 5e-3));
    SchemeEnergy energy(ball);
    ball.step();
    double before = energy.after_step(ball);
    for (int i = 0; i < 300; ++i) {
      ball.step();
      const double now = energy.after_step(ball);
      ASSERT_LE(now, before * (1.0 + 1e-12)) << "e " << e << ", step " << i;
      before = now;
    }
  }
}

/// Its bounces end, and it rests.
TEST(Energetic, WhatBouncesComesToRest) {
  Simulation ball = simulation(falling(0.5, 5e-3));
  run(ball, 300);
  EXPECT_LT(std::abs(height(ball).vz), 1e-9);
  EXPECT_NEAR(height(ball).z, 0.05, 1e-6);
}

/// A sliding ball: friction on impact is mu times what the floor gives, against the sliding.
TEST(Energetic, FrictionOfAnImpactIsThatOfCoulomb) {
  Simulation ball = simulation(R"(
time: {dt: 1.0e-3, end: 1}
gravity: [0, 0, 0]
impact: {law: energetic}
materials: {steel: {density: 7800}}
friction: [{between: [steel, steel], mu: 0.1, restitution: 0.8}]
bodies:
  ball: {material: steel, radii: {type: list, values: [0.05]}, velocity: [3, 0, -1], place: {type: points, positions: [[0, 0, 0.05]]}}
tools: {floor: {material: steel, shape: {type: plane}}}
)");
  const StepResult& result = ball.step();
  EXPECT_NEAR(speeds(ball, 1)[0], 3.0 - 0.1 * 1.8, 1e-12);
  EXPECT_NEAR(height(ball).vz, 0.8, 1e-12);
  const double mass = energies(kWorld, ball.store(), Vec3::Zero()).mass;
  EXPECT_NEAR(result.wrenches[0].force.z(), -1.8 * mass / 1e-3, 1e-9 * mass / 1e-3);
}

std::string gas(const char* options) {
  return fmt::format(R"(
time: {{dt: 2.0e-3, end: 10}}
gravity: [0, 0, 0]
impact: {{law: energetic{}}}
periodic: {{x: [0, 0.3], y: [0, 0.3], z: [0, 0.3]}}
materials: {{steel: {{density: 2600}}}}
friction: [{{between: [steel, steel], mu: 0, restitution: 1}}]
balance: {{bound: 1.02}}
bodies:
  low: {{material: steel, radii: {{type: uniform, min: 0.01, max: 0.02}}, velocity: [1.0, 0.5, 1],
         place: {{type: box, low: [0, 0, 0], high: [0.3, 0.3, 0.14], count: 80, seed: 1}}}}
  high: {{material: steel, radii: {{type: uniform, min: 0.01, max: 0.02}}, velocity: [-1.5, 0.2, -1],
         place: {{type: box, low: [0, 0, 0.16], high: [0.3, 0.3, 0.3], count: 80, seed: 2}}}}
)",
                     options);
}

/// Each impact keeps both to rounding, some 1e-16; so many there are, and so they add up.
TEST(Energetic, AGasKeepsItsEnergyAndItsMomentum) {
  Simulation balls = simulation(gas(""));
  const Energies before = energies(kWorld, balls.store(), Vec3::Zero());
  std::int64_t zones = 0;
  std::int64_t programs = 0;
  for (int i = 0; i < 200; ++i) {
    const StepResult& result = balls.step();
    ASSERT_EQ(result.impact.report.status, Status::converged) << result.impact.report.reason;
    zones += count_of(result, "impact_zones");
    programs += count_of(result, "impact_programs");
  }
  const Energies after = energies(kWorld, balls.store(), Vec3::Zero());
  EXPECT_GT(zones, 500);
  EXPECT_EQ(programs, 0);  // nothing stands against each other, and no wall moves
  const double rounding = 1e-15 * static_cast<double>(zones);
  EXPECT_NEAR(after.kinetic, before.kinetic, rounding * before.kinetic);
  EXPECT_LT((after.momentum - before.momentum).norm(), rounding * 2.0 * before.mass);
}

using Positions = std::map<std::int64_t, Vec3>;

Positions positions(const Simulation& simulation) {
  Positions result;
  const Store& store = simulation.store();
  for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
    result[store.id[i]] = store.position[i];
  }
  return result;
}

/// Zones cross ranks; each is resolved in the order of ids and keys, so that not a bit depends on
/// where.
TEST(Energetic, TheNumberOfRanksChangesNothing) {
  for (const char* options : kOperators) {
    const RunConfig config = read_run_config(gas(options), "test.yaml", {});
    Simulation alone(MPI_COMM_SELF, config);
    Simulation together(kWorld, config);
    run(alone, 60);
    run(together, 60);
    const Positions one = positions(alone);
    for (const auto& [id, x] : positions(together)) {
      ASSERT_EQ(x, one.at(id)) << "grain " << id << options;
    }
  }
}

/// A block of balls that touch between a wall that comes and a ball that hits it: one zone across
/// all cuts, with friction, and both outcomes; of more contacts than dense algebra takes.
TEST(Energetic, AZoneAcrossRanksIsThatOfOne) {
  std::string places;
  for (int i = 0; i < 64; ++i) {
    places += fmt::format("{}[{:.17g}, {:.17g}, {:.17g}]", i == 0 ? "" : ", ", 0.1 * (i % 4),
                          0.1 * (i / 4 % 4), 0.1 * (i / 16));
  }
  const RunConfig config = read_run_config(fmt::format(R"(
time: {{dt: 1.0e-3, end: 1}}
gravity: [0, 0, 0]
impact: {{law: energetic}}
materials: {{steel: {{density: 7800}}}}
friction: [{{between: [steel, steel], mu: 0.4, restitution: 0.8}}]
bodies:
  block: {{material: steel, radii: {{type: list, values: [0.05]}}, place: {{type: points, positions: [{}]}}}}
  ball: {{material: steel, radii: {{type: list, values: [0.05]}}, velocity: [-5, 1, 2], place: {{type: points, positions: [[0.4, 0.2, 0.1]]}}}}
tools:
  wall: {{material: steel, shape: {{type: plane}}, normal: [0, 0, 1], position: [0, 0, -0.05],
         motion: {{type: velocity, velocity: [0.5, 0, 1]}}}}
solver: {{tolerance: 1.0e-6}}
)",
                                                       places),
                                           "test.yaml", {});
  Simulation alone(MPI_COMM_SELF, config);
  Simulation together(kWorld, config);
  const StepResult& alone_result = alone.step();
  const StepResult& result = together.step();
  EXPECT_EQ(count_of(result, "impact_contacts"),
            144 + 16 + 1);  // of the block, the wall, the ball
  EXPECT_EQ(count_of(result, "impact_programs"),
            0);  // one wall moves, and all can move with it
  const int owners = sum_over_ranks(kWorld, together.store().n_owned > 0 ? 1 : 0);
  EXPECT_EQ(owners, size_of(kWorld));
  EXPECT_EQ(count_of(result, "impact_applications"), count_of(alone_result, "impact_applications"));
  EXPECT_EQ(figure_of(result, "impact_energy_after"),
            figure_of(alone_result, "impact_energy_after"));  // every bit: one zone
  const Positions one = positions(alone);
  for (const auto& [id, x] : positions(together)) {
    // the impact alike, then friction of what rests on the wall, solved to its tolerance
    EXPECT_LT((x - one.at(id)).norm(), 1e-4 * 1e-3 * 5.0) << "grain " << id;
  }
}

/// A heavy ball falls into a loose bed that settles: in no step is there more energy than before.
TEST(Energetic, ABedThatIsHitNeverGainsEnergy) {
  Simulation bed = simulation(R"(
time: {dt: 1.0e-3, end: 10}
impact: {law: energetic}
materials: {stone: {density: 2600}, lead: {density: 11000}}
friction: [{between: [stone, stone], mu: 0.4, restitution: 0.8}, {between: [stone, lead], mu: 0.4, restitution: 0.8}, {between: [lead, lead], mu: 0}]
bodies:
  bed: {material: stone, radii: {type: uniform, min: 0.01, max: 0.014}, velocity: [0, 0, -1],
        place: {type: box, low: [0, 0, 0], high: [0.16, 0.16, 0.2], arrangement: dense, count: 120, seed: 3}}
  ball: {material: lead, radii: {type: list, values: [0.04]}, velocity: [0, 0, -5],
        place: {type: points, positions: [[0.08, 0.08, 0.35]]}}
tools:
  floor: {material: stone, shape: {type: plane}}
  left: {material: stone, shape: {type: plane}, normal: [1, 0, 0]}
  right: {material: stone, shape: {type: plane}, position: [0.16, 0, 0], normal: [-1, 0, 0]}
  front: {material: stone, shape: {type: plane}, normal: [0, 1, 0]}
  back: {material: stone, shape: {type: plane}, position: [0, 0.16, 0], normal: [0, -1, 0]}
solver: {tolerance: 1.0e-6}
)");
  SchemeEnergy energy(bed);
  bed.step();
  const double start = energy.after_step(bed);
  double before = start;
  std::int64_t largest = 0;
  for (int i = 1; i < 80; ++i) {
    const StepResult& result = bed.step();
    EXPECT_TRUE(result.impact.fault.empty()) << result.impact.fault;
    EXPECT_LE(figure_of(result, "impact_energy_after"),
              figure_of(result, "impact_energy_before") * (1.0 + 1e-12));
    largest = std::max(largest, count_of(result, "impact_contacts"));
    const double now = energy.after_step(bed);
    EXPECT_LE(now, before + 1e-6 * start) << "step " << i;
    before = now;
  }
  EXPECT_GT(largest, 100);
  EXPECT_LT(kinetic(bed), 0.5 * start);
}

}  // namespace
}  // namespace scree::test::energetic_test
