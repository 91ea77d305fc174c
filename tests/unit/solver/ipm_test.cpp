#include "scree/solver/interior_point/ipm.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>

#include <algorithm>
#include <cmath>

#include "scree/solver/gradient/apgd.hpp"
#include "scree/solver/interior_point/kleinert.hpp"
#include "scree/solver/sweeps/nsgs.hpp"
#include "support/problems.hpp"

namespace scree {
namespace {

struct IpmSolution {
  SolverReport report;
  std::vector<double> lambda;
  std::vector<double> v;  ///< end velocity; product form only
};

Stop to(double tolerance) {
  Stop stop;
  stop.goal.residual = tolerance;
  return stop;
}

IpmSolution solve_ipm(const ContactProblem& problem, double tolerance,
                      const IpmOptions& options = {}) {
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  IpmSolution s;
  s.report = make_ipm(options)->solve(problem, to(tolerance), lambda.get());
  const petsc::ConstView view(lambda.get());
  s.lambda.assign(view.data(), view.data() + view.size());
  if (problem.delassus.is_product()) {
    const petsc::Vector v = end_velocity(problem, lambda.get());
    const petsc::ConstView velocity(v.get());
    s.v.assign(velocity.data(), velocity.data() + velocity.size());
  }
  // what a report says of its lambda is what lambda is
  Measurer measurer(problem);
  EXPECT_DOUBLE_EQ(measurer.measure(lambda.get()).residual, s.report.measures.residual);
  return s;
}

IpmOptions factorised() {
  IpmOptions options;
  options.linear_solver = LinearSolverName::mumps;
  return options;
}

ContactProblem ipm_problem(const test::ProblemBuilder& builder,
                           FrictionLaw law = FrictionLaw::associated) {
  return builder.build(PETSC_COMM_SELF, law, "test");
}

constexpr double kImpulse = 2.0 * test::kGravity * 1e-2;  ///< m g dt of ball_on_slope

TEST(Ipm, BallAtRestOnAPlane) {
  const IpmSolution s = solve_ipm(ipm_problem(test::ball_on_slope(0.0, 0.4)), 1e-8, factorised());
  ASSERT_EQ(s.report.status, Status::converged) << s.report.reason;
  EXPECT_NEAR(s.lambda[0], kImpulse, 1e-7 * kImpulse);
  EXPECT_NEAR(s.lambda[1], 0, 1e-7 * kImpulse);
  EXPECT_NEAR(s.lambda[2], 0, 1e-7 * kImpulse);
}

/// A ball rolls: friction takes 2/7 of the tangential velocity, whatever mu above 2/7 tan(angle).
TEST(Ipm, BallRollsDownASlope) {
  const double angle = 0.3;
  for (const FrictionLaw law : {FrictionLaw::associated, FrictionLaw::coulomb}) {
    const IpmSolution s =
        solve_ipm(ipm_problem(test::ball_on_slope(angle, 0.4), law), 1e-8, factorised());
    ASSERT_EQ(s.report.status, Status::converged) << s.report.reason;
    EXPECT_NEAR(s.lambda[0], kImpulse * std::cos(angle), 1e-6 * kImpulse);
    const double tangent = std::hypot(s.lambda[1], s.lambda[2]);
    EXPECT_NEAR(tangent, 2.0 / 7.0 * kImpulse * std::sin(angle), 1e-6 * kImpulse);
  }
}

/// It slips: the impulse lies on the cone. With the relaxed law the ball also lifts, by the
/// optimality of 1/2 |v - v_free|^2: lambda along (1, mu), u along (mu, -1).
TEST(Ipm, BallSlipsDownASlope) {
  const double angle = 0.5;
  const double mu = 0.1;
  const IpmSolution relaxed =
      solve_ipm(ipm_problem(test::ball_on_slope(angle, mu)), 1e-8, factorised());
  ASSERT_EQ(relaxed.report.status, Status::converged) << relaxed.report.reason;
  const double free_n = -test::kGravity * 1e-2 * std::cos(angle);
  const double free_t = test::kGravity * 1e-2 * std::sin(angle);
  // along g = (1, mu): g^T (N a g + r) = 0, N = diag(1, 3.5) / m
  const double a = -2.0 * (free_n - mu * free_t) / (1.0 + 3.5 * mu * mu);
  EXPECT_NEAR(relaxed.lambda[0], a, 1e-6 * a);
  EXPECT_NEAR(std::hypot(relaxed.lambda[1], relaxed.lambda[2]), mu * a, 1e-6 * a);
  EXPECT_GT(relaxed.report.measures.dilation, 1e-3 * free_t);

  const IpmSolution exact = solve_ipm(
      ipm_problem(test::ball_on_slope(angle, mu), FrictionLaw::coulomb), 1e-8, factorised());
  ASSERT_EQ(exact.report.status, Status::converged) << exact.report.reason;
  EXPECT_NEAR(exact.lambda[0], kImpulse * std::cos(angle), 1e-6 * kImpulse);
  EXPECT_NEAR(std::hypot(exact.lambda[1], exact.lambda[2]), mu * exact.lambda[0], 1e-6 * kImpulse);
}

TEST(Ipm, StackCarriesItsWeight) {
  const int n = 8;
  const IpmSolution s = solve_ipm(ipm_problem(test::stack(n)), 1e-8, factorised());
  ASSERT_EQ(s.report.status, Status::converged) << s.report.reason;
  for (int i = 0; i < n; ++i) {
    const double weight = (n - i) * test::kGravity * 1e-2;
    EXPECT_NEAR(s.lambda[3 * i], weight, 1e-6 * weight) << i;
  }
}

TEST(Ipm, ConjugateGradientsAndAFactorisationAgree) {
  const ContactProblem problem = ipm_problem(test::random_graph(30, 80, 3, true, true));
  const IpmSolution direct = solve_ipm(problem, 1e-8, factorised());
  ASSERT_EQ(direct.report.status, Status::converged) << direct.report.reason;
  EXPECT_GT(direct.report.factorisations, 0);
  EXPECT_EQ(direct.report.inner_iterations, 0);
  IpmOptions cg;
  cg.linear_solver = LinearSolverName::cg;
  cg.max_krylov = 100000;
  const IpmSolution iterative = solve_ipm(problem, 1e-6, cg);
  ASSERT_EQ(iterative.report.status, Status::converged) << iterative.report.reason;
  EXPECT_GT(iterative.report.inner_iterations, 0);
  EXPECT_EQ(iterative.report.factorisations, 0);
  // the velocity of the relaxed problem is unique; its error is the root of that of the objective
  for (std::size_t k = 0; k < direct.v.size(); ++k) EXPECT_NEAR(iterative.v[k], direct.v[k], 1e-3);
}

TEST(Ipm, BodySpaceAndContactSpaceAgree) {
  const ContactProblem product = ipm_problem(test::random_graph(20, 45, 5, true));
  const ContactProblem matrix = test::as_matrix(product);
  const IpmSolution bodies = solve_ipm(product, 1e-8, factorised());
  ASSERT_EQ(bodies.report.status, Status::converged) << bodies.report.reason;
  const IpmSolution contacts = solve_ipm(matrix, 1e-7, factorised());
  ASSERT_EQ(contacts.report.status, Status::converged) << contacts.report.reason;
  const petsc::Vector lambda = petsc::duplicate(product.r.get());
  std::copy(contacts.lambda.begin(), contacts.lambda.end(), petsc::View(lambda.get()).data());
  const petsc::Vector v = end_velocity(product, lambda.get());
  const petsc::ConstView velocity(v.get());
  for (std::size_t k = 0; k < velocity.size(); ++k) EXPECT_NEAR(velocity[k], bodies.v[k], 1e-4);
  IpmOptions cg;
  cg.linear_solver = LinearSolverName::cg;
  cg.max_krylov = 100000;
  const IpmSolution iterative = solve_ipm(matrix, 1e-6, cg);
  EXPECT_EQ(iterative.report.status, Status::converged) << iterative.report.reason;
  EXPECT_EQ(iterative.report.factorisations, 0);
}

/// Far more contact forces than balance can tell apart: no method-made stiffness may decide.
TEST(Ipm, RedundantContactsAreNoObstacle) {
  for (const FrictionLaw law : {FrictionLaw::associated, FrictionLaw::coulomb}) {
    const IpmSolution s = solve_ipm(ipm_problem(test::crate(4), law), 1e-8, factorised());
    EXPECT_EQ(s.report.status, Status::converged) << to_string(law) << ": " << s.report.reason;
    for (const double v : s.v) EXPECT_NEAR(v, 0, 1e-7);
  }
}

TEST(Ipm, ConesWithoutFriction) {
  // mu = 0 as cones of dim 1, and as cones of dim 3 with no room beside the axis
  for (const std::size_t dim : {1U, 3U}) {
    test::ProblemBuilder b;
    for (int i = 0; i < 5; ++i) {
      b.add_ball(1.0, 0.1, test::falling(1e-2));
      b.add_contact(i, i - 1, Vec3::UnitZ(), Vec3(0, 0, -0.1), Vec3(0, 0, 0.1), 0.0, 0.0,
                    static_cast<int>(dim));
    }
    const IpmSolution s = solve_ipm(ipm_problem(b), 1e-8, factorised());
    ASSERT_EQ(s.report.status, Status::converged) << "dim " << dim << ": " << s.report.reason;
    ASSERT_EQ(s.lambda.size(), 5 * dim);
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_NEAR(s.lambda[dim * i], static_cast<double>(5 - i) * test::kGravity * 1e-2, 1e-6);
      for (std::size_t k = 1; k < dim; ++k) EXPECT_EQ(s.lambda[dim * i + k], 0);
    }
  }
}

TEST(Ipm, MixedFrictionOfManySizes) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const IpmSolution s =
        solve_ipm(ipm_problem(test::random_graph(25, 90, seed, true)), 1e-8, factorised());
    EXPECT_EQ(s.report.status, Status::converged) << seed << ": " << s.report.reason;
  }
}

