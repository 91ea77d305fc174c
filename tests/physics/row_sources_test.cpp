// ranks: 1 2 4, mostly 2
/// Rows of other sources than contacts: grains on joints and ropes swing beside a bed. What joints
/// hold stays together, the bed bears on the floor what it weighs, both remember their forces, and
/// neither depends on the ranks or on a restart.

#include "scree/step/row_source.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <numbers>

#include "app/run/start.hpp"
#include "scree/base/check.hpp"
#include "scree/solver/registry.hpp"
#include "scree/step/grain_forces.hpp"
#include "support/simulate.hpp"

namespace scree::test::row_sources_test {
namespace {

constexpr double kRadius = 0.05;
constexpr double kSpace = 1e-3 * kRadius;  ///< between two grains that are joined
constexpr double kHeight = 0.5;            ///< at which grains hang, m
constexpr std::int64_t kWorld = kFirstToolId;
constexpr int kBed = 14;
const double kWeight = 2600.0 * 4.0 / 3.0 * std::numbers::pi * std::pow(kRadius, 3) * 9.81;

/// Two grains on the floor that are joined, ten others, two that lie on four of them, and two that
/// hang.
std::string scene(const std::string& solver, double mu) {
  std::string bed = fmt::format("[0.4, 0, 0.05], [{}, 0, 0.05]", 0.5 + kSpace);
  for (int i = 0; i < 10; ++i)
    bed += fmt::format(", [{}, {}, 0.05]", 0.1 * (i % 5), 0.2 + 0.1 * (i / 5));
  const double up = 0.05 + std::sqrt(0.5) * 0.1;
  bed += fmt::format(", [0.05, 0.25, {0}], [0.25, 0.25, {0}]", up);
  return fmt::format(R"(
time: {{dt: 1e-3, end: 1}}
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: {5}}}]
bodies:
  bed:
    material: stone
    radii: {{type: list, values: [{0}]}}
    place: {{type: points, positions: [{1}]}}
  hanging:
    material: stone
    radii: {{type: list, values: [{0}]}}
    place: {{type: points, positions: [[0.05, 0.1, {2}], [{3}, 0.1, {2}]]}}
tools:
  floor: {{material: stone, shape: {{type: plane}}}}
solver: {{{4}}}
)",
                     kRadius, bed, kHeight, 0.15 + kSpace, solver, mu);
}

/// The slot that holds the body @p id; -1 where this rank does not know it.
std::int32_t slot_of(const Store& bodies, std::int64_t id) {
  const auto found = std::ranges::find(bodies.id, id);
  return found == bodies.id.end() ? -1 : static_cast<std::int32_t>(found - bodies.id.begin());
}

/// One end of a joint.
struct Anchor {
  std::int64_t id;
  Vec3 arm;  ///< from the centre, body frame, m
};
struct BallJoint {
  Anchor a;
  Anchor b;
};

/// The rows of a point that moves with a body.
GivenEntry<3> point_rows(std::int32_t slot, const Vec3& arm, double sign) {
  GivenEntry<3> entry{slot, {}};
  for (int k = 0; k < 3; ++k) {
    const Vec3 axis = sign * Vec3::Unit(k);
    entry.block.row(k) << axis.transpose(), arm.cross(axis).transpose();
  }
  return entry;
}

/// Ball joints: the two points have one velocity.
class BallJoints final : public RowSource {
 public:
  explicit BallJoints(std::vector<BallJoint> joints) : joints_(std::move(joints)) {}
  std::string_view name() const override { return "ball_joints"; }
  const std::vector<BallJoint>& joints() const { return joints_; }

  void give(const SourceInput& at, GivenRows& rows) const override {
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      const auto& [a, b] = joints_[i];
      const std::int32_t slot_a = slot_of(at.bodies, a.id);
      if (slot_a < 0) continue;
      const Vec3 arm_a = at.bodies.orientation[slot_a] * a.arm;
      if (!at.partition.holds(at.bodies.position[slot_a] + arm_a)) continue;
      const std::int32_t slot_b = slot_of(at.bodies, b.id);
      ASSERT_GE(slot_b, 0) << "the rank whose region holds the joint knows both";
      const Vec3 arm_b = at.bodies.orientation[slot_b] * b.arm;
      rows.append(GivenCone<cones::Joint>{
          .key = static_cast<std::int64_t>(10 + i),
          .cone = {},
          .entries = {point_rows(slot_a, arm_a, 1.0), point_rows(slot_b, arm_b, -1.0)}});
    }
  }

 private:
  std::vector<BallJoint> joints_;
};

/// A rope from a grain to a point of the world, which pulls where it is taut; it counts for how
/// many steps it was.
class Rope final : public RowSource {
 public:
  Rope(std::int64_t grain, const Vec3& end, double length)
      : grain_(grain), end_(end), length_(length) {}
  std::string_view name() const override { return "ropes"; }

  void give(const SourceInput& at, GivenRows& rows) const override {
    const std::int32_t slot = slot_of(at.bodies, grain_);
    if (slot < 0 || !at.partition.holds(at.bodies.position[slot])) return;
    const Vec3 way = end_ - at.bodies.position[slot];
    GivenEntry<1> entry{slot, BodyBlock<1>::Zero()};
    entry.block.leftCols<3>() = way.normalized().transpose();
    rows.append(GivenCone<cones::HalfLine>{
        .key = grain_,
        .cone = {},
        .entries = {entry},
        .bias = cones::Rows<1>::Constant((length_ - way.norm()) / at.clock.dt)});
  }
  double state_after(const RowResult& result, double before) const override {
    return before + (result.impulse[0] > 0.0 ? 1.0 : 0.0);
  }

