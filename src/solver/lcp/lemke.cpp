#include "scree/solver/lcp/lemke.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "scree/base/whole_vector.hpp"
#include "scree/solver/solve_progress.hpp"

namespace scree {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::int64_t kPivotsPerRow = 50;
/// Entries of the tableau that are changed between two looks at the time: some hundredths of a second.
constexpr std::int64_t kEntriesPerLook = 20'000'000;
/// Entry over the largest one of its column, below which it is no pivot.
constexpr double kZero = 1e-12;

/// Columns: y (0 .. n), x (n .. 2n), z (2n), the right-hand side (2n + 1). Basic columns are unit vectors.
class Tableau {
 public:
  Tableau(const MatrixXd& a, const VectorXd& b, const VectorXd& cover)
      : n_(b.size()), t_(n_, 2 * n_ + 2), basis_(n_) {
    t_ << MatrixXd::Identity(n_, n_), -a, -cover, b;
    for (Index i = 0; i < n_; ++i) basis_[i] = i;
    Index row = 0;
    (b.array() / cover.array()).minCoeff(&row);
    if (b[row] < 0.0) entering_ = pivot(row, 2 * n_);
  }

  bool done() const { return entering_ < 0; }
  bool on_a_ray() const { return ray_; }

  /// One pivot: the complement of the variable that left enters.
  void step() {
    const Index row = blocking_row(entering_);
    if (row < 0) {
      ray_ = true;
      entering_ = -1;
      return;
    }
    entering_ = pivot(row, entering_);
  }

  VectorXd solution() const {
    VectorXd x = VectorXd::Zero(n_);
    for (Index i = 0; i < n_; ++i) {
      const Index variable = basis_[i];
      if (variable >= n_ && variable < 2 * n_) x[variable - n_] = std::max(t_(i, 2 * n_ + 1), 0.0);
    }
    return x;
  }

 private:
  /// @p column enters in place of the basic variable of @p row. @returns the complement of what left, -1
  /// where z did.
  Index pivot(Index row, Index column) {
    t_.row(row) /= t_(row, column);
    const VectorXd factors = t_.col(column);
    for (Index i = 0; i < n_; ++i) {
      if (i != row && factors[i] != 0.0) t_.row(i) -= factors[i] * t_.row(row);
    }
    t_.col(column).setZero();
    t_(row, column) = 1.0;
    const Index left = std::exchange(basis_[row], column);
    if (left == 2 * n_) return -1;
    return left < n_ ? left + n_ : left - n_;
  }

  /// Whether row @p i blocks before row @p k: by the ratio of the right-hand side; of equals z, then the
  /// lexicographic order of the inverse of the basis.
  bool blocks_before(Index i, Index k, Index column) const {
    const auto compare = [&](Index c) {
      return t_(i, c) / t_(i, column) - t_(k, c) / t_(k, column);
    };
    const double scale =
        std::abs(t_(i, 2 * n_ + 1) / t_(i, column)) + std::abs(t_(k, 2 * n_ + 1) / t_(k, column));
    const double first = compare(2 * n_ + 1);
    if (std::abs(first) > kZero * scale) return first < 0.0;
    if (basis_[i] == 2 * n_) return true;
    if (basis_[k] == 2 * n_) return false;
    for (Index c = 0; c < n_; ++c) {
      if (const double next = compare(c); std::abs(next) > kZero) return next < 0.0;
    }
    return false;
  }

  Index blocking_row(Index column) const {
    const double least = kZero * t_.col(column).lpNorm<Eigen::Infinity>();
    Index best = -1;
    for (Index i = 0; i < n_; ++i) {
      if (t_(i, column) > least && (best < 0 || blocks_before(i, best, column))) best = i;
    }
    return best;
  }