TEST(Ipm, CoulombNeverClaimsMoreThanItReached) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const ContactProblem problem =
        ipm_problem(test::random_graph(25, 60, seed), FrictionLaw::coulomb);
    const IpmSolution s = solve_ipm(problem, 1e-4, factorised());
    if (s.report.status == Status::converged) {
      EXPECT_LE(s.report.measures.residual, 1e-4);
    } else {
      EXPECT_GT(s.report.measures.residual, 1e-4);
      EXPECT_FALSE(s.report.reason.empty());
    }
    // the best of the history is what is returned
    for (const HistoryPoint& h : s.report.history) {
      EXPECT_GE(h.measures.residual, s.report.measures.residual);
    }
  }
}

/// As a fallback from good impulses, the fixed point on the slip goes on from them, and gives up
/// soon where it cannot better them.
TEST(Ipm, CoulombGoesOnFromANearSolutionOrGivesUpSoon) {
  constexpr std::int64_t kFewRounds = 350;  // iterations; a whole solve_ipm here takes 500 to 800
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const ContactProblem problem =
        ipm_problem(test::random_graph(25, 60, seed), FrictionLaw::coulomb);
    const auto from_nsgs = [&](double start, double tolerance) {
      const petsc::Vector lambda = petsc::duplicate(problem.r.get());
      const double near = make_nsgs({})->solve(problem, to(start), lambda.get()).measures.residual;
      return std::pair(near, make_ipm(factorised())->solve(problem, to(tolerance), lambda.get()));
    };
    const auto [near, on] = from_nsgs(1e-4, 1e-9);
    EXPECT_LT(on.measures.residual, 0.9 * near) << "seed " << seed << ": " << on.reason;
    const auto [nearer, gives_up] = from_nsgs(1e-11, 1e-12);
    EXPECT_LE(gives_up.measures.residual, 1.001 * nearer);
    EXPECT_LE(gives_up.iterations, kFewRounds) << "seed " << seed << ": " << gives_up.reason;
  }
}

