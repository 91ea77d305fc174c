/// Where projected sweeps converge with exact friction, and where they need not (solver/pgs.hpp).

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "scree/solver/driver.hpp"
#include "scree/solver/sweeps/sweep.hpp"
#include "support/dense_problem.hpp"
#include "support/solver_options.hpp"

namespace scree {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// N = S N^ S: contacts of many scales s = sqrt(N_nn) = sqrt(N_tt), and N^ = 1 but for weak random blocks
/// between contacts.
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
  const auto norm = [](const MatrixXd& block) { return block.jacobiSvd().singularValues()[0]; };
  MatrixXd a(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      const MatrixXd block = scaled.block<3, 3>(3 * i, 3 * j);
      const MatrixXd moved =
          i == j ? MatrixXd(MatrixXd::Identity(3, 3) - omega * block) : MatrixXd(omega * block);
      a(i, j) = norm(moved) + omega * mu * norm(block.bottomRows(2));
    }
  }
  return a;
}

/// How far each contact's scaled impulse went.
VectorXd distances(const VectorXd& from, const VectorXd& to) {
  VectorXd d(from.size() / 3);
  for (Eigen::Index i = 0; i < d.size(); ++i) {
    d[i] = (to - from).segment<3>(3 * i).norm();
  }
  return d;
}

/// Every sweep moves no contact further than (1 - L)^-1 (A - L) allows, L the strict lower part of A.
TEST(SweepsOfExactFriction, ContractAsTheInfluenceOfContactsSays) {
  for (const double omega : {0.8, 1.0, 1.2}) {
    const double mu = 0.4;
    const WeaklyCoupled weak(12, 0.004, mu, 3);
    const MatrixXd a = influence(weak.scaled, mu, omega);
    ASSERT_LT(a.eigenvalues().cwiseAbs().maxCoeff(), 1.0) << "omega " << omega;
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

SolverReport solve(std::string_view method, const ContactProblem& problem) {
  SolverOptions options = test::only(method, 1e-8);
  options.stop.max_iterations = 2000;
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  return SolverDriver(options).solve(problem, lambda.get());
}

/// One contact whose normal and tangents are strongly coupled, mu = 1.5: it closes and opens for ever.
TEST(SweepsOfExactFriction, CycleWhereOneContactIsStronglyCoupled) {
  Eigen::Matrix3d n;
  n << 0.4, -0.3, 1.6, -0.3, 2.8, -1.7, 1.6, -1.7, 6.9;
  const Vec3 r(-3.1, -0.7, -0.7);
  const ContactProblem exact = test::dense_problem(n, r, 1.5, FrictionLaw::coulomb);
  const ContactProblem relaxed = test::dense_problem(n, r, 1.5, FrictionLaw::associated);
  for (const std::string_view method : {"pgs", "amgs"}) {
    const SolverReport cycling = solve(method, exact);
    EXPECT_NE(cycling.status, Status::converged) << method;
    EXPECT_GT(cycling.measures.residual, 1e-3) << method;
    EXPECT_EQ(solve(method, relaxed).status, Status::converged) << method;
  }
  EXPECT_EQ(solve("pac", exact).status, Status::converged);
}

}  // namespace
}  // namespace scree