  Index n_;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> t_;
  std::vector<Index> basis_;
  Index entering_ = -1;
  bool ray_ = false;
};

/// Collective. The whole of @p v on every rank.
VectorXd whole_of(Vec v) {
  const std::vector<double> all = whole(v);
  return Eigen::Map<const VectorXd>(all.data(), static_cast<Index>(all.size()));
}

/// Collective. The whole of N on every rank.
MatrixXd whole_delassus(const ContactProblem& problem) {
  const petsc::Matrix n = assemble_delassus(problem);
  PetscInt rows = 0;
  SCREE_PETSC(MatGetSize(n.get(), &rows, nullptr));
  petsc::IndexSet all;
  SCREE_PETSC(ISCreateStride(PETSC_COMM_SELF, rows, 0, 1, all.out()));
  const IS set = all.get();
  Mat* parts = nullptr;
  SCREE_PETSC(MatCreateSubMatrices(n.get(), 1, &set, &set, MAT_INITIAL_MATRIX, &parts));
  MatrixXd a = MatrixXd::Zero(rows, rows);
  for (PetscInt i = 0; i < rows; ++i) {
    PetscInt count = 0;
    const PetscInt* columns = nullptr;
    const double* values = nullptr;
    SCREE_PETSC(MatGetRow(parts[0], i, &count, &columns, &values));
    for (PetscInt k = 0; k < count; ++k) a(i, columns[k]) = values[k];
    SCREE_PETSC(MatRestoreRow(parts[0], i, &count, &columns, &values));
  }
  SCREE_PETSC(MatDestroySubMatrices(1, &parts));
  return a;
}

class Lemke final : public Solver {
 public:
  SolverReport solve(const ContactProblem& problem, const StopOptions& stop, Vec lambda) override {
    PetscInt rows = 0;
    SCREE_PETSC(VecGetSize(lambda, &rows));
    SolveProgress progress(problem, stop, std::max<std::int64_t>(kPivotsPerRow * rows, 100),
                           lambda);
    if (!progress.done()) pivot(problem, progress);
    progress.report().solver = "lemke";
    return progress.finish(lambda);
  }

 private:
  static void pivot(const ContactProblem& problem, SolveProgress& progress) {
    // in the scale of each row, so that one ratio is of the size of another
    const petsc::Vector root = petsc::duplicate(problem.r.get());
    {
      const petsc::View view(root.get());
      for (std::size_t i = 0; i < view.size(); ++i)
        view[i] = std::sqrt(progress.measurer().rho()[i]);
    }
    const VectorXd s = whole_of(root.get());
    const MatrixXd a = s.asDiagonal() * whole_delassus(problem) * s.asDiagonal();
    const VectorXd b = s.asDiagonal() * whole_of(problem.r.get());
    Tableau tableau(a, b, VectorXd::Ones(b.size()));
    const std::int64_t between_looks = kEntriesPerLook / (2 * b.size() * b.size() + 1) + 1;
    std::int64_t pivots = 0;
    while (!tableau.done() && pivots < progress.limit()) {
      tableau.step();
      ++pivots;
      if (pivots % between_looks == 0 && progress.check_time(pivots)) break;
    }
    const VectorXd x = s.asDiagonal() * tableau.solution();
    const petsc::Vector lambda = petsc::duplicate(problem.r.get());
    PetscInt first = 0;
    SCREE_PETSC(VecGetOwnershipRange(lambda.get(), &first, nullptr));
    {
      const petsc::View view(lambda.get());
      for (std::size_t i = 0; i < view.size(); ++i) view[i] = x[first + static_cast<Index>(i)];
    }
    // a ray from a point where z is zero but for rounding is no fault: that point is a solution
    if (progress.check(pivots, lambda.get())) return;
    if (tableau.on_a_ray()) {
      progress.stop_with(Status::infeasible,
                         fmt::format("a ray after {} pivots: no solution, unless "
                                     "the matrix is not copositive plus",
                                     pivots));
    } else {
      progress.stop_with(Status::stagnated, fmt::format("rounding: residual {:.3g} after {} pivots",
                                                        progress.residual(), pivots));
    }
  }
};

}  // namespace

std::unique_ptr<Solver> make_lemke() {
  return std::make_unique<Lemke>();
}

}  // namespace scree
