#include "scree/sources/groups.hpp"

#include <fmt/format.h>

#include <array>

#include "filled_region.hpp"
#include "scree/config/declaration.hpp"

namespace scree {
namespace {

/// The fault of a place in a region for these grains; empty when there is none.
struct FaultOfFilling {
  const GrainKind& kind;

  template <class R>
  std::string operator()(const RegionPlaces<R>& place) const {
    if (kind.largest() <= 0.0) return {};  // a fault already
    return fault_of_filling(place.region, place.filling, kind.largest());
  }
  template <class Other>
  std::string operator()(const Other&) const {
    return {};
  }
};

}  // namespace

void Filling::declare(Declaration& d) {
  d.enumeration(
      "arrangement", arrangement,
      {.help = "cells for the largest grain: loose: cubic, wide; dense: hexagonal close packing; "
               "each grain at random in its cell"});
  d.integer("count", count,
            {.help = "number of grains, filled in from below; 0: as many as fit",
             .min = 0,
             .max = kMaxGrains});
  d.integer("seed", seed, {.help = "another seed gives another bed of the same kind", .min = 0});
}

void CsvPlaces::declare(Declaration& d) {
  d.path("file", file, {.help = "the file", .required = true});
}

void Hdf5Places::declare(Declaration& d) {
  d.path("file", file, {.help = "the file", .required = true});
  d.text("population", population,
         {.help = "only the grains of this population, as the snapshot names it; empty: all"});
  tiles.declare(d);
}

void Tiles::declare(Declaration& d) {
  d.integers("repeat", repeat,
             {.help = "copies of the file's grains side by side along x, y and z; the first is "
                      "where the file has it",
              .min = 1,
              .max = kMaxGrains,
              .count = 3});
  d.vector(
      "period", period,
      {.help = "from one copy to the next along x, y and z, as the period of the cell in which "
               "the grains have settled",
       .unit = "m",
       .min = 0.0});
  if (repeat.size() != 3) return;  // a fault already
  const double copies = static_cast<double>(repeat[0]) * static_cast<double>(repeat[1]) *
                        static_cast<double>(repeat[2]);
  d.require("repeat", copies <= static_cast<double>(kMaxGrains),
            fmt::format("makes more copies than can be numbered; allowed: at most {}", kMaxGrains));
  for (std::size_t axis = 0; axis < repeat.size(); ++axis) {
    d.require("period", repeat[axis] == 1 || period[static_cast<Eigen::Index>(axis)] > 0.0,
              fmt::format("is not above 0 along {}, where there are {} copies", "xyz"[axis],
                          repeat[axis]));
  }
}

Vec3 Tiles::shift(std::int64_t tile) const {
  const Eigen::Vector<std::int64_t, 3> place(tile % repeat[0], tile / repeat[0] % repeat[1],
                                             tile / repeat[0] / repeat[1]);
  return place.cast<double>().cwiseProduct(period);
}

void PointPlaces::declare(Declaration& d) {
  d.vectors("positions", positions, {.help = "the centres", .unit = "m", .required = true});
  d.require("positions", !positions.empty(), "needs at least one point");
}

void BodyGroup::declare(Declaration& d) {
  declare_grains(d);
  d.one_of("place", place,
           {.help = "places at the start; regions are filled at random, without overlap",
            .required = true});
  declare_start(d);
  require_sizes(
      d, std::holds_alternative<CsvPlaces>(place) || std::holds_alternative<Hdf5Places>(place));
  const std::string fault = std::visit(FaultOfFilling{*this}, place);
  d.require("place", fault.empty(), fault);
}

}  // namespace scree
