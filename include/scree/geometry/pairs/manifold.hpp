#pragma once

/// The points where two shapes touch or may come to touch.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "scree/base/math.hpp"

namespace scree {

/// One point where two shapes touch or may come to touch.
struct ContactPoint {
  double gap;            ///< m; positive when apart, negative when overlapping
  Vec3 normal;           ///< unit, from B to A, world frame
  Vec3 point_a;          ///< on A's surface, world frame, m
  Vec3 point_b;          ///< on B's surface; point_a - point_b = gap * normal
  std::int64_t feature;  ///< which features meet: the same number while the same features do; 0 for
                         ///< a pair that has one point
};

/// Whether the routine that looked for the deepest point found it to rounding.
enum class SeparationStatus : std::uint8_t { solved, not_converged };

/// The bound on gaps, m, of those who ask for the points of shapes however far apart they are.
inline constexpr double kNeverFar = std::numeric_limits<double>::infinity();

/// The contact points of a pair of shapes: at least its deepest, which comes first, but of shapes
/// that are far apart. Most pairs have one point or a few, which are held without an allocation;
/// clusters of balls may have hundreds.
class Manifold {
 public:
  /// Points that need no allocation. Two convex shapes have no more.
  static constexpr std::size_t kCapacity = 8;

  SeparationStatus status = SeparationStatus::solved;

  void push_back(const ContactPoint& point) {
    if (size_ < kCapacity) {
      few_[size_++] = point;
      return;
    }
    if (size_ == kCapacity) many_.assign(few_.begin(), few_.end());
    many_.push_back(point);
    ++size_;
  }
  /// Keeps the first @p size points. @pre size <= size()
  void truncate(std::size_t size) {
    if (size_ > kCapacity && size <= kCapacity) {
      std::copy_n(many_.begin(), size, few_.begin());
      many_.clear();
    } else if (size_ > kCapacity) {
      many_.resize(size);
    }
    size_ = size;
  }
  std::size_t size() const { return size_; }
  const ContactPoint* begin() const { return size_ > kCapacity ? many_.data() : few_.data(); }
  const ContactPoint* end() const { return begin() + size_; }
  ContactPoint* begin() { return size_ > kCapacity ? many_.data() : few_.data(); }
  ContactPoint* end() { return begin() + size_; }
  const ContactPoint& operator[](std::size_t i) const { return begin()[i]; }
  /// @pre there are points
  const ContactPoint& deepest() const { return *begin(); }

 private:
  std::array<ContactPoint, kCapacity> few_;
  std::vector<ContactPoint> many_;  ///< all of them where there are more than kCapacity
  std::size_t size_ = 0;
};

}  // namespace scree
