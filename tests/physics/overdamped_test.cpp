// ranks: 1 2 4, mostly 2
/// Grains without inertia in a viscous fluid, against closed forms: Stokes' settling speed, the
/// decay in a harmonic trap, balls that push each other and a wall, drag of ellipsoids and
/// capsules; and a cluster of colloids of micrometres, whose forces balance whatever the ranks are.
///
/// Bounds: closed forms hold to the rounding of some tens of steps (1e-12 of a speed, 1e-14 m on a
/// metre). Contacts are solved to 1e-12 of their impulses; forces of 0.3 N and speeds of 1 m/s are
/// asked to 1e-9. The colloids, of 1e-6 m, are solved to 1e-9: on two ranks they come out
/// within 1.5e-13 m of those on one; asked are 1e-11 m, 1e-5 of a radius. Their sum of forces has
/// no part of the solver's error, since impulses act on both sides alike: 1e-11 is far above the
/// rounding of 80 terms.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "scree/base/parallel.hpp"
#include "scree/geometry/shapes/ellipsoid.hpp"
#include "scree/io/state/checkpoint.hpp"
#include "scree/step/energies.hpp"
#include "support/simulate.hpp"
#include "support/temporary_folder.hpp"

namespace scree::test::overdamped_test {
namespace {

constexpr double kViscosity = 0.5;  // Pa s

double drag(double radius) {
  return 6.0 * std::numbers::pi * kViscosity * radius;
}

/// Two balls, of 1 and 2 cm, at @p left and @p right on the x axis, without gravity.
std::string pair(double left, double right, const std::string& more) {
  return fmt::format(R"(
time: {{dt: 0.01, end: 1}}
dynamics: overdamped
gravity: [0, 0, 0]
fluid: {{viscosity: 0.5}}
materials: {{cell: {{density: 1100}}, other: {{density: 1100}}}}
friction:
  - {{between: [cell, cell], mu: 0}}
  - {{between: [cell, other], mu: 0}}
  - {{between: [other, other], mu: 0}}
bodies:
  small: {{material: cell, radii: {{type: list, values: [0.01]}}, place: {{type: points, positions: [[{}, 0, 0]]}}}}
  large: {{material: other, radii: {{type: list, values: [0.02]}}, place: {{type: points, positions: [[{}, 0, 0]]}}}}
solver: {{tolerance: 1e-12}}
{})",
                     left, right, more);
}

/// The grains of all ranks, by id.
struct Grains {
  std::vector<Vec3> position;
  std::vector<Vec3> velocity;
};

Grains grains(const Simulation& simulation, std::size_t n) {
  std::vector<double> all(6 * n, 0.0);
  const Store& store = simulation.store();
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    Eigen::Map<Vec6>(&all[6 * static_cast<std::size_t>(store.id[slot])]) << store.position[slot],
        store.velocity[slot];
  }
  sum_over_ranks(simulation.comm(), all);
  Grains grains;
  for (std::size_t i = 0; i < n; ++i) {
    grains.position.emplace_back(&all[6 * i]);
    grains.velocity.emplace_back(&all[6 * i + 3]);
  }
  return grains;
}

// v = 2/9 (rho - rho_f) g r^2 / eta, from the first step on.
TEST(Overdamped, BallsSettleAtStokesSpeed) {
  Simulation run =
      simulation(pair(-1, 1, "forces: {}"), {"gravity=[0, 0, -9.81]", "fluid.density=1000"});
  for (int step = 1; step <= 3; ++step) {
    run.step();
    const Grains now = grains(run, 2);
    for (std::size_t i = 0; i < 2; ++i) {
      const double r = i == 0 ? 0.01 : 0.02;
      const double speed = 2.0 / 9.0 * 100.0 * 9.81 * r * r / kViscosity;
      EXPECT_NEAR(now.velocity[i].z(), -speed, 1e-12 * speed);
      EXPECT_NEAR(now.position[i].z(), -speed * 0.01 * step, 1e-12 * speed);
    }
  }
}

