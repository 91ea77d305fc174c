#include "scree/problem/cones/circular_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::cones {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kRelative = 1e-13;  ///< relative accuracy of the scalar equation's root
constexpr int kMaxScalarSteps = 80;
constexpr int kMaxOuterSteps = 80;

struct Vec2 {
  double x = 0.0;
  double y = 0.0;
};
double dot(Vec2 a, Vec2 b) {
  return a.x * b.x + a.y * b.y;
}

/// Not std::hypot, whose care with overflow costs a sixth of a sweep.
double length(double x, double y) {
  return std::sqrt(x * x + y * y);
}

/// (S + alpha I)^-1 v
Vec2 solve_shifted(const double* s, double alpha, Vec2 v) {
  const double a = s[0] + alpha;
  const double d = s[3] + alpha;
  const double scale = 1.0 / (a * d - s[1] * s[2]);
  return {scale * (d * v.x - s[1] * v.y), scale * (a * v.y - s[2] * v.x)};
}

/// mu l_n(alpha) = |l_t(alpha)| with l_t = -(S + alpha I)^-1 s and l_n = p - c . l_t.
struct ScalarEquation {
  const double* matrix;  ///< S
  Vec2 s;
  double p;
  Vec2 c;
  double mu;

  struct Value {
    Vec2 tangent;
    double normal;
    double size;  ///< |l_t|
  };
  Value at(double alpha) const {
    const Vec2 t = solve_shifted(matrix, alpha, s);
    const Vec2 tangent{-t.x, -t.y};
    return {tangent, p - dot(c, tangent), length(t.x, t.y)};
  }
  bool inside(const Value& v) const { return v.normal >= 0.0 && v.size <= mu * v.normal; }

  /// The next alpha by Newton's method on mu l_n / |l_t| - 1.
  double newton(double alpha, const Value& v) const {
    const Vec2 t = solve_shifted(matrix, alpha, v.tangent);
    const Vec2 slope{-t.x, -t.y};
    const double size_slope = dot(v.tangent, slope) / v.size;
    const double normal_slope = -dot(c, slope);
    const double derivative =
        mu * (normal_slope * v.size - v.normal * size_slope) / (v.size * v.size);
    return alpha - (mu * v.normal / v.size - 1.0) / derivative;
  }

  /// The root above @p low, where |l_t| > mu l_n, from the guess @p alpha, which gets the root.
  Value root(double low, double& alpha) const {
    double high = kInfinity;
    if (!(alpha > low)) alpha = std::max(2.0 * low, length(s.x, s.y) / (mu * std::abs(p)));
    if (!std::isfinite(alpha)) alpha = 1.0;
    Value v = at(alpha);
    for (int step = 0; step < kMaxScalarSteps; ++step) {
      const double excess = mu * v.normal - v.size;
      if (std::abs(excess) <= kRelative * v.size) break;
      (excess < 0.0 ? low : high) = alpha;
      double next = newton(alpha, v);
      if (!(next > low && next < high)) {
        next = high == kInfinity ? 4.0 * alpha : (low > 0.0 ? std::sqrt(low * high) : 0.5 * high);
      }
      if (next == alpha || !std::isfinite(next)) break;
      alpha = next;
      v = at(alpha);
    }
    return v;
  }
};

void write(const ScalarEquation::Value& v, double mu, double* l) {
  l[0] = std::max(v.normal, 0.0);
  const double largest = mu * l[0];
  const double scale = v.size > largest ? largest / v.size : 1.0;  // rounding must not leave K
  l[1] = scale * v.tangent.x;
  l[2] = scale * v.tangent.y;
}

}  // namespace

CircularContact::CircularContact(const std::array<double, 9>& a, double mu) : a_(a), mu_(mu) {
  inverse_nn_ = a[0] > 0.0 ? 1.0 / a[0] : 0.0;
  schur_ = {a[4] - a[3] * a[1] * inverse_nn_, a[5] - a[3] * a[2] * inverse_nn_,
            a[7] - a[6] * a[1] * inverse_nn_, a[8] - a[6] * a[2] * inverse_nn_};
  smallest_ = 1e-14 * (std::abs(a[0]) + std::abs(a[4]) + std::abs(a[8]));
}

