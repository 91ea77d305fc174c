#include "cell_grid.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace scree {
namespace {

// Cells are longer than the longest edge, so that rounding of centres never puts a meeting pair two
// cells apart.
constexpr double kSlack = 1.001;

/// Number of values from @p low to @p high, made odd: odd strides spread wrapped cells over all
/// buckets.
std::uint64_t odd_count(std::int64_t low, std::int64_t high) {
  return (static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1) | 1u;
}

}  // namespace

CellGrid::CellGrid(const std::vector<Box3>& boxes, const std::vector<std::int32_t>& slots,
                   double edge)
    : cells_per_metre_(1.0 / (kSlack * edge)),
      mask_(std::bit_ceil(2 * slots.size() + 4) - 1),
      start_(mask_ + 2, 0),
      entries_(slots.size()) {
  std::vector<Cell> cells;
  cells.reserve(slots.size());
  for (const std::int32_t slot : slots) cells.push_back(cell_of(boxes[slot]));
  Cell low = cells.front();
  Cell high = low;
  for (const Cell& cell : cells) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], cell[axis]);
      high[axis] = std::max(high[axis], cell[axis]);
    }
  }
  width_ = odd_count(low[0], high[0]);
  depth_ = odd_count(low[1], high[1]);
  for (const Cell& cell : cells) ++start_[bucket_of(cell) + 1];
  for (std::size_t bucket = 0; bucket <= mask_; ++bucket) start_[bucket + 1] += start_[bucket];
  std::vector<std::int32_t> next(start_.begin(), start_.end() - 1);
  for (std::size_t k = 0; k < slots.size(); ++k) {
    entries_[next[bucket_of(cells[k])]++] = {boxes[slots[k]], cells[k], slots[k]};
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    low_[axis].resize(entries_.size() + kLanes);
    high_[axis].resize(entries_.size() + kLanes);
    for (std::size_t k = 0; k < entries_.size(); ++k) {
      low_[axis][k] = entries_[k].box.low[axis];
      high_[axis][k] = entries_[k].box.high[axis];
    }
  }
}

CellGrid::Cell CellGrid::cell_of(const Box3& box) const {
  return cell_at(0.5 * (box.low + box.high));
}

std::array<CellGrid::Cell, 2> CellGrid::cells_in_reach(const Box3& box) const {
  const Vec3 half = Vec3::Constant(0.5 / cells_per_metre_);  // an edge's half, and the slack
  return {cell_at(box.low - half), cell_at(box.high + half)};
}

CellGrid::Cell CellGrid::cell_at(const Vec3& place) const {
  // Beyond 2^52 cells from the origin centres have no digits left to tell cells apart.
  constexpr double kFarthest = 4503599627370496.0;
  Cell cell;
  for (int axis = 0; axis < 3; ++axis) {
    const double number = std::floor(place[axis] * cells_per_metre_);
    cell[axis] = static_cast<std::int64_t>(std::clamp(number, -kFarthest, kFarthest));
  }
  return cell;
}

}  // namespace scree
