// ranks: 1 2 4, mostly 2
/// Rows of other sources than contacts: grains on joints swing beside a bed. What joints hold stays
/// together, the bed bears on the floor what it weighs, and methods that take no joints refuse
/// them.

#include "scree/step/row_source.hpp"

#include <gtest/gtest.h>

#include "scree/base/check.hpp"
#include "scree/solver/registry.hpp"
#include "support/sourced_run.hpp"

namespace scree::test::row_sources_test {
namespace {

using namespace sourced;

TEST(RowSources, JointsHoldAndTheBedBearsOnTheFloor) {
  for (const char* method : {"auto", "nsgs", "psor", "pgs", "apgd", "pac"}) {
    SCOPED_TRACE(method);
    SourcedRun run(MPI_COMM_WORLD, {joints()}, fmt::format("method: {}, tolerance: 1e-9", method));
    for (int i = 0; i < 20; ++i) {
      const StepResult& step = run.step();
      EXPECT_LT(largest_row_velocity(run), 1e-7);
      EXPECT_NEAR(force_on_floor(run).z(), -kBed * kWeight, 1e-6 * kBed * kWeight);
      EXPECT_EQ(step.wrenches.at(0).contacts, kBed - 2);
      const auto potential = static_cast<std::int64_t>(step.contacts.size());
      EXPECT_EQ(step.figures.potential, sum_over_ranks(MPI_COMM_WORLD, potential));
    }
  }
}

/// Rows of sources are those of each solve of a step, and impacts leave them alone.
TEST(RowSources, HoldByEachLawOfImpactsAndWayOfConstraints) {
  for (const char* key : {"contact.constraints=relcp", "impact.law=energetic"}) {
    SCOPED_TRACE(key);
    SourcedRun run(MPI_COMM_WORLD, {joints()}, "tolerance: 1e-9", 0.5, {key});
    for (int i = 0; i < 20; ++i) {
      run.step();
      EXPECT_LT(largest_row_velocity(run), 1e-7);
    }
    EXPECT_NEAR(force_on_floor(run).z(), -kBed * kWeight, 1e-6 * kBed * kWeight);
  }
}

/// The points of a joint by the bodies' places: velocities that hold them for a step leave
/// (w dt)^2/2 of an arm.
TEST(RowSources, APendulumStaysOnItsJoint) {
  SourcedRun run(MPI_COMM_WORLD, {joints()});
  run.steps(100);
  const Whole bodies = gathered(MPI_COMM_WORLD, run.state.bodies);
  const Vec3 hook(0, 0.1, kHeight);
  const Vec3 first = bodies.at(kBed).head<3>();
  const Vec3 second = bodies.at(kBed + 1).head<3>();
  EXPECT_LT(first.z(), kHeight - 0.01) << "it has swung";
  EXPECT_NEAR((first - hook).norm(), kRadius, 0.02 * kRadius);
  EXPECT_NEAR((second - first).norm(), 2.0 * kRadius, 0.02 * kRadius);
  EXPECT_NEAR(first.y(), 0.1, 1e-9);
}

/// Nothing drops a row: what cannot take a joint says so, on all ranks, before it begins.
TEST(RowSources, MethodsThatTakeNoJointsRefuseThem) {
  for (const std::string method : {"ipm", "minmap", "fischer", "lemke", "baraff"}) {
    const double mu = method == "ipm" ? 0.5 : 0.0;
    SourcedRun run(MPI_COMM_WORLD, {joints()}, "method: " + method, mu);
    try {
      take_step(run.state, run.setup, run.machinery, run.clock);
      ADD_FAILURE() << method << " takes joints";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("joints"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("nsgs"), std::string::npos) << error.what();
    }
  }
}

/// A joined pair that begins in the floor is moved out of it whole.
TEST(RowSources, ProjectionsLeaveJointsTogether) {
  SourcedRun run(MPI_COMM_WORLD, {joints()});
  Store& bodies = run.state.bodies;
  for (std::int32_t slot = bodies.first_owned(); slot < bodies.end_owned(); ++slot) {
    if (bodies.id[slot] == 0) bodies.position[slot].z() -= 0.1 * kRadius;
  }
  const StepResult& step = run.step();
  EXPECT_GT(step.projected.shift, 0.05 * kRadius);
  const Whole after = gathered(MPI_COMM_WORLD, bodies);
  const Vec3 apart = after.at(1).head<3>() - after.at(0).head<3>();
  EXPECT_NEAR(apart.norm(), 2.0 * kRadius + kSpace, 0.01 * kRadius);
  EXPECT_GT(after.at(1)[2], 1.01 * kRadius) << "it has gone with the other";
}

}  // namespace
}  // namespace scree::test::row_sources_test
