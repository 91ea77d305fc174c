#include "scree/step/row_memory.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "scree/base/parallel.hpp"
#include "shared_records.hpp"

namespace scree {

const RowRecord* find_record(const std::vector<RowRecord>& records, std::int64_t key) {
  const auto found = std::ranges::lower_bound(records, key, {}, &RowRecord::key);
  return found != records.end() && found->key == key ? &*found : nullptr;
}

void redistribute(RowMemory& memory, const Partition& partition, const PeriodicCell& cell,
                  double skin) {
  if (size_of(partition.comm()) == 1) return;
  NextOwners next_owners(partition, cell, skin);
  for (auto& [name, records] : memory) {
    RankBytes outgoing;
    for (const RowRecord& record : records) {
      for (const int rank : next_owners.of(record.where)) append_record(outgoing[rank], record);
    }
    const auto incoming = exchanged<RowRecord>(partition.comm(), outgoing, &RowRecord::key);
    if (incoming.empty()) continue;
    std::vector<RowRecord> all;
    std::ranges::set_union(records, incoming, std::back_inserter(all), {}, &RowRecord::key,
                           &RowRecord::key);
    records = std::move(all);
  }
}

}  // namespace scree