TEST(Ipm, NoContacts) {
  test::ProblemBuilder b;
  b.add_ball(1.0, 0.1, test::falling(1e-2));
  const IpmSolution s = solve_ipm(ipm_problem(b), 1e-8);
  EXPECT_EQ(s.report.status, Status::converged);
  EXPECT_EQ(s.report.iterations, 0);
}

TEST(Ipm, ASolutionIsRecognised) {
  const ContactProblem problem = ipm_problem(test::stack(3));
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  const auto solver = make_ipm(factorised());
  ASSERT_EQ(solver->solve(problem, to(1e-8), lambda.get()).status, Status::converged);
  EXPECT_EQ(solver->solve(problem, to(1e-8), lambda.get()).iterations, 0);
}

TEST(Ipm, NotANumberIsReported) {
  const ContactProblem problem = ipm_problem(test::stack(3));
  petsc::View(problem.r.get())[4] = std::nan("");
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  const SolverReport report = make_ipm({})->solve(problem, {}, lambda.get());
  EXPECT_EQ(report.status, Status::diverged);
  for (const double l : petsc::ConstView(lambda.get()).span()) EXPECT_TRUE(std::isfinite(l));
}

TEST(Ipm, ConjugateGradientsGiveWayToAFactorisation) {
  IpmOptions options;
  options.linear_solver = LinearSolverName::cg;
  options.max_krylov = 3;
  const IpmSolution s = solve_ipm(ipm_problem(test::crate(3)), 1e-6, options);
  EXPECT_EQ(s.report.status, Status::converged) << s.report.reason;
  EXPECT_GT(s.report.factorisations, 0);
}

