#include "incomplete_cholesky.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

#include "scree/base/log_stage.hpp"
#include "scree/base/petsc.hpp"
#include "scree/problem/block_rows.hpp"

namespace scree {
namespace {

/// Least eigenvalue of a pivot, in the unit of the diagonal block. Late matrices of a rigid bed of
/// 500 balls take 1,551 iterations of conjugate gradients with 1e-4, 1,211 with 1e-2, 1,000 with
/// 0.1, which lifts a third of the pivots, and 1,086 with 0.3; 2,736 with the diagonal blocks
/// alone.
constexpr double kLeastPivot = 0.1;

class Factors {
 public:
  virtual ~Factors() = default;
  virtual void factorise(Mat matrix) = 0;
  virtual void solve(const double* rhs, double* x) const = 0;
};

/// The arrays of a MATSEQBAIJ, whose blocks have their columns one after another.
class BlockView {
 public:
  explicit BlockView(Mat matrix) : matrix_(matrix) {
    PetscBool done = PETSC_FALSE;
    SCREE_PETSC(
        MatGetRowIJ(matrix_, 0, PETSC_FALSE, PETSC_TRUE, &n_rows, &row_start, &column, &done));
    if (!done) throw Failure("a matrix of bodies is not of PETSc's type BAIJ");
    SCREE_PETSC(MatSeqBAIJGetArray(matrix_, &value_));
  }
  BlockView(const BlockView&) = delete;
  BlockView& operator=(const BlockView&) = delete;
  ~BlockView() {
    PetscBool done = PETSC_FALSE;
    static_cast<void>(MatSeqBAIJRestoreArray(matrix_, &value_));
    static_cast<void>(
        MatRestoreRowIJ(matrix_, 0, PETSC_FALSE, PETSC_TRUE, &n_rows, &row_start, &column, &done));
  }

  template <class Block>
  Block block(PetscInt entry) const {
    using Stored = Eigen::Matrix<double, Block::RowsAtCompileTime, Block::ColsAtCompileTime>;
    return Eigen::Map<const Stored>(value_ +
                                    static_cast<std::size_t>(entry) * Stored::SizeAtCompileTime);
  }

  PetscInt n_rows = 0;
  const PetscInt* row_start = nullptr;
  const PetscInt* column = nullptr;

 private:
  Mat matrix_;
  double* value_ = nullptr;
};

template <int kDofs>
class FactorsOf final : public Factors {
 public:
  void factorise(Mat matrix) override {
    const LogStage stage(Stage::factorisation);
    const BlockView rows(matrix);
    start_.assign(1, 0);
    column_.clear();
    value_.clear();
    inverse_.clear();
    for (PetscInt i = 0; i < rows.n_rows; ++i) add_row(rows, i);
  }

  void solve(const double* rhs, double* x) const override {
    const std::size_t n = inverse_.size();
    std::copy_n(rhs, n * kDofs, x);
    for (std::size_t i = 0; i < n; ++i) {
      Part own = part(x, i);
      for (std::size_t e = start_[i]; e < start_[i + 1]; ++e) {
        own.noalias() -= value_[e] * part(x, column_[e]);
      }
      own = inverse_[i] * own;
    }
    for (std::size_t i = n; i-- > 0;) {
      Part own = part(x, i);
      own = inverse_[i].transpose() * own;
      for (std::size_t e = start_[i]; e < start_[i + 1]; ++e) {
        part(x, column_[e]).noalias() -= value_[e].transpose() * own;
      }
    }
  }

 private:
  using Block = Eigen::Matrix<double, kDofs, kDofs>;
  using Part = Eigen::Map<Eigen::Matrix<double, kDofs, 1>>;

  static Part part(double* x, std::size_t body) { return Part(x + body * kDofs); }

  void add_row(const BlockView& rows, PetscInt i) {
    Block diagonal = Block::Zero();
    for (PetscInt e = rows.row_start[i]; e < rows.row_start[i + 1]; ++e) {
      const PetscInt j = rows.column[e];
      if (j == i) diagonal = rows.block<Block>(e);
      if (j >= i) continue;
      Block entry = rows.block<Block>(e) - product_of_rows(start_.back(), j);
      column_.push_back(j);
      value_.emplace_back(entry * inverse_[j].transpose());
    }
    Block pivot = diagonal;
    for (std::size_t e = start_.back(); e < value_.size(); ++e) {
      pivot.noalias() -= value_[e] * value_[e].transpose();
    }
    start_.push_back(value_.size());
    inverse_.push_back(inverse_factor(diagonal, pivot));
  }

