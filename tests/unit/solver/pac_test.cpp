#include "solver/newton/pac.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <string>

#include "scree/problem/body_rows.hpp"
#include "scree/solver/driver.hpp"
#include "support/dense_problem.hpp"
#include "support/problems.hpp"
#include "support/solver_options.hpp"

namespace scree {
namespace {

SolverReport solve_pac(const ContactProblem& problem, Vec lambda, double tolerance) {
  return SolverDriver(test::only("pac", tolerance)).solve(problem, lambda);
}

using Random = std::mt19937;

double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

/// The tangents are of all sizes, so that each piece of the map is met.
template <int kDim>
cones::Rows<kDim> random_rows(Random& random) {
  cones::Rows<kDim> z =
      cones::Rows<kDim>::NullaryExpr([&random] { return uniform(random, -1.0, 1.0); });
  z.template tail<kDim - 1>() *= uniform(random, 0.0, 1.0);
  return z;
}

/// Every fourth one without friction.
template <class Cone>
Cone random_cone(Random& random, int sample) {
  std::array<double, Cone::kParameters + 1> mu{};
  for (double& m : mu) m = sample % 4 == 0 ? 0.0 : uniform(random, 0.1, 1.0);
  if constexpr (!cones::kIsCone<Cone>) mu[0] *= -1.0;  // the lower bound
  Cone cone = Cone::from(mu.data());
  if constexpr (requires { cone.directions; }) cone.directions = 4 + 2 * (sample % 3);
  return cone;
}

/// Calls `visit<Cone>()` for every type of cones.
template <class Visit>
void for_each_type(Visit&& visit) {
  for (int type = 0; type < static_cast<int>(cones::kTypes); ++type) {
    cones::with_type(type, visit);
  }
}

TEST(AlartCurnier, SlopeIsTheDerivative) {
  for_each_type([]<class Cone>() {
    Random random(1);
    const std::string name(cones::kNames[cones::kTypeOf<Cone>]);
    std::array<int, 3> seen{};
    for (int sample = 0; sample < 300; ++sample) {
      using Rows = cones::Rows<Cone::kDim>;
      const Rows z = random_rows<Cone::kDim>(random);
      const Cone cone = random_cone<Cone>(random, sample);
      const auto at = cone.alart_curnier(z);
      ++seen[index_of(at.piece)];
      constexpr double kStep = 1e-7;
      for (int k = 0; k < Cone::kDim; ++k) {
        const Rows ahead = cone.alart_curnier(z + kStep * Rows::Unit(k)).value;
        const Rows behind = cone.alart_curnier(z - kStep * Rows::Unit(k)).value;
        const Rows difference = (ahead - behind) / (2.0 * kStep);
        // curvature of the piece: the third derivative is at most of size 1/|z_j|^2
        EXPECT_LE((difference - at.slope.col(k)).norm(), 1e-6) << name << ", row " << k;
      }
    }
    EXPECT_GT(seen[index_of(cones::Piece::stick)], 10) << name;
    if constexpr (cones::kTypeOf<Cone> < cones::kTypeOf<cones::Equation>) {
      EXPECT_GT(seen[index_of(cones::Piece::open)], 10) << name;
      const bool has_friction = Cone::kParameters > 0;
      EXPECT_EQ(seen[index_of(cones::Piece::slide)] > 10, has_friction) << name;
    }
  });
}

/// l = P(z) and u = (l - z) / rho fulfil the equation; they must fulfil the exact law
/// K in l _|_ u~ in K*, and the equation for any other rho.
TEST(AlartCurnier, ItsEquationIsTheExactLaw) {
  for_each_type([]<class Cone>() {
    Random random(2);
    const std::string name(cones::kNames[cones::kTypeOf<Cone>]);
    for (int sample = 0; sample < 200; ++sample) {
      using Rows = cones::Rows<Cone::kDim>;
      const Cone cone = random_cone<Cone>(random, sample);
      const Rows z = random_rows<Cone::kDim>(random);
      constexpr double kRho = 0.7;
      const Rows l = cone.alart_curnier(z).value;
      const Rows u = (l - z) / kRho;
      const Rows s = shifted(cone, u, ConePlace{0, 0, true});
      EXPECT_LE(cone.violation(l), 1e-14) << name;
      EXPECT_LE(cone.dual_violation(s), 1e-14) << name;
      if constexpr (cones::kIsCone<Cone>) {
        EXPECT_NEAR(l.dot(s), 0.0, 1e-14) << name;
      }
      for (const double rho : {0.1, 1.0, 30.0}) {
        EXPECT_LE((l - cone.alart_curnier(l - rho * u).value).norm(), 1e-13 * (1.0 + rho)) << name;
      }
    }
  });
}

/// Balls that move sideways and spin, one on another, under one a thousand times as heavy: sweeps
/// alone would need thousands. Rolling is resisted, so that cones have five rows.
test::ProblemBuilder loaded_pillar() {
  constexpr int kBalls = 15;
  constexpr double kRadius = 0.1;
  test::ProblemBuilder pillar;
  Random random(4);
  for (int i = 0; i < kBalls; ++i) {
    Vec6 velocity = test::falling(1e-2);
    for (int k = 0; k < 6; ++k) velocity[k] += uniform(random, -0.05, 0.05);
    pillar.add_ball(i + 1 == kBalls ? 1000.0 : 1.0, kRadius, velocity);
    pillar.add_contact(i, i - 1, Vec3::UnitZ(), Vec3(0.0, 0.0, -kRadius), Vec3(0.0, 0.0, kRadius),
                       0.0, 0.4);
  }
  pillar.resist_rolling(0.01);
  return pillar;
}

/// Cones of 1, 2, 3 and 5 rows, held balls, redundant contacts; in the space of the bodies and of
/// the contacts.
TEST(Pac, ReachesHighAccuracyOnBodiesAndMatrices) {
  const std::vector<test::ProblemBuilder> builders = {
      test::crate(3), test::crate(4, 0.3, 0.2), test::random_graph(20, 80, 2),
      test::random_graph(40, 90, 3, true, true), loaded_pillar()};
  for (const test::ProblemBuilder& builder : builders) {
    const ContactProblem problem = builder.build(MPI_COMM_SELF, FrictionLaw::coulomb, "scene");
    const ContactProblem matrix = test::as_matrix(problem);
    for (const ContactProblem* formulated : {&problem, &matrix}) {
      const petsc::Vector lambda = petsc::duplicate(formulated->r.get());
      const SolverReport report = solve_pac(*formulated, lambda.get(), 1e-10);
      EXPECT_EQ(report.status, Status::converged) << report.reason;
      EXPECT_LE(report.measures.residual, 1.01e-10);
    }
  }
}

/// A contact of every type of cones in turn, so that rows of a cone are from 1 to 6.
Cones all_cones(int rounds) {
  Cones cones;
  Random random(3);
  for (int round = 0; round < rounds; ++round) {
    for_each_type([&]<class Cone>() { cones.append(random_cone<Cone>(random, 1)); });
  }
  return cones;
}

/// N = G G^T / n + shift I of Gaussian numbers, where G has a quarter as many columns as rows:
/// sweeps alone do not solve_pac it.
ContactProblem random_problem(const Cones& cones, unsigned seed) {
  Random random(seed);
  std::normal_distribution<double> normal;
  const auto n = static_cast<Eigen::Index>(cones.rows());
  const Eigen::MatrixXd g = Eigen::MatrixXd::NullaryExpr(n, n / 4, [&] { return normal(random); });
  const Eigen::MatrixXd matrix =
      g * g.transpose() / static_cast<double>(n) + 1e-6 * Eigen::MatrixXd::Identity(n, n);
  const Eigen::VectorXd r = Eigen::VectorXd::NullaryExpr(n, [&] { return normal(random); });
  ContactProblem problem = test::Lcp{matrix, r}.build(MPI_COMM_SELF, "all cones");
  problem.cones = cones;
  return problem;
}

TEST(Pac, SolvesEveryTypeOfConesTogether) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const ContactProblem problem = random_problem(all_cones(6), seed);
    const petsc::Vector lambda = petsc::duplicate(problem.r.get());
    const SolverReport report = solve_pac(problem, lambda.get(), 1e-8);
    EXPECT_EQ(report.status, Status::converged) << report.reason;
    EXPECT_GT(report.factorisations, 0) << "Newton's method was not needed";
    EXPECT_LE(Measurer(problem).measure(lambda.get()).residual, 1e-8);
  }
}

