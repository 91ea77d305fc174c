#include "scree/step/warm_start.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <type_traits>
#include <utility>

#include "scree/base/parallel.hpp"
#include "scree/base/sparse_exchange.hpp"
#include "scree/step/tool_forces.hpp"

namespace scree {
namespace {

void append_bytes(std::vector<std::byte>& bytes, const void* data, std::size_t size) {
  const auto* first = static_cast<const std::byte*>(data);
  bytes.insert(bytes.end(), first, first + size);
}

void sort_by_key(std::vector<KeptImpulse>& kept) {
  std::sort(kept.begin(), kept.end(),
            [](const KeptImpulse& a, const KeptImpulse& b) { return a.key < b.key; });
}

}  // namespace

void WarmStart::restore(std::vector<KeptImpulse> kept) {
  kept_ = std::move(kept);
  sort_by_key(kept_);
}

void WarmStart::keep(const Store& store, std::span<const Contact> contacts, const Cones& cones,
                     Vec lambda, double slack) {
  kept_.clear();
  const petsc::ConstView view(lambda);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto row = static_cast<std::size_t>(cones.offset[i]);
    const Vec3 impulse = world_impulse(
        contacts[i], view.span().subspan(row, static_cast<std::size_t>(cones.dim(i))));
    if (impulse.isZero(0.0)) continue;
    const auto a = static_cast<std::size_t>(contacts[i].a);
    const Vec3 reach = Vec3::Constant(slack);
    kept_.push_back(
        {contacts[i].key, impulse, {store.box[a].low - reach, store.box[a].high + reach}});
  }
}

void WarmStart::redistribute(MPI_Comm comm, const Partition& partition, const PeriodicCell& cell) {
  if (size_of(comm) == 1) return;
  const int self = rank_of(comm);
  RankBytes outgoing;
  std::vector<int> ranks;
  std::set<int> receivers;
  for (const KeptImpulse& kept : kept_) {
    receivers.clear();
    cell.for_each_image(kept.where, cell.box(), [&](const Vec3i& image) {
      const Vec3 shift = cell.shift(image);
      partition.ranks_meeting({kept.where.low + shift, kept.where.high + shift}, ranks);
      receivers.insert(ranks.begin(), ranks.end());
    });
    for (const int rank : receivers) {
      if (rank != self) append_bytes(outgoing[rank], &kept, sizeof(KeptImpulse));
    }
  }
  for (const auto& [rank, bytes] : sparse_exchange(comm, outgoing)) {
    const std::size_t first = kept_.size();
    kept_.resize(first + bytes.size() / sizeof(KeptImpulse));
    std::memcpy(static_cast<void*>(kept_.data() + first), bytes.data(), bytes.size());
  }
  sort_by_key(kept_);
}

petsc::Vector WarmStart::guess(MPI_Comm comm, std::span<const Contact> contacts,
                               const Cones& cones) const {
  petsc::Vector guess = petsc::make_vector(comm, cones.rows());
  const petsc::View lambda(guess.get());
  auto kept = kept_.begin();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Contact& contact = contacts[i];
    while (kept != kept_.end() && kept->key < contact.key) ++kept;
    if (kept == kept_.end() || kept->key != contact.key) continue;
    const auto row = static_cast<std::size_t>(cones.offset[i]);
    lambda[row] = std::max(0.0, kept->impulse.dot(contact.normal));
    if (cones.dim(i) > 1) lambda[row + 1] = kept->impulse.dot(contact.tangent1);
    if (cones.dim(i) > 2) lambda[row + 2] = kept->impulse.dot(contact.tangent2);
  }
  return guess;
}

}  // namespace scree
