// ranks: 1 2 4
/// A run that goes on from a checkpoint, on the same or another number of ranks, is the run that
/// was not interrupted: to the solver's tolerance, and bit for bit on one rank. A wall moves,
/// grains leave the box and are removed or come into one, others are inserted, and impulses of the
/// step before start the next.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <utility>

#include "scree/base/parallel.hpp"
#include "scree/io/run_folder/seal.hpp"
#include "scree/problem/measure.hpp"
#include "scree/step/energies.hpp"
#include "support/simulate.hpp"
#include "support/temporary_folder.hpp"

namespace scree::test::restart_test {
namespace {

constexpr const char* kBed = R"(
time: {dt: 2e-3, end: 1}
keep_inside: {low: [0.03, -1, -1], high: [1, 1, 1]}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0.4}]
bodies:
  bed:
    material: stone
    radii: {type: uniform, min: 0.01, max: 0.02}
    place: {type: box, low: [0.02, 0, 0], high: [0.26, 0.24, 0.4], count: 200, seed: 3}
    velocity: [-0.3, 0.1, -1.0]
insertions:
  rain:
    populations:
      coarse: {material: stone, share: 1, radii: {type: uniform, min: 0.015, max: 0.02}}
      fine: {material: stone, share: 1, radii: {type: list, values: [0.01]}}
    region: {type: box, low: [0.05, 0.02, 0.5], high: [0.2, 0.2, 0.62]}
    rate: 40
    start: 0.01
    velocity: [0, 0, -2]
removal_boxes:
  hole: {low: [0.03, 0, -1], high: [0.1, 0.24, 0.035]}
tools:
  floor: {material: stone, shape: {type: plane}}
  right:
    material: stone
    shape: {type: plane}
    position: [0.26, 0, 0]
    normal: [-1, 0, 0]
    motion: {type: velocity, velocity: [-0.2, 0, 0], start: 0.01}
  front: {material: stone, shape: {type: plane}, normal: [0, 1, 0]}
  back: {material: stone, shape: {type: plane}, position: [0, 0.24, 0], normal: [0, -1, 0]}
solver: {tolerance: 1e-10}
balance: {bound: 1.02}
debug: {fclib: {every: 1}}  # starts are kept
)";

constexpr int kBefore = 18;
constexpr int kAfter = 20;

/// A run until the checkpoint, and the checkpoint.
struct Interrupted {
  TemporaryFolder folder;
  std::filesystem::path file;

  explicit Interrupted(MPI_Comm comm, Simulation& simulation)
      : folder(comm), file(folder.path() / "checkpoint_00000018.h5") {
    run(simulation, kBefore);
    write_checkpoint(comm, file, checkpoint(simulation));
  }
};

Simulation continued(MPI_Comm comm, const std::filesystem::path& file) {
  EXPECT_EQ(fault_of_seal(comm, file), "");
  return Simulation(comm, read_run_config(kBed, "test.yaml"), read_checkpoint(comm, file));
}

/// One number of the run's state that depends on every grain.
struct Figures {
  Energies energy;
  std::int64_t grains;
  std::int64_t removed;
  std::int64_t discharged;
  std::int64_t inserted;
  std::int64_t contacts;
  Vec3 force = Vec3::Zero();
};

Figures figures_of(MPI_Comm comm, const Simulation& simulation, const StepResult& result) {
  const Store& store = simulation.store();
  Figures figures{energies(comm, store, simulation.config().gravity),
                  sum_over_ranks(comm, std::int64_t{store.n_owned}),
                  simulation.state().removed.left,
                  simulation.state().removed.discharged,
                  simulation.state().insertions[0].count,
                  result.figures.potential};
  for (const Wrench& wrench : result.wrenches) figures.force += wrench.force;
  return figures;
}

