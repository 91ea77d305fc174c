#include "listing.hpp"

#include <utility>
#include <vector>

namespace scree {

Listing listing_after(const std::optional<NewSkins>& left, const Store& bodies,
                      const PeriodicCell& cell, const Exchange& exchange,
                      const Partition& partition) {
  if (!left) return Listing::anew;
  for (std::size_t k = 0; k < left->slots.size(); ++k) {
    const std::int32_t slot = left->slots[k];
    if (bodies.is_tool(slot)) continue;
    const bool covered = exchange.covers(bodies, slot, left->skins[k], partition, cell);
    if (!covered) return Listing::anew;
  }
  return left->slots.empty() ? Listing::kept : Listing::mended;
}

void renew(const NewSkins& new_skins, Store& bodies, const PeriodicCell& cell, Exchange& exchange,
           NeighbourList& neighbours) {
  for (std::size_t k = 0; k < new_skins.slots.size(); ++k) {
    bodies.skin[new_skins.slots[k]] = new_skins.skins[k];
  }
  const std::vector<Box3> before(bodies.skin.begin() + bodies.end_owned(), bodies.skin.end());
  exchange.refresh(bodies, Sync::skin, cell);
  std::vector<std::int32_t> slots = new_skins.slots;
  for (std::int32_t slot = bodies.end_owned(); slot < bodies.size(); ++slot) {
    if (bodies.skin[slot] != before[slot - bodies.end_owned()]) slots.push_back(slot);
  }
  neighbours.mend(std::move(slots));
}

}  // namespace scree
