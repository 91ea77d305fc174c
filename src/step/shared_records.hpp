#pragma once

/// Records of what owners of rows remember, sent to those who may own the rows next.

#include <set>
#include <vector>

#include "scree/base/parallel.hpp"
#include "scree/base/sparse_exchange.hpp"
#include "scree/domain/partition.hpp"
#include "scree/geometry/periodic.hpp"

namespace scree {

/// Sends each of @p records to the ranks whose regions its box_of(), wider by @p skin, meets
/// with any of its periodic images, and appends what comes in. Several ranks then have it. One
/// whose box is empty goes to the first. Collective.
template <class Record>
void share_records(MPI_Comm comm, const Partition& partition, const PeriodicCell& cell, double skin,
                   std::vector<Record>& records) {
  const Vec3 wider = Vec3::Constant(skin);
  const int self = rank_of(comm);
  RankBytes outgoing;
  std::vector<int> ranks;
  std::set<int> receivers;
  for (const Record& record : records) {
    const Box3& own = box_of(record);
    if (own.is_empty()) continue;
    receivers.clear();
    const Box3 where{own.low - wider, own.high + wider};
    cell.for_each_image(where, cell.box(), [&](const Vec3i& image) {
      partition.ranks_meeting(where.shifted(cell.shift(image)), ranks);
      receivers.insert(ranks.begin(), ranks.end());
    });
    for (const int rank : receivers) {
      if (rank != self) append_record(outgoing[rank], record);
    }
  }
  for (const auto& [rank, bytes] : sparse_exchange(comm, outgoing)) read_records(bytes, records);
}

}  // namespace scree
