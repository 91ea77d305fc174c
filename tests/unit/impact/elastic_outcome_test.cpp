/// The examples of the paper: Newton's cradle, Figs. 1 to 3, and a break of fifteen balls.

#include "scree/impact/elastic_outcome.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "support/impacts.hpp"

namespace scree {
namespace {

const ElasticOptions kLexicographic{.kind = ImpactOperatorKind::gauss_seidel};
const ElasticOptions kRandom{.kind = ImpactOperatorKind::gauss_seidel,
                             .order = ImpactOrder::random};
const ElasticOptions kWorstFirst{.kind = ImpactOperatorKind::gauss_seidel,
                                 .order = ImpactOrder::worst_first};
const ElasticOptions kReflections{};
const std::vector<ElasticOptions> kAll = {kLexicographic, kRandom, kWorstFirst, kReflections};

struct Result {
  ElasticOutcome outcome;
  ImpactVelocities velocity;
  double approach;  ///< least u_n, m/s
};

Result resolve(const ImpactProblem& problem, const ElasticOptions& options) {
  const EnergySpace space = energy_space(problem);
  Result result{elastic_outcome(space.normals, space.velocity, options), {}, 0.0};
  result.velocity = to_velocities(space, result.outcome.velocity);
  for (const ImpactContact& contact : problem.contacts) {
    result.approach = std::min(result.approach, contact_velocity(contact, result.velocity)[0]);
  }
  return result;
}

TEST(NewtonsCradle, OfEqualBallsLetsOutAsManyAsComeIn) {
  for (const ElasticOptions& options : kAll) {
    const auto one = resolve(test::cradle({1, 1, 1, 1, 1}, {1, 0, 0, 0, 0}), options).velocity;
    const auto two = resolve(test::cradle({1, 1, 1, 1, 1}, {1, 1, 0, 0, 0}), options).velocity;
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_NEAR(one[i][0], i == 4 ? 1.0 : 0.0, 1e-14);
      EXPECT_NEAR(two[i][0], i >= 3 ? 1.0 : 0.0, 1e-14);
    }
  }
}

/// Balls of masses 1 to 100, ascending, descending and by turns.
TEST(NewtonsCradle, OfUnequalBallsKeepsEnergyAndMomentum) {
  for (const ElasticOptions& options : kAll) {
    for (const std::vector<double>& masses :
         {std::vector<double>{1, 3, 10, 30, 100}, {100, 30, 10, 3, 1}, {1, 100, 1, 100, 1}}) {
      const ImpactProblem problem = test::cradle(masses, {1, 0, 0, 0, 0});
      const Result result = resolve(problem, options);
      double momentum = 0.0;
      for (std::size_t i = 0; i < 5; ++i) momentum += masses[i] * result.velocity[i][0];
      EXPECT_TRUE(result.outcome.ended);
      EXPECT_NEAR(momentum, masses[0], 1e-13 * masses[0]);
      EXPECT_NEAR(test::energy_of(problem, result.velocity), 0.5 * masses[0], 1e-13 * masses[0]);
      EXPECT_GE(result.approach, -1e-6);
    }
  }
}

/// A heavy ball on lighter ones: each hits the next once, and none comes back to be hit, so that
/// the velocities are those of one collision after another, v' = 2 m/(m + m_next) v of the one that
/// is hit.
TEST(NewtonsCradle, FromHeavyToLightIsOneCollisionAfterAnother) {
  const std::vector<double> masses = {100, 30, 10, 3, 1};
  for (const ElasticOptions& options : kAll) {
    const auto velocity = resolve(test::cradle(masses, {1, 0, 0, 0, 0}), options).velocity;
    double coming = 1.0;
    for (std::size_t i = 0; i + 1 < masses.size(); ++i) {
      const double sum = masses[i] + masses[i + 1];
      EXPECT_NEAR(velocity[i][0], (masses[i] - masses[i + 1]) / sum * coming, 1e-14);
      coming *= 2.0 * masses[i] / sum;
    }
    EXPECT_NEAR(velocity[4][0], coming, 1e-14);
  }
}

TEST(ElasticOutcome, OfFig2EndsOnlyWithDetection) {
  for (ElasticOptions options : kAll) {
    for (const std::size_t n : {1, 2}) {
      const ImpactProblem problem = test::between_walls(n, Vec3(1, 1, 0));
      options.patience = 0;
      const Result with = resolve(problem, options);
      EXPECT_TRUE(with.outcome.ended);
      EXPECT_EQ(with.outcome.equalities.size(), n + 1);
      EXPECT_NEAR(with.outcome.lost_energy, 0.5 * static_cast<double>(n),
                  1e-14);  // of the motion across
      for (const Vec6& v : with.velocity) EXPECT_LT((v.head<3>() - Vec3::UnitY()).norm(), 1e-14);
      options.patience = options.max_applications = 10'000;
      const Result without = resolve(problem, options);
      EXPECT_FALSE(without.outcome.ended);
      EXPECT_EQ(without.outcome.applications, 10'000);
      EXPECT_LT(without.approach, -0.1);
    }
  }
}

TEST(ElasticOutcome, OfTheBallGeyserEndsOnlyWithDetection) {
  for (ElasticOptions options : kAll) {
    const ImpactProblem problem = test::geyser(4, 4);
    options.patience = 0;
    const Result with = resolve(problem, options);
    EXPECT_TRUE(with.outcome.ended);
    EXPECT_EQ(with.outcome.lost_energy, 0.0);  // at rest across before the hit
    EXPECT_NEAR(test::energy_of(problem, with.velocity), 0.5, 1e-14);
    EXPECT_GE(with.approach, -1e-6);
    EXPECT_GT(with.velocity[12][1] + with.velocity[13][1], 0.1);  // the plug's top goes off
    options.patience = options.max_applications = 10'000;
    const Result without = resolve(problem, options);
    EXPECT_FALSE(without.outcome.ended);
    EXPECT_LT(without.approach, -0.1);
  }
}

/// The wedge unfolded is a straight line through the images of the wedge: at most ceil(pi/angle) of
/// its walls are crossed.
TEST(ElasticOutcome, OfTheWedgeEndsWithinTheCrossingsOfTheUnfoldedLine) {
  for (const ElasticOptions& options : kAll) {
    for (const double degrees : {90.0, 60.0, 30.0, 10.0, 3.0, 1.0, 0.3, 0.1}) {
      const double angle = degrees * std::numbers::pi / 180.0;
      const Result result = resolve(test::wedge(angle), options);
      EXPECT_TRUE(result.outcome.ended);
      EXPECT_TRUE(result.outcome.equalities.empty());
      EXPECT_LE(static_cast<double>(result.outcome.applications), std::ceil(180.0 / degrees));
      EXPECT_NEAR(result.velocity[0].squaredNorm(), 1.0, 1e-14);
    }
  }
}

/// Patience changes what is computed, not what ends: without equalities the outcome is the same.
TEST(ElasticOutcome, NeedsNoProgramWhereItEndsWithinItsPatience) {
  const ImpactProblem problem = test::pool_break();
  for (ElasticOptions options : kAll) {
    const Result first = resolve(problem, options);
    EXPECT_EQ(first.outcome.programs, 1);
    options.patience = 1000;
    const Result patient = resolve(problem, options);
    EXPECT_EQ(patient.outcome.programs, 0);
    EXPECT_EQ((first.outcome.velocity - patient.outcome.velocity).norm(), 0.0);
  }
}

TEST(ElasticOutcome, BeginsAnewWithAProgramWhereItsPatienceRunsOut) {
  const ImpactProblem problem = test::wedge(0.01);  // two contacts, some 300 applications
  for (ElasticOptions options : kAll) {
    const Result first = resolve(problem, options);
    options.patience = 1;
    const Result hasty = resolve(problem, options);
    EXPECT_EQ(hasty.outcome.programs, 1);
    EXPECT_EQ(hasty.outcome.applications, first.outcome.applications + 2);
    EXPECT_EQ((first.outcome.velocity - hasty.outcome.velocity).norm(), 0.0);
  }
}

TEST(PoolBreak, KeepsItsMirrorSymmetryWithReflectionsAlone) {
  const ImpactProblem problem = test::pool_break();
  const auto asymmetry = [&](const ElasticOptions& options) {
    const auto velocity = resolve(problem, options).velocity;
    double worst = 0.0;
    std::size_t first = 0;  // ball of a row
    for (std::size_t row = 0; row < 5; first += ++row) {
      for (std::size_t i = 0; i <= row; ++i) {
        const Vec6& v = velocity[first + i];
        const Vec6& mirror = velocity[first + row - i];
        worst = std::max({worst, std::abs(v[0] - mirror[0]), std::abs(v[1] + mirror[1])});
      }
    }
    return worst;
  };
  EXPECT_LT(asymmetry(kReflections), 1e-10);
  EXPECT_GT(asymmetry(kLexicographic), 1e-2);  // one after another breaks it
}

/// Ends, keeps the energy and answers every change of momentum by its impulses, to 1e-12.
void expect_energy_and_momentum(const ImpactProblem& problem, const ElasticOptions& options) {
  const EnergySpace space = energy_space(problem);
  const ElasticOutcome outcome = elastic_outcome(space.normals, space.velocity, options);
  const double before = space.velocity.squaredNorm();
  ASSERT_TRUE(outcome.ended);
  ASSERT_GE(outcome.impulse.minCoeff(), 0.0);
  ASSERT_NEAR(outcome.velocity.squaredNorm(), before - 2.0 * outcome.lost_energy, 1e-12 * before);
  const Eigen::VectorXd change = space.normals * outcome.impulse;
  ASSERT_LT((outcome.velocity - space.velocity - change).norm(), 1e-12 * std::sqrt(before));
  ASSERT_GE((space.normals.transpose() * outcome.velocity).minCoeff(), -1.1e-7 * std::sqrt(before));
}

/// A tenth are exactly degenerate. scripts/bench/impact has the ten thousand of them.
TEST(ElasticOutcome, OfRandomProblemsKeepsEnergyAndMomentum) {
  std::mt19937_64 random(6);
  for (int trial = 0; trial < 500; ++trial) {
    const ImpactProblem problem = test::random_impact(random, 2 + random() % 99, trial % 10 == 0);
    for (const ElasticOptions& options : kAll) expect_energy_and_momentum(problem, options);
  }
}

/// The problem of the bench, of 100 contacts of which 75 are implicit equalities, where one contact
/// more than the dimensions of the lineality space once shared the impulses of the equalities.
TEST(ElasticOutcome, AnswersEqualitiesByIndependentContacts) {
  std::mt19937_64 random(1);
  ImpactProblem problem;
  for (int trial = 0; trial <= 9114; ++trial) {
    problem = test::random_impact(random, 2 + random() % 199, trial % 10 == 0);
  }
  ASSERT_EQ(problem.contacts.size(), 100U);
  for (const ElasticOptions& options : kAll) expect_energy_and_momentum(problem, options);
}

}  // namespace
}  // namespace scree
