#pragma once

/// Grains on joints and ropes that swing beside a bed: a run whose rows have sources, for tests.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "app/run/start.hpp"
#include "scree/base/parallel.hpp"
#include "scree/step/row_source.hpp"
#include "support/simulate.hpp"

namespace scree::test::sourced {

inline constexpr double kRadius = 0.05;
inline constexpr double kSpace = 1e-3 * kRadius;  ///< between two grains that are joined
inline constexpr double kHeight = 0.5;            ///< at which grains hang, m
inline constexpr std::int64_t kWorld = kFirstToolId;
inline constexpr int kBed = 14;
inline const double kWeight = 2600.0 * 4.0 / 3.0 * std::numbers::pi * std::pow(kRadius, 3) * 9.81;

/// Two grains on the floor that are joined, ten others, two that lie on four of them, and two that
/// hang.
inline std::string scene(const std::string& solver, double mu) {
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
inline std::int32_t slot_of(const Store& bodies, std::int64_t id) {
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
inline GivenEntry<3> point_rows(std::int32_t slot, const Vec3& arm, double sign) {
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
  double state_after(const RowResult& result, const RowRecord* before,
                     std::span<const JointFrame> /*joints*/) const override {
    return (before == nullptr ? 0.0 : before->state) + (result.impulse[0] > 0.0 ? 1.0 : 0.0);
  }

 private:
  std::int64_t grain_;
  Vec3 end_;
  double length_;
};

/// The joined grains on the floor, and a double pendulum that begins level.
inline std::shared_ptr<const BallJoints> joints() {
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

inline Whole gathered(MPI_Comm comm, const Store& bodies) {
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
inline double largest_row_velocity(const SourcedRun& run) {
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
inline std::map<std::int64_t, Vec3> forces(const SourcedRun& run, std::size_t source) {
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
inline Vec3 force_on_floor(const SourcedRun& run) {
  constexpr std::int64_t kPendulum = 11;
  const Vec3 pull = forces(run, 0).at(kPendulum);
  EXPECT_GT(pull.norm(), 0.2 * kWeight);
  return run.result.wrenches.at(0).force + pull;
}

inline std::shared_ptr<const Rope> rope() {
  return std::make_shared<const Rope>(kBed + 1, Vec3(0.15 + kSpace, 0.1, kHeight + 0.2), 0.2);
}

}  // namespace scree::test::sourced
