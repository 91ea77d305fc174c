// ranks: 1 2 4, mostly 2
/// A colony of cells that lengthen and divide (paper 001, section 4.3), in a plane, without
/// friction and inertia, by ReLCP.
///
/// Lengths, ids and lineage are a function of the seed alone, and must be the same bit for bit on
/// any number of ranks and after a restart. Places come from solves to 1e-10 of velocities of 1
/// m/s, whose differences the 300 steps of 0.005 s add up and the colony's buckling makes grow:
/// asked is 1e-5 m of a radius of 0.25 m. At the end of a step, cells overlap by what they have
/// grown towards each other in it, at most l (exp(rate dt) - 1), by what daughters turned into each
/// other, at most their half lengths times `turn` each, and the tolerance of the recursion.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "scree/base/parallel.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"
#include "scree/geometry/shapes/capsule.hpp"
#include "scree/io/state/checkpoint.hpp"
#include "support/simulate.hpp"
#include "support/temporary_folder.hpp"

namespace scree::test::growth_test {
namespace {

constexpr double kDt = 0.005;
constexpr double kTurn = 0.01;
constexpr double kLongest = 4.4;  // m, at division

const char* const kColony = R"(
time: {dt: 0.005, end: 10}
dynamics: overdamped
gravity: [0, 0, 0]
fluid: {drag: local, viscosity: 1}
materials: {cell: {density: 1}}
friction: [{between: [cell, cell], mu: 0}]
bodies:
  cells:
    material: cell
    shape: {type: capsule, radius: 0.25, length: 1.5}
    orientation: {axis: [0, 1, 0], angle: 1.5707963267948966}
    fix: [z, rotation_x, rotation_y]
    place: {type: points, positions: [[0, 0, 0], [0.5, 0.55, 0]]}
growth:
  cells: {groups: [cells], rate: 1, division_length: 4, spread: 0.1, turn: 0.01, seed: 3}
contact: {constraints: relcp}
solver: {method: nsgs, tolerance: 1e-10, on_not_converged: abort}
)";

/// A cell as a row of numbers: parent, generation, length; then its place and axis.
using Cell = std::vector<double>;

/// The cells of all ranks, by id.
std::map<std::int64_t, Cell> cells(const Simulation& run) {
  const Store& store = run.store();
  std::vector<double> rows(static_cast<std::size_t>(run.state().next_id) * 9, 0.0);
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    double* row = &rows[9 * static_cast<std::size_t>(store.id[slot])];
    const Vec3 axis = store.orientation[slot] * Vec3::UnitZ();
    row[0] = static_cast<double>(store.parent[slot]);
    row[1] = store.generation[slot];
    row[2] = store.shape[slot].get<Capsule>().length;
    Eigen::Map<Vec3>(row + 3) = store.position[slot];
    Eigen::Map<Vec3>(row + 6) = axis;
  }
  sum_over_ranks(run.comm(), rows);
  std::map<std::int64_t, Cell> all;
  for (std::int64_t id = 0; id < run.state().next_id; ++id) {
    const auto row = rows.begin() + 9 * id;
    all[id] = Cell(row, row + 9);
  }
  return all;
}

/// Lineage and lengths bit for bit, places within @p bound.
void expect_same(const std::map<std::int64_t, Cell>& found,
                 const std::map<std::int64_t, Cell>& wanted, double bound) {
  ASSERT_EQ(found.size(), wanted.size());
  for (const auto& [id, cell] : wanted) {
    const Cell& other = found.at(id);
    for (std::size_t k = 0; k < 3; ++k) ASSERT_EQ(other[k], cell[k]) << "cell " << id;
    for (std::size_t k = 3; k < 9; ++k) ASSERT_NEAR(other[k], cell[k], bound) << "cell " << id;
  }
}

/// The deepest overlap of all pairs, each with each, on one rank, m.
double deepest_overlap(const Store& store) {
  double deepest = 0.0;
  for (std::int32_t a = store.first_owned(); a < store.end_owned(); ++a) {
    for (std::int32_t b = store.first_owned(); b < a; ++b) {
      const Manifold points = contacts_between(store.shape[a], pose_of(store, a), store.shape[b],
                                               pose_of(store, b), *store.shapes, 0.0);
      deepest = std::max(deepest, -points.deepest().gap);
    }
  }
  return deepest;
}