// Explicit in the field: each step takes the part dt k / (6 pi eta r) of the way to the centre.
TEST(Overdamped, ATrapDrawsBallsInByAFactorAStep) {
  Simulation run = simulation(pair(-1, 1, "forces: {trap: {force: [-2*(x - 0.25), -2*y, -2*z]}}"));
  double small = -1.25;
  double large = 0.75;
  for (int step = 0; step < 20; ++step) {
    const StepResult& result = run.step();
    small *= 1.0 - 0.01 * 2.0 / drag(0.01);
    large *= 1.0 - 0.01 * 2.0 / drag(0.02);
    const Grains now = grains(run, 2);
    EXPECT_NEAR(now.position[0].x() - 0.25, small, 1e-14);
    EXPECT_NEAR(now.position[1].x() - 0.25, large, 1e-14);
    // The fluid takes the work of the trap.
    EXPECT_GT(result.load_power.fields, 0.0);
    EXPECT_NEAR(result.load_power.drag, -result.load_power.fields,
                1e-12 * result.load_power.fields);
  }
}

/// The impulse of the one contact over dt, on all ranks.
double contact_force(const Simulation& run, const StepResult& result) {
  const petsc::ConstView lambda(result.impact.impulse.get());
  return sum_over_ranks(run.comm(), lambda.size() > 0 ? lambda[0] : 0.0) / 0.01;
}

// The small ball, pushed with F, takes the large one along: both move with F over the sum of their
// drags, and the contact bears the large one's share.
TEST(Overdamped, APushedBallTakesAnotherAlong) {
  Simulation run =
      simulation(pair(0.0, 0.03, "forces: {push: {force: [0.3, 0, 0], materials: [cell]}}"));
  const double speed = 0.3 / (drag(0.01) + drag(0.02));
  for (int step = 1; step <= 5; ++step) {
    const StepResult& result = run.step();
    const Grains now = grains(run, 2);
    EXPECT_NEAR(now.velocity[0].x(), speed, 1e-9 * speed);
    EXPECT_NEAR(now.velocity[1].x(), speed, 1e-9 * speed);
    EXPECT_NEAR(contact_force(run, result), drag(0.02) * speed, 1e-9);
  }
}

TEST(Overdamped, BallsPushedTogetherStandAndBearThePush) {
  Simulation run = simulation(pair(0.0, 0.03, R"(
forces:
  right: {force: [0.3, 0, 0], materials: [cell]}
  left: {force: [-0.3, 0, 0], materials: [other]}
)"));
  for (int step = 0; step < 5; ++step) {
    const StepResult& result = run.step();
    EXPECT_NEAR(contact_force(run, result), 0.3, 1e-9);
    for (const Vec3& v : grains(run, 2).velocity) EXPECT_LT(v.norm(), 1e-9);
  }
}

/// A field drives one ball into another by half a radius a step, and both into a third, which
/// rests.
TEST(Overdamped, WhatAPushedBallMeetsIsSeenBeforeItIsStruck) {
  constexpr double kPush = 0.5;                            // m/s, of the balls together
  const double force = kPush * (drag(0.01) + drag(0.01));  // in a field that the first feels
  Simulation run = simulation(fmt::format(R"(
time: {{dt: 0.01, end: 1}}
dynamics: overdamped
gravity: [0, 0, 0]
fluid: {{viscosity: 0.5}}
materials: {{driven: {{density: 1100}}, cell: {{density: 1100}}}}
friction:
  - {{between: [driven, driven], mu: 0}}
  - {{between: [driven, cell], mu: 0}}
  - {{between: [cell, cell], mu: 0}}
forces: {{push: {{force: [{}, 0, 0], materials: [driven]}}}}
bodies:
  first: {{material: driven, radii: {{type: list, values: [0.01]}}, place: {{type: points, positions: [[0, 0, 0]]}}}}
  others: {{material: cell, radii: {{type: list, values: [0.01]}}, place: {{type: points, positions: [[0.02, 0, 0], [0.0517, 0, 0]]}}}}
solver: {{tolerance: 1e-12}}
)",
                                          force));
  for (int step = 1; step <= 6; ++step) {
    run.step();
    const Grains now = grains(run, 3);
    EXPECT_GE((now.position[2] - now.position[1]).x(), 0.02 - 1e-9) << "step " << step;
    EXPECT_GE((now.position[1] - now.position[0]).x(), 0.02 - 1e-9) << "step " << step;
  }
  EXPECT_GT(grains(run, 3).position[2].x(), 0.052);
}

