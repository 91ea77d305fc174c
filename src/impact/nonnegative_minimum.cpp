#include "nonnegative_minimum.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace scree {
namespace {

constexpr double kGradient = 1e-13;    // of the largest |h|: what still pushes an index in
constexpr double kMany = 0.1;          // of the hardest push: what comes in with it
constexpr double kDependence = 1e-14;  // of the rounding's scale: squared distance from a span
constexpr double kCancelled = 1e-6;    // of G_ii: below it the factor does not tell that distance

/// The indices within, and the Cholesky factor of their part of G.
class ActiveSet {
 public:
  explicit ActiveSet(const Eigen::MatrixXd& gram)
      : gram_(&gram), factor_(gram.rows(), gram.cols()) {}

  const std::vector<Eigen::Index>& indices() const { return indices_; }

  /// Takes in one index; false where its column depends on those within.
  bool add(Eigen::Index index) {
    const auto k = static_cast<Eigen::Index>(indices_.size());
    Eigen::VectorXd row = column(index, k);
    factor_.topLeftCorner(k, k).triangularView<Eigen::Lower>().solveInPlace(row);
    const double square = squared_distance(index, row);
    if (square <= 0.0) return false;
    factor_.row(k).head(k) = row.transpose();
    factor_(k, k) = std::sqrt(square);
    indices_.push_back(index);
    return true;
  }

  /// Lets go of the index at @p place; the later rows of the factor take up its column.
  void remove(std::size_t place) {
    const auto p = static_cast<Eigen::Index>(place);
    const auto k = static_cast<Eigen::Index>(indices_.size());
    Eigen::VectorXd update = factor_.col(p).segment(p + 1, k - p - 1);
    for (Eigen::Index i = p; i + 1 < k; ++i) {
      factor_.row(i).head(p) = factor_.row(i + 1).head(p).eval();
      factor_.row(i).segment(p, i - p + 1) = factor_.row(i + 1).segment(p + 1, i - p + 1).eval();
    }
    indices_.erase(indices_.begin() + p);
    add_outer_product(p, update);
  }

  /// The minimum without signs over the indices within.
  Eigen::VectorXd minimum(const Eigen::VectorXd& linear) const {
    const auto k = static_cast<Eigen::Index>(indices_.size());
    Eigen::VectorXd x(k);
    for (Eigen::Index i = 0; i < k; ++i) x[i] = -linear[indices_[static_cast<std::size_t>(i)]];
    const auto lower = factor_.topLeftCorner(k, k).triangularView<Eigen::Lower>();
    lower.solveInPlace(x);
    lower.transpose().solveInPlace(x);
    return x;
  }

 private:
  /// The squared distance of a column from the span of those within, 0 where that may be rounding;
  /// @p row is what it adds to the factor. Near the span it is the square of the column less its
  /// nearest point B w, evaluated with G itself: G_ii - row . row has the rounding of the factor,
  /// of which errors of w have only the square.
  double squared_distance(Eigen::Index index, const Eigen::VectorXd& row) const {
    const double length = (*gram_)(index, index);
    const double square = length - row.squaredNorm();
    if (square > kCancelled * length) return square;
    const Eigen::Index k = row.size();
    const Eigen::VectorXd w =
        factor_.topLeftCorner(k, k).triangularView<Eigen::Lower>().transpose().solve(row);
    const Eigen::VectorXd products = 2.0 * column(index, k) - (*gram_)(indices_, indices_) * w;
    const double scale = length * std::pow(1.0 + w.lpNorm<1>(), 2);
    const double exact = length - w.dot(products);
    return exact > kDependence * scale ? exact : 0.0;
  }

  Eigen::VectorXd column(Eigen::Index index, Eigen::Index k) const {
    Eigen::VectorXd g(k);
    for (Eigen::Index i = 0; i < k; ++i)
      g[i] = (*gram_)(indices_[static_cast<std::size_t>(i)], index);
    return g;
  }

  /// The factor from row and column @p p on becomes that of itself plus update update^T.
  void add_outer_product(Eigen::Index p, Eigen::VectorXd& update) {
    const Eigen::Index n = update.size();
    for (Eigen::Index j = 0; j < n; ++j) {
      double& diagonal = factor_(p + j, p + j);
      const double length = std::hypot(diagonal, update[j]);
      const double cosine = diagonal / length;
      const double sine = update[j] / length;
      diagonal = length;
      for (Eigen::Index i = j + 1; i < n; ++i) {
        double& entry = factor_(p + i, p + j);
        const double turned = cosine * entry + sine * update[i];
        update[i] = cosine * update[i] - sine * entry;
        entry = turned;
      }
    }
  }