// Two cells become eight in two divisions: after ln 2 / rate each, within the spread.
TEST(Growth, AColonyIsTheSameOnAnyRanksAndKeepsApart) {
  const RunConfig config = read_run_config(kColony, "test.yaml");
  Simulation alone(MPI_COMM_SELF, config);
  Simulation together(MPI_COMM_WORLD, config);
  double deepest = 0.0;
  for (int i = 0; i < 300; ++i) {
    const std::int64_t potential = alone.step().figures.potential;
    ASSERT_EQ(together.step().figures.potential, potential) << "step " << i;
    deepest = std::max(deepest, deepest_overlap(alone.store()));
  }
  EXPECT_EQ(alone.store().n_owned, 8);
  expect_same(cells(together), cells(alone), 1e-5);
  EXPECT_GT(deepest, 0.0) << "cells must have met";
  EXPECT_LT(deepest, kLongest * (std::expm1(kDt) + 2.0 * 0.25 * kTurn) + 1e-5 * 0.25);
}

TEST(Growth, GoesOnFromACheckpointAsTheSameColony) {
  const RunConfig config = read_run_config(kColony, "test.yaml");
  const TemporaryFolder folder(MPI_COMM_WORLD);
  const std::filesystem::path file = folder.path() / "checkpoint_00000145.h5";
  Simulation whole(MPI_COMM_WORLD, config);
  run(whole, 145);
  write_checkpoint(MPI_COMM_WORLD, file, checkpoint(whole));
  Simulation again(MPI_COMM_WORLD, config, read_checkpoint(MPI_COMM_WORLD, file));
  Simulation alone(MPI_COMM_SELF, config, read_checkpoint(MPI_COMM_SELF, file));
  const std::int64_t before = whole.state().next_id;
  for (Simulation* one : {&whole, &again, &alone}) run(*one, 40);
  EXPECT_EQ(before, 3) << "one cell has divided";
  EXPECT_EQ(whole.state().next_id, 4) << "and the other, after the restart";
  expect_same(cells(again), cells(whole), 1e-9);
  expect_same(cells(alone), cells(whole), 1e-5);
}

// A cell that crosses a periodic side divides there: both daughters are in the cell, and no place
// is lost.
TEST(Growth, DividesAcrossAPeriodicSide) {
  Simulation run = simulation(kColony, {"periodic.x=[0, 10]", "time.dt=0.005",
                                        "bodies.cells.place.positions=[[0.2, 0, 0], [5, 5, 0]]"});
  test::run(run, 160);
  std::map<std::int64_t, Cell> all = cells(run);
  ASSERT_EQ(all.size(), 4U);
  for (const auto& [id, cell] : all) {
    EXPECT_GE(cell[3], 0.0);
    EXPECT_LT(cell[3], 10.0);
  }
  // the first mother was about 0.2: one daughter is on each side of the seam
  const auto daughter =
      std::ranges::find_if(all, [](const auto& one) { return one.second[0] == 0.0; });
  ASSERT_NE(daughter, all.end());
  EXPECT_GT(std::abs(all.at(0)[3] - daughter->second[3]), 5.0);
}

TEST(Growth, IsRefusedWithTheKeyAndTheRemedy) {
  const auto message = [](const std::string& override) {
    try {
      simulation(kColony, {override});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("nothing was refused");
  };
  EXPECT_NE(message("growth.cells.groups=[cell]").find("did you mean \"cells\""),
            std::string::npos);
  EXPECT_NE(message("time.dt=0.02").find("allowed: time.dt up to"), std::string::npos);
  EXPECT_NE(
      message("bodies.cells.shape={type: ellipsoid, semi_axes: [1, 1, 2]}").find("only capsules"),
      std::string::npos);
  // thin cells grow by more than a tenth of their radius where thick ones do not
  EXPECT_NE(message("bodies.cells.radii={type: uniform, min: 0.05, max: 0.5}")
                .find("cells: cells: cells grow towards each other"),
            std::string::npos);
  EXPECT_NE(message("growth.cells.division_length=0.9").find("shorter than their diameter"),
            std::string::npos);
}

}  // namespace
}  // namespace scree::test::growth_test
