#include "lemke.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "dense_lcp.hpp"
#include "scree/base/whole_vector.hpp"
#include "solver/solve_progress.hpp"
#include "through_friction_lcp.hpp"

namespace scree {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Entry over the largest one of its column, below which it is no pivot.
constexpr double kLemkeZero = 1e-12;
/// Entry over the largest one of its column, below which a basis that is taken as it comes counts
/// as singular.
constexpr double kDependent = 1e-8;

/// Columns: y (0 .. n), x (n .. 2n), z (2n), the right-hand side (2n + 1). Basic columns are unit
/// vectors.
class Tableau {
 public:
  /// @p active: the rows whose x is basic at first; where those of A are singular, none is.
  Tableau(const MatrixXd& a, const VectorXd& b, const std::vector<Index>& active)
      : n_(b.size()), t_(n_, 2 * n_ + 2), basis_(n_) {
    begin(a, b);
    is_cold_ = active.empty() || !make_basic(active);
    if (is_cold_) begin(a, b);
    t_.col(2 * n_).setConstant(-1.0);
    Index row = 0;
    if (t_.col(2 * n_ + 1).minCoeff(&row) < 0.0) entering_ = pivot(row, 2 * n_);
  }

  bool done() const { return entering_ < 0; }
  bool on_a_ray() const { return ray_; }
  bool is_cold() const { return is_cold_; }  ///< whether it began without a basis

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
  void begin(const MatrixXd& a, const VectorXd& b) {
    t_ << MatrixXd::Identity(n_, n_), -a, VectorXd::Zero(n_), b;
    for (Index i = 0; i < n_; ++i) basis_[i] = i;
  }

  /// Gives the rows of @p active their x for their y. @returns false where they are dependent.
  bool make_basic(std::vector<Index> active) {
    const std::vector<Index> entering = active;
    for (const Index i : entering) {
      const auto size = [&](Index row) { return std::abs(t_(row, n_ + i)); };
      const auto row = std::ranges::max_element(active, {}, size);
      if (size(*row) <= kDependent * t_.col(n_ + i).lpNorm<Eigen::Infinity>()) return false;
      pivot(*row, n_ + i);
      active.erase(row);
    }
    return true;
  }

  /// @p column enters in place of the basic variable of @p row. @returns the complement of what
  /// left, -1 where z did.
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

  /// Whether row @p i blocks before row @p k: by the ratio of the right-hand side; of equals z,
  /// then the lexicographic order of the inverse of the basis.
  bool blocks_before(Index i, Index k, Index column) const {
    const auto compare = [&](Index c) {
      return t_(i, c) / t_(i, column) - t_(k, c) / t_(k, column);
    };
    const double scale =
        std::abs(t_(i, 2 * n_ + 1) / t_(i, column)) + std::abs(t_(k, 2 * n_ + 1) / t_(k, column));
    const double first = compare(2 * n_ + 1);
    if (std::abs(first) > kLemkeZero * scale) return first < 0.0;
    if (basis_[i] == 2 * n_) return true;
    if (basis_[k] == 2 * n_) return false;
    for (Index c = 0; c < n_; ++c) {
      if (const double next = compare(c); std::abs(next) > kLemkeZero) return next < 0.0;
    }
    return false;
  }

  Index blocking_row(Index column) const {
    const double least = kLemkeZero * t_.col(column).lpNorm<Eigen::Infinity>();
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
  bool is_cold_ = true;
};

/// Collective. The rows of all ranks where @p v is above zero.
std::vector<Index> positive_rows(Vec v) {
  std::vector<Index> rows;
  const std::vector<double> all = whole(v);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] > 0.0) rows.push_back(static_cast<Index>(i));
  }
  return rows;
}

class Lemke final : public Solver {
 public:
  SolverReport solve(const ContactProblem& problem, const Stop& stop, Vec lambda) override {
    return lcp::solve_by_pivots("lemke", problem, stop, lambda, pivot);
  }

 private:
  static void pivot(const ContactProblem& problem, SolveProgress& progress) {
    const lcp::DenseLcp whole = lcp::dense_lcp(problem, progress.measurer().rho());
    const Index n = whole.b.size();
    std::int64_t pivots = 0;
    const auto solve_from = [&](const std::vector<Index>& active) {
      Tableau tableau(whole.a, whole.b, active);
      pivots = lcp::pivots_of(tableau, 2 * n * n, pivots, progress);
      return tableau;
    };
    Tableau tableau = solve_from(positive_rows(progress.best()));
    // a ray from a point where z is zero but for rounding is no fault: that point is a solution
    if (lcp::is_settled(whole, tableau.solution(), pivots, progress)) return;
    if (!tableau.is_cold()) {
      // only from no basis are rays a proof, and pivots known to end
      tableau = solve_from({});
      if (lcp::is_settled(whole, tableau.solution(), pivots, progress)) return;
    }
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
  return through_friction_lcp("lemke", std::make_unique<Lemke>(), std::make_unique<Lemke>(), 0);
}

}  // namespace scree
