#include "solver/linear/normal_system.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "support/problems.hpp"

namespace scree {
namespace {

constexpr double kRounding = 1e-12;  ///< of sums of some hundred numbers of size 1

struct SystemCase {
  unsigned held;  ///< degrees of freedom of every body, a bit each
  std::vector<int> columns;
  bool planar = false;
};

/// Cones of 1, 2 and 3 rows, and of 5 in place of 3 where all is free; of one body and of two.
ContactProblem mixed_problem(unsigned held) {
  test::ProblemBuilder builder = test::random_graph(12, 40, 5, true);
  if (held == 0) builder.resist_rolling(0.02);
  builder.hold_all(held);
  return builder.build(PETSC_COMM_SELF, FrictionLaw::coulomb, "mixed");
}

/// Blocks that are not symmetric, with a definite symmetric part.
std::vector<double> random_blocks(const Cones& cones) {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> h(size_of_blocks(cones));
  for_each_block(cones, h.data(), [&]<int kDim>(const ConePlace&, auto block) {
    for (double& number : block.reshaped()) number = uniform(random);
    block.diagonal().array() += kDim;
  });
  return h;
}

Eigen::MatrixXd dense_rows(const ContactProblem& problem) {
  const BodyRows& rows = *body_rows(problem);
  Eigen::MatrixXd b =
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(problem.cones.rows()),
                            static_cast<Eigen::Index>(kBodyDofs * rows.pattern.n_bodies()));
  for_each_cone(problem.cones, [&]<class Cone>(const Cone&, const ConePlace& at) {
    for_each_entry<Cone::kDim>(
        rows.pattern, rows.values, at.number, [&](const auto& entry, std::int32_t body) {
          b.block<Cone::kDim, kBodyDofs>(static_cast<Eigen::Index>(at.row), kBodyDofs * body) +=
              entry;
        });
  });
  return b;
}

Eigen::MatrixXd dense_blocks(const ContactProblem& problem, const std::vector<double>& h) {
  const auto n = static_cast<Eigen::Index>(problem.cones.rows());
  Eigen::MatrixXd blocks = Eigen::MatrixXd::Zero(n, n);
  for_each_block(problem.cones, h.data(), [&]<int kDim>(const ConePlace& at, const auto& block) {
    const auto row = static_cast<Eigen::Index>(at.row);
    blocks.block<kDim, kDim>(row, row) = block;
  });
  return blocks;
}

/// I + B^T H B, entry by entry, of all six columns a body; then those that count.
Eigen::MatrixXd dense_matrix(const ContactProblem& problem, const std::vector<double>& h,
                             const std::vector<int>& columns) {
  const Eigen::MatrixXd b = dense_rows(problem);
  const Eigen::Index n_bodies = b.cols() / kBodyDofs;
  const auto dofs = std::ssize(columns);
  Eigen::MatrixXd kept(b.rows(), dofs * n_bodies);
  for (Eigen::Index body = 0; body < n_bodies; ++body) {
    kept.middleCols(dofs * body, dofs) =
        b.middleCols(kBodyDofs * body, kBodyDofs)(Eigen::all, columns);
  }
  return Eigen::MatrixXd::Identity(kept.cols(), kept.cols()) +
         kept.transpose() * dense_blocks(problem, h) * kept;
}

Eigen::MatrixXd dense(Mat matrix) {
  PetscInt n = 0;
  SCREE_PETSC(MatGetSize(matrix, &n, nullptr));
  Eigen::MatrixXd result(n, n);
  for (PetscInt i = 0; i < n; ++i) {
    for (PetscInt j = 0; j < n; ++j) SCREE_PETSC(MatGetValue(matrix, i, j, &result(i, j)));
  }
  return result;
}

Eigen::Map<const Eigen::VectorXd> map(const std::vector<double>& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), std::ssize(x));
}

class NormalEquations : public testing::TestWithParam<SystemCase> {
 protected:
  NormalSystem system(BodySpace::Storage storage, LinearMethod method,
                      std::int64_t countable = petsc::kLargestInt) const {
    return NormalSystem(problem_, BodyRows(*body_rows(problem_)), {.method = method},
                        {.symmetric = false, .definite = false, .uniform_blocks = true}, storage,
                        countable);
  }
  BodySpace::Numbers right_hand_side() const {
    BodySpace::Numbers rhs(matrix_.rows());
    for (std::size_t k = 0; k < rhs.size(); ++k) rhs[k] = std::sin(1.0 + static_cast<double>(k));
    return rhs;
  }

  ContactProblem problem_ = mixed_problem(GetParam().held);
  std::vector<double> h_ = random_blocks(problem_.cones);
  Eigen::MatrixXd matrix_ = dense_matrix(problem_, h_, GetParam().columns);
};