TEST(Ipm, LimitsAreKept) {
  Stop stop = to(1e-8);
  stop.max_iterations = 3;
  const ContactProblem problem = ipm_problem(test::crate(3));
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  const SolverReport report = make_ipm({})->solve(problem, stop, lambda.get());
  EXPECT_EQ(report.status, Status::iteration_limit);
  EXPECT_EQ(report.iterations, 3);
}

/// One ball: lambda = (v_n + R lambda) / N_nn by hand, the compliance taking its share of the fall.
/// Time is looked at within Krylov solves, too (that they end there: LinearSolver), and what one
/// left unfinished is no end.
TEST(Ipm, KrylovSolvesEndWhereTimeIsOut) {
  const ContactProblem problem = ipm_problem(test::crate(10));
  const auto slow = [](auto options) {
    options.linear_solver = LinearSolverName::cg;
    options.preconditioner = Preconditioner::none;
    options.max_krylov = 1000000;
    options.forcing = 1e-9;
    return options;
  };
  Stop stop = to(1e-10);
  stop.max_seconds = 0.01;  // a thirtieth of what the whole takes on a fast machine
  for (const auto& method :
       {make_ipm(slow(IpmOptions())), make_kleinert(slow(KleinertOptions()))}) {
    const petsc::Vector lambda = petsc::duplicate(problem.r.get());
    const SolverReport report = method->solve(problem, stop, lambda.get());
    EXPECT_EQ(report.status, Status::time_limit) << report.solver << ": " << report.reason;
    EXPECT_EQ(report.iterations, report.history.back().iteration) << report.solver;
  }
}

TEST(Ipm, ASoftContactGivesWay) {
  for (const int dim : {1, 2, 3}) {
    test::ProblemBuilder b;
    b.add_ball(2.0, 0.1, test::falling(1e-2));
    b.add_contact(0, -1, Vec3::UnitZ(), Vec3(0, 0, -0.1), Vec3::Zero(), 0.0, 0.4, dim, {0.3, 0.4});
    const IpmSolution s = solve_ipm(ipm_problem(b), 1e-10, factorised());
    ASSERT_EQ(s.report.status, Status::converged) << s.report.reason;
    const double expected = test::kGravity * 1e-2 / (1.0 / 2.0 + 0.3);
    EXPECT_NEAR(s.lambda[0], expected, 1e-8 * expected);
    EXPECT_NEAR(s.v[2], -0.3 * expected, 1e-8 * expected);
  }
}

