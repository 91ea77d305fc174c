#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "pair_bed.hpp"
#include "plain_sweep.hpp"
#include "solver/sweeps/pair_sweep.hpp"
#include "swept.hpp"

namespace scree {
namespace {

using test::difference;
using test::largest;
using test::make_bed;
using test::PairBed;
using test::PlainSweep;
using test::Swept;

/// Sweeps of both sides round each number they make, by 1e-16 in double and 6e-8 in single
/// precision, and five sweeps pass that on from contact to contact, which grows it by at most a
/// thousand.
template <class T>
constexpr double kOfSweeps = sizeof(T) == sizeof(double) ? 1e-11 : 1e-4;
/// A number in single precision and what is left of it in another one hold 48 digits of two: 4e-15.
constexpr double kOfTwoNumbers = 1e-13;

constexpr LocalLaw kLaws[]{LocalLaw::coulomb, LocalLaw::associated, LocalLaw::projected};

/// M^-1 J^T @p lambda, six numbers a body.
std::vector<double> velocities_of(const PairRows& rows, const std::vector<double>& lambda) {
  std::vector<double> w(6 * rows.n_bodies, 0.0);
  add_impulses(rows, lambda, w);
  for (std::size_t b = 0; b < rows.n_bodies; ++b) {
    const std::array<double, 6> moved = rows.masses[b].times(&w[6 * b]);
    std::copy(moved.begin(), moved.end(), &w[6 * b]);
  }
  return w;
}

/// From impulses that change by less than single precision has of them: refined sweeps know four
/// and more digits of what changes.
TEST(RefinedSweeps, GiveTheChangesOfPlainSweepsWhereTheyRefine) {
  const PairBed bed = make_bed({.side = 7, .frictionless = 0.2, .compliance = 40.0});
  for (const LocalLaw law : kLaws) {
    const SweepFactors factors{.step = law == LocalLaw::projected ? 1.2 : 1.0};
    PlainSweep oracle(bed, law);
    std::vector<double> start;
    double change = 0.0;
    do {
      start = oracle.lambda;
      for (int s = 0; s < 5; ++s) oracle.run(factors.step);
      change = difference(oracle.lambda, start);
    } while (change > 5e-8 * largest(start));
    ASSERT_GT(change, 1e-9 * largest(start));
    // the impulses that the oracle rounds are up to 1e9 times the change
    const auto check = [&]<class T>(const SweepKernels<T>& kernels, double tolerance) {
      SCOPED_TRACE(std::string(kernels.name) + (sizeof(T) == 4 ? " float" : " double"));
      Swept<T> swept(bed, kernels, law, PairForm::spheres);
      ASSERT_TRUE(swept.sweep.can_refine());
      swept.sweep.set_impulses(swept.rows, start);
      swept.sweep.refine(swept.rows, start, velocities_of(swept.rows, start));
      EXPECT_LT(difference(swept.impulses(), start), kOfTwoNumbers * largest(start));
      swept.run(5, factors);
      EXPECT_LT(difference(swept.impulses(), oracle.lambda), tolerance * change);
    };
    for (const auto& kernels : sweep_kernels<double>()) check(kernels, 1e-5);
    for (const auto& kernels : sweep_kernels<float>()) check(kernels, kOfSweeps<float>);
  }
}

/// Contacts that open, close, stick and slide on the way, from impulses that are far from the
/// solution: refined over and over they are those of sweeps in double, momentum and all.
TEST(RefinedSweeps, GoOnWithTheirMomentumWhereTheyRefineAgain) {
  constexpr SweepFactors kFactors{.momentum = 0.3};
  const PairBed bed = make_bed({.side = 7, .frictionless = 0.2, .compliance = 40.0});
  for (const LocalLaw law : kLaws) {
    Swept<double> whole(bed, sweep_kernels<double>().back(), law, PairForm::spheres);
    whole.run(2);
    const std::vector<double> start = whole.impulses();
    const auto check = [&]<class T>(const SweepKernels<T>& kernels) {
      SCOPED_TRACE(std::string(kernels.name) + (sizeof(T) == 4 ? " float" : " double"));
      Swept<double> expected(bed, sweep_kernels<double>().back(), law, PairForm::spheres);
      expected.sweep.set_impulses(expected.rows, start);
      expected.sweep.set_bodies(velocities_of(expected.rows, start));
      Swept<T> swept(bed, kernels, law, PairForm::spheres);
      swept.sweep.set_impulses(swept.rows, start);
      for (int s = 0; s < 6; ++s) {
        if (s % 2 == 0) {
          const std::vector<double> now = swept.impulses();
          swept.sweep.refine(swept.rows, s == 0 ? start : now,
                             velocities_of(swept.rows, s == 0 ? start : now));
        }
        expected.sweep.run(kFactors);
        expected.sweep.move_on(kFactors.momentum);
        swept.sweep.run(kFactors);
        swept.sweep.move_on(kFactors.momentum);
      }
      const std::vector<double> impulses = expected.impulses();
      ASSERT_GT(difference(impulses, start), 0.1 * largest(start));
      EXPECT_LT(difference(swept.impulses(), impulses), kOfSweeps<T> * largest(impulses));
    };
    for (const auto& kernels : sweep_kernels<double>()) check(kernels);
    for (const auto& kernels : sweep_kernels<float>()) check(kernels);
  }
}

TEST(RefinedSweeps, AreOfSpheresAlone) {
  const PairBed bed = make_bed({.side = 4, .flat = 0.4});
  for (const PairForm form : {PairForm::points, PairForm::rows}) {
    const Swept<float> swept(bed, sweep_kernels<float>().front(), LocalLaw::coulomb, form);
    EXPECT_FALSE(swept.sweep.can_refine()) << test::name_of(form);
  }
}

/// Bodies count for two and three ranks, and steps are longer, as those of psor.
TEST(RefinedSweeps, GiveTheIteratesOfPlainSweepsWhereBodiesAreShared) {
  const PairBed bed =
      make_bed({.side = 7, .frictionless = 0.2, .compliance = 40.0, .shared = true});
  const std::vector<double> none(bed.velocity.size(), 0.0);
  const std::vector<double> still(6 * bed.n_bodies(), 0.0);
  for (const LocalLaw law : kLaws) {
    const SweepFactors factors{.step = law == LocalLaw::projected ? 1.2 : 1.0};
    PlainSweep oracle(bed, law);
    for (int s = 0; s < 5; ++s) oracle.run(factors.step);
    const auto check = [&]<class T>(const SweepKernels<T>& kernels) {
      Swept<T> swept(bed, kernels, law, PairForm::spheres);
      swept.sweep.refine(swept.rows, none, still);
      swept.run(5, factors);
      EXPECT_LT(difference(swept.impulses(), oracle.lambda), kOfSweeps<T> * largest(oracle.lambda));
    };
    for (const auto& kernels : sweep_kernels<double>()) check(kernels);
    for (const auto& kernels : sweep_kernels<float>()) check(kernels);
  }
}

/// Balls on planes that are along no axis, each with a contact of its own.
PairBed balls_on_slopes(const std::vector<double>& masses, double slip) {
  PairBed bed;
  for (std::size_t b = 0; b < masses.size(); ++b) {
    const Vec3 n = Vec3(0.3, -0.5, 0.7).normalized();
    const Vec3 t = n.cross(Vec3(1.0, 0.0, 0.0)).normalized();
    const Vec3 arm = -0.01 * n;
    bed.place.push_back(bed.jacobian.size());
    for (const Vec3& axis : {n, t, Vec3(n.cross(t))}) {
      const Vec3 turn = arm.cross(axis);
      for (const Vec3& part : {axis, turn}) {
        bed.jacobian.insert(bed.jacobian.end(), part.data(), part.data() + 3);
      }
    }
    bed.body.push_back(static_cast<std::int32_t>(b));
    bed.first.push_back(static_cast<std::int32_t>(b) + 1);
    bed.offset.push_back(static_cast<std::int32_t>(3 * b + 3));
    for (const double u : {-0.1, 0.1 * slip, 0.0}) bed.velocity.push_back(u);
    bed.friction.push_back(0.4);
    Mat6 inverse = Mat6::Identity() / masses[b];
    inverse.bottomRightCorner<3, 3>() /= 0.4 * 0.01 * 0.01;
    bed.inverse_mass.insert(bed.inverse_mass.end(), inverse.data(), inverse.data() + 36);
    bed.sharers.push_back(1.0);
  }
  return bed;
}

/// An impulse with next to no tangential part, whose direction the rounding of the normal would
/// tell, has another t; so have impulses that are large in the kernels' unit, beside light balls.
TEST(RefinedSweeps, HoldTinyTangentialImpulsesOfLargeNormalOnes) {
  const std::vector<double> masses{1.0, 1e6, 1e10};
  constexpr double kTangent = 3.5;  // D_tt over D_nn of a ball
  constexpr double kNear = 1e-12;   // of the normal impulse: digits that whole impulses do not have
  for (const double slip : {0.0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-4, 1e-2}) {
    SCOPED_TRACE(slip);
    const PairBed bed = balls_on_slopes(masses, slip);
    for (const auto& kernels : sweep_kernels<float>()) {
      Swept<float> swept(bed, kernels, LocalLaw::coulomb, PairForm::spheres);
      swept.run(3);
      for (int check = 0; check < 3; ++check) {
        const std::vector<double> now = swept.impulses();
        swept.sweep.refine(swept.rows, now, velocities_of(swept.rows, now));
        swept.run(3);
      }
      const std::vector<double> found = swept.impulses();
      for (std::size_t b = 0; b < masses.size(); ++b) {
        const double normal = 0.1 * masses[b];
        EXPECT_NEAR(found[3 * b], normal, kNear * normal);
        EXPECT_NEAR(found[3 * b + 1], -slip * normal / kTangent, kNear * normal);
        EXPECT_NEAR(found[3 * b + 2], 0.0, kNear * normal);
      }
    }
  }
}

}  // namespace
}  // namespace scree
