// ranks: 1 2 3 4, mostly 3
/// Runs in periodic cells: momentum is conserved across the sides, the number of ranks is of no
/// matter, a checkpoint carries what was wrapped, and tools have images.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "scree/base/parallel.hpp"
#include "scree/step/energies.hpp"
#include "support/simulate.hpp"
#include "support/temporary_folder.hpp"

namespace scree::test::periodic_test {
namespace {

const MPI_Comm kWorld = MPI_COMM_WORLD;

/// A gas that fills a cell, periodic in all directions.
constexpr const char* kGas = R"(
time: {dt: 2e-3, end: 1}
gravity: [0, 0, 0]
periodic: {x: [0, 0.3], y: [0, 0.3], z: [0, 0.3]}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0.5}]
bodies:
  low:
    material: stone
    radii: {type: uniform, min: 0.01, max: 0.02}
    place: {type: box, low: [0, 0, 0], high: [0.3, 0.3, 0.14], count: 80, seed: 1}
    velocity: [1.0, 0.5, 1]
  high:
    material: stone
    radii: {type: uniform, min: 0.01, max: 0.02}
    place: {type: box, low: [0, 0, 0.16], high: [0.3, 0.3, 0.3], count: 80, seed: 2}
    velocity: [-1.5, 0.2, -1]
)";

TEST(Periodic, MomentumIsConservedAcrossTheSides) {
  Simulation gas = simulation(kGas);
  const Energies start = energies(kWorld, gas.store(), Vec3::Zero());
  std::int64_t closed = 0;
  const int steps = 60;
  for (int i = 0; i < steps; ++i) closed += gas.step().figures.closed;
  const Energies end = energies(kWorld, gas.store(), Vec3::Zero());
  EXPECT_GT(closed, 500);
  EXPECT_LT(end.kinetic, 0.9 * start.kinetic);
  EXPECT_LT((end.momentum - start.momentum).norm(), 1e-15 * 160 * steps * start.mass * 1.5);
  std::int64_t through = 0;
  for (std::int32_t i = gas.store().first_owned(); i < gas.store().end_owned(); ++i) {
    const Vec3& x = gas.store().position[i];
    EXPECT_TRUE((x.array() >= 0.0).all() && (x.array() < 0.3).all());
    if (!gas.store().wraps[i].isZero()) ++through;
  }
  EXPECT_GT(sum_over_ranks(kWorld, through), 50);
}

/// A bed between two walls, periodic across, on a slope along which it slides off.
constexpr const char* kChannel = R"(
time: {dt: 2e-3, end: 1}
gravity: [5, 0, -8]
periodic: {x: [0, 0.2], y: [-0.1, 0.1]}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0.3}]
bodies:
  bed:
    material: stone
    radii: {type: uniform, min: 0.01, max: 0.02}
    place: {type: box, low: [0, -0.1, 0], high: [0.2, 0.1, 0.25], count: 80, seed: 3}
    velocity: [2.0, 0.5, -1.0]
tools:
  floor: {material: stone, shape: {type: plane}}
  bar:
    material: stone
    shape: {type: box, size: [0.04, 0.3, 0.02]}
    position: [0.19, 0, 0.01]
    motion: {type: velocity, velocity: [1, 0, 0]}
solver: {tolerance: 1e-10}
balance: {bound: 1.02}
)";

/// Where each grain went, by its id. Collective.
std::map<std::int64_t, Vec3> end_positions(const Simulation& simulation) {
  const std::int64_t n = 80;
  std::vector<double> x(3 * n, 0.0);
  const Store& store = simulation.store();
  for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
    const std::size_t id = store.id[i];
    const Vec3 at = unwrapped(store, simulation.config().periodic.cell(), i);
    for (std::size_t k = 0; k < 3; ++k) x.at(3 * id + k) = at[static_cast<Eigen::Index>(k)];
  }
  sum_over_ranks(simulation.comm(), x);
  std::map<std::int64_t, Vec3> result;
  for (std::int64_t id = 0; id < n; ++id) {
    result[id] = Vec3(&x[3 * id]);
  }
  return result;
}

void expect_same_ways(const Simulation& a, const Simulation& b) {
  const auto ways_a = end_positions(a);
  for (const auto& [id, x] : end_positions(b)) {
    ASSERT_LT((x - ways_a.at(id)).norm(), 1e-5) << "grain " << id;
  }
}

