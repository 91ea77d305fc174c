#pragma once

/// Linear complementarity problems of the tests' own, y = A x + b, 0 <= y _|_ x >= 0: dense, the
/// same on every rank, of which each takes its rows.

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <random>
#include <string>

#include "scree/base/parallel.hpp"
#include "scree/problem/contact_problem.hpp"
#include "support/dense_matrices.hpp"

namespace scree::test {

struct Lcp {
  Eigen::MatrixXd a;
  Eigen::VectorXd b;

  /// Collective.
  ContactProblem build(MPI_Comm comm, const std::string& origin = "lcp") const {
    const auto n = static_cast<PetscInt>(b.size());
    const PetscInt first = n * rank_of(comm) / size_of(comm);
    const PetscInt end = n * (rank_of(comm) + 1) / size_of(comm);
    ContactProblem p;
    p.comm = comm;
    p.origin = origin;
    for (PetscInt i = first; i < end; ++i) p.cones.append(cones::HalfLine{});
    p.r = petsc::make_vector(comm, end - first);
    SCREE_PETSC(MatCreateAIJ(comm, end - first, end - first, n, n, n, nullptr, n, nullptr,
                             p.delassus.matrix.out()));
    for (PetscInt i = first; i < end; ++i) {
      petsc::View(p.r.get())[i - first] = b[i];
      for (PetscInt j = 0; j < n; ++j) {
        if (a(i, j) == 0.0) continue;
        SCREE_PETSC(MatSetValue(p.delassus.matrix.get(), i, j, a(i, j), INSERT_VALUES));
      }
    }
    SCREE_PETSC(MatAssemblyBegin(p.delassus.matrix.get(), MAT_FINAL_ASSEMBLY));
    SCREE_PETSC(MatAssemblyEnd(p.delassus.matrix.get(), MAT_FINAL_ASSEMBLY));
    p.delassus.symmetric = a.isApprox(a.transpose());
    return p;
  }

  /// The solution among all 2^n choices of the active rows; none where there is none.
  std::optional<Eigen::VectorXd> enumerate() const {
    const Eigen::Index n = b.size();
    for (std::uint32_t set = 0; set < (1U << n); ++set) {
      Eigen::MatrixXd m = Eigen::MatrixXd::Identity(n, n);
      for (Eigen::Index i = 0; i < n; ++i) {
        if ((set >> i) & 1U) m.col(i) = -a.col(i);  // y_i = 0, x_i free
      }
      const std::optional<Eigen::VectorXd> z = solution(m, b);
      if (!z || z->minCoeff() < -1e-12) continue;
      Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
      for (Eigen::Index i = 0; i < n; ++i) {
        if ((set >> i) & 1U) x[i] = (*z)[i];
      }
      return x;
    }
    return std::nullopt;
  }
};

/// A = G G^T + shift I of Gaussian numbers, plus an antisymmetric part of size @p skew.
inline Lcp random_lcp(int n, unsigned seed, double shift = 0.1, double skew = 0.0) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const auto gauss = [&] { return normal(random); };
  const Eigen::MatrixXd g = Eigen::MatrixXd::NullaryExpr(n, n, gauss);
  const Eigen::MatrixXd k = Eigen::MatrixXd::NullaryExpr(n, n, gauss);
  Lcp lcp;
  lcp.a = g * g.transpose() + shift * Eigen::MatrixXd::Identity(n, n) + skew * (k - k.transpose());
  lcp.b = Eigen::VectorXd::NullaryExpr(n, gauss);
  return lcp;
}

/// Paper 002's eq. 27 of one contact on a body of mass 1 in the plane: normal, two directions,
/// slack.
inline Lcp friction_lcp(double mu, double normal, double tangent) {
  Lcp lcp;
  lcp.a.resize(4, 4);
  lcp.a << 1, 0, 0, 0, 0, 1, -1, 1, 0, -1, 1, 1, mu, -1, -1, 0;
  lcp.b.resize(4);
  lcp.b << normal, tangent, -tangent, 0;
  return lcp;
}

}  // namespace scree::test
