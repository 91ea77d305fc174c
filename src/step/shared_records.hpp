#pragma once

/// Records of what owners of rows remember, sent to those who may own the rows next.

#include <algorithm>
#include <vector>

#include "scree/base/parallel.hpp"
#include "scree/base/sparse_exchange.hpp"
#include "scree/domain/partition.hpp"
#include "scree/geometry/periodic.hpp"

namespace scree {

/// The other ranks that may own what lies in a box, or off it by less than a skin.
class NextOwners {
 public:
  NextOwners(const Partition& partition, const PeriodicCell& cell, double skin)
      : partition_(partition),
        cell_(cell),
        wider_(Vec3::Constant(skin)),
        self_(rank_of(partition.comm())) {}

  /// The other ranks whose regions @p box, wider by the skin, meets with any of its periodic
  /// images, ascending. None for an empty box: the first rank has what is nowhere, and keeps it.
  /// Valid until the next call.
  const std::vector<int>& of(const Box3& box) {
    ranks_.clear();
    if (box.is_empty()) return ranks_;
    const Box3 where{box.low - wider_, box.high + wider_};
    cell_.for_each_image(where, cell_.box(), [&](const Vec3i& image) {
      const Box3 there = where.shifted(cell_.shift(image));
      if (partition_.holds_all(there)) return;
      partition_.ranks_meeting(there, meeting_);
      ranks_.insert(ranks_.end(), meeting_.begin(), meeting_.end());
    });
    std::erase(ranks_, self_);
    std::ranges::sort(ranks_);
    const auto twice = std::ranges::unique(ranks_);
    ranks_.erase(twice.begin(), twice.end());
    return ranks_;
  }

 private:
  const Partition& partition_;
  const PeriodicCell& cell_;
  Vec3 wider_;
  int self_;
  std::vector<int> ranks_, meeting_;
};

/// Sends @p outgoing, and gives the records that come in, sorted by @p key, each once. Collective.
template <class Record, class Key>
std::vector<Record> exchanged(MPI_Comm comm, const RankBytes& outgoing, const Key& key) {
  std::vector<Record> records;
  for (const auto& [rank, bytes] : sparse_exchange(comm, outgoing)) read_records(bytes, records);
  std::ranges::stable_sort(records, {}, key);
  const auto twice = std::ranges::unique(records, {}, key);
  records.erase(twice.begin(), twice.end());
  return records;
}

}  // namespace scree
