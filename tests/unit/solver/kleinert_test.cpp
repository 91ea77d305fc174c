#include "scree/solver/interior_point/kleinert.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "scree/solver/interior_point/ipm.hpp"
#include "scree/solver/registry.hpp"
#include "solver/interior_point/ipm_matrix.hpp"
#include "solver/interior_point/ipm_units.hpp"
#include "solver/interior_point/kleinert_path.hpp"
#include "support/dense_matrices.hpp"
#include "support/problems.hpp"

namespace scree {
namespace {

using kleinert::Iterate;
using kleinert::Path;

ContactProblem built(const test::ProblemBuilder& builder) {
  return builder.build(PETSC_COMM_SELF, FrictionLaw::associated, "test");
}

Path make_path(const ContactProblem& problem, const KleinertOptions& options) {
  Measurer measurer(problem);
  ipm::Units units = ipm::make_units(problem, measurer.rho());
  units.velocity = units.inverse_mass = 1.0;
  return {problem, units, ipm::to_units(units, problem.r.get()), options};
}

double largest_of(const kleinert::Points& points) {
  double value = 0.0;
  for (const double x : points) value = std::max(value, std::abs(x));
  return value;
}

struct KleinertSolution {
  SolverReport report;
  std::vector<double> v;
};

KleinertSolution solve_kleinert(const ContactProblem& problem, double tolerance, Solver& solver) {
  Stop stop;
  stop.goal.residual = tolerance;
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  KleinertSolution s;
  s.report = solver.solve(problem, stop, lambda.get());
  const petsc::Vector v = end_velocity(problem, lambda.get());
  const petsc::ConstView view(v.get());
  s.v.assign(view.data(), view.data() + view.size());
  return s;
}

KleinertSolution solve_kleinert(const ContactProblem& problem, double tolerance,
                                const KleinertOptions& options = {}) {
  return solve_kleinert(problem, tolerance, *make_kleinert(options));
}

/// Iterations until paper 004's error is at most @p error; -1: never.
std::int64_t iterations_to(double error, const SolverReport& report) {
  for (const HistoryPoint& h : report.history) {
    if (h.iteration > 0 && h.measures.error <= error) return h.iteration;
  }
  return -1;
}

std::vector<test::ProblemBuilder> scenes() {
  std::vector<test::ProblemBuilder> all{
      test::ball_on_slope(0.3, 0.4), test::ball_on_slope(0.5, 0.1), test::stack(8), test::crate(3)};
  for (unsigned seed = 1; seed <= 3; ++seed) {
    all.push_back(test::random_graph(25, 60, seed));
    all.push_back(test::random_graph(25, 60, seed, true));
  }
  return all;
}

/// Section 4.3: the larger problem holds exactly at the start, which lies on its central path.
TEST(Kleinert, TheStartIsOnTheCentralPathOfTheLargerProblem) {
  for (const auto& scene : scenes()) {
    const ContactProblem problem = built(scene);
    const KleinertOptions options;
    Path path = make_path(problem, options);
    const Iterate& at = path.at();
    const double alpha = 0.5 * at.s;
    EXPECT_GT(alpha, 0.0);
    ipm::for_each_second_order(
        problem.cones, [&]<class Cone>(const Cone& cone, const ConePlace& place) {
          constexpr int kDim = Cone::kDim;
          const auto product = jordan::product<kDim>(rows_of(cone, &at.x[place.row]),
                                                     rows_of(cone, &at.y[place.row]));
          EXPECT_LE((product - alpha * jordan::unit<kDim>()).norm(), 1e-12 * alpha);
        });
    EXPECT_NEAR(kleinert::centrality(problem.comm, problem.cones, at), 0.0, 1e-9);
    EXPECT_LE(largest_of(path.defect()), 1e-12 * largest_of(at.y));
  }
}

/// Theorem 1, and the definition (17), (21) with the exponent of both factors alike.
TEST(Kleinert, CentralityIsPositiveOffThePath) {
  std::mt19937 generator(7);
  const auto uniform = [&generator] { return static_cast<double>(generator()) / 4294967296.0; };
  Cones cones;
  for (int i = 0; i < 5; ++i) cones.append(3, 0.5, FrictionLaw::associated);
  using Point = jordan::Vector<3>;
  const auto point = [](kleinert::Points& x, std::size_t i) {
    return Eigen::Map<Point>(&x[3 * i]);
  };
  for (const bool feasible : {false, true}) {
    Iterate at;
    for (int i = 0; i < 5; ++i) {
      for (kleinert::Points* x : {&at.x, &at.y}) {
        for (const double value : {1.5, uniform() - 0.5, uniform() - 0.5}) x->push_back(value);
      }
    }
    at.s = feasible ? 0.0 : 2.0 + uniform();
    const double m = feasible ? 5.0 : 6.0;
    double sum = at.s;
    double product = feasible ? 1.0 : at.s;
    for (std::size_t i = 0; i < 5; ++i) {
      const Point x = point(at.x, i);
      const Point y = point(at.y, i);
      sum += x.dot(y);
      product *= 2.0 * std::sqrt(jordan::det<3>(x) * jordan::det<3>(y));
    }
    const double expected = 2.0 * m * std::log(sum / m / std::pow(product, 1.0 / m));
    const double f = kleinert::centrality(MPI_COMM_SELF, cones, at);
    EXPECT_GT(f, 0.0);
    EXPECT_NEAR(f, expected, 1e-12 * expected);
    // whatever alpha is: x o y = alpha e, s = 2 alpha
    for (const double alpha : {1e-9, 1e3}) {
      for (std::size_t i = 0; i < 5; ++i) {
        point(at.y, i) = alpha * jordan::inverse<3>(point(at.x, i));
      }
      at.s = feasible ? 0.0 : 2.0 * alpha;
      EXPECT_NEAR(kleinert::centrality(MPI_COMM_SELF, cones, at), 0.0, 1e-12);
    }
  }
}

TEST(Kleinert, BetaFollowsCentrality) {
  for (const auto& [f, cautious, aggressive] : {std::tuple{0.0, 0.1, 0.01},
                                                {0.1, 0.1, 0.01},
                                                {0.11, 0.5, 0.1},
                                                {1.0, 0.5, 0.1},
                                                {1.1, 1.0, 0.5}}) {
    EXPECT_EQ(kleinert::beta(f, true), cautious) << f;
    EXPECT_EQ(kleinert::beta(f, false), aggressive) << f;
  }
}

/// Lemma 2 at work: no step leaves the cones, the larger problem goes on holding, s falls to zero,
/// or below what matters, and stays there.
TEST(Kleinert, StepsKeepTheConesAndTheLargerProblem) {
  int feasible = 0;
  for (const char* rule : {"path_following", "potential_reduction"}) {
    for (const auto& scene : scenes()) {
      SCOPED_TRACE(rule);
      const ContactProblem problem = built(scene);
      KleinertOptions options;
      options.beta = *value_named<KleinertRule>(rule);
      Path path = make_path(problem, options);
      const double scale = largest_of(path.at().y);
      const double start = ipm::inner_product(problem.comm, path.at().x, path.at().y);
      constexpr double kEnd = 1e-9;
      double left = 1.0;
      for (int k = 0; k < 60 && left > kEnd; ++k) {
        const Iterate before = path.at();
        const double theta = path.step();
        ASSERT_GT(theta, 0.0) << k;
        ASSERT_LE(theta, 1.0);
        ASSERT_TRUE(ipm::all_interior(problem.comm, problem.cones, path.at().x, path.at().y)) << k;
        ASSERT_LE(largest_of(path.defect()), 1e-9 * scale) << k;
        ASSERT_GE(path.at().s, 0.0);
        ASSERT_TRUE(path.at().feasible() || !before.feasible()) << k;
        left = ipm::inner_product(problem.comm, path.at().x, path.at().y) / start;
      }
      EXPECT_LE(left, kEnd);
      EXPECT_LE(path.at().s * largest_of(path.direction()), 1e-6 * scale);
      feasible += path.at().feasible() ? 1 : 0;
    }
  }
  EXPECT_GT(feasible, 0);
}

TEST(Kleinert, ExactStepsConvergeToTheSolutionOfMehrotra) {
  IpmOptions mehrotra;
  mehrotra.linear_solver = LinearSolverName::mumps;
  int number = 0;
  for (const auto& scene : scenes()) {
    SCOPED_TRACE(number++);
    const ContactProblem problem = built(scene);
    const KleinertSolution reference = solve_kleinert(problem, 1e-8, *make_ipm(mehrotra));
    ASSERT_EQ(reference.report.status, Status::converged) << reference.report.reason;
    for (const char* rule : {"path_following", "potential_reduction"}) {
      KleinertOptions options;
      options.beta = *value_named<KleinertRule>(rule);
      const KleinertSolution s = solve_kleinert(problem, 1e-6, options);
      ASSERT_EQ(s.report.status, Status::converged) << rule << ": " << s.report.reason;
      EXPECT_GT(iterations_to(1e-3, s.report), 0);
      EXPECT_EQ(s.report.inner_iterations, 0);
      EXPECT_GT(s.report.factorisations, 0);
      for (std::size_t k = 0; k < s.v.size(); ++k) ASSERT_NEAR(s.v[k], reference.v[k], 1e-3) << k;
    }
  }
}

TEST(Kleinert, KrylovMethodsReachTheErrorOfThePaper) {
  const ContactProblem problem = built(test::random_graph(40, 100, 5));
  for (const char* method : {"cg", "bicgstab", "gmres"}) {
    for (const char* preconditioner : {"point_jacobi", "ssor", "ic", "ilu"}) {
      KleinertOptions options;
      options.linear_solver = *value_named<LinearSolverName>(method);
      options.preconditioner = *value_named<Preconditioner>(preconditioner);
      options.max_krylov = 500;
      options.forcing = 1e-8;
      const KleinertSolution s = solve_kleinert(problem, 1e-4, options);
      EXPECT_GT(iterations_to(1e-3, s.report), 0)
          << method << " " << preconditioner << ": " << s.report.reason;
      EXPECT_GT(s.report.inner_iterations, 0);
    }
  }
}

TEST(Kleinert, LinearSolvesThatRunOutAreCountedNotReplaced) {
  const ContactProblem problem = built(test::random_graph(40, 100, 5));
  KleinertOptions options;
  options.linear_solver = LinearSolverName::cg;
  options.max_krylov = 3;
  const KleinertSolution s = solve_kleinert(problem, 1e-6, options);
  EXPECT_NE(s.report.status, Status::converged);
  EXPECT_EQ(s.report.factorisations, 0);
  EXPECT_NE(s.report.reason.find("linear solves ran out of iterations"), std::string::npos)
      << s.report.reason;
}

/// N with a negative eigenvalue, as no bodies have it: conjugate gradients break down.
TEST(Kleinert, StrictEndsWhereALinearSolverBreaksDown) {
  const ContactProblem problem = test::as_matrix(built(test::stack(3)));
  Mat n = problem.delassus.matrix.get();
  PetscScalar normal = 0.0;
  SCREE_PETSC(MatGetValue(n, 0, 0, &normal));
  SCREE_PETSC(MatSetValue(n, 0, 3, -10.0 * normal, INSERT_VALUES));
  SCREE_PETSC(MatSetValue(n, 3, 0, -10.0 * normal, INSERT_VALUES));
  SCREE_PETSC(MatAssemblyBegin(n, MAT_FINAL_ASSEMBLY));
  SCREE_PETSC(MatAssemblyEnd(n, MAT_FINAL_ASSEMBLY));
  KleinertOptions options;
  options.linear_solver = LinearSolverName::cg;
  options.preconditioner = Preconditioner::none;
  options.strict = true;
  Stop stop;
  stop.goal.residual = 1e-6;
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  const SolverReport report = make_kleinert(options)->solve(problem, stop, lambda.get());
  EXPECT_EQ(report.status, Status::breakdown) << report.reason;
  EXPECT_NE(report.reason.find("INDEFINITE"), std::string::npos) << report.reason;
}

/// R stands in the matrix alone: where it is felt, the method stalls, and says so.
TEST(Kleinert, ComplianceStallsAndIsNoSolution) {
  const ContactProblem problem = built(test::random_graph(25, 60, 1));
  KleinertOptions options;
  options.compliance = 10.0;
  const KleinertSolution s = solve_kleinert(problem, 1e-6, options);
  EXPECT_NE(s.report.status, Status::converged);
  EXPECT_GT(s.report.measures.residual, 1e-6);
  EXPECT_FALSE(s.report.reason.empty());
}

/// N in the path's variables, and R on its diagonal: a dense matrix.
Eigen::MatrixXd regularised(const ContactProblem& problem, double normal, double tangential) {
  Measurer measurer(problem);
  ipm::Units units = ipm::make_units(problem, measurer.rho());
  units.velocity = units.inverse_mass = 1.0;
  ipm::ContactMatrix n(problem, units);
  const auto rows = static_cast<Eigen::Index>(problem.cones.rows());
  Eigen::MatrixXd dense(rows, rows);
  kleinert::Points column;
  for (Eigen::Index k = 0; k < rows; ++k) {
    kleinert::Points unit(static_cast<std::size_t>(rows), 0.0);
    unit[static_cast<std::size_t>(k)] = 1.0;
    n.multiply(unit, column);
    dense.col(k) = Eigen::Map<const Eigen::VectorXd>(column.data(), rows);
    const double t = units.inverse_t[static_cast<std::size_t>(k)];
    dense(k, k) += (k % 3 == 0 ? normal : tangential) * t * t;
  }
  return dense;
}

/// (34), Weyl's bounds of the spread of A = W^2 + N + R by those of its parts, along the path; W's
/// eigenvalues are the spectral values of the scaling points. With Poisson's ratio nu, R is k_n /
/// k_t times as large along tangents (33).
TEST(Kleinert, EigenvaluesKeepWeylsBounds) {
  const ContactProblem problem = built(test::random_graph(25, 60, 1));
  KleinertOptions options;
  options.linear_solver = LinearSolverName::mumps;
  options.preconditioner = Preconditioner::none;
  options.spectrum = 1000;
  options.compliance = 0.05;
  options.poisson_ratio = 0.2;
  const double tangential =
      options.compliance * (2.0 - 0.2) * (1.0 + 0.2) / (2.0 * (1.0 - 0.2 * 0.2));
  const Eigen::VectorXd nu =
      test::eigenvalues(regularised(problem, options.compliance, tangential));
  Path path = make_path(problem, options);
  for (int k = 0; k < 15; ++k) {
    double low = std::numeric_limits<double>::infinity();
    double high = 0.0;
    ipm::for_each_second_order(
        problem.cones, [&]<class Cone>(const Cone& cone, const ConePlace& place) {
          const auto w = jordan::scaling_spectrum<Cone::kDim>(
              rows_of(cone, &path.at().x[place.row]), rows_of(cone, &path.at().y[place.row]));
          low = std::min(low, w.low * w.low);
          high = std::max(high, w.high * w.high);
        });
    ASSERT_GT(path.step(), 0.0) << k;
    ASSERT_TRUE(path.eigenvalues()) << k;
    constexpr double kSettled = 2e-3;  // the eigenvalues' own error, twice
    EXPECT_GE(path.eigenvalues()->low, (low + nu[0]) * (1.0 - kSettled)) << k;
    EXPECT_LE(path.eigenvalues()->low, (low + nu[nu.size() - 1]) * (1.0 + kSettled)) << k;
    EXPECT_LE(path.eigenvalues()->high, (high + nu[nu.size() - 1]) * (1.0 + kSettled)) << k;
    EXPECT_GE(path.eigenvalues()->high, (high + nu[0]) * (1.0 - kSettled)) << k;
  }
}

TEST(Kleinert, ConesWithoutFriction) {
  for (const int dim : {1, 3}) {
    test::ProblemBuilder b;
    for (int i = 0; i < 5; ++i) {
      b.add_ball(1.0, 0.1, test::falling(1e-2));
      b.add_contact(i, i - 1, Vec3::UnitZ(), Vec3(0, 0, -0.1), Vec3(0, 0, 0.1), 0.0, 0.0, dim);
    }
    const KleinertSolution s = solve_kleinert(built(b), 1e-8);
    ASSERT_EQ(s.report.status, Status::converged) << "dim " << dim << ": " << s.report.reason;
    for (const double v : s.v) EXPECT_NEAR(v, 0.0, 1e-7);
  }
}

TEST(Kleinert, ExactFrictionIsRefused) {
  EXPECT_NE(fault_of_method("kleinert", FrictionLaw::coulomb).find("relaxed law only"),
            std::string::npos);
  EXPECT_EQ(fault_of_method("kleinert", FrictionLaw::associated), "");
}

}  // namespace
}  // namespace scree
