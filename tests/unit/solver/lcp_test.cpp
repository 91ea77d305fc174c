#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "scree/solver/driver.hpp"
#include "support/lcps.hpp"
#include "support/problems.hpp"
#include "support/solver_options.hpp"

namespace scree {
namespace {

using Eigen::VectorXd;

struct LcpOutcome {
  SolverReport report;
  VectorXd x;
};

/// Bounds below on solutions of solves are the tolerance times the conditions of these matrices, a
/// hundred to a thousand; 1e-12 is rounding.
SolverOptions only(std::string_view method, double tolerance = 1e-10) {
  return test::only(method, tolerance);
}

LcpOutcome solve_lcp(const ContactProblem& problem, const SolverOptions& options) {
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  LcpOutcome o;
  o.report = SolverDriver(options).solve(problem, lambda.get());
  const petsc::ConstView view(lambda.get());
  o.x = Eigen::Map<const VectorXd>(view.data(), static_cast<Eigen::Index>(view.size()));
  return o;
}

LcpOutcome solve_lcp(const test::Lcp& lcp, const SolverOptions& options) {
  return solve_lcp(lcp.build(MPI_COMM_SELF), options);
}

constexpr std::string_view kNewton[] = {"minmap", "fischer"};
constexpr std::string_view kStrategies[] = {"random", "zero", "perturbation", "approximation"};

TEST(Lcp, EveryMethodFindsTheOneSolution) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    for (const double skew : {0.0, 0.3}) {
      const test::Lcp lcp = test::random_lcp(8, seed, 1.0, skew);
      const auto expected = lcp.enumerate();
      ASSERT_TRUE(expected);
      const ContactProblem problem = lcp.build(MPI_COMM_SELF);
      for (const SolverEntry& entry : solver_registry()) {
        if (!fault_of_method(entry.name, traits_of(problem)).empty()) {
          EXPECT_TRUE(entry.needs.symmetric && skew > 0.0) << entry.name;
          continue;
        }
        const LcpOutcome o = solve_lcp(problem, only(entry.name, 1e-9));
        EXPECT_EQ(o.report.status, Status::converged)
            << entry.name << ", seed " << seed << ", skew " << skew << ": " << o.report.reason;
        EXPECT_LE((o.x - *expected).norm(), 1e-6 * expected->norm()) << entry.name;
      }
    }
  }
}

/// A step later most rows are as they were: those that changed cost pivots, and no start, however
/// bad, another solution.
TEST(Lemke, StartsFromTheRowsThatBore) {
  std::int64_t cold = 0;
  std::int64_t warm = 0;
  for (unsigned seed = 0; seed < 10; ++seed) {
    test::Lcp lcp = test::random_lcp(40, seed, 0.1, 0.1);
    const LcpOutcome before = solve_lcp(lcp, only("lemke"));
    ASSERT_EQ(before.report.status, Status::converged);
    cold += before.report.iterations;
    lcp.b *= 1.0 + 1e-3 * std::cos(seed);
    lcp.b[0] += 1e-3;
    const ContactProblem problem = lcp.build(MPI_COMM_SELF);
    const LcpOutcome fresh = solve_lcp(problem, only("lemke"));
    for (const double sign : {1.0, -1.0}) {  // the rows that bore, or those that did not
      const petsc::Vector lambda = petsc::duplicate(problem.r.get());
      for (std::size_t i = 0; i < 40; ++i) {
        petsc::View(lambda.get())[i] =
            sign * (before.x[static_cast<Eigen::Index>(i)] > 0.0 ? 1.0 : -1.0);
      }
      const SolverReport report = SolverDriver(only("lemke")).solve(problem, lambda.get());
      ASSERT_EQ(report.status, Status::converged) << report.reason;
      if (sign > 0.0) warm += report.iterations;
      // two ways of pivots to one vertex: rounding times the condition of some thousand
      for (std::size_t i = 0; i < 40; ++i) {
        EXPECT_NEAR(petsc::View(lambda.get())[i], fresh.x[static_cast<Eigen::Index>(i)],
                    1e-8 * fresh.x.norm());
      }
    }
  }
  EXPECT_LT(10 * warm, cold);
}