  /// sum_k L_ik L_jk^T of the row i at hand, whose entries begin at @p first, with row @p j.
  Block product_of_rows(std::size_t first, PetscInt j) const {
    Block sum = Block::Zero();
    std::size_t other = start_[j];
    for (std::size_t e = first; e < value_.size(); ++e) {
      while (other < start_[j + 1] && column_[other] < column_[e]) ++other;
      if (other == start_[j + 1]) break;
      if (column_[other] == column_[e]) sum.noalias() += value_[e] * value_[other].transpose();
    }
    return sum;
  }

  /// L_ii^-1 for the lifted @p pivot of a @p diagonal block.
  static Block inverse_factor(const Block& diagonal, const Block& pivot) {
    const Eigen::LLT<Block> unit(diagonal);
    const Block half = unit.matrixL().solve(pivot);
    Block scaled = unit.matrixL().solve(Block(half.transpose()));
    const Block least = kLeastPivot * Block::Identity();
    if (Eigen::LLT<Block>(scaled - least).info() != Eigen::Success) {
      const Eigen::SelfAdjointEigenSolver<Block> parts(scaled);
      scaled = parts.eigenvectors() * parts.eigenvalues().cwiseMax(kLeastPivot).asDiagonal() *
               parts.eigenvectors().transpose();
    }
    const Eigen::LLT<Block> lifted(scaled);
    return lifted.matrixL().solve(Block(unit.matrixL().solve(Block::Identity())));
  }

  std::vector<std::size_t> start_;  ///< row i has the entries [start_[i], start_[i+1])
  std::vector<PetscInt> column_;    ///< of an entry left of the diagonal, ascending in a row
  std::vector<Block> value_;        ///< L_ij
  std::vector<Block> inverse_;      ///< L_ii^-1, whole: products with its triangle take longer
};

std::unique_ptr<Factors> factors_for(Mat matrix) {
  PetscInt dofs = 0;
  SCREE_PETSC(MatGetBlockSize(matrix, &dofs));
  if (dofs == kBodyDofs) return std::make_unique<FactorsOf<kBodyDofs>>();
  return std::make_unique<FactorsOf<kLinearDofs>>();
}

/// Calls @p work with the factors of @p pc, for PETSc, through which no exception may pass.
template <class Work>
PetscErrorCode guarded(PC pc, Work&& work) noexcept {
  try {
    Factors* factors = nullptr;
    SCREE_PETSC(PCShellGetContext(pc, &factors));
    work(*factors);
    return 0;
  } catch (const std::exception& error) {
    return PetscError(PETSC_COMM_SELF, __LINE__, __func__, __FILE__, PETSC_ERR_LIB,
                      PETSC_ERROR_INITIAL, "%s", error.what());
  }
}

PetscErrorCode set_up(PC pc) noexcept {
  return guarded(pc, [pc](Factors& factors) {
    Mat matrix = nullptr;
    Mat own = nullptr;  // this rank's rows and columns
    SCREE_PETSC(PCGetOperators(pc, nullptr, &matrix));
    SCREE_PETSC(MatGetDiagonalBlock(matrix, &own));
    factors.factorise(own);
  });
}

PetscErrorCode apply(PC pc, Vec rhs, Vec x) noexcept {
  return guarded(pc, [&](const Factors& factors) {
    const petsc::ConstView from(rhs);
    const petsc::View to(x);
    factors.solve(from.data(), to.data());
  });
}

PetscErrorCode destroy(PC pc) noexcept {
  return guarded(pc, [](Factors& factors) { const std::unique_ptr<Factors> owner(&factors); });
}

}  // namespace

void set_incomplete_cholesky(PC pc) {
  Mat matrix = nullptr;
  SCREE_PETSC(PCGetOperators(pc, nullptr, &matrix));
  SCREE_PETSC(PCSetType(pc, PCSHELL));
  SCREE_PETSC(PCShellSetContext(pc, factors_for(matrix).release()));
  SCREE_PETSC(PCShellSetDestroy(pc, &destroy));
  SCREE_PETSC(PCShellSetSetUp(pc, &set_up));
  SCREE_PETSC(PCShellSetApply(pc, &apply));
}

}  // namespace scree
