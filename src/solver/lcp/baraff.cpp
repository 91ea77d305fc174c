#include "baraff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "dense_lcp.hpp"
#include "solver/solve_progress.hpp"

namespace scree {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A pivot, over the largest entry of A, that counts as zero; and a change, over the largest of its
/// column.
constexpr double kBaraffZero = 1e-11;

enum class End { going, solved, ray, not_semidefinite };

class Pivoting {
 public:
  explicit Pivoting(const lcp::DenseLcp& problem)
      : n_(problem.b.size()),
        t_(problem.a),
        x_(VectorXd::Zero(n_)),
        y_(problem.b),
        set_(n_, Set::left),
        least_pivot_(kBaraffZero * std::max(1.0, t_.cwiseAbs().maxCoeff())),
        least_(kBaraffZero * y_.cwiseAbs().maxCoeff()) {
    choose();
  }

  End end() const { return end_; }
  bool done() const { return end_ != End::going; }
  VectorXd solution() const { return x_.cwiseMax(0.0); }

  /// The row that is being done rises until a row changes its set.
  void step() {
    if (t_(rising_, rising_) < -least_pivot_) {
      end_ = End::not_semidefinite;
      return;
    }
    const Stop stop = first_stop();
    if (stop.row < 0) {
      end_ = End::ray;
      return;
    }
    x_[rising_] += stop.length;
    for (Index i = 0; i < n_; ++i) {
      (set_[i] == Set::active ? x_ : y_)[i] += stop.length * t_(i, rising_);
    }
    change_set(stop.row);
  }

 private:
  enum class Set : char { left, active, free };
  struct Stop {
    Index row = -1;
    double length = std::numeric_limits<double>::infinity();
  };

  /// The row that violates its condition most is the next to be done.
  void choose() {
    rising_ = -1;
    double worst = -least_;
    for (Index i = 0; i < n_; ++i) {
      if (set_[i] != Set::left || y_[i] >= worst) continue;
      worst = y_[i];
      rising_ = i;
    }
    if (rising_ < 0) end_ = End::solved;
  }

  /// How far x_j may rise, and the row that stops it.
  Stop first_stop() const {
    Stop stop;
    const double least = kBaraffZero * t_.col(rising_).lpNorm<Eigen::Infinity>();
    if (t_(rising_, rising_) > least_pivot_) stop = {rising_, -y_[rising_] / t_(rising_, rising_)};
    for (Index i = 0; i < n_; ++i) {
      if (set_[i] == Set::left || t_(i, rising_) >= -least) continue;
      // of a row of F whose own pivot is zero the change is rounding
      if (set_[i] == Set::free && t_(i, i) <= least_pivot_) continue;
      const double value = set_[i] == Set::active ? x_[i] : y_[i];
      const double length = std::max(value, 0.0) / -t_(i, rising_);
      if (length < stop.length) stop = {i, length};
    }
    return stop;
  }

  void change_set(Index row) {
    if (!(t_(row, row) > 0.0)) {
      end_ = End::not_semidefinite;
      return;
    }
    const bool leaves = set_[row] == Set::active;
    set_[row] = leaves ? Set::free : Set::active;
    (leaves ? x_ : y_)[row] = 0.0;
    pivot(row);
    if (row == rising_) choose();
  }

  /// Exchanges x_k and y_k.
  void pivot(Index k) {
    const double inverse = 1.0 / t_(k, k);
    const VectorXd column = t_.col(k);
    const Eigen::RowVectorXd row = -inverse * t_.row(k);
    t_.noalias() += column * row;
    t_.row(k) = row;
    t_.col(k) = inverse * column;
    t_(k, k) = inverse;
  }

  Index n_;
  MatrixXd t_;  ///< changes of x of A_set and of y of all others, by x of the others and y of A_set
  VectorXd x_;
  VectorXd y_;
  std::vector<Set> set_;
  double least_pivot_;
  double least_;  ///< of y, what is zero
  Index rising_ = -1;
  End end_ = End::going;
};

class Baraff final : public Solver {
 public:
  SolverReport solve(const ContactProblem& problem, const Stop& stop, Vec lambda) override {
    return lcp::solve_by_pivots("baraff", problem, stop, lambda, pivot);
  }

 private:
  static void pivot(const ContactProblem& problem, SolveProgress& progress) {
    const lcp::DenseLcp whole = lcp::dense_lcp(problem, progress.measurer().rho());
    const Index n = whole.b.size();
    Pivoting pivoting(whole);
    const std::int64_t pivots = lcp::pivots_of(pivoting, n * n, 0, progress);
    if (lcp::is_settled(whole, pivoting.solution(), pivots, progress)) return;
    switch (pivoting.end()) {
      case End::ray:
        progress.stop_with(Status::infeasible,
                           fmt::format("nothing stops a row after {} pivots: no solution", pivots));
        return;
      case End::not_semidefinite:
        progress.stop_with(Status::breakdown, "the matrix is not positive semidefinite");
        return;
      case End::going:
      case End::solved:
        progress.stop_with(
            Status::stagnated,
            fmt::format("rounding: residual {:.3g} after {} pivots", progress.residual(), pivots));
    }
  }
};

}  // namespace

std::unique_ptr<Solver> make_baraff() {
  return std::make_unique<Baraff>();
}

}  // namespace scree
