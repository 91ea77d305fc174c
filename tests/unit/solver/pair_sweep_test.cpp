#include "solver/sweeps/pair_sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "pair_bed.hpp"
#include "plain_sweep.hpp"
#include "solver/sweeps/inertia.hpp"
#include "swept.hpp"

namespace scree {
namespace {

using test::BedShape;
using test::difference;
using test::largest;
using test::make_bed;
using test::PairBed;
using test::PlainSweep;
using test::Swept;

const BedShape kSharedSpheres{.side = 7, .frictionless = 0.2, .compliance = 40.0, .shared = true};
const BedShape kGeneral{
    .side = 7, .flat = 0.4, .frictionless = 0.2, .planar = 0.2, .compliance = 40.0, .shared = true};

constexpr PairForm kForms[]{PairForm::spheres, PairForm::points, PairForm::rows};

TEST(Batches, KeepTheOrderOfEachBodyAndFillTheLanes) {
  const PairBed bed = make_bed({.side = 16});
  const PairRows rows = bed.rows();
  ContactBatches batches;
  for (const int width : {1, 4, 8, 16}) {
    batches.schedule(width, bed.n_bodies(), rows.bodies, 0, rows.n_contacts());
    std::vector<std::int32_t> latest(bed.n_bodies(), -1);
    std::vector<int> taken(batches.count() * width, 0);
    for (std::size_t i = 0; i < rows.n_contacts(); ++i) {
      const auto batch = static_cast<std::int32_t>(batches.batch_of(i));
      const std::size_t lane = batches.lane_of(i);
      EXPECT_EQ(taken[batch * width + lane]++, 0);
      std::size_t name = 2 * batch * width + lane;
      for (const std::int32_t body : rows.bodies[i]) {
        EXPECT_EQ(batches.bodies()[name], body);
        EXPECT_GT(batch, latest[body]);
        latest[body] = batch;
        name += width;
      }
    }
    EXPECT_GT(batches.fill(), 0.95);
  }
}

TEST(Batches, ContactsOfSharedBodiesComeFirstInTheirOrder) {
  const PairBed bed = make_bed({.side = 16});
  const PairRows rows = bed.rows();
  std::vector<std::uint8_t> is_shared(bed.n_bodies(), 0);
  for (std::size_t b = 0; b < is_shared.size(); b += 7) is_shared[b] = 1;
  constexpr int kWidth = 16;
  ContactBatches batches;
  batches.schedule(kWidth, bed.n_bodies(), rows.bodies, 0, rows.n_contacts(), is_shared);
  EXPECT_GT(batches.count_of_shared(), 0U);
  EXPECT_LT(batches.count_of_shared(), batches.count());
  EXPECT_GT(batches.fill(), 0.95);
  for (const bool shared : {true, false}) {
    std::vector<std::int32_t> latest(bed.n_bodies(), -1);
    for (std::size_t i = 0; i < rows.n_contacts(); ++i) {
      const auto own = rows.bodies[i];
      const bool touches =
          std::any_of(own.begin(), own.end(), [&](std::int32_t b) { return is_shared[b] != 0; });
      if (touches != shared) continue;
      const auto batch = static_cast<std::int32_t>(batches.batch_of(i));
      if (shared) {
        EXPECT_LT(batches.batch_of(i), batches.count_of_shared());
      }
      for (const std::int32_t b : own) {
        EXPECT_GT(batch, latest[b]);
        latest[b] = batch;
      }
    }
  }
}

TEST(Batches, OneBodyInAllContactsGivesABatchEach) {
  const std::vector<std::int32_t> first{0, 2, 4, 6, 8, 10, 12, 14, 16, 17};
  const std::vector<std::int32_t> body{0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0};
  ContactBatches batches;
  batches.schedule(4, 9, {first, body}, 0, 9);
  EXPECT_EQ(batches.count(), 9U);
  EXPECT_EQ(batches.bodies().size(), 9U * 8U);
  EXPECT_EQ(batches.bodies()[8 * 8 + 4], 13);  // no second body: a spare number
}

/// Every seventh body is one that another rank knows, too.
SharedBodies some_shared(const PairBed& bed) {
  SharedBodies shared{bed.sharers, {}, std::vector<std::uint8_t>(bed.n_bodies(), 0)};
  for (std::size_t b = 0; b < bed.n_bodies(); b += 7) {
    shared.local.push_back(b);
    shared.is_shared[b] = 1;
  }
  return shared;
}

/// What is shared is as it will be after the first part: the messages may then go. The parts
/// together are the sweep, but for the rounding of the sum of some thousand moves.
TEST(PairSweep, ThePartsOfASweepAreTheSweepAndTheFirstMovesAllThatIsShared) {
  constexpr double kOfTheSum = 1e-13;
  constexpr SweepFactors kFactors{.momentum = 0.3};
  for (const PairForm form : kForms) {
    SCOPED_TRACE(test::name_of(form));
    const PairBed bed = make_bed(form == PairForm::spheres ? kSharedSpheres : kGeneral);
    const SharedBodies shared = some_shared(bed);
    ASSERT_GT(shared.local.size(), 10U);
    const auto& kernels = sweep_kernels<double>().front();
    Swept<double> whole(bed, kernels, LocalLaw::coulomb, form, shared);
    Swept<double> parts(bed, kernels, LocalLaw::coulomb, form, shared);
    const auto expect_equal = [&](std::size_t b) {
      for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(parts.sweep.body(b, k), whole.sweep.body(b, k));
    };
    for (int s = 0; s < 5; ++s) {
      const double moved = whole.sweep.run(kFactors);
      double sum = parts.sweep.run(kFactors, SweepPart::shared);
      for (const std::size_t b : shared.local) expect_equal(b);
      for (const SweepPart half : {SweepPart::first_half, SweepPart::second_half}) {
        const double own = parts.sweep.run(kFactors, half);
        EXPECT_GT(own, 0.0);
        sum += own;
      }
      EXPECT_NEAR(sum, moved, kOfTheSum * moved);
      for (std::size_t b = 0; b < bed.n_bodies(); ++b) expect_equal(b);
      whole.sweep.move_on(kFactors.momentum);
      parts.sweep.move_on(kFactors.momentum);
    }
    EXPECT_EQ(parts.impulses(), whole.impulses());
  }
}

/// Rounding alone parts the kernels of spheres from the oracle: 1e-16 a number, grown by the
/// sweeps.
TEST(SphereKernels, GiveTheIteratesOfPlainSweeps) {
  const PairBed bed = make_bed(kSharedSpheres);
  for (const LocalLaw law : {LocalLaw::coulomb, LocalLaw::associated, LocalLaw::projected}) {
    for (const SweepFactors factors :
         {SweepFactors{}, SweepFactors{.relaxation = 1.3},
          SweepFactors{.step = law == LocalLaw::projected ? 1.2 : 1.0}}) {
      PlainSweep oracle(bed, law);
      for (int s = 0; s < 5; ++s) oracle.run(factors.step, factors.relaxation);
      const double scale = largest(oracle.lambda);
      ASSERT_GT(scale, 0.0);
      const auto check = [&]<class T>(const SweepKernels<T>& kernels, double tolerance) {
        SCOPED_TRACE(std::string(kernels.name) + (sizeof(T) == 4 ? " float" : " double"));
        Swept<T> swept(bed, kernels, law, PairForm::spheres);
        for (int s = 0; s < 5; ++s) {
          EXPECT_GT(swept.sweep.run(factors), 0.0);
          swept.sweep.move_on(0.0);
        }
        EXPECT_LT(difference(swept.impulses(), oracle.lambda), tolerance * scale);
      };
      for (const auto& kernels : sweep_kernels<double>()) check(kernels, 1e-11);
      for (const auto& kernels : sweep_kernels<float>()) check(kernels, 1e-4);
    }
  }
}

class GeneralKernels : public testing::TestWithParam<PairForm> {};
INSTANTIATE_TEST_SUITE_P(Forms, GeneralKernels, testing::Values(PairForm::points, PairForm::rows),
                         [](const auto& form) { return test::name_of(form.param); });

/// The projected step has no inner iteration: rounding alone.
TEST_P(GeneralKernels, GiveTheIteratesOfPlainProjectedSweeps) {
  const PairBed bed = make_bed(kGeneral);
  PlainSweep oracle(bed, LocalLaw::projected);
  for (int s = 0; s < 5; ++s) oracle.run(0.9);
  const auto check = [&]<class T>(const SweepKernels<T>& kernels, double tolerance) {
    Swept<T> swept(bed, kernels, LocalLaw::projected, GetParam());
    swept.run(5, {.step = 0.9});
    EXPECT_LT(difference(swept.impulses(), oracle.lambda), tolerance * largest(oracle.lambda));
  };
  for (const auto& kernels : sweep_kernels<double>()) check(kernels, 1e-11);
  for (const auto& kernels : sweep_kernels<float>()) check(kernels, 1e-4);
}

/// Each contact is solved to kLocalTolerance (1e-4, 1e-3 in single precision) in a sweep; five
/// sweeps over contacts that feel each other leave a few times that.
TEST_P(GeneralKernels, SolveEachContactByTheExactLaw) {
  const PairBed bed = make_bed(kGeneral);
  PlainSweep oracle(bed, LocalLaw::coulomb);
  for (int s = 0; s < 5; ++s) oracle.run();
  const auto check = [&]<class T>(const SweepKernels<T>& kernels, double tolerance) {
    SCOPED_TRACE(std::string(kernels.name) + (sizeof(T) == 4 ? " float" : " double"));
    Swept<T> swept(bed, kernels, LocalLaw::coulomb, GetParam());
    swept.run(5);
    EXPECT_LT(difference(swept.impulses(), oracle.lambda), tolerance * largest(oracle.lambda));
  };
  for (const auto& kernels : sweep_kernels<double>()) check(kernels, 1e-3);
  for (const auto& kernels : sweep_kernels<float>()) check(kernels, 1e-2);
}

/// Where sweeps converge, the steps left out at each contact leave nothing.
TEST_P(GeneralKernels, ConvergeToTheSolutionOfPlainSweeps) {
  BedShape shape = kGeneral;
  shape.side = 4;
  shape.shared = false;
  const PairBed bed = make_bed(shape);
  PlainSweep oracle(bed, LocalLaw::coulomb);
  for (int s = 0; s < 600; ++s) oracle.run();
  for (const auto& kernels : sweep_kernels<double>()) {
    Swept<double> swept(bed, kernels, LocalLaw::coulomb, GetParam());
    swept.run(600);
    EXPECT_LT(difference(swept.impulses(), oracle.lambda), 1e-10 * largest(oracle.lambda));
  }
}

/// Contacts at points take the Newton steps of those by rows, and so give their iterates: rounding
/// alone parts them, 1e-16 and 1e-7 a number, grown by five sweeps. Where it decides whether a lane
/// takes another step, kLocalTolerance does.
TEST(PointKernels, GiveTheIteratesOfRows) {
  const PairBed bed = make_bed(kGeneral);
  for (const LocalLaw law : {LocalLaw::coulomb, LocalLaw::associated, LocalLaw::projected}) {
    const auto check = [&]<class T>(const SweepKernels<T>& kernels, double tolerance) {
      SCOPED_TRACE(std::string(kernels.name) + (sizeof(T) == 4 ? " float" : " double"));
      Swept<T> points(bed, kernels, law, PairForm::points);
      Swept<T> rows(bed, kernels, law, PairForm::rows);
      const SweepFactors factors{.relaxation = law == LocalLaw::coulomb ? 1.2 : 1.0};
      points.run(5, factors);
      rows.run(5, factors);
      const std::vector<double> expected = rows.impulses();
      EXPECT_LT(difference(points.impulses(), expected), tolerance * largest(expected));
    };
    for (const auto& kernels : sweep_kernels<double>()) check(kernels, 1e-11);
    for (const auto& kernels : sweep_kernels<float>()) {
      check(kernels, law == LocalLaw::coulomb ? 1e-3 : 1e-4);
    }
  }
}

/// y+ = x+ + B (x+ - x), of impulses and of bodies: after a sweep with inertia w is still sum Y^T
/// y.
TEST(PairSweep, MovesImpulsesAndBodiesAlike) {
  BedShape shape = kSharedSpheres;
  shape.shared = false;
  const PairBed bed = make_bed(shape);
  Swept<double> swept(bed, sweep_kernels<double>().front(), LocalLaw::coulomb, PairForm::spheres);
  Inertia inertia;
  std::vector<double> before;
  double momentum = 0.0;
  for (int s = 0; s < 4; ++s) {
    before = swept.impulses();
    momentum = inertia.momentum();
    inertia.update(swept.sweep.run({.momentum = momentum}));
    swept.sweep.move_on(momentum);
  }
  ASSERT_GT(momentum, 0.0);
  const std::vector<double> now = swept.impulses();
  std::vector<double> y(now.size());
  for (std::size_t k = 0; k < y.size(); ++k) y[k] = now[k] + momentum * (now[k] - before[k]);
  std::vector<double> w(6 * bed.n_bodies(), 0.0);
  add_impulses(swept.rows, y, w);
  double error = 0.0;
  double size = 0.0;
  for (std::size_t b = 0; b < bed.n_bodies(); ++b) {
    for (std::size_t k = 0; k < 6; ++k) {
      const double expected = bed.inverse_mass[36 * b + 7 * k] * w[6 * b + k];
      const double unit = k < 3 ? 1.0 : 0.005;
      error = std::max(error, unit * std::abs(expected - swept.sweep.body(b, k)));
      size = std::max(size, unit * std::abs(expected));
    }
  }
  EXPECT_LT(error, 1e-12 * size);
}

/// Where a contact moves nothing no impulse is kept, whatever the start.
TEST(PairSweep, KeepsNoImpulseWhereNothingMoves) {
  PairBed bed = make_bed({.side = 4});
  std::fill(bed.inverse_mass.begin(), bed.inverse_mass.end(), 0.0);
  for (const PairForm form : kForms) {
    Swept<double> swept(bed, sweep_kernels<double>().front(), LocalLaw::coulomb, form);
    swept.sweep.set_impulses(swept.rows, std::vector<double>(swept.rows.velocity.size(), 1.0));
    swept.sweep.run({});
    swept.sweep.move_on(0.0);
    EXPECT_EQ(largest(swept.impulses()), 0.0) << test::name_of(form);
  }
}

/// All impulses are stored over a mass of the contacts: grains 2^-50 as heavy give 2^-50 of the
/// impulses to the last digit, in single precision too, whose smallest numbers they would be near.
TEST(PairSweep, DoesNotFeelTheUnitOfMass) {
  const double unit = std::ldexp(1.0, 50);
  for (const PairForm form : kForms) {
    const PairBed heavy = make_bed(form == PairForm::spheres ? kSharedSpheres : kGeneral);
    PairBed light = heavy;
    for (double& m : light.inverse_mass) m *= unit;
    for (double& r : light.compliance) r *= unit;
    const SweepKernels<float>& kernels = sweep_kernels<float>().front();
    Swept<float> of_heavy(heavy, kernels, LocalLaw::coulomb, form);
    Swept<float> of_light(light, kernels, LocalLaw::coulomb, form);
    for (int s = 0; s < 5; ++s) {
      for (Swept<float>* swept : {&of_heavy, &of_light}) {
        swept->sweep.run({});
        swept->sweep.move_on(0.0);
      }
    }
    std::vector<double> expected = of_heavy.impulses();
    ASSERT_GT(largest(expected), 0.0);
    for (double& l : expected) l /= unit;
    EXPECT_EQ(difference(of_light.impulses(), expected), 0.0);
  }
}

TEST(Inertia, GrowsAndStartsAgainWhereSweepsMoveMore) {
  Inertia inertia;
  EXPECT_EQ(inertia.momentum(), 0.0);
  inertia.update(1.0);
  const double second = 0.5 * (1.0 + std::sqrt(5.0));  // theta
  const double third = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * second * second));
  EXPECT_NEAR(inertia.momentum(), (second - 1.0) / third, 1e-15);
  for (int s = 0; s < 60; ++s) {
    inertia.update(1.0);
    inertia.momentum();
  }
  EXPECT_EQ(inertia.momentum(), 0.85);  // the bound
  for (int s = 0; s < 8; ++s) {
    inertia.update(1.0);
    inertia.update(2.0);  // grew: theta is halved, down to 1
  }
  EXPECT_EQ(inertia.momentum(), 0.0);
}

TEST(Inertia, RestsWhereTheBestResidualStandsStill) {
  Inertia inertia;
  inertia.judge(1e-3, 10);
  inertia.judge(0.95e-3, 1010);
  EXPECT_FALSE(inertia.resting());
  inertia.judge(0.95e-3, 1011);
  EXPECT_TRUE(inertia.resting());
  EXPECT_EQ(inertia.momentum(), 0.0);
  inertia.judge(0.5e-3, 2000);
  inertia.judge(0.5e-3, 3000);
  EXPECT_TRUE(inertia.resting());  // half of the sweeps done, by now
  inertia.judge(0.5e-3, 4001);
  EXPECT_FALSE(inertia.resting());
}

}  // namespace
}  // namespace scree