std::vector<Figures> run_on(MPI_Comm comm, Simulation& simulation) {
  std::vector<Figures> all;
  for (int i = 0; i < kAfter; ++i) {
    const StepResult& result = simulation.step();
    EXPECT_EQ(result.impact.report.status, Status::converged);
    EXPECT_EQ(result.clock.step, kBefore + i + 1);
    all.push_back(figures_of(comm, simulation, result));
  }
  return all;
}

void expect_alike(const std::vector<Figures>& found, const std::vector<Figures>& wanted) {
  const double weight = wanted[0].energy.mass * 9.81;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Energies& a = wanted[i].energy;
    const Energies& b = found[i].energy;
    ASSERT_EQ(found[i].grains, wanted[i].grains) << "step " << i;
    ASSERT_EQ(found[i].removed, wanted[i].removed) << "step " << i;
    ASSERT_EQ(found[i].discharged, wanted[i].discharged) << "step " << i;
    ASSERT_EQ(found[i].inserted, wanted[i].inserted) << "step " << i;
    ASSERT_EQ(found[i].contacts, wanted[i].contacts) << "step " << i;
    ASSERT_NEAR(b.kinetic, a.kinetic, 1e-6 * a.kinetic) << "step " << i;
    ASSERT_NEAR(b.potential, a.potential, 1e-8 * std::abs(a.potential)) << "step " << i;
    ASSERT_LT((found[i].force - wanted[i].force).norm(), 1e-4 * weight) << "step " << i;
  }
}

TEST(Restart, TheStateIsReadBackAsItWas) {
  Simulation simulation = test::simulation(kBed);
  const Interrupted at(MPI_COMM_WORLD, simulation);
  const Simulation again = continued(MPI_COMM_WORLD, at.file);
  EXPECT_EQ(again.n_steps(), simulation.n_steps());
  EXPECT_EQ(again.time(), simulation.time());
  EXPECT_EQ(again.state().removed.left, simulation.state().removed.left);
  EXPECT_GT(again.state().removed.left, 0);
  const CheckpointContent a = checkpoint(simulation);
  const CheckpointContent b = checkpoint(again);
  EXPECT_EQ(b.integers, a.integers);
  EXPECT_EQ(b.reals, a.reals);
  for (const StateGroup& group : a.groups) {
    const auto& arrays = b.group(group.name);
    ASSERT_EQ(arrays.size(), group.arrays.size());
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      const auto rows = [](const NumberArray& array) {
        return sum_over_ranks(MPI_COMM_WORLD, array.rows());
      };
      EXPECT_EQ(arrays[i].name, group.arrays[i].name);
      EXPECT_EQ(rows(arrays[i]), rows(group.arrays[i])) << arrays[i].name;
      if (size_of(MPI_COMM_WORLD) == 1) {
        EXPECT_EQ(arrays[i].values, group.arrays[i].values) << group.name << " " << arrays[i].name;
      }
    }
  }
}