TEST(Overdamped, AWallBearsTheForceOfTheField) {
  Simulation run = simulation(pair(0.0, 1.0, R"(
forces:
  press: {force: [-0.4, 0, 0], materials: [cell]}
tools:
  wall: {material: cell, shape: {type: plane}, position: [-0.01, 0, 0], normal: [1, 0, 0]}
)"));
  run.step();
  const StepResult& result = run.step();
  EXPECT_LT((result.wrenches[0].force - Vec3(-0.4, 0, 0)).norm(), 1e-9);
  EXPECT_LT(grains(run, 2).velocity[0].norm(), 1e-9);
}

constexpr std::size_t kColloidCount = 80;

/// 80 colloids of about a micrometre in an optical trap, with friction.
constexpr const char* kColloids = R"(
time: {dt: 2e-3, end: 1}
dynamics: overdamped
gravity: [0, 0, -9.81]
fluid: {viscosity: 1e-3, density: 1000, velocity: [0.5*z, 0, 0]}
materials: {latex: {density: 1050}}
friction: [{between: [latex, latex], mu: 0.2}]
bodies:
  cloud:
    material: latex
    radii: {type: uniform, min: 0.8e-6, max: 1.2e-6}
    place: {type: box, low: [-7e-6, -7e-6, -7e-6], high: [7e-6, 7e-6, 7e-6], count: 80, seed: 3}
forces:
  trap: {force: [-1e-6*x, -1e-6*y, -1e-6*z]}
solver: {tolerance: 1e-9}
balance: {bound: 1.05}
)";

// Contacts give equal and opposite forces: over all colloids, drag balances trap and weight.
TEST(Overdamped, ForcesOnAClusterBalanceOnAnyRanks) {
  const RunConfig config = read_run_config(kColloids, "test.yaml");
  Simulation alone(MPI_COMM_SELF, config);
  Simulation together(MPI_COMM_WORLD, config);
  const Medium medium = config.medium();
  std::int64_t closed = 0;
  for (int i = 0; i < 10; ++i) {
    const Grains before = grains(alone, kColloidCount);
    const StepResult& one = alone.step();
    const StepResult& all = together.step();
    ASSERT_EQ(all.impact.report.status, Status::converged) << "step " << i;
    ASSERT_EQ(all.figures.potential, one.figures.potential) << "step " << i;
    const Store& store = alone.store();
    Vec3 sum = Vec3::Zero();
    double scale = 0.0;
    for (std::int32_t slot = 0; slot < store.n_owned; ++slot) {
      const Vec3& x = before.position[store.id[slot]];
      const Vec3 pull = -1e-6 * x + buoyant_mass(store, slot, 1000.0) * config.gravity;
      const Vec3 slip = store.velocity[slot] - Vec3(0.5 * x.z(), 0, 0);
      sum += pull - drag_coefficients(store, slot, medium).linear.x() * slip;
      scale += pull.norm();
    }
    EXPECT_LT(sum.norm(), 1e-11 * scale) << "step " << i;
    const Grains a = grains(alone, kColloidCount);
    const Grains b = grains(together, kColloidCount);
    for (std::size_t k = 0; k < kColloidCount; ++k) {
      ASSERT_LT((a.position[k] - b.position[k]).norm(), 1e-11) << "step " << i << " grain " << k;
    }
    closed = one.figures.closed;
  }
  EXPECT_GT(closed, 100) << "the cloud must have met";
}

