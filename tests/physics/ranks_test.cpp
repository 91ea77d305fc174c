// ranks: 2 3 4
/// The result does not depend on the number of ranks: a bed that falls together, on all ranks and
/// on one, solved to 1e-10 in every step. New cuts are asked for often, so that grains and their
/// impulses change ranks on the way. Of the forces the sum over all walls is compared: where
/// contacts are redundant, each wall's share is not unique.

#include <gtest/gtest.h>

#include "scree/base/parallel.hpp"
#include "scree/step/energies.hpp"
#include "support/simulate.hpp"

namespace scree::test::ranks_test {
namespace {

constexpr const char* kBed = R"(
time: {dt: 2e-3, end: 1}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0.4}]
bodies:
  bed:
    material: stone
    radii: {type: uniform, min: 0.01, max: 0.02}
    place: {type: box, low: [0, 0, 0], high: [0.24, 0.24, 0.4], count: 300, seed: 5}
    velocity: [0.3, 0.1, -1.0]
tools:
  floor: {material: stone, shape: {type: plane}}
  left: {material: stone, shape: {type: plane}, normal: [1, 0, 0]}
  right: {material: stone, shape: {type: plane}, position: [0.24, 0, 0], normal: [-1, 0, 0]}
  front: {material: stone, shape: {type: plane}, normal: [0, 1, 0]}
  back: {material: stone, shape: {type: plane}, position: [0, 0.24, 0], normal: [0, -1, 0]}
solver: {tolerance: 1e-10}
balance: {bound: 1.02}
)";

Vec3 force_on_tools(const StepResult& result) {
  Vec3 sum = Vec3::Zero();
  for (const Wrench& wrench : result.wrenches) sum += wrench.force;
  return sum;
}

TEST(Ranks, TheBedFallsAlikeOnOneAndOnAll) {
  const RunConfig config = read_run_config(kBed, "test.yaml");
  Simulation alone(MPI_COMM_SELF, config);
  Simulation together(MPI_COMM_WORLD, config);
  const double weight = energies(MPI_COMM_SELF, alone.store(), config.gravity).mass * 9.81;
  std::int64_t migrated = 0;
  for (int i = 0; i < 40; ++i) {
    const StepResult& one = alone.step();
    const StepResult& all = together.step();
    migrated += sum_over_ranks(MPI_COMM_WORLD, all.traffic.migrated);
    ASSERT_EQ(all.impact.report.status, Status::converged) << "step " << i;
    ASSERT_EQ(all.figures.potential, one.figures.potential) << "step " << i;
    const Energies a = energies(MPI_COMM_SELF, alone.store(), config.gravity);
    const Energies b = energies(MPI_COMM_WORLD, together.store(), config.gravity);
    ASSERT_NEAR(b.kinetic, a.kinetic, 1e-6 * a.kinetic) << "step " << i;
    ASSERT_NEAR(b.potential, a.potential, 1e-8 * std::abs(a.potential)) << "step " << i;
    ASSERT_LT((force_on_tools(all) - force_on_tools(one)).norm(), 1e-4 * weight) << "step " << i;
  }
  EXPECT_GT(migrated, 0);
}

}  // namespace
}  // namespace scree::test::ranks_test
