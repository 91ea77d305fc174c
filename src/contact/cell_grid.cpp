#include "cell_grid.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace scree {
namespace {

// Longer than the longest edge, so that rounding of centres never puts a meeting pair two cells
// apart.
constexpr double kSlack = 1.001;

}  // namespace

CellGrid::CellGrid(const std::vector<Box3>& boxes, const std::vector<std::int32_t>& slots,
                   double edge)
    : cells_per_metre_(1.0 / (kSlack * edge)),
      mask_(std::bit_ceil(std::uint64_t{2} * slots.size() + 1) - 1),
      start_(mask_ + 2, 0),
      entries_(slots.size()) {
  std::vector<Entry> unsorted;
  unsorted.reserve(slots.size());
  for (const std::int32_t slot : slots) {
    unsorted.push_back({cell_of(boxes[static_cast<std::size_t>(slot)]), slot});
    ++start_[bucket_of(unsorted.back().cell) + 1];
  }
  for (std::size_t bucket = 0; bucket <= mask_; ++bucket) start_[bucket + 1] += start_[bucket];
  std::vector<std::int32_t> next(start_.begin(), start_.end() - 1);
  for (const Entry& entry : unsorted) {
    entries_[static_cast<std::size_t>(next[bucket_of(entry.cell)]++)] = entry;
  }
}

CellGrid::Cell CellGrid::cell_of(const Box3& box) const {
  // Beyond 2^52 cells from the origin centres have no digits left to tell cells apart.
  constexpr double kFarthest = 4503599627370496.0;
  Cell cell;
  for (int axis = 0; axis < 3; ++axis) {
    const double centre = 0.5 * (box.low[axis] + box.high[axis]);
    const double number = std::floor(centre * cells_per_metre_);
    cell[static_cast<std::size_t>(axis)] =
        static_cast<std::int64_t>(std::clamp(number, -kFarthest, kFarthest));
  }
  return cell;
}

}  // namespace scree
