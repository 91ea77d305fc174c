#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "pair_bed.hpp"
#include "plain_step.hpp"
#include "plain_sweep.hpp"
#include "solver/sweeps/pair_iteration.hpp"
#include "solver/sweeps/pair_sweep.hpp"
#include "swept.hpp"

namespace scree {
namespace {

using test::difference;
using test::largest;
using test::make_bed;
using test::PairBed;
using test::PlainStep;
using test::Swept;

/// Steps round each number they make, by 1e-16 in double and 6e-8 in single precision, and a few
/// steps pass that on from contact to contact, which grows it by at most a thousand.
template <class T>
constexpr double kOfSteps = sizeof(T) == sizeof(double) ? 1e-11 : 1e-4;

constexpr double kMomentum = 0.4;
constexpr SweepFactors kFactors{.step = 0.2, .momentum = kMomentum};

/// One step on the kernels, and its sums.
template <class T>
GradientSums step(PairSweep<T>& sweep) {
  sweep.begin_step();
  GradientSums sums = sweep.step(kFactors);
  sums.curvature += sweep.curvature_of_bodies();
  sweep.move_on(kMomentum);
  return sums;
}

void expect_near(const GradientSums& sums, const GradientSums& expected, double share) {
  EXPECT_NEAR(sums.moved, expected.moved, share * expected.moved);
  EXPECT_NEAR(sums.along, expected.along, share * expected.moved);
  EXPECT_NEAR(sums.curvature, expected.curvature, share * expected.curvature);
}

/// The bodies of impulses, as a check computes them.
template <class T>
std::vector<double> bodies_of(const Swept<T>& swept, const std::vector<double>& lambda) {
  std::vector<double> w(6 * swept.rows.n_bodies, 0.0);
  add_impulses(swept.rows, lambda, w);
  for (std::size_t b = 0; b < swept.rows.n_bodies; ++b) {
    const auto moved = swept.rows.masses[b].times(&w[6 * b]);
    std::copy(moved.begin(), moved.end(), &w[6 * b]);
  }
  return w;
}

TEST(GradientStep, OnTheKernelsIsThatOnRows) {
  for (const double compliance : {0.0, 40.0}) {
    const PairBed bed = make_bed({.side = 6, .frictionless = 0.2, .compliance = compliance});
    const auto check = [&]<class T>(const SweepKernels<T>& kernels) {
      SCOPED_TRACE(std::string(kernels.name) + (sizeof(T) == 4 ? " float" : " double"));
      PlainStep oracle(bed);
      Swept<T> swept(bed, kernels, LocalLaw::associated, PairForm::spheres);
      for (int s = 0; s < 6; ++s) {
        const GradientSums expected = oracle.run(kFactors.step, s > 0 ? kMomentum : 0.0);
        expect_near(step(swept.sweep), expected, kOfSteps<T>);
      }
      EXPECT_LT(difference(swept.impulses(), oracle.lambda), kOfSteps<T> * largest(oracle.lambda));
    };
    for (const auto& kernels : sweep_kernels<double>()) check(kernels);
    for (const auto& kernels : sweep_kernels<float>()) check(kernels);
  }
}

/// From impulses that change by less than single precision has of them, and with the momentum kept
/// where the base is made anew.
TEST(GradientStep, ByChangesIsThatByWholeImpulses) {
  const PairBed bed = make_bed({.side = 6, .frictionless = 0.2, .compliance = 40.0});
  PlainStep oracle(bed);
  std::vector<double> start;
  do {
    start = oracle.lambda;
    for (int s = 0; s < 20; ++s) oracle.run(kFactors.step, kMomentum);
  } while (difference(oracle.lambda, start) > 1e-7 * largest(start));
  const auto check = [&]<class T>(const SweepKernels<T>& kernels, double share) {
    SCOPED_TRACE(std::string(kernels.name) + (sizeof(T) == 4 ? " float" : " double"));
    PlainStep expected(bed);
    expected.set(start);
    Swept<T> swept(bed, kernels, LocalLaw::associated, PairForm::spheres);
    swept.sweep.set_impulses(swept.rows, start);
    for (int s = 0; s < 6; ++s) {
      if (s % 3 == 0) {
        const std::vector<double> now = s == 0 ? start : swept.impulses();
        swept.sweep.refine(swept.rows, now, bodies_of(swept, now));
      }
      expect_near(step(swept.sweep), expected.run(kFactors.step, kMomentum), share);
    }
    const double change = difference(expected.lambda, start);
    ASSERT_LT(change, 1e-6 * largest(start));
    ASSERT_GT(change, 1e-9 * largest(start));
    EXPECT_LT(difference(swept.impulses(), expected.lambda), share * change);
  };
  // The oracle rounds whole impulses, 1e9 times the change at most, to 1e-16, which steps grow by
  // at most a thousand; single precision rounds the changes to 6e-8, grown likewise.
  for (const auto& kernels : sweep_kernels<double>()) check(kernels, 1e-5);
  for (const auto& kernels : sweep_kernels<float>()) check(kernels, 1e-3);
}

/// The parts of a step together are the step, but for the rounding of the sums of some thousand
/// moves. Bodies that other ranks know have all of theirs after the first part.
TEST(GradientStep, ThePartsAreTheWhole) {
  const PairBed bed = make_bed({.side = 6, .shared = true});
  SharedBodies shared{bed.sharers, {}, std::vector<std::uint8_t>(bed.n_bodies(), 0)};
  for (std::size_t b = 0; b < bed.n_bodies(); b += 7) {
    shared.local.push_back(b);
    shared.is_shared[b] = 1;
  }
  const auto& kernels = sweep_kernels<double>().front();
  Swept<double> whole(bed, kernels, LocalLaw::associated, PairForm::spheres, shared);
  Swept<double> parts(bed, kernels, LocalLaw::associated, PairForm::spheres, shared);
  for (int s = 0; s < 4; ++s) {
    whole.sweep.begin_step();
    parts.sweep.begin_step();
    const GradientSums all = whole.sweep.step(kFactors);
    GradientSums sums = parts.sweep.step(kFactors, SweepPart::shared);
    for (const std::size_t b : shared.local) {
      for (std::size_t k = 0; k < 6; ++k) {
        EXPECT_EQ(parts.sweep.body(b, k), whole.sweep.body(b, k));
      }
    }
    sums += parts.sweep.step(kFactors, SweepPart::first_half);
    sums += parts.sweep.step(kFactors, SweepPart::second_half);
    constexpr double kOfTheSum = 1e-13;
    expect_near(sums, all, kOfTheSum);
    EXPECT_EQ(parts.sweep.curvature_of_bodies(), whole.sweep.curvature_of_bodies());
    whole.sweep.move_on(kMomentum);
    parts.sweep.move_on(kMomentum);
  }
  EXPECT_EQ(parts.impulses(), whole.impulses());
}

/// The owner of a body counts it whole, whether contacts of its own touch it or not. Rounding is
/// that of a sum of some hundred squares.
TEST(GradientStep, HasTheCurvatureOfOwnBodiesAlone) {
  constexpr std::size_t kGhosts = 40;
  const PairBed bed = make_bed({.side = 5, .shared = true});
  const SharedBodies shared{bed.sharers, {}, {}, kGhosts};
  Swept<double> swept(bed, sweep_kernels<double>().front(), LocalLaw::associated, PairForm::spheres,
                      shared);
  const auto bodies = [&] {
    std::vector<double> w;
    for (std::size_t b = 0; b < bed.n_bodies(); ++b) {
      for (std::size_t k = 0; k < 6; ++k) w.push_back(swept.sweep.body(b, k));
    }
    return w;
  };
  step(swept.sweep);
  const std::vector<double> before = bodies();
  swept.sweep.begin_step();
  swept.sweep.step(kFactors);
  const std::vector<double> after = bodies();
  double expected = 0.0;
  for (std::size_t k = 0; k < 6 * (bed.n_bodies() - kGhosts); ++k) {
    const double inverse_mass = bed.inverse_mass[36 * (k / 6) + 7 * (k % 6)];
    expected += (after[k] - before[k]) * (after[k] - before[k]) / inverse_mass;
  }
  EXPECT_NEAR(swept.sweep.curvature_of_bodies(), expected, 1e-12 * expected);
}

/// Contacts soft enough that the impulses are unique, to far less than the 6e-8 that single
/// precision has of them.
TEST(GradientSteps, ReachWhatPlainSweepsReachAndSinglePrecisionCannotHold) {
  const PairBed bed = make_bed({.side = 6, .frictionless = 0.2, .compliance = 40.0});
  test::PlainSweep oracle(bed, LocalLaw::associated);
  for (int s = 0; s < 3000; ++s) oracle.run();
  const std::vector<PairFrame> frames = frames_of(bed.rows());
  const test::FormOfBed own(bed);
  const PairRows rows = bed.rows(PairForm::spheres, frames, own.masses());
  PairRanks alone;
  alone.shared.sharers = bed.sharers;
  std::vector<double> lambda(rows.velocity.size(), 0.0);
  PairIteration iteration;
  iteration.start(rows, alone, {.law = LocalLaw::associated, .gradient = true}, lambda);
  double error = 1.0;
  for (std::int64_t done = 25; error > 1e-11 && done <= 2000; done += 25) {
    iteration.run(25);
    error = difference(iteration.take_impulses(), oracle.lambda) / largest(oracle.lambda);
    iteration.go_on();
    iteration.judge(error, done);
  }
  EXPECT_LE(error, 1e-11);
  EXPECT_EQ(iteration.precision(), PairIteration::Precision::refined);
}

}  // namespace
}  // namespace scree
