/// Where projected sweeps converge, with exact friction and, of amgs on half lines, with any Omega,
/// and where they need not (solver/sweeps/pgs.hpp).

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "scree/solver/driver.hpp"
#include "solver/sweeps/sweep.hpp"
#include "support/dense_matrices.hpp"
#include "support/dense_problem.hpp"
#include "support/solver_options.hpp"

namespace scree {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// N = S N^ S: contacts of many scales s = sqrt(N_nn) = sqrt(N_tt), and N^ = 1 but for weak random
/// blocks between contacts.
struct WeaklyCoupled {
  WeaklyCoupled(int n_contacts, double coupling, double mu, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> one(-1.0, 1.0);
    const Eigen::Index size = 3 * n_contacts;
    const MatrixXd noise = MatrixXd::NullaryExpr(size, size, [&] { return one(random); });
    scaled = coupling * (noise + noise.transpose());
    for (int i = 0; i < n_contacts; ++i) scaled.block<3, 3>(3 * i, 3 * i).setIdentity();
    scale.resize(size);
    for (int i = 0; i < n_contacts; ++i) scale.segment<3>(3 * i).setConstant(std::exp(one(random)));
    const MatrixXd n = scale.asDiagonal() * scaled * scale.asDiagonal();
    VectorXd r = VectorXd::NullaryExpr(size, [&] { return one(random); });
    for (int i = 0; i < n_contacts; ++i) r[3 * i] -= 1.0;
    problem = test::dense_problem(n, r, mu, FrictionLaw::coulomb);
  }

  MatrixXd scaled;
  VectorXd scale;
  ContactProblem problem;
};

/// A of pgs.hpp: how far a change of contact j moves contact i.
MatrixXd influence(const MatrixXd& scaled, double mu, double omega) {
  const Eigen::Index n = scaled.rows() / 3;
  MatrixXd a(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      const MatrixXd block = scaled.block<3, 3>(3 * i, 3 * j);
      const MatrixXd moved =
          i == j ? MatrixXd(MatrixXd::Identity(3, 3) - omega * block) : MatrixXd(omega * block);
      a(i, j) = test::norm(moved) + omega * mu * test::norm(block.bottomRows(2));
    }
  }
  return a;
}

/// A bound of the spectral radius of a matrix without negative entries, after Collatz and Wielandt:
/// the most by which it lengthens an entry of a positive vector, here nearly that of Perron, for
/// which it is the radius.
double spectral_radius_bound(const MatrixXd& a) {
  VectorXd x = VectorXd::Ones(a.rows());
  double bound = 0.0;
  for (int k = 0; k < 100; ++k) {
    const VectorXd next = a * x;
    bound = next.cwiseQuotient(x).maxCoeff();
    x = next / next.maxCoeff();
  }
  return bound;
}

/// How far each contact's scaled impulse went.
VectorXd distances(const VectorXd& from, const VectorXd& to) {
  VectorXd d(from.size() / 3);
  for (Eigen::Index i = 0; i < d.size(); ++i) {
    d[i] = (to - from).segment<3>(3 * i).norm();
  }
  return d;
}

/// Every sweep moves no contact further than (1 - L)^-1 (A - L) allows, L the strict lower part of
/// A.
TEST(SweepsOfExactFriction, ContractAsTheInfluenceOfContactsSays) {
  for (const double omega : {0.8, 1.0, 1.2}) {
    const double mu = 0.4;
    const WeaklyCoupled weak(12, 0.004, mu, 3);
    const MatrixXd a = influence(weak.scaled, mu, omega);
    ASSERT_LT(spectral_radius_bound(a), 1.0) << "omega " << omega;
    const MatrixXd lower = a.triangularView<Eigen::StrictlyLower>();
    const MatrixXd bound =
        (MatrixXd::Identity(12, 12) - lower).triangularView<Eigen::Lower>().solve(a - lower);
    const auto rule = make_projected_rule(omega, Memory::none);
    const std::unique_ptr<Sweep> sweep = make_sweep(weak.problem, *rule);
    std::vector<double> impulse(36, 0.0);
    const Eigen::Map<const VectorXd> lambda(impulse.data(), 36);
    VectorXd before = VectorXd::Zero(36);
    VectorXd went;
    sweep->start(impulse);
    for (int k = 0; k < 30; ++k) {
      sweep->run(impulse);
      const VectorXd now = weak.scale.cwiseProduct(lambda);
      const VectorXd step = distances(before, now);
      if (k > 0) {
        const VectorXd allowed = bound * went;
        for (Eigen::Index i = 0; i < 12; ++i)
          EXPECT_LE(step[i], allowed[i] + 1e-14) << "sweep " << k;
      }
      went = step;
      before = now;
    }
    EXPECT_LT(went.maxCoeff(), 1e-6);
    EXPECT_GT(before.maxCoeff(), 0.1);
  }
}

