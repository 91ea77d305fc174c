#include "solver/sweeps/pair_iteration.hpp"

#include <gtest/gtest.h>

#include "pair_bed.hpp"
#include "plain_sweep.hpp"

namespace scree {
namespace {

using Precision = PairIteration::Precision;
using test::difference;
using test::FormOfBed;
using test::largest;
using test::make_bed;
using test::PairBed;
using test::PlainSweep;

/// Sweeps until the impulses are within @p tolerance of @p solution, relative to the largest.
/// @returns their number.
std::int64_t sweeps_to(PairIteration& iteration, const std::vector<double>& solution,
                       double tolerance) {
  for (std::int64_t done = 10; done <= 5000; done += 10) {
    iteration.run(10);
    const std::span<const double> impulses = iteration.take_impulses();
    iteration.go_on();
    const double error = difference(impulses, solution) / largest(solution);
    if (error < tolerance) return done;
    iteration.judge(error, done);
  }
  return 5000;
}

/// Contacts soft enough that the impulses are unique, so that plain sweeps say what they are: to
/// rounding, far below what single precision can hold.
class PairIterationTest : public testing::TestWithParam<PairForm> {};

TEST_P(PairIterationTest, ReachesWhatSinglePrecisionCannotHold) {
  const PairForm form = GetParam();
  const PairBed bed =
      make_bed({.side = 6, .flat = form == PairForm::spheres ? 0.0 : 0.3, .compliance = 40.0});
  PlainSweep oracle(bed, LocalLaw::coulomb);
  for (int s = 0; s < 3000; ++s) oracle.run();
  PlainSweep again(bed, LocalLaw::coulomb);
  std::int64_t plain = 0;
  while (difference(again.lambda, oracle.lambda) > 1e-11 * largest(oracle.lambda)) {
    again.run();
    ++plain;
  }

  const std::vector<double> factored = bed.factored();
  const std::vector<PairFrame> frames = frames_of(bed.rows());
  const FormOfBed own(bed);
  PairRows rows = bed.rows(factored);
  if (form != PairForm::rows) {
    ASSERT_EQ(own.form(), form);
    rows = bed.rows(form, frames, own.masses());
  }
  PairRanks alone;
  alone.shared.sharers = bed.sharers;
  std::vector<double> lambda(rows.velocity.size(), 0.0);

  PairIteration iteration;
  iteration.start(rows, alone, {}, lambda);
  EXPECT_EQ(iteration.precision(), Precision::single);
  const std::int64_t inertial = sweeps_to(iteration, oracle.lambda, 1e-11);
  EXPECT_LT(inertial, 5000);
  EXPECT_EQ(iteration.precision(),
            form == PairForm::spheres ? Precision::refined : Precision::full);

  EXPECT_LT(inertial, plain);

  lambda.assign(lambda.size(), 0.0);
  iteration.start(rows, alone, {}, lambda);  // the same storage once more
  EXPECT_EQ(sweeps_to(iteration, oracle.lambda, 1e-11), inertial);
}

/// A bed of spheres, on one rank.
struct Spheres {
  explicit Spheres(const PairBed& bed) : frames(frames_of(bed.rows())), own(bed) {
    EXPECT_EQ(own.form(), PairForm::spheres);
    rows = bed.rows(PairForm::spheres, frames, own.masses());
    alone.shared.sharers = bed.sharers;
  }
  std::vector<PairFrame> frames;
  FormOfBed own;
  PairRows rows;
  PairRanks alone;
};

/// Relaxed sweeps have no kernels for changes.
TEST(PairIteration, ReachesTheSameInDoubleWhereItRelaxes) {
  const PairBed bed = make_bed({.side = 6, .compliance = 40.0});
  PlainSweep oracle(bed, LocalLaw::coulomb);
  for (int s = 0; s < 3000; ++s) oracle.run();
  const Spheres spheres(bed);
  std::vector<double> lambda(spheres.rows.velocity.size(), 0.0);
  PairIteration iteration;
  iteration.start(spheres.rows, spheres.alone, {.relaxation = 1.1}, lambda);
  EXPECT_LT(sweeps_to(iteration, oracle.lambda, 1e-11), 5000);
  EXPECT_EQ(iteration.precision(), Precision::full);
}

/// Whatever stops changes does not stop the solve.
TEST(PairIteration, GoesOnInDoubleWhereChangesGainNothing) {
  const PairBed bed = make_bed({.side = 3, .compliance = 40.0});
  const Spheres spheres(bed);
  std::vector<double> lambda(spheres.rows.velocity.size(), 0.0);
  PairIteration iteration;
  iteration.start(spheres.rows, spheres.alone, {}, lambda);
  const auto go_to = [&](std::int64_t sweeps) {
    iteration.run(1);
    iteration.take_impulses();
    iteration.go_on();
    iteration.judge(1e-6, sweeps);
  };
  go_to(100);
  EXPECT_EQ(iteration.precision(), Precision::refined);
  go_to(2100);
  EXPECT_EQ(iteration.precision(), Precision::refined);
  go_to(2101);
  EXPECT_EQ(iteration.precision(), Precision::full);
}

/// R is 0.05 of the mean of N's diagonal, and the momentum for it at most 0.51.
TEST(PairIteration, TakesFewerSweepsWithTheMomentumThatSoftContactsBear) {
  const PairBed bed = make_bed({.side = 6, .compliance = 200.0});
  PlainSweep oracle(bed, LocalLaw::coulomb);
  for (int s = 0; s < 3000; ++s) oracle.run();
  const Spheres spheres(bed);
  const auto sweeps = [&](double softness) {
    std::vector<double> lambda(spheres.rows.velocity.size(), 0.0);
    PairIteration iteration;
    iteration.start(spheres.rows, spheres.alone, {.softness = softness}, lambda);
    return sweeps_to(iteration, oracle.lambda, 1e-9);
  };
  EXPECT_LT(sweeps(0.05), sweeps(0.0));
}

INSTANTIATE_TEST_SUITE_P(Forms, PairIterationTest,
                         testing::Values(PairForm::spheres, PairForm::points, PairForm::rows),
                         [](const auto& form) { return test::name_of(form.param); });

}  // namespace
}  // namespace scree
