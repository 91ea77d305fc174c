#pragma once

/// All local minima of a function on a circle, from its values and slopes.
///
/// The function F is sampled at equal angles. Where the slope turns from falling to rising there is
/// a minimum, found as the slope's root by Chandrupatla's method (inverse quadratic interpolation
/// that falls back on bisection). Elsewhere an interval of width h may still hide a maximum and a
/// minimum behind it. With a bound K on the curvature from one side (F'' >= -K, or F'' <= K; a kink
/// counts as unbounded) a hidden minimum at m needs
///
///     F(m) >= min(F_left, F_right) - K h^2 / 2,
///     min(|F'_left|, |F'_right|) < K h      where both slopes have one sign,
///
/// and an interval that can hide one, or in which the slope turns and a second one may be hidden,
/// is halved: down to 2^-8 of the first ones where it may hide one below the lowest value known,
/// then to 2^-5 where it may hide one below `cut` (as long as there are fewer than kMostSamples).
/// A minimum that is then still hidden is at most 1.2e-6 K below the lowest minimum found, or a dip
/// of at most 7.5e-5 K elsewhere. Slopes below `flat` count as zero: of a stretch on which F is
/// constant both ends are minima, and a function that is constant on all of the circle has none.
///
/// Reference: T. R. Chandrupatla, Advances in Engineering Software 28 (1997) 145.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

namespace scree {

/// A function on the circle at one angle.
struct CircleSample {
  double angle;  ///< rad
  double value;
  double slope;  ///< of the value by the angle
};

/// The local minima, or the lowest of them where there are more than kMost (a ring around a prism
/// of many sides).
class CircleMinima {
 public:
  static constexpr std::size_t kMost = 16;

  bool converged = true;

  void add(const CircleSample& minimum) {
    if (size_ < kMost) {
      at_[size_++] = minimum;
      return;
    }
    auto* highest = std::max_element(begin(), end(), is_lower);
    if (is_lower(minimum, *highest)) *highest = minimum;
  }
  std::size_t size() const { return size_; }
  CircleSample* begin() { return at_.data(); }
  CircleSample* end() { return at_.data() + size_; }
  const CircleSample* begin() const { return at_.data(); }
  const CircleSample* end() const { return at_.data() + size_; }

  static bool is_lower(const CircleSample& one, const CircleSample& other) {
    return one.value < other.value;
  }

 private:
  std::array<CircleSample, kMost> at_;
  std::size_t size_ = 0;
};

/// The bounds that the header speaks of.
struct CircleBounds {
  double bend;  ///< K
  double cut;   ///< of minima above this none is asked for but the lowest
  double flat;  ///< slopes up to this are zero
};

/// The root of the slope between @p left and @p right, of which one is zero or both differ in sign.
template <class Function>
CircleSample root_of_slope(const Function& f, CircleSample left, CircleSample right,
                           bool& converged) {
  constexpr int kMaxIterations = 100;
  constexpr double kRounding = 4.0 * std::numeric_limits<double>::epsilon();
  CircleSample a = right;  // the newest point; the root is between a and b
  CircleSample b = left;
  CircleSample c = left;  // the point before the newest
  const bool is_end_of_level = left.slope == 0.0 || right.slope == 0.0;
  const bool rising_at_zero = left.slope < 0.0;  // zeros are right of the root, or left of it
  const auto is_right = [rising_at_zero](const CircleSample& s) {
    return rising_at_zero ? s.slope >= 0.0 : s.slope > 0.0;
  };
  double share = 0.5;
  for (int k = 0; k < kMaxIterations; ++k) {
    const CircleSample next = f(a.angle + share * (b.angle - a.angle));
    if (is_right(next) == is_right(a)) {
      c = a;
    } else {
      c = b;
      b = a;
    }
    a = next;
    if (a.slope == 0.0 && !is_end_of_level) return a;
    const CircleSample& best = std::abs(a.slope) < std::abs(b.slope) ? a : b;
    const double least = kRounding / std::abs(b.angle - a.angle);
    if (least > 0.5) return best;
    const double xi = (a.angle - b.angle) / (c.angle - b.angle);
    const double phi = (a.slope - b.slope) / (c.slope - b.slope);
    share = 0.5;
    if (phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi) {
      share = a.slope / (b.slope - a.slope) * c.slope / (b.slope - c.slope) +
              (c.angle - a.angle) / (b.angle - a.angle) * a.slope / (c.slope - a.slope) * b.slope /
                  (c.slope - b.slope);
    }
    share = std::min(1.0 - least, std::max(least, share));
  }
  converged = false;
  return a;
}

template <class Function>
class CircleSearch {
 public:
  CircleSearch(const Function& f, const CircleBounds& bounds) : f_(f), bounds_(bounds) {}