TEST(Restart, OnAnyNumberOfRanksItIsTheRunThatWasNotInterrupted) {
  Simulation simulation = test::simulation(kBed);
  const Interrupted at(MPI_COMM_WORLD, simulation);
  const std::vector<Figures> wanted = run_on(MPI_COMM_WORLD, simulation);
  EXPECT_GT(wanted.back().removed, wanted.front().removed);
  EXPECT_GT(wanted.front().inserted, 0);
  EXPECT_GT(wanted.back().inserted, wanted.front().inserted + 10);
  EXPECT_GT(wanted.back().discharged, 0);
  for (int size = 1; size <= size_of(MPI_COMM_WORLD); ++size) {
    SCOPED_TRACE(fmt::format("{} -> {} ranks", size_of(MPI_COMM_WORLD), size));
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank_of(MPI_COMM_WORLD) < size ? 0 : MPI_UNDEFINED, 0, &comm);
    if (comm != MPI_COMM_NULL) {
      {
        Simulation again = continued(comm, at.file);
        expect_alike(run_on(comm, again), wanted);
      }
      MPI_Comm_free(&comm);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

TEST(Restart, FromOneRankToAll) {
  Simulation alone(MPI_COMM_SELF, read_run_config(kBed, "test.yaml"));
  TemporaryFolder folder(MPI_COMM_WORLD);
  run(alone, kBefore);
  const std::filesystem::path file = folder.path() / "c.h5";
  if (rank_of(MPI_COMM_WORLD) == 0) write_checkpoint(MPI_COMM_SELF, file, checkpoint(alone));
  MPI_Barrier(MPI_COMM_WORLD);
  Simulation all = continued(MPI_COMM_WORLD, file);
  expect_alike(run_on(MPI_COMM_WORLD, all), run_on(MPI_COMM_SELF, alone));
}

TEST(Restart, OnOneRankBitForBit) {
  Simulation simulation(MPI_COMM_SELF, read_run_config(kBed, "test.yaml"));
  const Interrupted at(MPI_COMM_SELF, simulation);
  Simulation again = continued(MPI_COMM_SELF, at.file);
  run(simulation, kAfter);
  run(again, kAfter);
  const CheckpointContent a = checkpoint(simulation);
  const CheckpointContent b = checkpoint(again);
  EXPECT_EQ(b.integers, a.integers);
  EXPECT_EQ(b.reals, a.reals);
  for (const StateGroup& group : a.groups) {
    for (std::size_t i = 0; i < group.arrays.size(); ++i) {
      EXPECT_EQ(b.group(group.name)[i].values, group.arrays[i].values)
          << group.name << " " << group.arrays[i].name;
    }
  }
}

/// The impulses that the solve of the next step starts from.
struct Start {
  PetscReal norm = 0.0;
  double residual = 0.0;  ///< tells whether each stands at its contact
};

Start start_of(Simulation& simulation) {
  const StepResult& result = simulation.step();
  Start start;
  SCREE_PETSC(VecNorm(result.guess.get(), NORM_2, &start.norm));
  start.residual = Measurer(result.formulated.problem).measure(result.guess.get()).residual;
  return start;
}

TEST(Restart, TheFirstStepStartsFromTheImpulsesOfTheLast) {
  Simulation simulation = test::simulation(kBed);
  const Interrupted at(MPI_COMM_WORLD, simulation);
  Simulation warm = continued(MPI_COMM_WORLD, at.file);
  CheckpointContent without = read_checkpoint(MPI_COMM_WORLD, at.file);
  for (StateGroup& group : without.groups) {
    if (group.name != "contacts") continue;
    for (NumberArray& array : group.arrays) {
      std::visit([](auto& values) { values.clear(); }, array.values);
    }
  }
  Simulation cold(MPI_COMM_WORLD, read_run_config(kBed, "test.yaml"), without);
  const Start goes = start_of(simulation);
  const Start again = start_of(warm);
  const Start none = start_of(cold);
  EXPECT_GT(goes.norm, 0.0);
  EXPECT_NEAR(again.norm, goes.norm, 1e-9 * goes.norm);  // sums over other cuts
  EXPECT_NEAR(again.residual, goes.residual, 1e-6 * goes.residual);
  EXPECT_EQ(none.norm, 0.0);
  EXPECT_LT(again.residual, none.residual);
}

TEST(Restart, AToolThatWouldJumpIsRefused) {
  Simulation simulation = test::simulation(kBed);
  const Interrupted at(MPI_COMM_WORLD, simulation);
  const auto with = [&](const std::string& override) {
    return Simulation(MPI_COMM_WORLD, read_run_config(kBed, "test.yaml", {override}),
                      read_checkpoint(MPI_COMM_WORLD, at.file));
  };
  EXPECT_THROW(with("tools.right.motion.velocity=[-0.4, 0, 0]"), InputError);
  EXPECT_THROW(with("tools.floor.position=[0, 0, 0.001]"), InputError);
  EXPECT_THROW(with("tools.right.normal=[-1, 0, 0.1]"), InputError);
  EXPECT_NO_THROW(with("tools.right.motion.stop=0.05"));  // later than the checkpoint
}

}  // namespace
}  // namespace scree::test::restart_test