TEST(Lemke, AgreesWithEnumerationWhereTheMatrixIsNotDefinite) {
  int solved = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    test::Lcp lcp = test::random_lcp(6, seed, 0.0);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    lcp.a += Eigen::MatrixXd::NullaryExpr(6, 6, [&] { return uniform(random); });
    const auto expected = lcp.enumerate();
    const LcpOutcome o = solve_lcp(lcp, only("lemke"));
    if (o.report.status == Status::converged) {
      ++solved;
      EXPECT_TRUE(expected) << "seed " << seed;
      EXPECT_GE(o.x.minCoeff(), 0.0);
      EXPECT_GE((lcp.a * o.x + lcp.b).minCoeff(), -1e-9);
    } else {
      EXPECT_EQ(o.report.status, Status::infeasible) << o.report.reason;
    }
  }
  EXPECT_GE(solved, 30);
}

/// Ties in every pivot: rows alike, and zeros on the right-hand side.
TEST(Lemke, EndsOnDegenerateProblems) {
  test::Lcp lcp;
  lcp.a = Eigen::MatrixXd::Ones(6, 6);
  lcp.b = -VectorXd::Ones(6);
  LcpOutcome o = solve_lcp(lcp, only("lemke"));
  EXPECT_EQ(o.report.status, Status::converged) << o.report.reason;
  EXPECT_NEAR(o.x.sum(), 1.0, 1e-12);

  const test::Lcp stuck = test::friction_lcp(0.5, -1.0, 0.0);
  o = solve_lcp(stuck, only("lemke"));
  EXPECT_EQ(o.report.status, Status::converged) << o.report.reason;
  EXPECT_NEAR(o.x[0], 1.0, 1e-12);
}

TEST(Lemke, TellsOfNoSolution) {
  test::Lcp lcp;
  lcp.a = Eigen::MatrixXd::Zero(2, 2);
  lcp.a(1, 1) = 1.0;
  lcp.b = VectorXd::Constant(2, -1.0);  // 0 x - 1 >= 0
  const LcpOutcome o = solve_lcp(lcp, only("lemke"));
  EXPECT_EQ(o.report.status, Status::infeasible) << o.report.reason;
}

/// Eq. 27: a contact that sticks, and one that slides with friction mu lambda_n.
TEST(FrictionLcp, SticksAndSlides) {
  for (const std::string_view method : {"lemke", "fischer", "pac", "ipm", "auto"}) {
    LcpOutcome o = solve_lcp(test::friction_lcp(0.5, -1.0, -0.2), only(method));
    ASSERT_EQ(o.report.status, Status::converged) << method << ": " << o.report.reason;
    EXPECT_NEAR(o.x[1] - o.x[2], 0.2, 1e-7) << method;
    o = solve_lcp(test::friction_lcp(0.5, -1.0, -0.9), only(method));
    ASSERT_EQ(o.report.status, Status::converged) << method << ": " << o.report.reason;
    EXPECT_NEAR(o.x[1], 0.5, 1e-7) << method;
    EXPECT_NEAR(o.x[3], 0.4, 1e-7) << method;  // the speed of sliding
  }
}

TEST(FrictionLcp, IsRefusedByMethodsThatDivideByTheDiagonal) {
  const ContactProblem problem =
      test::friction_lcp(0.5, -1.0, -0.9).build(MPI_COMM_SELF, "one contact");
  for (const std::string_view method : {"nsgs", "pgs", "psor", "amgs", "apgd", "pgj"}) {
    try {
      solve_lcp(problem, only(method));
      FAIL() << method;
    } catch (const InputError& error) {
      const std::string text = error.what();
      for (const std::string_view part :
           {method, std::string_view("one contact"), std::string_view("diagonal"),
            std::string_view("lemke")}) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
      }
    }
  }
}

