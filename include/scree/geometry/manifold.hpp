#pragma once

/// The points where two shapes touch or may come to touch.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "scree/base/math.hpp"

namespace scree {

/// One point where two shapes touch or may come to touch.
struct ContactPoint {
  double gap;            ///< m; positive when apart, negative when overlapping
  Vec3 normal;           ///< unit, from B to A, world frame
  Vec3 point_a;          ///< on A's surface, world frame, m
  Vec3 point_b;          ///< on B's surface; point_a - point_b = gap * normal
  std::int32_t feature;  ///< which features meet: the same number while the same features do; 0 for
                         ///< a pair that always has one point
};

/// Whether the routine that looked for the deepest point found it to rounding.
enum class SeparationStatus : std::uint8_t { solved, not_converged };

/// What a pair of shapes gives: at least its deepest point, which comes first.
class Manifold {
 public:
  static constexpr std::size_t kCapacity = 8;

  SeparationStatus status = SeparationStatus::solved;

  /// @pre size() < kCapacity
  void push_back(const ContactPoint& point) { points_[size_++] = point; }
  std::size_t size() const { return size_; }
  const ContactPoint* begin() const { return points_.data(); }
  const ContactPoint* end() const { return points_.data() + size_; }
  ContactPoint* begin() { return points_.data(); }
  ContactPoint* end() { return points_.data() + size_; }
  const ContactPoint& operator[](std::size_t i) const { return points_[i]; }
  const ContactPoint& deepest() const { return points_[0]; }

 private:
  std::array<ContactPoint, kCapacity> points_;
  std::size_t size_ = 0;
};

}  // namespace scree
