#pragma once

/// How the pair list of one step serves the next, where ranks have ghosts for it.

#include <optional>

#include "scree/contact/neighbour_list.hpp"
#include "scree/domain/exchange.hpp"
#include "scree/domain/partition.hpp"

namespace scree {

/// How the pair list can go on for this rank, whose @p bodies have @p left their skins as
/// NeighbourList::left() says. Not collective.
Listing listing_after(const std::optional<NewSkins>& left, const Store& bodies,
                      const PeriodicCell& cell, const Exchange& exchange,
                      const Partition& partition);

/// Gives @p bodies their @p new_skins, and ghosts those of their owners; has the list mended.
/// Collective.
void renew(const NewSkins& new_skins, Store& bodies, const PeriodicCell& cell, Exchange& exchange,
           NeighbourList& neighbours);

}  // namespace scree