  const Eigen::MatrixXd* gram_;
  Eigen::MatrixXd factor_;  ///< lower triangle, of the size of the set
  std::vector<Eigen::Index> indices_;
};

/// How far an entry may go from @p from >= 0 towards @p to before it meets zero, of the way there.
double share_of_way(double from, double to) {
  if (to > 0.0) return 1.0;
  return from > 0.0 ? from / (from - to) : 0.0;
}

/// Moves @p x towards the minimum over the set as far as signs allow, letting go of what meets
/// zero, until it is there.
void go_to_minimum(ActiveSet& set, const Eigen::VectorXd& linear, Eigen::VectorXd& x) {
  for (;;) {
    const Eigen::VectorXd target = set.minimum(linear);
    double share = 1.0;
    for (std::size_t k = 0; k < set.indices().size(); ++k) {
      share =
          std::min(share, share_of_way(x[set.indices()[k]], target[static_cast<Eigen::Index>(k)]));
    }
    if (share == 1.0) {
      for (std::size_t k = 0; k < set.indices().size(); ++k) {
        // A share may round to 1 where the target is barely negative.
        x[set.indices()[k]] = std::max(target[static_cast<Eigen::Index>(k)], 0.0);
      }
      return;
    }
    for (std::size_t k = set.indices().size(); k-- > 0;) {
      double& value = x[set.indices()[k]];
      const double to = target[static_cast<Eigen::Index>(k)];
      const bool meets_zero = share_of_way(value, to) <= share;
      value = meets_zero ? 0.0 : value + share * (to - value);
      if (meets_zero) set.remove(k);
    }
  }
}

/// The index that the gradient pushes in hardest, of those not closed; -1 where none is pushed.
Eigen::Index entering(const Eigen::VectorXd& gradient, const std::vector<bool>& closed,
                      double small) {
  Eigen::Index best = -1;
  for (Eigen::Index i = 0; i < gradient.size(); ++i) {
    if (closed[static_cast<std::size_t>(i)] || gradient[i] >= -small) continue;
    if (best < 0 || gradient[i] < gradient[best]) best = i;
  }
  return best;
}

std::vector<bool> closed_by(const ActiveSet& set, Eigen::Index n) {
  std::vector<bool> closed(static_cast<std::size_t>(n), false);
  for (const Eigen::Index i : set.indices()) closed[static_cast<std::size_t>(i)] = true;
  return closed;
}

/// Takes in the one index that @p gradient pushes hardest of those that can come in; false where
/// there is none.
bool take_in_one(ActiveSet& set, const Eigen::VectorXd& gradient, const Eigen::VectorXd& linear,
                 double small) {
  std::vector<bool> closed = closed_by(set, linear.size());
  for (;;) {
    const Eigen::Index i = entering(gradient, closed, small);
    if (i < 0) return false;
    closed[static_cast<std::size_t>(i)] = true;
    if (!set.add(i)) continue;  // depends on those within
    if (set.minimum(linear)[static_cast<Eigen::Index>(set.indices().size()) - 1] > 0.0) return true;
    set.remove(set.indices().size() - 1);  // rounding alone pushed it
  }
}

/// Takes in all indices that are pushed at least kMany times as hard as the hardest.
void take_in_many(ActiveSet& set, const Eigen::VectorXd& gradient, double small) {
  const std::vector<bool> closed = closed_by(set, gradient.size());
  const Eigen::Index hardest = entering(gradient, closed, small);
  if (hardest < 0) return;
  const double bound = std::min(kMany * gradient[hardest], -small);
  for (Eigen::Index i = 0; i < gradient.size(); ++i) {
    if (!closed[static_cast<std::size_t>(i)] && gradient[i] <= bound) set.add(i);
  }
}

/// A point that the method has reached: x is zero outside of the set and minimal over it.
struct Point {
  ActiveSet set;
  Eigen::VectorXd x;
  Eigen::VectorXd gradient;
  double objective;
};

/// Goes to the minimum over @p set, or what signs leave of it; false where the objective does not
/// fall, and then the point stays as it is, with its own set: what the other let go of would remain
/// in x and never change again.
bool descend(Point& at, ActiveSet set, const Eigen::MatrixXd& gram, const Eigen::VectorXd& linear) {
  Point next{std::move(set), at.x, {}, 0.0};
  go_to_minimum(next.set, linear, next.x);
  next.gradient = gram * next.x + linear;
  next.objective = 0.5 * next.x.dot(next.gradient + linear);
  if (!(next.objective < at.objective)) return false;  // nor where it is no number
  at = std::move(next);
  return true;
}

}  // namespace

Eigen::VectorXd nonnegative_minimum(const Eigen::MatrixXd& gram, const Eigen::VectorXd& linear) {
  Point at{ActiveSet(gram), Eigen::VectorXd::Zero(linear.size()), linear, 0.0};
  if (linear.size() == 0) return at.x;
  const double small = kGradient * linear.cwiseAbs().maxCoeff();
  for (;;) {
    ActiveSet many = at.set;
    take_in_many(many, at.gradient, small);
    if (descend(at, std::move(many), gram, linear)) continue;
    ActiveSet one = at.set;
    if (!take_in_one(one, at.gradient, linear, small)) return at.x;
    if (!descend(at, std::move(one), gram, linear)) return at.x;  // rounding alone moves it
  }
}

}  // namespace scree
