#pragma once

/// Zones that cross ranks, each resolved whole by one rank: that of the zone's first striking body
/// gets the rows of all. Bodies are in the order of their ids there and contacts in that of their
/// keys, so that the outcome does not depend on how space is cut. A zone is on one rank alone while
/// it is resolved: a bed is one zone, and costs that rank what it costs on one.

#include <cstdint>
#include <span>
#include <vector>

#include "energetic_figures.hpp"
#include "scree/contact/contact_list.hpp"
#include "scree/impact/resolve_impacts.hpp"
#include "scree/problem/assemble.hpp"
#include "striking_bodies.hpp"

namespace scree {

/// The zones that strike in a step, on this rank.
struct StrikingZones {
  const FormulatedStep& step;
  ContactView contacts;                  ///< of the problem
  std::span<const std::int32_t> active;  ///< those that take part
  std::span<const double> labels;        ///< zone_labels()
};

struct ZoneOutcome {
  std::vector<Vec3> impulse;  ///< of each active contact, contact frame, N s
  EnergeticFigures figures;   ///< of the zones that this rank resolved
};

/// Resolves the zones with a label, and gives @p bodies their velocities after it, ghosts included.
/// Collective.
ZoneOutcome resolve_zones(const StrikingZones& zones, const ImpactOptions& options,
                          StrikingBodies& bodies);

}  // namespace scree