SolverReport solve_by_sweeps(std::string_view method, const ContactProblem& problem) {
  SolverOptions options = test::only(method, 1e-8);
  options.stop.max_iterations = 2000;
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  return SolverDriver(options).solve(problem, lambda.get());
}

/// One contact whose normal and tangents are strongly coupled, mu = 1.5: it closes and opens for
/// ever.
TEST(SweepsOfExactFriction, CycleWhereOneContactIsStronglyCoupled) {
  Eigen::Matrix3d n;
  n << 0.4, -0.3, 1.6, -0.3, 2.8, -1.7, 1.6, -1.7, 6.9;
  const Vec3 r(-3.1, -0.7, -0.7);
  const ContactProblem exact = test::dense_problem(n, r, 1.5, FrictionLaw::coulomb);
  const ContactProblem relaxed = test::dense_problem(n, r, 1.5, FrictionLaw::associated);
  for (const std::string_view method : {"pgs", "amgs"}) {
    const SolverReport cycling = solve_by_sweeps(method, exact);
    EXPECT_NE(cycling.status, Status::converged) << method;
    EXPECT_GT(cycling.measures.residual, 1e-3) << method;
    EXPECT_EQ(solve_by_sweeps(method, relaxed).status, Status::converged) << method;
  }
  EXPECT_EQ(solve_by_sweeps("pac", exact).status, Status::converged);
}

/// An LCP, Omega, and what Theorem 4.2 of paper 003 says of them; gamma = 2.
struct ModulusCase {
  ModulusCase(const test::Lcp& given, double size, ModulusOmega kind) : lcp(given), alpha(size) {
    const VectorXd d = lcp.a.diagonal();
    mean = kind == ModulusOmega::diagonal ? 0.0 : d.mean();
    omega = alpha * (mean == 0.0 ? d : VectorXd::Constant(d.size(), mean));
    lower = lcp.a.triangularView<Eigen::StrictlyLower>();
    upper = lcp.a.triangularView<Eigen::StrictlyUpper>();
    const MatrixXd with_diagonal = lcp.a.triangularView<Eigen::Lower>();
    tau = test::norm(with_diagonal.triangularView<Eigen::Lower>().solve(upper));
    const VectorXd c = d + 2.0 * omega;
    delta = 2.0 * d.cwiseQuotient(c).maxCoeff() * tau +
            (2.0 * omega - d).cwiseAbs().cwiseQuotient(c).maxCoeff();
  }

  /// How far the error of x in row j moves row i in a sweep: (D + 2 Omega - 2 |L|)^-1 (2 |U| + |2
  /// Omega - D|).
  MatrixXd influence() const {
    const VectorXd d = lcp.a.diagonal();
    MatrixXd left = -2.0 * lower.cwiseAbs();
    left.diagonal() += d + 2.0 * omega;
    MatrixXd right = 2.0 * upper.cwiseAbs();
    right.diagonal() += (2.0 * omega - d).cwiseAbs();
    return left.triangularView<Eigen::Lower>().solve(right);
  }

  /// Impulses after each of @p n sweeps of amgs from @p start.
  std::vector<VectorXd> sweeps(const VectorXd& start, int n) const {
    const ContactProblem problem = lcp.build(MPI_COMM_SELF);
    const auto rule = make_projected_rule(2.0 / (1.0 + 2.0 * alpha), Memory::modulus, mean);
    const std::unique_ptr<Sweep> sweep = make_sweep(problem, *rule);
    std::vector<double> impulse(start.begin(), start.end());
    sweep->start(impulse);
    std::vector<VectorXd> all;
    for (int k = 0; k < n; ++k) {
      sweep->run(impulse);
      all.emplace_back(Eigen::Map<const VectorXd>(impulse.data(), start.size()));
    }
    return all;
  }

  test::Lcp lcp;
  double alpha;
  double mean;  ///< d of Omega = alpha d E; 0: Omega = alpha D
  VectorXd omega;
  MatrixXd lower;
  MatrixXd upper;
  double tau;
  double delta;
};

/// S A^ S of scales S, where A^ is 1 but for weak random entries that need not be symmetric.
test::Lcp weak_lcp(unsigned seed, double coupling) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> one(-1.0, 1.0);
  constexpr Eigen::Index kRows = 6;
  MatrixXd a = MatrixXd::NullaryExpr(kRows, kRows, [&] { return coupling * one(random); });
  a.diagonal().setOnes();
  const VectorXd scale = VectorXd::NullaryExpr(kRows, [&] { return std::exp(0.3 * one(random)); });
  const VectorXd b = VectorXd::NullaryExpr(kRows, [&] { return one(random); });
  return {scale.asDiagonal() * a * scale.asDiagonal(), b};
}

constexpr double kAlphas[] = {0.2, 0.3, 0.5, 0.8, 2.0};
constexpr std::array kBothOmegas{ModulusOmega::diagonal, ModulusOmega::identity};