TEST_P(NormalEquations, AreSummedWhole) {
  NormalSystem normal = system(BodySpace::Storage::whole, LinearMethod::factorisation);
  EXPECT_EQ(normal.space().dofs(), std::ssize(GetParam().columns));
  EXPECT_EQ(normal.space().is_planar(), GetParam().planar);
  normal.use(h_);
  EXPECT_LE((dense(normal.space().matrix()) - matrix_).norm(), kRounding * matrix_.norm());
}

TEST_P(NormalEquations, AreKnownByProductsAndDiagonalBlocks) {
  NormalSystem normal = system(BodySpace::Storage::diagonal_blocks, LinearMethod::krylov);
  normal.use(h_);
  const auto dofs = static_cast<int>(GetParam().columns.size());
  Eigen::MatrixXd diagonal = Eigen::MatrixXd::Zero(matrix_.rows(), matrix_.cols());
  for (Eigen::Index k = 0; k < matrix_.rows(); k += dofs) {
    diagonal.block(k, k, dofs, dofs) = matrix_.block(k, k, dofs, dofs);
  }
  EXPECT_LE((dense(normal.space().matrix()) - diagonal).norm(), kRounding * matrix_.norm());
  BodySpace::Numbers w = right_hand_side();
  BodySpace::Numbers image;
  normal.space().multiply(h_, w, image);
  EXPECT_LE((map(image) - matrix_ * map(w)).norm(), kRounding * matrix_.norm() * map(w).norm());
}

TEST_P(NormalEquations, OfMoreEntriesThanCanBeCountedAreKnownByTheirProducts) {
  NormalSystem all =
      system(BodySpace::Storage::whole_if_countable, LinearMethod::krylov, matrix_.size());
  EXPECT_EQ(all.space().storage(), BodySpace::Storage::whole);
  EXPECT_EQ(all.note(), "");
  const std::int64_t in_diagonal_blocks = matrix_.rows() * std::ssize(GetParam().columns);
  NormalSystem normal =
      system(BodySpace::Storage::whole_if_countable, LinearMethod::krylov, in_diagonal_blocks);
  EXPECT_EQ(normal.space().storage(), BodySpace::Storage::diagonal_blocks);
  EXPECT_TRUE(normal.note().starts_with("products in place of the matrix (")) << normal.note();
  EXPECT_NE(normal.note().find("exceed what PETSc can count"), std::string::npos) << normal.note();
  normal.use(h_);
  const BodySpace::Numbers rhs = right_hand_side();
  BodySpace::Numbers change;
  constexpr double kAbsolute = 1e-9;
  ASSERT_TRUE(normal.solve(rhs, kAbsolute, change)) << normal.linear().note();
  EXPECT_LE((matrix_ * map(change) - map(rhs)).norm(), 1.01 * kAbsolute);
}

TEST_P(NormalEquations, OfMoreEntriesThanCanBeCountedAreRefusedWhole) {
  try {
    system(BodySpace::Storage::whole, LinearMethod::factorisation, 100);
    FAIL() << "accepted";
  } catch (const Failure& failure) {
    const std::string fault = failure.what();
    EXPECT_NE(fault.find("entries of the matrix of the bodies on one of 1 ranks"),
              std::string::npos)
        << fault;
    EXPECT_NE(fault.find("ranks or more"), std::string::npos) << fault;
  }
}

TEST_P(NormalEquations, AreSolved) {
  const BodySpace::Numbers rhs = right_hand_side();
  for (const auto& [storage, method] :
       {std::pair(BodySpace::Storage::whole, LinearMethod::factorisation),
        std::pair(BodySpace::Storage::whole, LinearMethod::krylov),
        std::pair(BodySpace::Storage::diagonal_blocks, LinearMethod::krylov)}) {
    NormalSystem normal = system(storage, method);
    normal.use(h_);
    BodySpace::Numbers change;
    constexpr double kAbsolute = 1e-9;
    ASSERT_TRUE(normal.solve(rhs, kAbsolute, change)) << normal.linear().note();
    EXPECT_LE((matrix_ * map(change) - map(rhs)).norm(), 1.01 * kAbsolute);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Bodies, NormalEquations,
    testing::Values(SystemCase{0, {0, 1, 2, 3, 4, 5}}, SystemCase{0x38U, {0, 1, 2}},
                    SystemCase{0x1CU, {0, 1, 5}, true}, SystemCase{0x2AU, {0, 2, 4}, true},
                    SystemCase{0x31U, {1, 2, 3}, true}, SystemCase{0x34U, {0, 1, 3}},
                    SystemCase{0x3DU, {0, 1, 2}}));

}  // namespace
}  // namespace scree