/// R by the trace of N_ii, of other sizes from cone to cone and from row to row: 1e-2 to 1e-4 of
/// it.
std::vector<double> compliance_of(const ContactProblem& problem) {
  std::vector<double> compliance;
  const std::vector<double>& rho = cone_scales(problem);
  for (std::size_t i = 0; i < problem.cones.count(); ++i) {
    for (int k = 0; k < problem.cones.dim(i); ++k) {
      compliance.push_back(std::pow(0.1, 2 + i % 3) * (1.0 + k) / rho[i]);
    }
  }
  return compliance;
}

struct PacSolution {
  SolverReport report;
  Eigen::VectorXd impulse;
};

PacSolution solution_of(const ContactProblem& problem, double tolerance) {
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  PacSolution solution{solve_pac(problem, lambda.get(), tolerance), {}};
  const petsc::ConstView view(lambda.get());
  solution.impulse = Eigen::Map<const Eigen::VectorXd>(view.data(), std::ssize(view.span()));
  return solution;
}

/// R in the cones' blocks of the one and in the matrix N + R of the other is the same problem.
TEST(Pac, TakesComplianceInTheSpaceOfTheBodiesAsInTheMatrix) {
  const ContactProblem rigid = loaded_pillar().build(MPI_COMM_SELF, FrictionLaw::coulomb, "rigid");
  ContactProblem soft = loaded_pillar().build(MPI_COMM_SELF, FrictionLaw::coulomb, "soft");
  soft.compliance = compliance_of(rigid);
  ASSERT_TRUE(has_body_rows(soft));
  test::DenseProblem dense(rigid);
  for (Eigen::Index k = 0; k < dense.r.size(); ++k) {
    dense.n(k, k) += soft.compliance[k];
  }
  ContactProblem matrix = test::Lcp{dense.n, dense.r}.build(MPI_COMM_SELF, "N + R");
  matrix.cones = soft.cones;

  const PacSolution of_bodies = solution_of(soft, 1e-11);
  const PacSolution of_matrix = solution_of(matrix, 1e-11);
  for (const PacSolution* solution : {&of_bodies, &of_matrix}) {
    const SolverReport& report = solution->report;
    EXPECT_EQ(report.status, Status::converged) << report.reason;
    EXPECT_GT(report.inner_iterations + report.factorisations, 0)
        << "Newton's method was not needed";
    EXPECT_LE(report.measures.residual, 1.01e-11);
  }
  EXPECT_LE((of_bodies.impulse - of_matrix.impulse).norm(), 1e-7 * of_matrix.impulse.norm());
  // the bound below is far beyond that: the compliance counts
  const PacSolution of_rigid = solution_of(rigid, 1e-8);
  EXPECT_GT((of_bodies.impulse - of_rigid.impulse).norm(), 1e-4 * of_rigid.impulse.norm());
}

/// Where rounding ends all progress, the method ends, too.
TEST(Pac, EndsWhereNothingCanBeGained) {
  const ContactProblem problem =
      test::random_graph(20, 80, 2).build(MPI_COMM_SELF, FrictionLaw::coulomb, "random");
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  const SolverReport report = solve_pac(problem, lambda.get(), 1e-18);
  EXPECT_NE(report.status, Status::converged);
  EXPECT_NE(report.status, Status::infeasible) << report.reason;
  EXPECT_LE(report.measures.residual, 1e-10);
}

TEST(Pac, RefusesTheRelaxedLawAndNamesWhatWouldDo) {
  const ContactProblem problem =
      test::stack(3).build(MPI_COMM_SELF, FrictionLaw::associated, "stack");
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  try {
    solve_pac(problem, lambda.get(), 1e-4);
    FAIL() << "taken";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("pac solves exact friction only"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("ipm"), std::string::npos);
  }
}

}  // namespace
}  // namespace scree
