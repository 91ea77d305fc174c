#include "nearest_on_ellipsoid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree {
namespace {

constexpr int kMaxSecularSteps = 200;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
/// Coordinates over semi-axis below this are zero: their quotients by u would not be numbers.
constexpr double kNothing = 1e-280;

/// The function q(u) of the header.
template <int N>
struct Secular {
  using Vector = Eigen::Matrix<double, N, 1>;
  using Array = Eigen::Array<double, N, 1>;

  Secular(const Vector& semi_axes, const Vector& point) : p(point) {
    scale = semi_axes.minCoeff(&pole);
    const Array a = semi_axes.array();
    excess = (a - scale) * (a + scale) / (scale * scale);
    pull = a * p.array().abs() / (scale * scale);
    for (int i = 0; i < N; ++i) {
      if (pull[i] < kNothing) pull[i] = 0.0;
    }
  }

  struct Value {
    double q;      ///< sqrt of the sum of the squares of the terms pull_i / (u + e_i)
    double slope;  ///< sum of term^2 / (u + e_i), which is -q dq/du
  };
  /// @pre u + e_i is not zero where pull_i is not
  Value at(double u) const {
    double sum = 0.0;
    double slope = 0.0;
    for (int i = 0; i < N; ++i) {
      if (pull[i] == 0.0) continue;
      const double term = pull[i] / (u + excess[i]);
      sum += term * term;
      slope += term * term / (u + excess[i]);
    }
    return {std::sqrt(sum), slope};
  }

  /// Whether the root u >= 0 is at u = 0, where the terms alone leave q below 1.
  bool root_at_pole() const {
    double sum = 0.0;
    for (int i = 0; i < N; ++i) {
      if (pull[i] == 0.0) continue;
      if (excess[i] == 0.0) return false;
      sum += (pull[i] / excess[i]) * (pull[i] / excess[i]);
    }
    return sum < 1.0;
  }

  /// a_pole^2 y at the root @p u.
  Vector normal_at(double u) const {
    Vector y;
    for (int i = 0; i < N; ++i) y[i] = pull[i] == 0.0 ? 0.0 : p[i] / (u + excess[i]);
    return y;
  }
  /// a_pole^2 y at u = 0 where root_at_pole(), on the side @p side of the pole's axis.
  Vector normal_at_pole(double side) const {
    Vector y = normal_at(0.0);
    double rest = 1.0;
    for (int i = 0; i < N; ++i) {
      if (pull[i] > 0.0) rest -= (pull[i] / excess[i]) * (pull[i] / excess[i]);
    }
    y[pole] = side * scale * std::sqrt(std::max(rest, 0.0));
    return y;
  }

  Vector p;
  Eigen::Index pole;
  double scale;  ///< a_pole, m
  Array excess;  ///< e_i
  Array pull;    ///< a_i |p_i| / a_pole^2
};

struct Root {
  double u;
  bool converged;
};

/// The root u >= 0. @pre not root_at_pole()
template <int N>
Root climb(const Secular<N>& secular) {
  // No term alone exceeds 1 at the root: it is not left of here.
  double u = std::max((secular.pull - secular.excess).maxCoeff(), 0.0);
  for (int k = 0; k < kMaxSecularSteps; ++k) {
    const auto [q, slope] = secular.at(u);
    const double step = q * q * (q - 1.0) / slope;
    u = std::max(u + step, 0.0);
    if (step <= 2.0 * kEpsilon * u) return {u, true};
  }
  return {u, false};
}

/// The root between the last pole and u = 0, where there is one. @pre not root_at_pole()
template <int N>
std::optional<double> other_root(const Secular<N>& secular) {
  double end = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < N; ++i) {
    if (i != secular.pole) end = std::max(end, -secular.excess[i]);
  }
  // q^2 - 1 is convex between its poles; from the term of the pole's axis alone, which is right of
  // the root, Newton's iteration on it descends to the root, or past its minimum when there is
  // none.
  double u = -secular.pull[secular.pole];
  for (int k = 0; k < kMaxSecularSteps && u > end && u < 0.0; ++k) {
    const auto [q, slope] = secular.at(u);
    if (slope >= 0.0) return std::nullopt;
    const double step = (q * q - 1.0) / (-2.0 * slope);
    u -= step;
    if (step <= 2.0 * kEpsilon * -u) return u;
  }
  return std::nullopt;
}

template <int N>
NearestOnEllipsoid<N> nearest(const Eigen::Matrix<double, N, 1>& y, double u, bool converged) {
  const double length = y.norm();
  return {y / length, (u - 1.0) * length, converged};
}

}  // namespace

template <int N>
NearestOnEllipsoid<N> nearest_on_ellipsoid(const Eigen::Matrix<double, N, 1>& semi_axes,
                                           const Eigen::Matrix<double, N, 1>& p) {
  const Secular<N> secular(semi_axes, p);
  if (secular.root_at_pole()) {
    return nearest<N>(secular.normal_at_pole(p[secular.pole] < 0.0 ? -1.0 : 1.0), 0.0, true);
  }
  const Root root = climb(secular);
  return nearest<N>(secular.normal_at(root.u), root.u, root.converged);
}

template <int N>
std::optional<NearestOnEllipsoid<N>> second_nearest_on_ellipsoid(
    const Eigen::Matrix<double, N, 1>& semi_axes, const Eigen::Matrix<double, N, 1>& p) {
  const Secular<N> secular(semi_axes, p);
  if (secular.root_at_pole()) {
    return nearest<N>(secular.normal_at_pole(p[secular.pole] < 0.0 ? 1.0 : -1.0), 0.0, true);
  }
  const std::optional<double> u = other_root(secular);
  if (!u) return std::nullopt;
  return nearest<N>(secular.normal_at(*u), *u, true);
}

template NearestOnEllipsoid<2> nearest_on_ellipsoid<2>(const Eigen::Vector2d&,
                                                       const Eigen::Vector2d&);
template NearestOnEllipsoid<3> nearest_on_ellipsoid<3>(const Vec3&, const Vec3&);
template std::optional<NearestOnEllipsoid<2>> second_nearest_on_ellipsoid<2>(
    const Eigen::Vector2d&, const Eigen::Vector2d&);
template std::optional<NearestOnEllipsoid<3>> second_nearest_on_ellipsoid<3>(const Vec3&,
                                                                             const Vec3&);

}  // namespace scree