 private:
  std::int64_t grain_;
  Vec3 end_;
  double length_;
};

/// The joined grains on the floor, and a double pendulum that begins level.
std::shared_ptr<const BallJoints> joints() {
  const Vec3 half(kRadius + 0.5 * kSpace, 0, 0);
  return std::make_shared<const BallJoints>(std::vector<BallJoint>{
      {{0, half}, {1, -half}},
      {{kBed, Vec3(-kRadius, 0, 0)}, {kWorld, Vec3(0, 0.1, kHeight)}},
      {{kBed, half}, {kBed + 1, -half}},
  });
}

/// A run whose setup has sources.
struct SourcedRun {
  SourcedRun(MPI_Comm comm, std::vector<std::shared_ptr<const RowSource>> sources,
             const std::string& solver = "tolerance: 1e-10", double mu = 0.5,
             const Overrides& overrides = {})
      : config(read_run_config(scene(solver, mu), "test.yaml", overrides)),
        setup(setup_of(config)),
        machinery(comm, config.solver),
        state(starting_state(comm, config, setup)) {
    setup.sources = std::move(sources);
  }

  const StepResult& step() {
    result = {};
    result = take_step(state, setup, machinery, clock);
    EXPECT_EQ(result.refusal, "");
    EXPECT_EQ(result.impact.report.status, Status::converged) << result.impact.report.reason;
    return result;
  }
  void steps(int n) {
    for (int i = 0; i < n; ++i) step();
  }

  RunConfig config;
  Setup setup;
  Machinery machinery;
  State state;
  StageClock clock;
  StepResult result;
};

/// A body as all ranks know it: position, velocity, spin.
using Whole = std::map<std::int64_t, Eigen::Vector<double, 9>>;

Whole gathered(MPI_Comm comm, const Store& bodies) {
  constexpr std::size_t kNumbers = 9;
  std::vector<double> all(kNumbers * (kBed + 2), 0.0);
  for (std::int32_t slot = bodies.first_owned(); slot < bodies.end_owned(); ++slot) {
    Eigen::Vector<double, kNumbers>::Map(&all[kNumbers * bodies.id[slot]]) << bodies.position[slot],
        bodies.velocity[slot], bodies.angular_velocity[slot];
  }
  sum_over_ranks(comm, all);
  Whole whole;
  for (std::int64_t id = 0; id < kBed + 2; ++id) {
    whole[id] = Eigen::Vector<double, kNumbers>::Map(&all[kNumbers * id]);
  }
  return whole;
}

/// The largest velocity of a source's rows on any rank, by the problem that was solved.
double largest_row_velocity(const SourcedRun& run) {
  const ContactProblem& problem = run.result.formulated.problem;
  const petsc::Vector u = petsc::duplicate(problem.r.get());
  DelassusProduct(problem).contact_velocity(run.result.impact.impulse.get(), u.get());
  const petsc::ConstView rows(u.get());
  double largest = 0.0;
  for (const double x : rows.span().last(run.result.sourced.rows.bias.size())) {
    largest = std::max(largest, std::abs(x));
  }
  return max_over_ranks(problem.comm, largest);
}

/// The forces of a source by key, on all ranks.
std::map<std::int64_t, Vec3> forces(const SourcedRun& run, std::size_t source) {
  std::vector<double> all(3 * 100, 0.0);
  for (const RowResult& one : row_results(run.result, source, run.config.time.dt)) {
    Vec3::Map(&all[3 * one.key]) = Vec3(one.impulse.data()) / one.dt;
  }
  sum_over_ranks(run.machinery.comm, all);
  std::map<std::int64_t, Vec3> found;
  for (std::int64_t key = 0; key < 100; ++key) found[key] = Vec3(&all[3 * key]);
  return found;
}

/// The force on the floor without that of the pendulum that hangs on it, which is more than half of
/// the weight of a grain.
Vec3 force_on_floor(const SourcedRun& run) {
  constexpr std::int64_t kPendulum = 11;
  const Vec3 pull = forces(run, 0).at(kPendulum);
  EXPECT_GT(pull.norm(), 0.2 * kWeight);
  return run.result.wrenches.at(0).force + pull;
}

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

TEST(RowSources, ContactsAndJointsStartFromTheirLastForces) {
  SourcedRun run(MPI_COMM_WORLD, {joints()});
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

TEST(RowSources, DoNotDependOnTheRanks) {
  SourcedRun one(MPI_COMM_SELF, {joints()});
  SourcedRun many(MPI_COMM_WORLD, {joints()});
  one.steps(100);
  many.steps(100);
  expect_alike(gathered(MPI_COMM_SELF, one.state.bodies),
               gathered(MPI_COMM_WORLD, many.state.bodies), 1e-6);
}

std::shared_ptr<const Rope> rope() {
  return std::make_shared<const Rope>(kBed + 1, Vec3(0.15 + kSpace, 0.1, kHeight + 0.2), 0.2);
}

/// Newton's law of each grain, to the rounding of velocities over a step.
TEST(RowSources, ForcesOnGrainsAreOfThemAndOfContacts) {
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

TEST(RowSources, CheckpointsHoldTheirMemory) {
  SourcedRun run(MPI_COMM_WORLD, {joints(), rope()});
  run.steps(10);
  SourcedRun other(MPI_COMM_WORLD, {joints(), rope()});
  other.state = state_of(checkpoint_of(run.state, run.setup.dt));
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
TEST(RowSources, AGrainHangsOnARope) {
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
