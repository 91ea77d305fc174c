#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "scree/base/math.hpp"

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
  /// The bodies in order of their buckets.
  const std::vector<Entry>& entries() const { return entries_; }

  /// Calls visit(entry) for each body in the @p count cells from @p first on along x.
  template <class Visit>
  void visit_row(const Cell& first, std::int64_t count, Visit&& visit) const {
    const std::uint64_t bucket = bucket_of(first);
    const std::uint64_t end = bucket + static_cast<std::uint64_t>(count);
    if (end <= mask_ + 1) {
      visit_buckets(bucket, end, first, count, visit);
    } else {
      visit_buckets(bucket, mask_ + 1, first, count, visit);
      visit_buckets(0, end - mask_ - 1, first, count, visit);
    }
  }

 private:
  template <class Visit>
  void visit_buckets(std::uint64_t begin, std::uint64_t end, const Cell& first, std::int64_t count,
                     Visit& visit) const {
    const std::size_t stop = start_[end];
    for (std::size_t k = start_[begin]; k < stop; ++k) {
      const Entry& entry = entries_[k];
      const std::int64_t along = entry.cell[0] - first[0];
      if (along >= 0 && along < count && entry.cell[1] == first[1] && entry.cell[2] == first[2]) {
        visit(entry);
      }
    }
  }

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
};

}  // namespace scree