TEST(Lcp, MethodsForHalfLinesRefuseFrictionCones) {
  const ContactProblem problem = test::crate(2).build(MPI_COMM_SELF, FrictionLaw::coulomb, "crate");
  for (const std::string_view method : {"minmap", "fischer", "lemke"}) {
    try {
      solve_lcp(problem, only(method));
      FAIL() << method;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("friction cones; auto, nsgs"), std::string::npos)
          << error.what();
    }
  }
}

TEST(Lemke, RefusesWhatIsTooLarge) {
  test::ProblemBuilder builder;
  for (int k = 0; k < 1001; ++k) {
    const int ball = builder.add_ball(1.0, 0.1, test::falling(1e-2));
    builder.add_contact(ball, -1, Vec3::UnitZ(), Vec3(0, 0, -0.1), Vec3::Zero(), 0.0, 0.0, 1);
  }
  const ContactProblem problem = builder.build(MPI_COMM_SELF, FrictionLaw::coulomb, "many");
  try {
    solve_lcp(problem, only("lemke"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("up to 1000 rows"), std::string::npos) << error.what();
  }
}

TEST(Fischer, ConvergesWithEveryStrategy) {
  // b has zeros where the start has them, too: the kink of the function
  test::Lcp lcp = test::random_lcp(30, 7, 1.0);
  for (Eigen::Index i = 0; i < 30; i += 3) lcp.b[i] = 0.0;
  const LcpOutcome exact = solve_lcp(lcp, only("lemke"));
  for (const std::string_view strategy : kStrategies) {
    SolverOptions options = only("fischer", 1e-8);
    options.fischer.strategy = *value_named<FischerStrategy>(strategy);
    const LcpOutcome o = solve_lcp(lcp, options);
    EXPECT_EQ(o.report.status, Status::converged) << strategy << ": " << o.report.reason;
    EXPECT_LE((o.x - exact.x).norm(), 1e-6 * exact.x.norm()) << strategy;
    EXPECT_LE(o.report.iterations, 20) << strategy;
  }
}

/// The number of right digits doubles, at last.
TEST(LcpNewton, ConvergesQuadratically) {
  const test::Lcp lcp = test::random_lcp(60, 5, 1.0);
  for (const std::string_view method : kNewton) {
    SolverOptions options = only(method, 1e-13);
    options.minmap.forcing = options.fischer.forcing = 1e-14;
    const LcpOutcome o = solve_lcp(lcp, options);
    ASSERT_EQ(o.report.status, Status::converged) << o.report.reason;
    const auto& history = o.report.history;
    ASSERT_GE(history.size(), 3U);
    const double before = history[history.size() - 2].measures.residual;
    EXPECT_LE(history.back().measures.residual, 10.0 * before * before + 1e-13) << method;
  }
}

TEST(LcpNewton, DoesNotDependOnUnits) {
  const test::Lcp lcp = test::random_lcp(30, 9, 1.0);
  test::Lcp small = lcp;  // lambda in 1e6 of its unit
  small.a *= 1e6;
  for (const std::string_view method : kNewton) {
    const LcpOutcome a = solve_lcp(lcp, only(method));
    const LcpOutcome b = solve_lcp(small, only(method));
    EXPECT_EQ(a.report.iterations, b.report.iterations) << method;
    EXPECT_LE((1e6 * b.x - a.x).norm(), 1e-8 * a.x.norm()) << method;
  }
}

/// Section 6 of the paper, rule by rule.
TEST(MeritRules, EndEachMethodByName) {
  const test::Lcp lcp = test::random_lcp(40, 4, 1.0);
  for (const std::string_view method : {"pgs", "psor", "amgs", "minmap", "fischer"}) {
    SolverOptions options = only(method, 1e-300);
    options.stop.merit.absolute = 1e-3;
    LcpOutcome o = solve_lcp(lcp, options);
    EXPECT_EQ(o.report.status, Status::merit_rule) << method;
    EXPECT_EQ(o.report.merit_rule, MeritRule::absolute) << method << ": " << o.report.reason;
    EXPECT_LT(o.report.history.back().merit, 1e-3) << method;
    EXPECT_GE(o.report.history[o.report.history.size() - 2].merit, 1e-3) << method;

    options = only(method, 1e-300);
    options.stop.merit.relative = 0.9999;
    o = solve_lcp(lcp, options);
    EXPECT_EQ(o.report.status, Status::merit_rule) << method;
    EXPECT_EQ(o.report.merit_rule, MeritRule::relative) << method << ": " << o.report.reason;

    options = only(method, 1e-300);
    options.stop.merit.change = 1e-4;
    o = solve_lcp(lcp, options);
    EXPECT_EQ(o.report.status, Status::merit_rule) << method;
    EXPECT_EQ(o.report.merit_rule, MeritRule::change) << method << ": " << o.report.reason;

    options = only(method, 1e-300);
    options.stop.max_iterations = 1;
    o = solve_lcp(lcp, options);
    EXPECT_EQ(o.report.status, Status::iteration_limit) << method;
    EXPECT_FALSE(o.report.merit_rule) << method;
  }
}

/// Eqs. 64, 103 and 106 at the start that is told in the history.
TEST(MeritRules, MeritIsThatOfThePaper) {
  const test::Lcp lcp = test::random_lcp(20, 6, 1.0);
  double minimum_map = 0.0;
  double fischer = 0.0;
  for (const double b : lcp.b) {  // x = 0, y = b
    minimum_map += 0.5 * std::pow(std::min(b, 0.0), 2);
    fischer += 0.5 * std::pow(std::abs(b) - b, 2);
  }
  SolverOptions options = only("minmap");
  options.minmap.scaled = options.fischer.scaled = false;
  EXPECT_NEAR(solve_lcp(lcp, options).report.history.front().merit, minimum_map,
              1e-12 * minimum_map);
  options.method = "fischer";
  EXPECT_NEAR(solve_lcp(lcp, options).report.history.front().merit, fischer, 1e-12 * fischer);

  options = only("pgs", 1e-300);
  options.stop.max_iterations = 3;
  options.stop.merit.absolute = 1e-300;
  const LcpOutcome o = solve_lcp(lcp, options);
  const double product = o.x.dot((lcp.a * o.x + lcp.b).cwiseAbs());
  EXPECT_NEAR(o.report.history.back().merit, product, 1e-12 * product);
}

/// The active rows' matrix is zero: there is no Newton step.
TEST(Minmap, EndsWhereTheActiveMatrixIsSingular) {
  test::Lcp lcp;
  lcp.a.resize(2, 2);
  lcp.a << 0, 1, -1, 0;
  lcp.b.resize(2);
  lcp.b << -1, 1;
  EXPECT_EQ(solve_lcp(lcp, only("lemke")).report.status, Status::converged);
  SolverOptions options = only("minmap");
  options.minmap.gradient = false;
  EXPECT_EQ(solve_lcp(lcp, options).report.status, Status::breakdown);
}

/// Where J is singular, as it is in friction LCPs whose variables are of two units, there is no
/// Newton direction, or none that descends; the gradient leads on from there.
TEST(LcpNewton, GoesOnAlongTheGradientWhereTheJacobianIsSingular) {
  // columns alike wherever both rows are active: J = A, and -h not in its range
  test::Lcp lcp;
  lcp.a.resize(3, 3);
  lcp.a << 1, 1, 0, 1, 1, 0, 0, 0, 1;
  lcp.b.resize(3);
  lcp.b << -1, -2, -1;
  SolverOptions options = only("minmap");
  options.minmap.gradient = false;
  EXPECT_EQ(solve_lcp(lcp, options).report.status, Status::breakdown);
  options.minmap.gradient = true;
  const LcpOutcome o = solve_lcp(lcp, options);
  EXPECT_EQ(o.report.status, Status::converged) << o.report.reason;
  EXPECT_NE(o.report.reason.find("along the gradient"), std::string::npos) << o.report.reason;
  EXPECT_NEAR(o.x[0], 0.0, 1e-9);
  EXPECT_NEAR(o.x[1], 2.0, 1e-9);
}

/// y = -x - 1 is nowhere positive. At x = 0 Newton's step and the gradient of either merit lead to
/// x < 0, which the projected search gives back as 0: no step is taken, and the merits are those of
/// h = min(0, -1) = -1 and h = sqrt(0 + 1) - 0 + 1 = 2.
TEST(LcpNewton, EndsByNameWhereThereIsNoSolution) {
  test::Lcp lcp;
  lcp.a = Eigen::MatrixXd::Constant(1, 1, -1.0);
  lcp.b = VectorXd::Constant(1, -1.0);
  for (const std::string_view method : kNewton) {
    for (const bool gradient : {true, false}) {
      SolverOptions options = only(method);
      options.minmap.gradient = options.fischer.gradient = gradient;
      const LcpOutcome o = solve_lcp(lcp, options);
      EXPECT_EQ(o.report.status, Status::stagnated) << method << ": " << o.report.reason;
      const std::string_view reason =
          gradient ? "neither Newton's direction nor the gradient lowers merit"
                   : "no step along the Newton direction lowers merit";
      EXPECT_NE(o.report.reason.find(reason), std::string::npos) << o.report.reason;
      EXPECT_EQ(o.report.iterations, 0) << method;
      EXPECT_EQ(o.x[0], 0.0) << method;
      EXPECT_DOUBLE_EQ(o.report.history.front().merit, method == "minmap" ? 0.5 : 2.0);
    }
  }
}

/// Sweeps alone may solve_lcp the problem: then no Newton step follows, and none is missed.
TEST(LcpNewton, EndsWhereSweepsFoundTheSolution) {
  test::Lcp lcp;
  lcp.a = 2.0 * Eigen::MatrixXd::Identity(3, 3);
  lcp.b = VectorXd::LinSpaced(3, -1.0, 1.0);
  for (const std::string_view method : kNewton) {
    SolverOptions options = only(method);
    options.minmap.sweeps = options.fischer.sweeps = 1;
    const LcpOutcome o = solve_lcp(lcp, options);
    EXPECT_EQ(o.report.status, Status::converged) << method << ": " << o.report.reason;
    EXPECT_EQ(o.report.iterations, 0) << method;
  }
}

TEST(LcpNewton, BeginsWithSweeps) {
  const test::Lcp lcp = test::random_lcp(100, 8, 5.0);
  for (const std::string_view method : kNewton) {
    SolverOptions options = only(method);
    const std::int64_t cold = solve_lcp(lcp, options).report.iterations;
    options.minmap.sweeps = options.fischer.sweeps = 30;
    const LcpOutcome warm = solve_lcp(lcp, options);
    EXPECT_EQ(warm.report.status, Status::converged);
    EXPECT_LT(warm.report.iterations, cold) << method;
  }
}

/// A contact problem without friction, in both forms, and its mirror of half lines on bodies.
TEST(LcpNewton, SolvesContactsWithoutFriction) {
  test::ProblemBuilder builder;
  for (int k = 0; k < 12; ++k) {
    const int ball = builder.add_ball(1.0 + 0.2 * k, 0.1, test::falling(1e-2));
    builder.add_contact(ball, ball - 1, Vec3::UnitZ(), Vec3(0, 0, -0.1), Vec3(0, 0, 0.1), 0.0, 0.0,
                        1);
  }
  const ContactProblem product = builder.build(MPI_COMM_SELF, FrictionLaw::associated, "stack");
  const ContactProblem matrix = test::as_matrix(product);
  for (const std::string_view method : {"minmap", "fischer", "lemke"}) {
    for (const ContactProblem* problem : {&product, &matrix}) {
      const LcpOutcome o = solve_lcp(*problem, only(method));
      EXPECT_EQ(o.report.status, Status::converged) << method << ": " << o.report.reason;
    }
  }
}

}  // namespace
}  // namespace scree
