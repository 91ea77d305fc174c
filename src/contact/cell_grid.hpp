#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "scree/base/math.hpp"

namespace scree {

/// Bodies of one class of sizes, sorted into cells by the centres of their boxes. A cell is found
/// through a hash of its coordinates; bodies of cells that share a bucket tell themselves apart by
/// the coordinates, which each keeps.
class CellGrid {
 public:
  using Cell = std::array<std::int64_t, 3>;

  struct Entry {
    Cell cell;
    std::int32_t slot;
  };

  /// @pre the boxes of @p slots are finite with edges of at most @p edge.
  CellGrid(const std::vector<Box3>& boxes, const std::vector<std::int32_t>& slots, double edge);

  Cell cell_of(const Box3& box) const;
  /// The bodies, bucket by bucket.
  const std::vector<Entry>& entries() const { return entries_; }

  /// Calls visit(slot) for each body in @p cell.
  template <class Visit>
  void visit_cell(const Cell& cell, Visit&& visit) const {
    const std::size_t bucket = bucket_of(cell);
    const auto end = static_cast<std::size_t>(start_[bucket + 1]);
    for (auto k = static_cast<std::size_t>(start_[bucket]); k < end; ++k) {
      if (entries_[k].cell == cell) visit(entries_[k].slot);
    }
  }

 private:
  std::size_t bucket_of(const Cell& cell) const {
    const auto x = static_cast<std::uint64_t>(cell[0]);
    const auto y = static_cast<std::uint64_t>(cell[1]);
    const auto z = static_cast<std::uint64_t>(cell[2]);
    std::uint64_t h = x * 0x9E3779B97F4A7C15u + y * 0xC2B2AE3D27D4EB4Fu + z * 0x165667B19E3779F9u;
    h ^= h >> 32;
    return static_cast<std::size_t>(h & mask_);
  }

  double cells_per_metre_;
  std::uint64_t mask_;
  std::vector<std::int32_t> start_;  ///< of each bucket in entries_
  std::vector<Entry> entries_;
};

}  // namespace scree
