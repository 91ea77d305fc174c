#pragma once

/// Forces that turn with their pairs, a block of them worked out side by side: by the shortest turn
/// of the normal, then about the normal.

#include <algorithm>
#include <cmath>

#include "scree/base/triples.hpp"

namespace scree {

/// @p x turned about @p axis times the sine of the angle, whose cosine is @p cosine (Rodrigues).
/// @pre the angle is less than pi.
inline Triple turned(const Triple& x, const Triple& axis, double cosine) {
  return cosine * x + cross(axis, x) + (dot(axis, x) / (1.0 + cosine)) * axis;
}

/// The cosine of the turn of a normal below which the shortest way is lost in rounding.
inline constexpr double kOpposite = -0.999;
/// The angle about the normal below which sine and cosine are their series to rounding, rad.
inline constexpr double kSmallTurn = 0.05;

class TurnBlock {
 public:
  /// Sets @p force, of a pair whose normal was @p from and is @p to, and which has turned about it
  /// by @p angle.
  void set(std::size_t i, const Vec3& from, const Vec3& to, const Vec3& force, double angle) {
    from_.set(i, from);
    to_.set(i, to);
    force_.set(i, force);
    angle_[i] = angle;
  }

  /// Works out all forces of the block. Those that were not set give nothing of use.
  void work_out() {
    for (std::size_t i = 0; i < kBlock; ++i) {
      const Triple from = from_[i];
      const Triple to = to_[i];
      const double cosine = dot(from, to);
      const double angle = angle_[i];
      const double x = angle * angle;
      const double sine = angle * (1.0 - x / 6.0 * (1.0 - x / 20.0 * (1.0 - x / 42.0)));
      const double about = 1.0 - x / 2.0 * (1.0 - x / 12.0 * (1.0 - x / 30.0 * (1.0 - x / 56.0)));
      const Triple change = to - from;
      forces.set(i, turned(turned(force_[i], cross(from, to), cosine), sine * to, about));
      turn[i] = std::sqrt(dot(change, change));
      // written as such, a number that is none counts as large
      large_[i] = cosine >= kOpposite && std::abs(angle) <= kSmallTurn ? 0.0 : 1.0;
    }
  }

  /// Whether force @p i turns further than the block knows how to turn it.
  bool is_large(std::size_t i) const { return large_[i] != 0.0; }

  Triples forces{};     ///< turned
  BlockNumbers turn{};  ///< length of the change of each normal

 private:
  Triples from_{}, to_{}, force_{};
  BlockNumbers angle_{}, large_{};
};

}  // namespace scree
