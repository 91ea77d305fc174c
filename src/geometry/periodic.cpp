#include "scree/geometry/periodic.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "scree/config/declaration.hpp"

namespace scree {

Box3 PeriodicCell::box() const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Box3 cell{Vec3::Constant(-kInfinity), Vec3::Constant(kInfinity)};
  for (int axis = 0; axis < 3; ++axis) {
    if (!repeats(axis)) continue;
    cell.low[axis] = low[axis];
    cell.high[axis] = low[axis] + period[axis];
  }
  return cell;
}

Vec3 PeriodicCell::shift_to_shortest(const Vec3& way) const {
  Vec3 shift = Vec3::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    if (repeats(axis)) shift[axis] = -period[axis] * std::round(way[axis] / period[axis]);
  }
  return shift;
}

Vec3i PeriodicCell::wrap(Vec3& x) const {
  Vec3i taken = Vec3i::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    if (!repeats(axis)) continue;
    const double high = low[axis] + period[axis];
    if (x[axis] >= low[axis] && x[axis] < high) continue;
    const double periods = std::floor((x[axis] - low[axis]) / period[axis]);
    taken[axis] = static_cast<int>(periods);
    x[axis] -= periods * period[axis];
    // Rounding may leave it on the wrong side of a seam by a little.
    if (x[axis] >= high) {
      x[axis] -= period[axis];
      ++taken[axis];
    }
    x[axis] = std::max(x[axis], low[axis]);
  }
  return taken;
}

PeriodicCell::Range PeriodicCell::images(const Box3& box, const Box3& target) const {
  Range range{Vec3i::Zero(), Vec3i::Zero()};
  for (int axis = 0; axis < 3; ++axis) {
    const bool ends = std::isfinite(box.low[axis]) && std::isfinite(box.high[axis]);
    if (!repeats(axis) || !ends) continue;
    const double p = period[axis];
    range.first[axis] = static_cast<int>(std::ceil((target.low[axis] - box.high[axis]) / p));
    range.last[axis] = static_cast<int>(std::floor((target.high[axis] - box.low[axis]) / p));
  }
  return range;
}

void PeriodicOptions::declare(Declaration& d) {
  const auto direction = [&d](std::string_view key, std::vector<double>& ends) {
    d.reals(key, ends,
            {.help = "[low, high]: grains that leave at one enter at the other; []: not periodic",
             .unit = "m"});
    d.require(key, ends.empty() || (ends.size() == 2 && ends[0] < ends[1]),
              "needs two places, the lower first; allowed: [low, high], or [] for a direction that "
              "is not periodic");
  };
  direction("x", x);
  direction("y", y);
  direction("z", z);
}

PeriodicCell PeriodicOptions::cell() const {
  PeriodicCell cell;
  const std::array<const std::vector<double>*, 3> ends{&x, &y, &z};
  for (int axis = 0; axis < 3; ++axis) {
    const std::vector<double>& of_axis = *ends[axis];
    if (of_axis.size() != 2) continue;
    cell.low[axis] = of_axis[0];
    cell.period[axis] = of_axis[1] - of_axis[0];
  }
  return cell;
}

}  // namespace scree