TEST(Periodic, TheBedSlidesAlikeOnOneRankAndOnAll) {
  const RunConfig config = read_run_config(kChannel, "test.yaml");
  Simulation alone(MPI_COMM_SELF, config);
  Simulation together(kWorld, config);
  for (int i = 0; i < 40; ++i) {
    const StepResult& one = alone.step();
    const StepResult& all = together.step();
    ASSERT_EQ(all.impact.report.status, Status::converged) << "step " << i;
    ASSERT_EQ(all.figures.potential, one.figures.potential) << "step " << i;
  }
  expect_same_ways(alone, together);
  double farthest = 0.0;
  for (const auto& [id, x] : end_positions(together)) farthest = std::max(farthest, x.x());
  EXPECT_GT(farthest, 0.25) << "some must have gone through the side";
}

TEST(Periodic, ACheckpointCarriesTheImagesToAnyNumberOfRanks) {
  const RunConfig config = read_run_config(kChannel, "test.yaml");
  const TemporaryFolder folder(kWorld);
  const auto file = folder.path() / "checkpoint_00000025.h5";
  Simulation whole(kWorld, config);
  run(whole, 25);
  write_checkpoint(kWorld, file, checkpoint(whole));
  Simulation all(kWorld, config, read_checkpoint(kWorld, file));
  Simulation one(MPI_COMM_SELF, config, read_checkpoint(MPI_COMM_SELF, file));
  expect_same_ways(whole, all);
  expect_same_ways(whole, one);
  run(whole, 10);
  run(all, 10);
  run(one, 10);
  expect_same_ways(whole, all);
  expect_same_ways(whole, one);
}

TEST(Periodic, ABallRestsOnTheImageOfATool) {
  const double radius = 0.05;
  const double weight = 2600.0 * 4.0 / 3.0 * std::numbers::pi * std::pow(radius, 3) * 10.0;
  Simulation ball = simulation(fmt::format(R"(
time: {{dt: 1e-3, end: 1}}
gravity: [0, 0, -10]
periodic: {{x: [0, 1]}}
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: 0.4}}]
bodies:
  ball:
    material: stone
    radii: {{type: list, values: [{}]}}
    place: {{type: points, positions: [[0.98, 0, 0.05]]}}
tools:
  table: {{material: stone, shape: {{type: box, size: [0.1, 0.1, 0.02]}}, position: [3.01, 0, -0.01]}}
solver: {{tolerance: 1e-10}}
)",
                                           radius));
  for (int i = 0; i < 20; ++i) {
    const Wrench wrench = ball.step().wrenches.at(0);
    EXPECT_LT((wrench.force + weight * Vec3::UnitZ()).norm(), 1e-6 * weight);
    EXPECT_NEAR(wrench.torque.y(), -0.03 * weight, 1e-6 * weight) << "the arm is -3 cm along x";
  }
}

std::string error_of(const std::string& yaml) {
  try {
    Simulation(kWorld, read_run_config(yaml, "test.yaml"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

std::string channel_with(const std::string& before, const std::string& after) {
  std::string text = kChannel;
  text.replace(text.find(before), before.size(), after);
  return text;
}

TEST(Periodic, ACellTooNarrowForItsGrainsIsRefused) {
  const std::string error = error_of(channel_with("y: [-0.1, 0.1]", "y: [-0.03, 0.03]"));
  EXPECT_NE(error.find("periodic.y: its period of 0.06 m"), std::string::npos) << error;
  EXPECT_NE(error.find("allowed: 0.08"), std::string::npos) << error;
}

TEST(Periodic, AWallAcrossAPeriodicDirectionIsRefused) {
  const std::string error =
      error_of(channel_with("shape: {type: plane}}", "shape: {type: plane}, normal: [1, 0, 1]}"));
  EXPECT_NE(error.find("the plane \"floor\" is without end in the periodic direction x"),
            std::string::npos)
      << error;
}

TEST(Periodic, EndsInTheWrongOrderAreRefused) {
  const std::string error = error_of(channel_with("y: [-0.1, 0.1]", "y: [0.1, -0.1]"));
  EXPECT_NE(error.find("periodic.y"), std::string::npos) << error;
  EXPECT_NE(error.find("the lower first"), std::string::npos) << error;
}

}  // namespace
}  // namespace scree::test::periodic_test
