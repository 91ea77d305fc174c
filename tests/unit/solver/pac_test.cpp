#include "scree/solver/newton/pac.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "scree/solver/driver.hpp"
#include "scree/solver/newton/alart_curnier.hpp"
#include "scree/solver/sweeps/one_contact.hpp"
#include "support/problems.hpp"

namespace scree {
namespace {

SolverReport solve(const ContactProblem& problem, Vec lambda, double tolerance) {
  SolverOptions options;
  options.method = "pac";
  options.on_not_converged = NotConverged::warn;
  options.stop.tolerance = tolerance;
  return SolverDriver(options).solve(problem, lambda);
}

Vec3 random_vector(std::mt19937& generator) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  return {uniform(generator), uniform(generator), uniform(generator)};
}

TEST(AlartCurnier, SlopeIsTheDerivative) {
  std::mt19937 generator(1);
  int seen[3] = {0, 0, 0};
  for (int sample = 0; sample < 300; ++sample) {
    const Vec3 z = random_vector(generator);
    const double mu = sample % 4 == 0 ? 0.0 : 0.3 * (sample % 4);
    const ContactMap at = alart_curnier(z, mu);
    ++seen[static_cast<int>(at.piece)];
    constexpr double kStep = 1e-6;
    for (int k = 0; k < 3; ++k) {
      const Vec3 ahead = alart_curnier(z + kStep * Vec3::Unit(k), mu).value;
      const Vec3 behind = alart_curnier(z - kStep * Vec3::Unit(k), mu).value;
      const Vec3 difference = (ahead - behind) / (2.0 * kStep);
      EXPECT_LE((difference - at.slope.col(k)).norm(), 1e-6)
          << "piece " << static_cast<int>(at.piece);
    }
  }
  for (const int count : seen) EXPECT_GT(count, 10);
}

/// The equation holds where the law of one contact does, for any rho.
TEST(AlartCurnier, VanishesAtTheSolutionOfOneContact) {
  std::mt19937 generator(2);
  for (int sample = 0; sample < 200; ++sample) {
    Mat3 root;
    for (int k = 0; k < 3; ++k) root.col(k) = random_vector(generator);
    const Mat3 a = root * root.transpose() + 0.1 * Mat3::Identity();
    const Vec3 q = random_vector(generator);
    const double mu = 0.1 + 0.4 * (sample % 3);
    std::array<double, 9> rows{};
    Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(rows.data()) = a;
    Vec3 l = Vec3::Zero();
    OneContact(rows, mu).solve(FrictionLaw::coulomb, q.data(), l.data());
    const Vec3 u = a * l + q;
    for (const double rho : {0.1, 1.0, 30.0}) {
      EXPECT_LE((l - alart_curnier(l - rho * u, mu).value).norm(), 1e-9 * (1.0 + rho));
    }
  }
}

/// Cones of dim 1, 2 and 3, held balls, redundant contacts; in the space of the bodies and of the
/// contacts.
TEST(Pac, ReachesHighAccuracyOnBodiesAndMatrices) {
  const std::vector<test::ProblemBuilder> builders = {test::crate(3), test::crate(4, 0.3, 0.2),
                                                      test::random_graph(20, 80, 2),
                                                      test::random_graph(40, 90, 3, true, true)};
  for (const test::ProblemBuilder& builder : builders) {
    const ContactProblem problem = builder.build(MPI_COMM_SELF, FrictionLaw::coulomb, "scene");
    const ContactProblem matrix = test::as_matrix(problem);
    for (const ContactProblem* posed : {&problem, &matrix}) {
      const petsc::Vector lambda = petsc::duplicate(posed->r.get());
      const SolverReport report = solve(*posed, lambda.get(), 1e-10);
      EXPECT_EQ(report.status, Status::converged) << report.reason;
      EXPECT_LE(report.measures.residual, 1.01e-10);
    }
  }
}

/// Where rounding ends all progress, the method ends, too.
TEST(Pac, EndsWhereNothingCanBeGained) {
  const ContactProblem problem =
      test::random_graph(20, 80, 2).build(MPI_COMM_SELF, FrictionLaw::coulomb, "random");
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  const SolverReport report = solve(problem, lambda.get(), 1e-18);
  EXPECT_NE(report.status, Status::converged);
  EXPECT_NE(report.status, Status::infeasible) << report.reason;
  EXPECT_LE(report.measures.residual, 1e-10);
}

TEST(Pac, RefusesTheRelaxedLawAndNamesWhatWouldDo) {
  const ContactProblem problem =
      test::stack(3).build(MPI_COMM_SELF, FrictionLaw::associated, "stack");
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  try {
    solve(problem, lambda.get(), 1e-4);
    FAIL() << "taken";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("pac solves exact friction only"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("ipm"), std::string::npos);
  }
}

}  // namespace
}  // namespace scree
