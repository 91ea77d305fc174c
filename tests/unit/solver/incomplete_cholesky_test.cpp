#include "solver/linear/incomplete_cholesky.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include <cmath>
#include <cstdlib>

#include "scree/base/petsc.hpp"

namespace scree {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The MATBAIJ of @p dense with the blocks of @p dofs that are not zero.
petsc::Matrix as_baij(const MatrixXd& dense, PetscInt dofs) {
  const auto n = static_cast<PetscInt>(dense.rows());
  petsc::Matrix a;
  SCREE_PETSC(MatCreateSeqBAIJ(PETSC_COMM_SELF, dofs, n, n, n / dofs, nullptr, a.out()));
  for (PetscInt i = 0; i < n; i += dofs) {
    for (PetscInt j = 0; j < n; j += dofs) {
      const MatrixXd block = dense.block(i, j, dofs, dofs);
      if (block.isZero(0.0)) continue;
      for (PetscInt k = 0; k < dofs; ++k) {
        for (PetscInt l = 0; l < dofs; ++l) {
          SCREE_PETSC(MatSetValue(a.get(), i + k, j + l, block(k, l), INSERT_VALUES));
        }
      }
    }
  }
  SCREE_PETSC(MatAssemblyBegin(a.get(), MAT_FINAL_ASSEMBLY));
  SCREE_PETSC(MatAssemblyEnd(a.get(), MAT_FINAL_ASSEMBLY));
  return a;
}

/// The inverse of L L^T of @p a, column by column.
MatrixXd inverse_of_factors(Mat a) {
  petsc::Krylov solver;
  SCREE_PETSC(KSPCreate(PETSC_COMM_SELF, solver.out()));
  SCREE_PETSC(KSPSetType(solver.get(), KSPPREONLY));
  SCREE_PETSC(KSPSetOperators(solver.get(), a, a));
  PC pc = nullptr;
  SCREE_PETSC(KSPGetPC(solver.get(), &pc));
  set_incomplete_cholesky(pc);
  PetscInt n = 0;
  SCREE_PETSC(MatGetSize(a, &n, nullptr));
  const petsc::Vector rhs = petsc::make_vector(PETSC_COMM_SELF, n);
  const petsc::Vector x = petsc::make_vector(PETSC_COMM_SELF, n);
  MatrixXd inverse(n, n);
  for (PetscInt k = 0; k < n; ++k) {
    SCREE_PETSC(VecSet(rhs.get(), 0.0));
    petsc::View(rhs.get())[k] = 1.0;
    SCREE_PETSC(KSPSolve(solver.get(), rhs.get(), x.get()));
    inverse.col(k) = Eigen::Map<const VectorXd>(petsc::ConstView(x.get()).data(), n);
  }
  return inverse;
}

/// G^T G + I of a chain of bodies, each coupled to the next by some rows.
MatrixXd chain(Eigen::Index bodies, Eigen::Index dofs, double weight) {
  std::srand(1);
  MatrixXd g = MatrixXd::Zero(3 * (bodies - 1), bodies * dofs);
  for (Eigen::Index b = 0; b + 1 < bodies; ++b) {
    g.block(3 * b, b * dofs, 3, 2 * dofs) = MatrixXd::Random(3, 2 * dofs);
  }
  return MatrixXd::Identity(g.cols(), g.cols()) + weight * g.transpose() * g;
}

/// Nothing is dropped of a chain: the factors are Cholesky's.
TEST(IncompleteCholesky, IsExactWithoutFill) {
  for (const PetscInt dofs : {3, 6}) {
    const MatrixXd k = chain(5, dofs, 2.0);
    const MatrixXd inverse = inverse_of_factors(as_baij(k, dofs).get());
    EXPECT_LT((inverse * k - MatrixXd::Identity(k.rows(), k.rows())).norm(), 1e-12);
  }
}

/// Kershaw's matrix, definite, whose incomplete factors have the pivots 3, 5/3, 3/5 and -5, by
/// blocks.
MatrixXd kershaw(Eigen::Index dofs) {
  Eigen::Matrix4d a;
  a << 3, -2, 0, 2, -2, 3, -2, 0, 0, -2, 3, -2, 2, 0, -2, 3;
  MatrixXd k = MatrixXd::Zero(4 * dofs, 4 * dofs);
  for (Eigen::Index i = 0; i < 4; ++i) {
    for (Eigen::Index j = 0; j < 4; ++j) {
      k.block(i * dofs, j * dofs, dofs, dofs) = a(i, j) * MatrixXd::Identity(dofs, dofs);
    }
  }
  return k;
}

/// The product of the factors, whose pivots are lifted, is definite, and the scales of bodies are
/// no matter to where that is done: with K scaled on both sides it is the same product, scaled.
TEST(IncompleteCholesky, LiftsPivotsThatAreNotPositive) {
  const MatrixXd k = kershaw(3);
  ASSERT_GT(k.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff(), 0.0);
  const MatrixXd inverse = inverse_of_factors(as_baij(k, 3).get());
  EXPECT_LT((inverse - inverse.transpose()).norm(), 1e-12 * inverse.norm());
  EXPECT_GT(inverse.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff(), 0.0);

  VectorXd scale(k.rows());
  for (Eigen::Index i = 0; i < k.rows(); ++i) scale[i] = std::pow(10.0, i % 4);
  const MatrixXd scaled = scale.asDiagonal() * k * scale.asDiagonal();
  const MatrixXd back =
      scale.asDiagonal() * inverse_of_factors(as_baij(scaled, 3).get()) * scale.asDiagonal();
  EXPECT_LT((back - inverse).norm(), 1e-10 * inverse.norm());
}

}  // namespace
}  // namespace scree
