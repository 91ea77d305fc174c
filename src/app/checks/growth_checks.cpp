#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "run_config_checks.hpp"
#include "scree/config/declaration.hpp"
#include "scree/config/suggest.hpp"

namespace scree {
namespace {

/// The names of what may grow.
std::vector<std::string_view> groups_of(const RunConfig& config) {
  std::vector<std::string_view> names;
  for (const GrainKind* kind : config.grain_kinds()) names.push_back(kind->name);
  return names;
}

/// Why the groups of @p spec are none; empty when they are.
std::string fault_of_names(const RunConfig& config, const GrowthSpec& spec) {
  const std::vector<std::string_view> known = groups_of(config);
  for (const std::string& name : spec.groups) {
    if (std::ranges::find(known, name) != known.end()) continue;
    return fmt::format("{}: \"{}\" is no group of bodies and no insertion; {}", spec.name, name,
                       suggestion_and_list(name, known));
  }
  return {};
}

/// Why the grains of the groups of @p spec cannot grow; empty when they can. Those of files are
/// looked at where they are read (app/run/start.hpp).
std::string fault_of_grains(const RunConfig& config, const GrowthSpec& spec) {
  for (const GrainKind* kind : config.grain_kinds()) {
    if (std::ranges::find(spec.groups, kind->name) == spec.groups.end()) continue;
    for (const Population& one : kind->all_populations()) {
      // the wide ones have the shortest halves, and the thin ones grow by the largest share of
      // their radius
      for (const double radius : {largest_radius(one.radii), smallest_radius(one.radii)}) {
        if (radius == 0.0) continue;
        const std::string fault = fault_of_growth(spec, of_size(one.shape, radius), config.time.dt);
        if (!fault.empty()) return fmt::format("{}: {}: {}", spec.name, kind->name, fault);
      }
    }
  }
  return {};
}

}  // namespace

void require_growth(Declaration& d, const RunConfig& config) {
  std::set<std::int32_t> growing;
  for (const GrowthSpec& spec : config.growth) {
    for (const std::string& fault : {fault_of_names(config, spec), fault_of_grains(config, spec)}) {
      d.require("growth", fault.empty(), fault);
    }
    for (const std::int32_t population : config.growing_populations(spec)) {
      const bool alone = growing.insert(population).second;
      d.require("growth", alone,
                fmt::format("{}: its grains grow by another entry already; allowed: one each",
                            spec.name));
    }
  }
}

}  // namespace scree
