#include "scree/step/row_memory.hpp"

#include <algorithm>

#include "scree/base/parallel.hpp"
#include "shared_records.hpp"

namespace scree {

const RowRecord* find_record(const std::vector<RowRecord>& records, std::int64_t key) {
  const auto found = std::ranges::lower_bound(records, key, {}, &RowRecord::key);
  return found != records.end() && found->key == key ? &*found : nullptr;
}

void redistribute(RowMemory& memory, MPI_Comm comm, const Partition& partition,
                  const PeriodicCell& cell, double skin) {
  if (size_of(comm) == 1) return;
  for (auto& [name, records] : memory) {
    share_records(comm, partition, cell, skin, records);
    std::ranges::stable_sort(records, {}, &RowRecord::key);
    // a step that was not taken may have sent them before
    const auto alike = std::ranges::unique(records, {}, &RowRecord::key);
    records.erase(alike.begin(), alike.end());
  }
}

}  // namespace scree