void CircularContact::solve_coulomb(const double* q, double* l) {
  l[0] = l[1] = l[2] = 0.0;
  if (q[0] >= 0.0 || inverse_nn_ == 0.0) return;
  const double p = -q[0] * inverse_nn_;
  if (mu_ == 0.0) {
    l[0] = p;
    return;
  }
  const ScalarEquation equation{schur_.data(),
                                {q[1] + a_[3] * p, q[2] + a_[6] * p},
                                p,
                                {a_[1] * inverse_nn_, a_[2] * inverse_nn_},
                                mu_};
  const ScalarEquation::Value stick = equation.at(smallest_);
  if (equation.inside(stick)) {
    alpha_ = 0.0;
    write(stick, mu_, l);
    return;
  }
  write(equation.root(smallest_, alpha_), mu_, l);
}

void CircularContact::solve_associated(const double* q, double* l) {
  l[0] = l[1] = l[2] = 0.0;
  if (q[0] >= mu_ * length(q[1], q[2]) || inverse_nn_ == 0.0) return;
  if (mu_ == 0.0) {
    l[0] = -q[0] * inverse_nn_;
    return;
  }
  const double p = -q[0] * inverse_nn_;
  const ScalarEquation whole{schur_.data(),
                             {q[1] + a_[3] * p, q[2] + a_[6] * p},
                             p,
                             {a_[1] * inverse_nn_, a_[2] * inverse_nn_},
                             mu_};
  const ScalarEquation::Value stick = whole.at(smallest_);
  if (whole.inside(stick)) {
    write(stick, mu_, l);
    return;
  }

  // slope of the least energy at normal impulse l_n; it grows with l_n, and is negative at 0
  const std::array<double, 4> tangent_block{a_[4], a_[5], a_[7], a_[8]};
  double low = 0.0;
  double high = kInfinity;
  double normal =
      std::max({std::abs(stick.normal) * 1e-3, p, length(q[1], q[2]) * mu_ * inverse_nn_ * 1e-3});
  if (!std::isfinite(normal)) normal = p;
  double alpha = alpha_;
  ScalarEquation::Value v{};
  for (int step = 0; step < kMaxOuterSteps; ++step) {
    const ScalarEquation disc{
        tangent_block.data(), {q[1] + a_[3] * normal, q[2] + a_[6] * normal}, normal, {}, mu_};
    v = disc.at(smallest_);
    const bool interior = disc.inside(v);
    if (!interior) v = disc.root(smallest_, alpha);
    const double pull = interior ? 0.0 : mu_ * mu_ * alpha;
    const double slope =
        a_[0] * normal + a_[1] * v.tangent.x + a_[2] * v.tangent.y + q[0] - pull * normal;
    (slope < 0.0 ? low : high) = normal;

    const double shift = interior ? smallest_ : alpha;
    const Vec2 y = solve_shifted(tangent_block.data(), shift, {a_[3], a_[6]});
    const Vec2 z = solve_shifted(tangent_block.data(), shift, v.tangent);
    const double alpha_slope =
        interior ? 0.0 : -(mu_ * mu_ * normal + dot(v.tangent, y)) / dot(v.tangent, z);
    const Vec2 tangent_slope{-y.x - alpha_slope * z.x, -y.y - alpha_slope * z.y};
    const double curvature = a_[0] + a_[1] * tangent_slope.x + a_[2] * tangent_slope.y - pull -
                             mu_ * mu_ * normal * alpha_slope;
    double next = normal - slope / curvature;
    if (!(next > low && next < high)) next = high == kInfinity ? 4.0 * normal : 0.5 * (low + high);
    if (!std::isfinite(next)) break;
    if (std::abs(next - normal) <= kRelative * normal) break;
    normal = next;
  }
  alpha_ = alpha;
  write(v, mu_, l);
}

}  // namespace scree::cones
