/// Kernels of rolling, of spinning, of pyramids and of faceted discs against the rules for the same
/// cones, which go contact by contact.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "plain_sweep.hpp"
#include "scree/problem/measure.hpp"
#include "solver/sweeps/pair_problem.hpp"
#include "solver/sweeps/pair_sweep.hpp"
#include "solver/sweeps/sweep.hpp"
#include "support/problems.hpp"
#include "swept.hpp"

namespace scree {
namespace {

using test::difference;
using test::largest;

/// Cones that a bed's contacts have.
enum class Resist { sliding, rolling, spinning, mixed };

struct DiscBed {
  const char* name;
  FrictionLaw law;
  Resist resist;
  PairForm form;
};
std::string name_of(const testing::TestParamInfo<DiscBed>& bed) {
  return std::string(bed.param.name) + (bed.param.form == PairForm::spheres ? "Spheres" : "Points");
}

/// A cube of balls on a floor, each in contact with its neighbours, falling at random velocities.
/// Contacts yield, so that impulses are unique. Points have arms that are tilted.
ContactProblem problem_of(const DiscBed& bed, bool tilted) {
  constexpr int kSide = 4;
  constexpr double kRadius = 0.005;
  constexpr double kMass = 1.3e-3;
  test::ProblemBuilder builder;
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  const auto vector = [&](double size) {
    return Vec3(size * Vec3(normal(random), normal(random), normal(random)));
  };
  for (int ball = 0; ball < kSide * kSide * kSide; ++ball) {
    Vec6 velocity;
    velocity << vector(0.05) - Vec3(0.0, 0.0, 0.05), vector(5.0);
    builder.add_ball(kMass * (1.0 + 0.3 * std::abs(normal(random))), kRadius, velocity);
  }
  const auto touch = [&](int a, int b, const Vec3& n) {
    const double tilt = tilted ? 0.3 * kRadius : 0.0;
    builder.add_contact(a, b, n, -kRadius * n + vector(tilt), kRadius * n + vector(tilt), 0.0, 0.5);
  };
  const auto resist = [&](Resist now) {
    if (now == Resist::sliding) return;
    builder.resist_rolling(0.2 * kRadius);
    if (now == Resist::spinning) builder.resist_spinning(0.1 * kRadius);
  };
  const int step[3]{1, kSide, kSide * kSide};
  for (int ball = 0; ball < kSide * kSide * kSide; ++ball) {
    if (ball < step[2]) touch(ball, -1, Vec3::UnitZ());
    for (int axis = 0; axis < 3; ++axis) {
      if (ball / step[axis] % kSide > 0) touch(ball, ball - step[axis], Vec3::Unit(axis));
    }
    if (bed.resist == Resist::mixed && ball == 20) resist(Resist::rolling);
    if (bed.resist == Resist::mixed && ball == 40) resist(Resist::spinning);
  }
  if (bed.resist != Resist::mixed) resist(bed.resist);
  builder.soften({.normal = 0.04 / kMass,
                  .tangential = 0.05 / kMass,
                  .rolling = 0.05 / (0.4 * kMass * kRadius * kRadius)});
  return builder.build(MPI_COMM_SELF, bed.law, "bed");
}

/// The problem on a kernel of precision T.
template <class T>
struct DiscSwept {
  DiscSwept(const PairProblem& pairs, const SweepKernels<T>& kernels)
      : rows(pairs.rows()), sweep(kernels) {
    sweep.take(rows, pairs.ranks().shared, pairs.law());
  }
  void run(int n, const SweepFactors& factors = {}) { test::run_sweeps(sweep, n, factors); }
  std::vector<double> impulses() const { return test::impulses_of(sweep, rows); }
  const PairRows& rows;
  PairSweep<T> sweep;
};

std::vector<double> by_rules(const ContactProblem& problem, ContactRule& rule, int n) {
  const std::unique_ptr<Sweep> sweep = make_sweep(problem, rule);
  std::vector<double> lambda(problem.cones.rows(), 0.0);
  sweep->start(lambda);
  for (int s = 0; s < n; ++s) sweep->run(lambda);
  return lambda;
}

class DiscKernels : public testing::TestWithParam<DiscBed> {
 protected:
  const ContactProblem problem = problem_of(GetParam(), GetParam().form == PairForm::points);
  PairProblem pairs;
  /// Balls whose law depends on the tangents sweep at points.
  PairForm form() const { return GetParam().form; }
};

/// The projected step has no inner iteration: rounding alone.
TEST_P(DiscKernels, GiveTheIteratesOfTheProjectedRule) {
  ASSERT_TRUE(pairs.take(problem, SweepStep::projected));
  ASSERT_EQ(pairs.form(), form());
  const std::unique_ptr<ContactRule> rule = make_projected_rule(0.9, Memory::none);
  const std::vector<double> expected = by_rules(problem, *rule, 5);
  ASSERT_GT(largest(expected), 0.0);
  const auto check = [&]<class T>(const SweepKernels<T>& kernels, double tolerance) {
    SCOPED_TRACE(std::string(kernels.name) + (sizeof(T) == 4 ? " float" : " double"));
    DiscSwept<T> swept(pairs, kernels);
    swept.run(5, {.step = 0.9});
    EXPECT_LT(difference(swept.impulses(), expected), tolerance * largest(expected));
  };
  for (const auto& kernels : sweep_kernels<double>()) check(kernels, 1e-10);
  for (const auto& kernels : sweep_kernels<float>()) check(kernels, 1e-4);
}

/// A contact misses its own law by nothing in the limit of sweeps.
TEST_P(DiscKernels, ConvergeToTheSolutionOfTheExactRule) {
  const bool taken = pairs.take(problem, SweepStep::exact);
  ASSERT_EQ(taken, GetParam().law != FrictionLaw::associated);  // several discs have no solution
  if (!taken) return;
  ASSERT_EQ(pairs.form(), form());
  const std::unique_ptr<ContactRule> rule = make_exact_rule(1.0);
  const std::vector<double> expected = by_rules(problem, *rule, 1500);
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  for (const auto& kernels : sweep_kernels<double>()) {
    SCOPED_TRACE(kernels.name);
    DiscSwept<double> swept(pairs, kernels);
    EXPECT_FALSE(swept.sweep.can_refine());
    swept.run(1500);
    const std::vector<double> found = swept.impulses();
    EXPECT_LT(difference(found, expected), 1e-9 * largest(expected));
    to_vec(found, lambda.get());
    EXPECT_LT(Measurer(problem).measure(lambda.get()).residual, 1e-11);
  }
}

/// Lanes do not feel each other: rounding alone. Where it decides whether a circular contact among
/// others takes another Newton step, kLocalTolerance does.
TEST_P(DiscKernels, GiveTheSameInAnyWidth) {
  for (const SweepStep step : {SweepStep::exact, SweepStep::projected}) {
    if (!pairs.take(problem, step)) continue;
    DiscSwept<double> narrow(pairs, sweep_kernels<double>().back());
    ASSERT_EQ(sweep_kernels<double>().back().width, 1);
    const double tolerance = GetParam().resist == Resist::mixed ? 1e-4 : 1e-11;
    const SweepFactors factors{.relaxation = step == SweepStep::exact ? 1.2 : 1.0};
    narrow.run(5, factors);
    const std::vector<double> expected = narrow.impulses();
    for (const auto& kernels : sweep_kernels<double>()) {
      DiscSwept<double> swept(pairs, kernels);
      swept.run(5, factors);
      EXPECT_LT(difference(swept.impulses(), expected), tolerance * largest(expected))
          << kernels.name;
    }
  }
}

using Law = FrictionLaw;
constexpr DiscBed kBeds[]{
    {"Rolling", Law::coulomb, Resist::rolling, PairForm::spheres},
    {"Rolling", Law::coulomb, Resist::rolling, PairForm::points},
    {"Spinning", Law::coulomb, Resist::spinning, PairForm::spheres},
    {"Spinning", Law::coulomb, Resist::spinning, PairForm::points},
    {"Mixed", Law::coulomb, Resist::mixed, PairForm::spheres},
    {"Mixed", Law::coulomb, Resist::mixed, PairForm::points},
    {"RelaxedSpinning", Law::associated, Resist::spinning, PairForm::spheres},
    {"RelaxedSpinning", Law::associated, Resist::spinning, PairForm::points},
    {"Box", Law::box, Resist::sliding, PairForm::points},
    {"Pyramid", Law::pyramid, Resist::sliding, PairForm::points},
    {"PyramidRolling", Law::pyramid, Resist::rolling, PairForm::points},
    {"PyramidSpinning", Law::pyramid, Resist::spinning, PairForm::points},
};
INSTANTIATE_TEST_SUITE_P(Beds, DiscKernels, testing::ValuesIn(kBeds), name_of);

/// A law that depends on the tangents needs them, of balls, too.
TEST(DiscKernels, TakePyramidsOfBallsAtPoints) {
  for (const FrictionLaw law : {Law::box, Law::pyramid}) {
    const ContactProblem problem =
        problem_of({"Balls", law, Resist::sliding, PairForm::points}, false);
    PairProblem pairs;
    ASSERT_TRUE(pairs.take(problem, SweepStep::exact));
    EXPECT_EQ(pairs.form(), PairForm::points);
  }
}

}  // namespace
}  // namespace scree
