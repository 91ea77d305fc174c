#include "solver/solve_progress.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <limits>
#include <span>
#include <vector>

#include "support/lcps.hpp"
#include "support/problems.hpp"

namespace scree {
namespace {

/// Reports the same iterate again and again, until the solve ends.
SolverReport stagnate(std::int64_t max_iterations) {
  const ContactProblem problem =
      test::stack(3).build(MPI_COMM_SELF, FrictionLaw::associated, "stack");
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  Stop stop;
  stop.max_iterations = max_iterations;
  SolveProgress progress(problem, stop, 1000, lambda.get());
  for (std::int64_t k = 1; !progress.check(k, lambda.get()); ++k) {
  }
  return progress.finish(lambda.get());
}

TEST(SolveProgress, AFewIterationsAreNotCalledStagnation) {
  const SolverReport report = stagnate(50);
  EXPECT_EQ(report.status, Status::iteration_limit) << report.reason;
  EXPECT_EQ(report.iterations, 50);
}

/// M^-1 J^T lambda, by which v+ is made: of the iterate that is the result, the last one or an
/// earlier one, or the zeros in the place of a start that is no number.
TEST(SolveProgress, TheBodiesHaveTheVelocitiesOfTheResult) {
  const ContactProblem problem =
      test::random_graph(30, 50, 4).build(MPI_COMM_SELF, FrictionLaw::coulomb, "graph");
  const auto report_of = [&](const std::vector<double>& iterates, double start) {
    const petsc::Vector lambda = petsc::duplicate(problem.r.get());
    SCREE_PETSC(VecSet(lambda.get(), start));
    SolveProgress progress(problem, Stop(), 1000, lambda.get());
    for (std::size_t k = 0; k < iterates.size(); ++k) {
      SCREE_PETSC(VecSet(lambda.get(), iterates[k]));
      progress.check(static_cast<std::int64_t>(k) + 1, lambda.get());
      // others use the product, too
      progress.measurer().product().apply(lambda.get(), petsc::duplicate(lambda.get()).get());
    }
    const SolverReport report = progress.finish(lambda.get());
    DelassusProduct product(problem);
    const std::span<const double> expected = product.body_velocities(lambda.get());
    ASSERT_TRUE(report.body_velocities.has_value());
    EXPECT_EQ(*report.body_velocities, std::vector<double>(expected.begin(), expected.end()));
  };
  report_of({}, 1e-3);
  report_of({1e-4}, 1e-3);
  report_of({1e-4, 1e3}, 1e-3);
  report_of({1e3}, 1e-3);
  report_of({}, std::numeric_limits<double>::quiet_NaN());
}

TEST(SolveProgress, TheHistoryTellsWorkAndTime) {
  const ContactProblem problem =
      test::stack(3).build(MPI_COMM_SELF, FrictionLaw::associated, "stack");
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  SolveProgress progress(problem, Stop(), 1000, lambda.get());
  const std::clock_t start = std::clock();
  constexpr std::clock_t kWork = CLOCKS_PER_SEC / 50;
  while (std::clock() - start < kWork) {
  }
  progress.report().inner_iterations = 7;
  progress.report().factorisations = 2;
  progress.check(1, lambda.get());
  const SolverReport report = progress.finish(lambda.get());
  ASSERT_EQ(report.history.size(), 2U);
  EXPECT_EQ(report.history[0].factorisations, 0);
  EXPECT_EQ(report.history[1].inner, 7);
  EXPECT_EQ(report.history[1].factorisations, 2);
  EXPECT_GE(report.history[1].processor_seconds, 0.02);
  EXPECT_LT(report.history[0].processor_seconds, report.history[1].processor_seconds);
  EXPECT_FALSE(report.history[1].eigenvalues);
}

TEST(SolveProgress, NoProgressInTheWindowIsStagnation) {
  for (const auto& [limit, window] : {std::pair{200, 100}, std::pair{1000, 300}}) {
    const SolverReport report = stagnate(limit);
    EXPECT_EQ(report.status, Status::stagnated) << report.reason;
    EXPECT_EQ(report.iterations, window);
  }
}

/// One contact with N = 1 and r = -1, of which lambda = 1 - e has the residual e and the velocity
/// error e: it is given those of @p residual, until @p stop says that it is solved or the patience
/// ends.
template <class Residual>
SolverReport follow(const Residual& residual, const Stop& stop) {
  const Eigen::MatrixXd n = Eigen::MatrixXd::Identity(1, 1);
  const ContactProblem problem =
      test::Lcp{n, Eigen::VectorXd::Constant(1, -1.0)}.build(MPI_COMM_SELF, "one contact");
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  SolveProgress progress(problem, stop, 100000, lambda.get());
  for (std::int64_t k = 1; !progress.done(); ++k) {
    const double x = 1.0 - residual(static_cast<double>(k));
    to_vec({&x, 1}, lambda.get());
    progress.check(k, lambda.get());
  }
  return progress.finish(lambda.get());
}

template <class Residual>
SolverReport follow(const Residual& residual, double tolerance, std::int64_t patience) {
  Stop stop;
  stop.goal.residual = tolerance;
  stop.patience = patience;
  return follow(residual, stop);
}

/// A residual of 1/k has 1000 - k iterations to go to 1e-3: a power that the pace tells exactly.
TEST(SolveProgress, PatienceIsWithWhatIsStillNeeded) {
  const auto inverse = [](double k) { return 1.0 / k; };
  constexpr double kTolerance = 0.9995e-3;  // reached at k = 1001, whatever the rounding
  const SolverReport patient = follow(inverse, kTolerance, 950);
  EXPECT_EQ(patient.status, Status::converged) << patient.reason;
  EXPECT_EQ(patient.iterations, 1001);
  // first judged after a tenth of the patience: 95 iterations leave 906, but 85 leave 916
  const SolverReport hurried = follow(inverse, kTolerance, 850);
  EXPECT_EQ(hurried.status, Status::stagnated) << hurried.reason;
  EXPECT_EQ(hurried.iterations, 85);
}

/// A velocity error that is to become 1e-3 asks for as many iterations as a residual that is to:
/// the solve is as patient with one as with the other, and keeps what is nearest to the bound,
/// though the residual was met long before.
TEST(SolveProgress, PatienceIsWithTheVelocityBoundAsWithTheTolerance) {
  const auto inverse = [](double k) { return 1.0 / k; };
  Stop stop;
  stop.goal.residual = 0.1;
  stop.goal.velocity_error = 0.9995e-3;
  stop.patience = 950;
  const SolverReport patient = follow(inverse, stop);
  EXPECT_EQ(patient.status, Status::converged) << patient.reason;
  EXPECT_EQ(patient.iterations, 1001);
  stop.patience = 850;
  const SolverReport hurried = follow(inverse, stop);
  EXPECT_EQ(hurried.status, Status::stagnated) << hurried.reason;
  EXPECT_EQ(hurried.iterations, 85);
  EXPECT_NEAR(hurried.measures.velocity_error, 1.0 / 85.0, 1e-12);
}

/// Sweeps that stand still for as long as they ran, and then go on, are not given up for it: the
/// residual is 1/k, but 1e-3 from 1000 to 2000 iterations. There it fell by 2 over the last three
/// quarters, a power of 1/2, which leaves 2000 (3^2 - 1) = 16,000 iterations to 1/3000.
TEST(SolveProgress, AStandstillIsWeighedWithWhatCameBefore) {
  const auto terrace = [](double k) { return k > 1000.0 && k < 2000.0 ? 1e-3 : 1.0 / k; };
  const SolverReport report = follow(terrace, 1.0001 / 3000.0, 18000);
  EXPECT_EQ(report.status, Status::converged) << report.reason;
  EXPECT_EQ(report.iterations, 3000);
  // what never goes on is given up soon: after 4000 iterations nothing was gained for three
  // quarters
  const auto stuck = [](double k) { return std::max(1e-3, 1.0 / k); };
  const SolverReport idle = follow(stuck, 1.0001 / 3000.0, 18000);
  EXPECT_EQ(idle.status, Status::stagnated) << idle.reason;
  EXPECT_LE(idle.iterations, 4000);
}

/// A body between two walls that approach, beside one that a third contact stops: impulses of the
/// first two do nothing together, however large, and make the residual as small as one likes.
TEST(SolveProgress, ImpulsesThatGrowWithoutUseEndTheSolve) {
  Eigen::MatrixXd n(3, 3);
  n << 1, -1, 0, -1, 1, 0, 0, 0, 1;
  const Eigen::Vector3d r(-1, -1, -5);
  const ContactProblem problem = test::Lcp{n, r}.build(MPI_COMM_SELF, "wedge");
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  SolveProgress progress(problem, Stop(), 1000, lambda.get());
  std::int64_t k = 0;
  bool done = false;
  while (!done) {
    const double grown = 1e6 * static_cast<double>(++k);
    const Eigen::Vector3d x(grown, grown, 5.0);
    to_vec({x.data(), 3}, lambda.get());
    done = progress.check(k, lambda.get());
  }
  const SolverReport report = progress.finish(lambda.get());
  EXPECT_EQ(report.status, Status::stagnated) << report.reason;
  EXPECT_LT(report.measures.residual, 1e-6);
  // E(w) is 2 of 27 without impulses, whatever the first two are
  EXPECT_NEAR(report.measures.remaining, std::sqrt(2.0 / 27.0), 1e-9);
  EXPECT_LE(k, 102);  // the first of 100 iterations that may gain nothing
}

}  // namespace
}  // namespace scree
