#include "scree/sources/insertion.hpp"

#include <fmt/format.h>

#include "filled_region.hpp"
#include "scree/config/declaration.hpp"
#include "scree/sources/groups.hpp"
#include "scree/sources/site_lattice.hpp"

namespace scree {

void InsertionSpec::declare(Declaration& d) {
  declare_grains(d);
  d.one_of("region", region,
           {.help = "region where grains come in, at random without overlap", .required = true});
  d.real("rate", rate,
         {.help = "mass that comes in per time; grains that find no room wait",
          .unit = "kg/s",
          .above = 0.0,
          .required = true});
  d.real("start", start, {.help = "time at which it begins", .unit = "s", .min = 0.0});
  d.real("stop", stop, {.help = "time at which it ends", .unit = "s", .above = 0.0});
  d.integer(
      "count", count,
      {.help = "it ends after so many grains; 0: not by number", .min = 0, .max = kMaxGrains});
  d.real("height", height,
         {.help = "it ends when a grain below the region rests with its top above this z",
          .unit = "m"});
  d.integer("seed", seed, {.help = "another seed gives other grains of the same kind", .min = 0});
  declare_start(d);
  require_sizes(d, false);
  d.require("stop", stop > start, "is not after start");
  const double size = 2.0 * largest();
  if (size <= 0.0) return;  // a fault already
  const std::string width = fault_of_width(region, size);
  d.require("region", width.empty(), width);
  if (!width.empty()) return;
  d.require("region", SiteLattice(region, Arrangement::loose, size, 1).n_sites() > 0,
            fmt::format("has no room for a grain of radius {} m: enlarge it", 0.5 * size));
  d.require("height", height == kNever || height + size <= bounds_of(region).low.z(),
            fmt::format("is not {} m, the largest diameter, below the region", size));
}

}  // namespace scree
