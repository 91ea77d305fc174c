#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "scree/solver/driver.hpp"
#include "solver/sweeps/sweep.hpp"
#include "support/dense_problem.hpp"
#include "support/problems.hpp"
#include "support/solver_options.hpp"

namespace scree {
namespace {

using Eigen::VectorXd;

/// Contacts without friction, on balls of many masses.
ContactProblem frictionless() {
  test::ProblemBuilder builder;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> mass(0.5, 3.0);
  std::vector<int> balls;
  for (int b = 0; b < 12; ++b)
    balls.push_back(builder.add_ball(mass(random), 0.1, test::falling(0.1)));
  for (int b = 0; b < 12; ++b) {
    const Vec3 up(0.1 * (b % 3), 0.0, 1.0);
    builder.add_contact(balls[b], b - 1, up.normalized(), Vec3(0, 0, -0.1), Vec3(0, 0, 0.1),
                        0.05 * (b % 2), 0.0, 1);
    builder.add_contact(balls[b], b < 3 ? -1 : b - 3, Vec3::UnitX(), Vec3(-0.1, 0, 0),
                        Vec3(0.1, 0, 0), b % 4 == 0 ? 0.3 : -0.2, 0.0, 1);
  }
  return builder.build(MPI_COMM_SELF, FrictionLaw::coulomb, "frictionless");
}

std::vector<VectorXd> sweeps(const ContactProblem& problem, ContactRule& rule, int n) {
  const std::unique_ptr<Sweep> sweep = make_sweep(problem, rule);
  std::vector<double> impulse(problem.cones.rows(), 0.0);
  std::vector<VectorXd> all;
  sweep->start(impulse);
  for (int k = 0; k < n; ++k) {
    sweep->run(impulse);
    all.emplace_back(
        Eigen::Map<const VectorXd>(impulse.data(), static_cast<Eigen::Index>(impulse.size())));
  }
  return all;
}

/// Of N = D - L - U: M_1 = (D - beta L) / relaxation, and M_2 = D - U; Gauss-Seidel where both
/// are 1.
struct Splitting {
  double relaxation = 1.0;
  double beta = 1.0;
};

/// Paper 003, eq. 17 with N formed, row by row: the impulses of @p n sweeps from zero.
std::vector<VectorXd> accelerated_modulus(const test::DenseProblem& lcp, const Splitting& splitting,
                                          const VectorXd& omega, double gamma, int n) {
  const Eigen::Index m = lcp.r.size();
  const double share = splitting.beta / splitting.relaxation;
  VectorXd x = VectorXd::Zero(m);
  std::vector<VectorXd> all;
  for (int k = 0; k < n; ++k) {
    const VectorXd old = x;
    for (Eigen::Index i = 0; i < m; ++i) {
      const double a = lcp.n(i, i);
      const double c = gamma * omega[i];
      double right = (1.0 / splitting.relaxation - 1.0) * a * old[i] + (c - a) * std::abs(old[i]) -
                     gamma * lcp.r[i];
      for (Eigen::Index j = 0; j < i; ++j)
        right -= lcp.n(i, j) * (share * x[j] + (1.0 - share) * old[j] + std::abs(x[j]));
      for (Eigen::Index j = i + 1; j < m; ++j) right -= lcp.n(i, j) * (old[j] + std::abs(old[j]));
      x[i] = right / (a / splitting.relaxation + c);
    }
    all.emplace_back((x + x.cwiseAbs()) / gamma);
  }
  return all;
}

/// Omega of @p alpha for gamma = 2.
VectorXd omega_of(const test::DenseProblem& lcp, double alpha, ModulusOmega omega) {
  const VectorXd diagonal = lcp.n.diagonal();
  if (omega == ModulusOmega::diagonal) return alpha * diagonal;
  return VectorXd::Constant(diagonal.size(), alpha * diagonal.mean());
}

void expect_same(const std::vector<VectorXd>& a, const std::vector<VectorXd>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_LE((a[k] - b[k]).lpNorm<Eigen::Infinity>(), 1e-12 * b.back().lpNorm<Eigen::Infinity>())
        << "sweep " << k;
  }
  EXPECT_GT(b.back().maxCoeff(), 0.0);
  EXPECT_EQ(b.back().minCoeff(), 0.0);  // some contacts are open
}

constexpr std::array kOmegas{ModulusOmega::diagonal, ModulusOmega::identity};

TEST(Amgs, IsMethod31OfThePaper) {
  const ContactProblem problem = frictionless();
  const test::DenseProblem lcp(problem);
  for (const ModulusOmega omega : kOmegas) {
    const double mean = omega == ModulusOmega::diagonal ? 0.0 : lcp.n.diagonal().mean();
    for (const double alpha : {0.1, 0.2, 0.5, 0.6, 2.0}) {
      const auto rule = make_projected_rule(2.0 / (1.0 + 2.0 * alpha), Memory::modulus, mean);
      expect_same(sweeps(problem, *rule, 40),
                  accelerated_modulus(lcp, {}, omega_of(lcp, alpha, omega), 2.0, 40));
    }
  }
}

/// The solver itself, by its keys: after so few sweeps it has measured nothing but its start and
/// its end.
TEST(Amgs, TakesTheSweepsOfItsKeys) {
  const ContactProblem problem = frictionless();
  const test::DenseProblem lcp(problem);
  for (const ModulusOmega omega : kOmegas) {
    for (const double alpha : {0.3, 0.5, 0.8}) {
      SolverOptions options = test::only("amgs", 1e-300);
      options.amgs = {.alpha = alpha, .omega = omega};
      const std::vector<VectorXd> expected =
          accelerated_modulus(lcp, {}, omega_of(lcp, alpha, omega), 2.0, 4);
      for (int n = 1; n <= 4; ++n) {
        options.stop.max_iterations = n;
        const petsc::Vector lambda = petsc::duplicate(problem.r.get());
        ASSERT_EQ(SolverDriver(options).solve(problem, lambda.get()).iterations, n);
        const petsc::ConstView view(lambda.get());
        const Eigen::Map<const VectorXd> l(view.data(), lcp.r.size());
        EXPECT_LE((l - expected[n - 1]).norm(), 1e-12 * l.norm()) << "alpha " << alpha;
        EXPECT_GT(l.norm(), 0.0);
      }
    }
  }
}

/// Paper 003 reports half of the sweeps of PGS for Omega = D / gamma. Its own method is PGS then:
/// scree's pgs takes each of its steps.
TEST(Amgs, OfOmegaDOverGammaIsPgsForAnyGamma) {
  const ContactProblem problem = frictionless();
  const test::DenseProblem lcp(problem);
  const auto rule = make_projected_rule(1.0, Memory::none);
  const std::vector<VectorXd> pgs = sweeps(problem, *rule, 40);
  for (const double gamma : {0.5, 1.0, 2.0, 4.0}) {
    expect_same(pgs, accelerated_modulus(lcp, {}, lcp.n.diagonal() / gamma, gamma, 40));
  }
}

/// M_1 = D/a - L: for Omega = D / (gamma a) that is over-relaxation by a.
TEST(Psor, IsTheAcceleratedModulusSorMethod) {
  const ContactProblem problem = frictionless();
  const test::DenseProblem lcp(problem);
  for (const double a : {0.7, 1.0, 1.4}) {
    const auto rule = make_projected_rule(a, Memory::none);
    const std::vector<VectorXd> psor = sweeps(problem, *rule, 40);
    for (const double gamma : {1.0, 2.0}) {
      const VectorXd omega = lcp.n.diagonal() / (gamma * a);
      expect_same(psor, accelerated_modulus(lcp, {.relaxation = a, .beta = a}, omega, gamma, 40));
    }
  }
}

TEST(Amgs, WithAHalfIsPgsOnFrictionConesToo) {
  for (const FrictionLaw law : {FrictionLaw::associated, FrictionLaw::coulomb}) {
    const ContactProblem problem =
        test::random_graph(40, 60, 11, true, true).build(MPI_COMM_SELF, law, "random");
    const auto pgs = make_projected_rule(1.0, Memory::none);
    const auto amgs = make_projected_rule(1.0, Memory::modulus);
    const auto a = sweeps(problem, *amgs, 30);
    const auto b = sweeps(problem, *pgs, 30);
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_EQ(a[k], b[k]) << "sweep " << k;
  }
}

TEST(Psor, IsEquation59OfThePaper) {
  const ContactProblem problem = frictionless();
  const test::DenseProblem lcp(problem);
  for (const double relaxation : {0.7, 1.0, 1.4}) {
    std::vector<VectorXd> expected;
    VectorXd x = VectorXd::Zero(lcp.r.size());
    for (int k = 0; k < 40; ++k) {
      for (Eigen::Index i = 0; i < x.size(); ++i) {
        x[i] = std::max(0.0, x[i] - relaxation * (lcp.n.row(i).dot(x) + lcp.r[i]) / lcp.n(i, i));
      }
      expected.push_back(x);
    }
    const auto rule = make_projected_rule(relaxation, Memory::none);
    expect_same(sweeps(problem, *rule, 40), expected);
  }
}

struct Case {
  std::string_view method;
  FrictionLaw law;
  ModulusOmega omega = ModulusOmega::diagonal;
};

class ProjectedSweeps : public ::testing::TestWithParam<Case> {};

TEST_P(ProjectedSweeps, SolveRigidBodiesAndMatricesAlike) {
  const ContactProblem problem =
      test::random_graph(40, 60, 11, true, true).build(MPI_COMM_SELF, GetParam().law, "random");
  const ContactProblem matrix = test::as_matrix(problem);
  SolverOptions options = test::only(GetParam().method, 1e-9);
  options.psor.inertia = false;  // which matrices do without
  options.amgs.omega = GetParam().omega;
  std::vector<SolverReport> reports;
  for (const ContactProblem* form : {&problem, &matrix}) {
    const petsc::Vector lambda = petsc::duplicate(problem.r.get());
    reports.push_back(SolverDriver(options).solve(*form, lambda.get()));
    EXPECT_EQ(reports.back().status, Status::converged) << reports.back().reason;
    EXPECT_LE(reports.back().measures.residual, 1e-9);
  }
  EXPECT_EQ(reports[0].iterations, reports[1].iterations);
}

INSTANTIATE_TEST_SUITE_P(
    All, ProjectedSweeps,
    ::testing::Values(Case{"pgs", FrictionLaw::associated}, Case{"pgs", FrictionLaw::coulomb},
                      Case{"psor", FrictionLaw::associated}, Case{"psor", FrictionLaw::coulomb},
                      Case{"amgs", FrictionLaw::associated}, Case{"amgs", FrictionLaw::coulomb},
                      Case{"amgs", FrictionLaw::associated, ModulusOmega::identity},
                      Case{"amgs", FrictionLaw::coulomb, ModulusOmega::identity},
                      Case{"amgs", FrictionLaw::box, ModulusOmega::identity}),
    [](const auto& test) {
      const Case& c = test.param;
      const std::string name = std::string(c.method) + "_" + std::string(to_string(c.law));
      return c.omega == ModulusOmega::identity ? name + "_identity" : name;
    });

/// A held contact is over-relaxed by 2 / (1 + 2 alpha): half of the sweeps of pgs for alpha = 1/4.
TEST(Amgs, NeedsHalfTheSweepsOfPgsOnAStack) {
  const ContactProblem problem =
      test::stack(30).build(MPI_COMM_SELF, FrictionLaw::coulomb, "stack");
  std::vector<std::int64_t> iterations;
  for (const std::string_view method : {"pgs", "amgs"}) {
    SolverOptions options = test::only(method);
    const petsc::Vector lambda = petsc::duplicate(problem.r.get());
    const SolverReport report = SolverDriver(options).solve(problem, lambda.get());
    ASSERT_EQ(report.status, Status::converged) << report.reason;
    iterations.push_back(report.iterations);
  }
  EXPECT_LE(static_cast<double>(iterations[1]), 0.6 * static_cast<double>(iterations[0]));
}

}  // namespace
}  // namespace scree
