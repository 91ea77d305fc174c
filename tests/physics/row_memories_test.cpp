// ranks: 1 2 4, mostly 2
/// Forces of rows of other sources than contacts: joints and ropes remember theirs, which act on
/// grains as Newton says, and neither depends on the ranks or on a restart.

#include "scree/step/row_source.hpp"

#include <gtest/gtest.h>

#include <map>

#include "scree/step/grain_forces.hpp"
#include "support/made_rows.hpp"
#include "support/sourced_run.hpp"

namespace scree::test::row_memories_test {
namespace {

using namespace sourced;

TEST(RowMemories, ContactsAndJointsStartFromTheirLastForces) {
  SourcedRun run(MPI_COMM_WORLD, {joints()});
  run.setup.keeps_starts = true;
  run.steps(5);
  const std::map<std::int64_t, Vec3> before = forces(run, 0);
  EXPECT_GT(before.at(11).norm(), 0.2 * kWeight);
  run.step();
  const SolvedContacts& step = run.result;
  const petsc::ConstView guess(step.guess.get());
  const GivenRows& given = step.sourced.rows;
  const std::size_t first = step.formulated.problem.cones.row(step.contacts.size());
  for (std::size_t i = 0; i < given.key.size(); ++i) {
    const Vec3 start = Vec3(&guess.span()[first + given.cones.row(i)]) / run.config.time.dt;
    EXPECT_LT((start - before.at(given.key[i])).norm(), 1e-9 * kWeight);
  }
  double of_contacts = 0.0;
  for (std::size_t i = 0; i < step.contacts.size(); ++i) {
    if (step.contacts[i].key.id_b != kWorld) continue;
    of_contacts += guess[step.formulated.contact_rows().normal(i)] / run.config.time.dt;
  }
  EXPECT_NEAR(sum_over_ranks(MPI_COMM_WORLD, of_contacts), kBed * kWeight, 1e-3 * kWeight);
}

void expect_alike(const Whole& a, const Whole& b, double tolerance) {
  for (const auto& [id, body] : a) EXPECT_LE((body - b.at(id)).norm(), tolerance) << id;
}

TEST(RowMemories, DoNotDependOnTheRanks) {
  SourcedRun one(MPI_COMM_SELF, {joints()});
  SourcedRun many(MPI_COMM_WORLD, {joints()});
  one.steps(100);
  many.steps(100);
  expect_alike(gathered(MPI_COMM_SELF, one.state.bodies),
               gathered(MPI_COMM_WORLD, many.state.bodies), 1e-6);
}

/// Newton's law of each grain, to the rounding of velocities over a step.
TEST(RowMemories, ForcesOnGrainsAreOfThemAndOfContacts) {
  SourcedRun run(MPI_COMM_WORLD, {joints(), rope()});
  const double dt = run.config.time.dt;
  const double mass = kWeight / 9.81;
  for (int i = 0; i < 10; ++i) {
    const Whole before = gathered(MPI_COMM_WORLD, run.state.bodies);
    std::vector<double> all(6 * (kBed + 2), 0.0);
    const auto every = [](std::int64_t, std::int32_t) { return true; };
    for (const ForceOnGrain& one : forces_on_grains(run.step(), every)) {
      Vec6::Map(&all[6 * one.id]) << one.force, one.torque;
    }
    sum_over_ranks(MPI_COMM_WORLD, all);
    for (const auto& [id, body] : gathered(MPI_COMM_WORLD, run.state.bodies)) {
      const Vec6 change = (body - before.at(id)).tail<6>() / dt;
      const Vec6 force(&all[6 * id]);
      const Vec3 weight(0, 0, -kWeight);
      EXPECT_LT((mass * change.head<3>() - weight - force.head<3>()).norm(), 1e-10 * kWeight);
      const double inertia = 0.4 * mass * kRadius * kRadius;
      EXPECT_LT((inertia * change.tail<3>() - force.tail<3>()).norm(), 1e-10 * kWeight * kRadius);
    }
  }
}

TEST(RowMemories, CheckpointsHoldTheirMemory) {
  SourcedRun run(MPI_COMM_WORLD, {joints(), rope()});
  run.steps(10);
  SourcedRun other(MPI_COMM_WORLD, {joints(), rope()});
  other.state = state_of(test::made(checkpoint_of(run.state, run.setup.dt)));
  const auto taut = [](const SourcedRun& of) {
    double sum = 0.0;
    for (const RowRecord& record : of.state.rows.at("ropes")) sum += record.state;
    return sum_over_ranks(MPI_COMM_WORLD, sum);
  };
  EXPECT_EQ(taut(run), 10.0);
  run.steps(20);
  other.steps(20);
  EXPECT_EQ(taut(run), taut(other));
  const double tolerance = size_of(MPI_COMM_WORLD) == 1 ? 0.0 : 1e-7;
  expect_alike(gathered(MPI_COMM_WORLD, run.state.bodies),
               gathered(MPI_COMM_WORLD, other.state.bodies), tolerance);
}

/// Half lines are cones that ipm takes: a grain on a rope that hangs straight.
TEST(RowMemories, AGrainHangsOnARope) {
  for (const char* method : {"ipm", "nsgs", "psor", "pgj"}) {
    SCOPED_TRACE(method);
    SourcedRun run(MPI_COMM_WORLD, {rope()}, fmt::format("method: {}, tolerance: 1e-9", method));
    for (int i = 0; i < 5; ++i) {
      const StepResult& step = run.step();
      EXPECT_NEAR(forces(run, 0).at(kBed + 1).x(), kWeight, 1e-6 * kWeight);
      EXPECT_NEAR(step.wrenches.at(0).force.z(), -kBed * kWeight, 1e-6 * kBed * kWeight);
    }
    const Whole bodies = gathered(MPI_COMM_WORLD, run.state.bodies);
    EXPECT_NEAR(bodies.at(kBed + 1)[2], kHeight, 1e-9);
    EXPECT_LT(bodies.at(kBed)[2], kHeight - 1e-5) << "the other falls";
  }
}

}  // namespace
}  // namespace scree::test::row_memories_test
