#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "scree/base/check.hpp"
#include "scree/base/math.hpp"
#include "scree/base/slot_vector.hpp"

namespace scree {

/// Bodies of one class of sizes, sorted into cells by the centres of their boxes.
///
/// The bucket of a cell is its linear number in the grid, wrapped round a table of a size like the
/// number of bodies. So neighbours along x are neighbours in memory, a compact scene has a bucket
/// for each cell or nearly, and a scene that is spread far shares buckets instead of taking memory:
/// bodies of cells that share one tell themselves apart by their coordinates.
class CellGrid {
 public:
  using Cell = std::array<std::int64_t, 3>;

  struct Entry {
    Box3 box;
    Cell cell;
    std::int32_t slot;
  };

  /// @pre the boxes of @p slots are finite with edges of at most @p edge, and there are some.
  CellGrid(const std::vector<Box3>& boxes, const std::vector<std::int32_t>& slots, double edge);

  Cell cell_of(const Box3& box) const;
  /// The first and the last cell, along each axis, in which bodies may be whose boxes meet @p box.
  std::array<Cell, 2> cells_in_reach(const Box3& box) const;
  /// The bodies in order of their buckets.
  const std::vector<Entry>& entries() const { return entries_; }

  /// Calls visit(entry) for each body in the @p count cells from @p first on along x whose box
  /// meets @p box. @pre no more cells than buckets
  template <class Visit>
  void visit_row(const Box3& box, const Cell& first, std::int64_t count, Visit&& visit) const {
    SCREE_ASSERT(std::cmp_less_equal(count, mask_ + 1));
    const std::uint64_t bucket = bucket_of(first);
    const std::uint64_t end = bucket + static_cast<std::uint64_t>(count);
    const auto visit_here = [&](const Entry& entry) {
      const std::int64_t along = entry.cell[0] - first[0];
      const bool is_here =
          along >= 0 && along < count && entry.cell[1] == first[1] && entry.cell[2] == first[2];
      if (is_here) visit(entry);
    };
    if (end <= mask_ + 1) {
      visit_meeting(box, start_[bucket], start_[end], visit_here);
    } else {
      visit_meeting(box, start_[bucket], start_[mask_ + 1], visit_here);
      visit_meeting(box, start_[0], start_[end - mask_ - 1], visit_here);
    }
  }

 private:
  /// Bodies that are held against a box at once.
  static constexpr std::int32_t kLanes = 8;

  /// Of the bodies at the places [@p begin, @p end). Few of them meet the box, in no order that a
  /// branch could be predicted by.
  template <class Visit>
  void visit_meeting(const Box3& box, std::int32_t begin, std::int32_t end, Visit& visit) const {
    for (std::int32_t at = begin; at < end; at += kLanes) {
      std::array<std::int64_t, kLanes> meets;
      for (std::int32_t i = 0; i < kLanes; ++i) meets[i] = meets_at(box, at + i) ? 1 : 0;
      std::array<std::int32_t, kLanes> found;
      std::int64_t n_found = 0;
      for (std::int32_t i = 0; i < kLanes; ++i) {
        found[n_found] = at + i;
        n_found += meets[i];
      }
      for (std::int64_t k = 0; k < n_found && found[k] < end; ++k) visit(entries_[found[k]]);
    }
  }

  bool meets_at(const Box3& box, std::int32_t place) const {
    bool result = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      result &= low_[axis][place] <= box.high[axis];
      result &= box.low[axis] <= high_[axis][place];
    }
    return result;
  }

  Cell cell_at(const Vec3& place) const;

  std::uint64_t bucket_of(const Cell& cell) const {
    const auto x = static_cast<std::uint64_t>(cell[0]);
    const auto y = static_cast<std::uint64_t>(cell[1]);
    const auto z = static_cast<std::uint64_t>(cell[2]);
    return (x + width_ * (y + depth_ * z)) & mask_;
  }

  double cells_per_metre_;
  std::uint64_t mask_;               ///< number of buckets, a power of two, less one
  std::uint64_t width_ = 1;          ///< cells along x, odd
  std::uint64_t depth_ = 1;          ///< cells along y, odd
  std::vector<std::int32_t> start_;  ///< first place of each bucket in entries_
  std::vector<Entry> entries_;
  /// The boxes of the entries, side by side, with room for a last look beyond them.
  std::array<SlotVector<double>, 3> low_;
  std::array<SlotVector<double>, 3> high_;
};

}  // namespace scree