TEST(Overdamped, GoesOnFromACheckpoint) {
  const RunConfig config = read_run_config(kColloids, "test.yaml");
  const TemporaryFolder folder(MPI_COMM_WORLD);
  const std::filesystem::path file = folder.path() / "checkpoint_00000008.h5";
  Simulation whole(MPI_COMM_WORLD, config);
  run(whole, 8);
  write_checkpoint(MPI_COMM_WORLD, file, checkpoint(whole));
  Simulation again(MPI_COMM_WORLD, config, read_checkpoint(MPI_COMM_WORLD, file));
  Simulation alone(MPI_COMM_SELF, config, read_checkpoint(MPI_COMM_SELF, file));
  for (Simulation* one : {&whole, &again, &alone}) run(*one, 3);
  const Grains wanted = grains(whole, kColloidCount);
  for (const Simulation* one : {&again, &alone}) {
    const Grains found = grains(*one, kColloidCount);
    for (std::size_t k = 0; k < kColloidCount; ++k) {
      ASSERT_LT((found.position[k] - wanted.position[k]).norm(), 1e-11) << "grain " << k;
    }
  }
}

/// One grain of @p shape at the origin, turned by @p angle about y, in a fluid with the keys @p
/// fluid.
std::string lone(const std::string& shape, double angle, const std::string& fluid,
                 const std::string& more) {
  return fmt::format(R"(
time: {{dt: 0.01, end: 100}}
dynamics: overdamped
gravity: [0, 0, 0]
fluid: {{{}}}
materials: {{cell: {{density: 1100}}}}
friction: [{{between: [cell, cell], mu: 0}}]
bodies:
  one:
    material: cell
    shape: {{{}}}
    orientation: {{axis: [0, 1, 0], angle: {}}}
    place: {{type: points, positions: [[0, 0, 0]]}}
{})",
                     fluid, shape, angle, more);
}

/// Velocity and angular velocity of the one grain, on all ranks.
Vec6 velocity_of(const Simulation& run) {
  std::vector<double> v(6, 0.0);
  const Store& store = run.store();
  if (store.n_owned == 1) {
    const std::int32_t slot = store.first_owned();
    Eigen::Map<Vec6>(v.data()) << store.velocity[slot], store.angular_velocity[slot];
  }
  sum_over_ranks(run.comm(), v);
  return Vec6(v.data());
}

// A prolate spheroid that falls askew drifts sideways: v = R diag(1/k) R^T F / eta with Perrin's k.
TEST(Overdamped, AnEllipsoidThatFallsAskewDriftsSideways) {
  const double angle = 0.6;
  Simulation run = simulation(lone("type: ellipsoid, semi_axes: [0.1, 0.1, 0.4]", angle,
                                   "viscosity: 0.5", "forces: {weight: {force: [0, 0, -2]}}"));
  run.step();
  const Vec3 k = stokes_resistance(Ellipsoid{{0.1, 0.1, 0.4}})->linear;
  const double along = -2.0 * std::cos(angle) / (0.5 * k.z());
  const double across = -2.0 * std::sin(angle) / (0.5 * k.x());
  const Vec6 v = velocity_of(run);
  EXPECT_NEAR(v[0], along * std::sin(angle) - across * std::cos(angle), 1e-13);
  EXPECT_NEAR(v[2], along * std::cos(angle) + across * std::sin(angle), 1e-13);
  EXPECT_GT(std::abs(v[0]), 0.1 * std::abs(v[2]));
  EXPECT_LT(v.tail<3>().norm(), 1e-13);
}