  CircleMinima run() {
    sample();
    refine(kLevelsForLowest, [this] { return lowest_; });
    refine(kLevelsForAll, [this] { return std::max(bounds_.cut, lowest_); });
    CircleMinima minima;
    for (std::size_t i = 0; i < size_; ++i) {
      if (!turns(samples_[i], after(i))) continue;
      minima.add(root_of_slope([this](double angle) { return at(angle); }, samples_[i], after(i),
                               minima.converged));
    }
    return minima;
  }

 private:
  static constexpr std::size_t kFirst = 16;
  static constexpr std::size_t kMostSamples = 256;
  static constexpr double kFirstStep = 2.0 * std::numbers::pi / static_cast<double>(kFirst);
  static constexpr int kLevelsForLowest = 8;
  static constexpr int kLevelsForAll = 5;
  /// No symmetric pair has its minima at samples.
  static constexpr double kBegin = 0.1234;

  CircleSample at(double angle) const {
    CircleSample s = f_(angle);
    if (std::abs(s.slope) <= bounds_.flat) s.slope = 0.0;
    return s;
  }

  void sample() {
    lowest_ = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < kFirst; ++i) {
      samples_[i] = at(kBegin + kFirstStep * static_cast<double>(i));
      lowest_ = std::min(lowest_, samples_[i].value);
    }
    size_ = kFirst;
  }

  /// The sample after the @p i th one, beyond the whole turn at the end.
  CircleSample after(std::size_t i) const {
    if (i + 1 < size_) return samples_[i + 1];
    CircleSample first = samples_[0];
    first.angle += 2.0 * std::numbers::pi;
    return first;
  }

  static bool turns(const CircleSample& left, const CircleSample& right) {
    return (left.slope < 0.0 && right.slope >= 0.0) || (left.slope <= 0.0 && right.slope > 0.0);
  }

  /// Whether a minimum below @p cut may be between @p left and @p right unseen.
  bool may_hide(const CircleSample& left, const CircleSample& right, double cut) const {
    const double h = right.angle - left.angle;
    const double below = 0.5 * bounds_.bend * h * h;
    if (turns(left, right)) {
      const double bound = std::max(left.value + left.slope * h, right.value - right.slope * h);
      return bound - below < cut;
    }
    if (left.slope == 0.0 && right.slope == 0.0) return false;
    if (std::min(left.value, right.value) - below >= cut) return false;
    if (left.slope > 0.0 && right.slope < 0.0) return true;
    return std::min(std::abs(left.slope), std::abs(right.slope)) < bounds_.bend * h;
  }

  /// Halves the intervals that may hide a minimum below @p cut, down to 2^-levels of the first
  /// ones.
  template <class Cut>
  void refine(int levels, const Cut& cut) {
    const double narrowest = 1.5 * kFirstStep / std::exp2(levels);
    while (halve(narrowest, cut())) {
    }
  }

  /// Halves once the intervals wider than @p narrowest that may hide a minimum below @p cut;
  /// whether there were any.
  bool halve(double narrowest, double cut) {
    std::array<CircleSample, kMostSamples> refined;
    std::size_t n = 0;
    const std::size_t before = size_;
    for (std::size_t i = 0; i < before; ++i) {
      refined[n++] = samples_[i];
      const CircleSample next = after(i);
      const std::size_t still_to_copy = before - 1 - i;
      if (n + still_to_copy >= kMostSamples || next.angle - samples_[i].angle < narrowest ||
          !may_hide(samples_[i], next, cut)) {
        continue;
      }
      refined[n] = at(0.5 * (samples_[i].angle + next.angle));
      lowest_ = std::min(lowest_, refined[n].value);
      ++n;
    }
    std::copy_n(refined.begin(), n, samples_.begin());
    size_ = n;
    return n > before;
  }

  const Function& f_;
  CircleBounds bounds_;
  std::array<CircleSample, kMostSamples> samples_;
  std::size_t size_ = 0;
  double lowest_ = 0.0;
};

/// The local minima of @p f (an angle in, a CircleSample out), see above.
template <class Function>
CircleMinima minima_on_circle(const Function& f, const CircleBounds& bounds) {
  return CircleSearch<Function>(f, bounds).run();
}

}  // namespace scree
