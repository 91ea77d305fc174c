#pragma once

/// Space that repeats itself: in periodic directions what leaves the cell on one side enters it on
/// the other, and bodies meet the images of others across its sides.
///
///     image(x, k) = x + k . period,    k whole numbers, zero in directions that do not repeat
///
/// A body's position is kept in the cell, low <= x < low + period, with the number of periods that
/// were taken off it; the two give the place where it would be if space did not repeat.

#include <cmath>
#include <string>
#include <vector>

#include "scree/base/math.hpp"

namespace scree {

class Declaration;

struct PeriodicCell {
  Vec3 low = Vec3::Zero();     ///< m
  Vec3 period = Vec3::Zero();  ///< m; zero in directions that do not repeat

  bool repeats() const { return (period.array() > 0.0).any(); }
  bool repeats(int axis) const { return period[axis] > 0.0; }
  /// The cell itself, without end in directions that do not repeat.
  Box3 box() const;
  Vec3 shift(const Vec3i& image) const { return image.cast<double>().cwiseProduct(period); }
  /// The whole periods that lead from @p way to the shortest of its images, m.
  Vec3 shift_to_shortest(const Vec3& way) const;
  /// Puts @p x into the cell and returns how many periods that took off.
  Vec3i wrap(Vec3& x) const;

  /// Calls visit(image) for each image of @p box that meets @p target. Of a box without end in a
  /// periodic direction only the box itself counts there.
  template <class Visit>
  void for_each_image(const Box3& box, const Box3& target, Visit&& visit) const {
    const auto [first, last] = images(box, target);
    for (int z = first.z(); z <= last.z(); ++z) {
      for (int y = first.y(); y <= last.y(); ++y) {
        for (int x = first.x(); x <= last.x(); ++x) visit(Vec3i(x, y, z));
      }
    }
  }

 private:
  struct Range {
    Vec3i first;
    Vec3i last;
  };
  Range images(const Box3& box, const Box3& target) const;
};

/// The keys under `periodic:`.
struct PeriodicOptions {
  std::vector<double> x, y, z;  ///< [low, high], m; empty: does not repeat

  void declare(Declaration& d);
  PeriodicCell cell() const;
};

}  // namespace scree