/// The conclusions of Theorem 4.2 and, where Omega = alpha D, of Corollary 4.3, whose condition tau
/// < min(1, 2 alpha) is delta < 1. After 400 sweeps the slowest of these, of delta 0.99, may be at
/// 0.02 of its start; they are far below.
TEST(ModulusSweeps, ConvergeWhereDeltaIsBelowOne) {
  int converged[2] = {0, 0};
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const test::Lcp lcp = weak_lcp(seed, 0.3);
    const VectorXd solution = lcp.enumerate().value();
    for (const ModulusOmega omega : kBothOmegas) {
      for (const double alpha : kAlphas) {
        const ModulusCase c(lcp, alpha, omega);
        if (omega == ModulusOmega::diagonal) {
          EXPECT_EQ(c.delta < 1.0, c.tau < std::min(1.0, 2.0 * alpha));
        }
        EXPECT_GE(c.delta, c.tau * (1.0 - 1e-14));  // Remarks 4.4 and 4.5
        if (c.delta >= 1.0) continue;
        const VectorXd last = c.sweeps(VectorXd::Zero(solution.size()), 400).back();
        EXPECT_LE((last - solution).norm(), 1e-10) << "seed " << seed << ", alpha " << alpha;
        ++converged[index_of(omega)];
      }
    }
  }
  EXPECT_GE(converged[0], 40);
  EXPECT_GE(converged[1], 20);
}

/// |lambda^k - lambda*| <= |x^k - x*| <= G^k |x^0 - x*| in every row, for x* = lambda* - w* / (2 Omega) and x^0 = 0.
TEST(ModulusSweeps, ContractAsTheInfluenceOfRowsSays) {
  int cases = 0;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const test::Lcp lcp = weak_lcp(seed, 0.1);
    const VectorXd solution = lcp.enumerate().value();
    const VectorXd w = lcp.a * solution + lcp.b;
    for (const ModulusOmega omega : kBothOmegas) {
      for (const double alpha : kAlphas) {
        const ModulusCase c(lcp, alpha, omega);
        const MatrixXd influence = c.influence();
        if (spectral_radius_bound(influence) >= 1.0) continue;
        VectorXd allowed = (solution - w.cwiseQuotient(2.0 * c.omega)).cwiseAbs();
        for (const VectorXd& lambda : c.sweeps(VectorXd::Zero(w.size()), 30)) {
          allowed = influence * allowed;
          const VectorXd left = (lambda - solution).cwiseAbs();
          EXPECT_LE((left - allowed).maxCoeff(), 1e-13) << "seed " << seed << ", alpha " << alpha;
        }
        ++cases;
      }
    }
  }
  EXPECT_GE(cases, 60);
}

/// The bound (31) that Theorem 4.2 is proved by, |x^1 - x*| <= delta |x^0 - x*|, rests on Lemma 4.1
/// (25), that the norm of a triangular matrix is that of its diagonal. Neither holds: of a chain of
/// contacts that all bear, with D = 1, -1/4 beside it and alpha = 1, a sweep leaves more of some
/// error. All bear before and after it, so that a sweep is (3 - 2 L)^-1 (1 + 2 U) times the error,
/// with the norm 0.597 (by numpy) where delta is 0.554.
TEST(ModulusSweeps, MayLeaveMoreThanDelta) {
  constexpr Eigen::Index kRows = 20;
  MatrixXd a = MatrixXd::Identity(kRows, kRows);
  a.diagonal(1).setConstant(-0.25);
  a.diagonal(-1).setConstant(-0.25);
  const VectorXd solution = VectorXd::Ones(kRows);
  const ModulusCase chain({a, -a * solution}, 1.0, ModulusOmega::diagonal);
  MatrixXd left = 2.0 * chain.lower;
  left.diagonal().setConstant(3.0);
  const MatrixXd one = MatrixXd::Identity(kRows, kRows);
  const MatrixXd of_a_sweep = left.triangularView<Eigen::Lower>().solve(one - 2.0 * chain.upper);
  const double most = test::norm(of_a_sweep);
  // all but the vector that it lengthens most is gone in a high power
  const MatrixXd gram = of_a_sweep.transpose() * of_a_sweep / (most * most);
  const VectorXd error = 0.1 * (test::power(gram, 1e7) * VectorXd::Ones(kRows)).normalized();
  const double remains = (chain.sweeps(solution + error, 1)[0] - solution).norm() / error.norm();
  EXPECT_NEAR(remains, most, 1e-12);
  EXPECT_NEAR(remains, 0.597, 5e-4);
  EXPECT_NEAR(chain.delta, 0.554, 5e-4);

  Eigen::Matrix2d triangular;
  triangular << 1.0, 0.0, 1.0, 1.0;
  EXPECT_NEAR(test::norm(triangular), 0.5 * (1.0 + std::sqrt(5.0)), 1e-14);
}

}  // namespace
}  // namespace scree