/// N + R as one matrix is another way through all but the cones: what was solved among the bodies
/// solves it. With R > 0 impulses are unique, up to the residual times the condition of N + R,
/// which is 1e2 and 1e4 here.
TEST(Ipm, SoftBodiesAndTheSoftMatrixAgree) {
  constexpr double kTolerance = 1e-8;
  for (const double softness : {1e-3, 1e-1}) {
    for (unsigned seed = 1; seed <= 5; ++seed) {
      auto builder = test::random_graph(25, 60, seed, true);
      builder.soften({softness, softness / 0.8});
      const ContactProblem product = ipm_problem(builder);
      const ContactProblem matrix = test::as_matrix(product);
      const IpmSolution bodies = solve_ipm(product, kTolerance, factorised());
      const IpmSolution contacts = solve_ipm(matrix, kTolerance, factorised());
      ASSERT_EQ(bodies.report.status, Status::converged) << bodies.report.reason;
      ASSERT_EQ(contacts.report.status, Status::converged) << contacts.report.reason;
      const petsc::Vector lambda = petsc::duplicate(matrix.r.get());
      to_vec(bodies.lambda, lambda.get());
      EXPECT_LE(Measurer(matrix).measure(lambda.get()).residual, 1.001 * kTolerance);
      const Eigen::Map<const Eigen::VectorXd> one(bodies.lambda.data(), matrix.cones.offset.back());
      const Eigen::Map<const Eigen::VectorXd> other(contacts.lambda.data(), one.size());
      EXPECT_LE((one - other).norm(), 10.0 / softness * kTolerance * one.norm());
    }
  }
}

/// Gradients know nothing of what an interior point method does with R.
TEST(Ipm, SoftContactsEndWhereGradientsEnd) {
  auto builder = test::random_graph(25, 60, 4, true);
  builder.soften({0.1, 0.125});
  const ContactProblem problem = ipm_problem(builder);
  const IpmSolution s = solve_ipm(problem, 1e-8, factorised());
  ASSERT_EQ(s.report.status, Status::converged) << s.report.reason;
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  const SolverReport report = make_apgd({})->solve(problem, to(1e-8), lambda.get());
  ASSERT_EQ(report.status, Status::converged) << report.reason;
  const std::vector<double> other = to_rows(lambda.get());
  for (std::size_t k = 0; k < other.size(); ++k) EXPECT_NEAR(s.lambda[k], other[k], 1e-6) << k;
}

/// The largest eigenvalue of R^-1/2 J M^-1 J^T R^-1/2, R = @p softness I, by powers.
double most_over_softness(const ContactProblem& rigid, double softness) {
  const petsc::Vector x = petsc::duplicate(rigid.r.get());
  const petsc::Vector y = petsc::duplicate(rigid.r.get());
  DelassusProduct product(rigid);
  SCREE_PETSC(VecCopy(rigid.r.get(), x.get()));
  double norm = 0.0;
  for (int k = 0; k < 300; ++k) {
    SCREE_PETSC(VecNormalize(x.get(), nullptr));
    product.apply(x.get(), y.get());
    SCREE_PETSC(VecNorm(y.get(), NORM_2, &norm));
    SCREE_PETSC(VecCopy(y.get(), x.get()));
  }
  return norm / softness;
}

/// K = I + G^T (S + R)^-1 G is at most 1 + N/R even where S vanishes, and conjugate gradients
/// reduce an error by e in sqrt(condition) ln(2/e) / 2 iterations: twice that for predictor and
/// corrector, whose tolerances ask for less than e = 1e-8. Without R the last steps take many times
/// as many.
TEST(Ipm, ComplianceBoundsTheConjugateGradients) {
  constexpr double kSoftness = 0.1;
  auto builder = test::random_graph(200, 700, 1);
  const ContactProblem rigid = ipm_problem(builder);
  builder.soften({kSoftness, kSoftness});
  const ContactProblem soft = ipm_problem(builder);
  const double condition = 1.0 + most_over_softness(rigid, kSoftness);
  const double bound = std::sqrt(condition) * std::log(2e8);
  const auto most_in_a_step = [](const ContactProblem& problem) {
    IpmOptions options;
    options.linear_solver = LinearSolverName::cg;
    options.preconditioner = Preconditioner::none;
    options.max_krylov = 100000;
    const IpmSolution s = solve_ipm(problem, 1e-6, options);
    EXPECT_EQ(s.report.status, Status::converged) << s.report.reason;
    std::int64_t most = 0;
    for (std::size_t k = 1; k < s.report.history.size(); ++k) {
      most = std::max(most, s.report.history[k].inner - s.report.history[k - 1].inner);
    }
    return static_cast<double>(most);
  };
  EXPECT_LE(most_in_a_step(soft), bound) << "condition " << condition;
  EXPECT_GT(most_in_a_step(rigid), 10.0 * bound);
}

}  // namespace
}  // namespace scree
