#include "scree/domain/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "copies.hpp"
#include "scree/base/check.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/sparse_exchange.hpp"

namespace scree {
namespace {

constexpr int kUpdateTag = 7302;

void drop_ghosts(Store& store) {
  resize(store, store.end_owned());
}

RankBytes pack_all(const Store& store, const SlotsByRank& slots, Sync journey) {
  RankBytes messages;
  for (const auto& [rank, list] : slots) messages[rank] = pack(store, list, journey);
  return messages;
}

void refuse_twins(const Store& store) {
  const auto first = store.id.begin() + store.first_owned();
  const auto end = store.id.begin() + store.end_owned();
  const auto twin = std::adjacent_find(first, end);
  if (twin != end) throw Failure(fmt::format("two bodies have the id {}", *twin));
}

int message_bytes(std::size_t bytes) {
  if (!std::in_range<int>(bytes)) {
    throw Failure("a message between two ranks exceeds 2 GiB: use more ranks");
  }
  return static_cast<int>(bytes);
}

}  // namespace

Exchange::Exchange(MPI_Comm comm) : comm_(comm), rank_(rank_of(comm)) {}

void Exchange::count(std::size_t bytes) {
  ++traffic_.messages;
  traffic_.bytes += static_cast<std::int64_t>(bytes);
}

void Exchange::migrate(Store& store, std::span<const int> owners) {
  SCREE_ASSERT(std::cmp_equal(owners.size(), store.n_owned));
  sends_.clear();
  receives_.clear();
  drop_ghosts(store);
  SlotsByRank leaving;
  std::vector<bool> stays(owners.size(), true);
  for (std::size_t k = 0; k < owners.size(); ++k) {
    if (owners[k] == rank_) continue;
    stays[k] = false;
    ++traffic_.migrated;
    leaving[owners[k]].push_back(store.first_owned() + static_cast<std::int32_t>(k));
  }
  const RankBytes outgoing = pack_all(store, leaving, Sync::migrate);
  for (const auto& [rank, bytes] : outgoing) count(bytes.size());
  const RankBytes incoming = sparse_exchange(comm_, outgoing);
  if (!leaving.empty()) keep_owned(store, stays);
  for (const auto& [rank, bytes] : incoming) store.n_owned += unpack(store, bytes, Sync::migrate);
  sort_by_id(store, store.first_owned(), store.end_owned());
  refuse_twins(store);
}

void Exchange::ghosts(Store& store, const Partition& partition, const PeriodicCell& cell,
                      const Store& among) {
  drop_ghosts(store);
  occupied_ = box_of_skins(cell, comm_, store, among);
  Copies copies = copies_for_ranks(store, {partition, cell, occupied_, rank_});
  const RankBytes outgoing = pack_all(store, copies.packed, Sync::ghost);
  drop_ghosts(store);
  for (const auto& [rank, bytes] : outgoing) {
    if (rank != rank_) count(bytes.size());
  }
  const RankBytes incoming = sparse_exchange(comm_, outgoing);

  sends_.clear();
  for (auto& [rank, slots] : copies.owned) sends_.push_back({rank, std::move(slots)});
  receives_.clear();
  for (const auto& [rank, bytes] : incoming) {
    Link link{rank, {}};
    const std::int32_t first = store.size();
    const std::int32_t n = unpack(store, bytes, Sync::ghost);
    for (std::int32_t k = 0; k < n; ++k) link.slots.push_back(first + k);
    receives_.push_back(std::move(link));
  }
  const std::vector<std::int32_t> new_slots = sort_by_id(store, store.end_owned(), store.size());
  if (new_slots.empty()) return;
  for (Link& link : receives_) {
    for (std::int32_t& slot : link.slots) {
      slot = new_slots[slot - store.end_owned()];
    }
  }
}

bool Exchange::covers(const Store& store, std::int32_t slot, const Box3& skin,
                      const Partition& partition, const PeriodicCell& cell) const {
  if (!occupied_.contains(skin)) return false;
  std::vector<int> ranks;
  partition.ranks_meeting(skin, ranks);
  if (std::ranges::find(ranks, rank_) == ranks.end()) return false;
  const CopyRule rule{partition, cell, occupied_, rank_};
  return std::ranges::includes(copies_of(store.skin[slot], rule), copies_of(skin, rule));
}

template <class Pack, class Unpack>
void Exchange::pass(std::size_t size, Pack&& pack, Unpack&& unpack) {
  std::vector<std::vector<std::byte>> buffers;
  std::vector<MPI_Request> requests;
  buffers.reserve(receives_.size() + sends_.size());
  for (const Link& link : receives_) {
    auto& buffer = buffers.emplace_back(link.slots.size() * size);
    SCREE_MPI(MPI_Irecv(buffer.data(), message_bytes(buffer.size()), MPI_BYTE, link.rank,
                        kUpdateTag, comm_, &requests.emplace_back()));
  }
  for (const Link& link : sends_) {
    auto& buffer = buffers.emplace_back(pack(link.slots));
    SCREE_MPI(MPI_Isend(buffer.data(), message_bytes(buffer.size()), MPI_BYTE, link.rank,
                        kUpdateTag, comm_, &requests.emplace_back()));
    if (link.rank != rank_) count(buffer.size());
  }
  SCREE_MPI(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
  for (std::size_t n = 0; n < receives_.size(); ++n) unpack(receives_[n].slots, buffers[n]);
}

void Exchange::refresh(Store& store, Sync kind, const PeriodicCell& cell) {
  pass(
      record_size(kind), [&](const Slots& slots) { return pack(store, slots, kind); },
      [&](const Slots& slots, const std::vector<std::byte>& message) {
        unpack_into(store, slots, message, kind);
      });
  for (std::int32_t slot = store.end_owned(); slot < store.size(); ++slot) {
    if (!store.image[slot].isZero()) shift_to_image(store, cell, slot, kind);
  }
}

void Exchange::update_bytes(std::byte* values, std::size_t size) {
  pass(
      size,
      [=](const Slots& slots) {
        std::vector<std::byte> message(slots.size() * size);
        std::byte* to = message.data();
        for (const std::int32_t slot : slots) {
          std::memcpy(to, values + size * slot, size);
          to += size;
        }
        return message;
      },
      [=](const Slots& slots, const std::vector<std::byte>& message) {
        const std::byte* from = message.data();
        for (const std::int32_t slot : slots) {
          std::memcpy(values + size * slot, from, size);
          from += size;
        }
      });
}

std::size_t Exchange::n_neighbours() const {
  std::set<int> ranks;
  for (const Link& link : sends_) ranks.insert(link.rank);
  for (const Link& link : receives_) ranks.insert(link.rank);
  ranks.erase(rank_);
  return ranks.size();
}

}  // namespace scree