// Paper 001, eq. 27: U = F/(xi l) and Omega = 12 T/(xi l^3), whatever the axis; l has the half
// balls, and buoyancy is 0.
TEST(Overdamped, ACapsuleFeelsLocalDragByItsLength) {
  Simulation run =
      simulation(lone("type: capsule, radius: 0.25, length: 1.5", 0.6, "drag: local, viscosity: 3",
                      "forces: {pull: {force: [1, 2, 3], torque: [0.5, -1, 2]}}"));
  const StepResult& result = run.step();
  const Vec6 v = velocity_of(run);
  const Vec3 torque(0.5, -1, 2);
  EXPECT_LT((v.head<3>() - Vec3(1, 2, 3) / (3.0 * 2.0)).norm(), 1e-14);
  EXPECT_LT((v.tail<3>() - 12.0 * torque / (3.0 * 8.0)).norm(), 1e-14);
  EXPECT_NEAR(result.load_power.fields, v.dot((Vec6() << 1, 2, 3, torque).finished()), 1e-13);
  EXPECT_NEAR(result.load_power.drag, -result.load_power.fields, 1e-12);
}

/// The time that the spheroid of aspect ratio 3 takes for half a turn in a shear of 1/s, by steps
/// of @p dt.
double half_turn(double dt) {
  Simulation run = simulation(lone("type: ellipsoid, semi_axes: [0.1, 0.1, 0.3]", 0.0,
                                   "viscosity: 0.5, velocity: [z, 0, 0]", "forces: {}"),
                              {fmt::format("time.dt={}", dt)});
  double angle = 0.0;
  while (true) {
    run.step();
    const double turn = dt * velocity_of(run)[4];
    if (angle + turn >= std::numbers::pi) {
      return run.time() - dt * (1.0 - (std::numbers::pi - angle) / turn);
    }
    angle += turn;
  }
}

// Jeffery's period in a shear of rate G is 2 pi (r + 1/r)/G for a full turn. The rate is that at
// the start of a step: the error over a period of a smooth rate is of second order or better for
// Euler's steps (the rate is periodic in the angle), and first order is what is asked: 1 % at the
// longer step, and half of what it was, or 1e-6, at the shorter.
TEST(Overdamped, ASpheroidTurnsInAShearByJefferysPeriod) {
  const double expected = std::numbers::pi * (3.0 + 1.0 / 3.0);
  const double coarse = std::abs(half_turn(0.1) / expected - 1.0);
  const double fine = std::abs(half_turn(0.05) / expected - 1.0);
  EXPECT_LT(coarse, 0.01);
  EXPECT_LT(fine, std::max(0.6 * coarse, 1e-6));
}

// Inertial, with drag of an ellipsoid that spins askew about a principal axis while it is pushed:
// field and drag power times dt are the change of kinetic energy. Exact for translation and for a
// spin about a principal axis, to rounding.
TEST(Inertial, WorkOfFieldsAndDragIsTheChangeOfKineticEnergy) {
  Simulation run =
      simulation(lone("type: ellipsoid, semi_axes: [0.1, 0.2, 0.4]", 0.6, "viscosity: 20",
                      "forces: {pull: {force: [30, 5, -20], torque: [0, 3, 0]}}"),
                 {"dynamics=inertial", "bodies.one.velocity=[0.3, -1, 2]"});
  const auto kinetic = [&run] {
    return energies(run.comm(), run.store(), Vec3::Zero(), {}, 0.0).kinetic;
  };
  for (int i = 0; i < 20; ++i) {
    const double before = kinetic();
    const StepResult& result = run.step();
    const double work = 0.01 * (result.load_power.fields + result.load_power.drag);
    EXPECT_NEAR(kinetic() - before, work, 1e-12 * (before + std::abs(work)));
    EXPECT_LT(result.load_power.drag, 0.0);
  }
}

TEST(Overdamped, ShapesWithoutAClosedFormAreRefusedWithARemedy) {
  const std::string capsule = "type: capsule, radius: 0.25, length: 1.5";
  try {
    simulation(lone(capsule, 0.0, "viscosity: 1", "forces: {}"));
    FAIL() << "not refused";
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("fluid"), std::string::npos);
    EXPECT_NE(text.find("\"one\" has grains of type capsule"), std::string::npos) << text;
    EXPECT_NE(text.find("`drag: local`"), std::string::npos);
  }
}

}  // namespace
}  // namespace scree::test::overdamped_test
