#pragma once

/// Who is to have copies of a body: each rank whose region its skin meets, and in a periodic cell
/// of each image, too, whose skin may meet that of a body in the cell.

#include <array>
#include <map>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/domain/partition.hpp"

namespace scree {

/// Tells by a body's skin who has copies of it.
struct CopyRule {
  const Partition& partition;
  const PeriodicCell& cell;
  const Box3& occupied;
  int self;

  /// Calls visit(image, ranks) for the body itself and each of its images with the ranks that have
  /// a copy of it, where there are some.
  template <class Visit>
  void for_each_copy(const Box3& skin, Visit&& visit) const {
    std::vector<int> ranks;
    cell.for_each_image(skin, occupied, [&](const Vec3i& image) {
      const bool itself = image.isZero();
      if (itself && partition.holds_all(skin)) return;
      partition.ranks_meeting(skin.shifted(cell.shift(image)), ranks);
      if (itself) std::erase(ranks, self);
      if (!ranks.empty()) visit(image, ranks);
    });
  }
};

/// The box that holds the skins of owned grains of all ranks in the two stores, without end in
/// directions that do not repeat. Collective.
Box3 box_of_skins(const PeriodicCell& cell, MPI_Comm comm, const Store& store, const Store& among);

using Slots = std::vector<std::int32_t>;
using SlotsByRank = std::map<int, Slots>;

/// Slots that go to each rank, the same bodies in the same order: the owned slots, and the slots
/// that are packed, which are others for images.
struct Copies {
  SlotsByRank owned;
  SlotsByRank packed;
};

/// The copies of all owned grains. Appends images as ghosts, to be packed from there. Not
/// collective.
Copies copies_for_ranks(Store& store, const CopyRule& rule);

/// An image and a rank that has it.
using Copy = std::array<int, 4>;

/// The copies of a body by its @p skin, ascending. Not collective.
std::vector<Copy> copies_of(const Box3& skin, const CopyRule& rule);

}  // namespace scree
