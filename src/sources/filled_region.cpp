#include "filled_region.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/sources/counter_random.hpp"

namespace scree {
namespace {

/// Play of a grain in its cell, relative to its diameter.
constexpr double kLoosePlay = 0.15;
constexpr double kDensePlay = 0.02;

std::int64_t wanted(const Filling& filling) {
  return filling.count > 0 ? filling.count : kMaxGrains + 1;
}

/// The widest of a few spacings with which the count fits.
SiteLattice choose_lattice(const Region& region, const Filling& filling, double smallest,
                           double largest) {
  const double tight = 2.0 * largest;
  const double wide = filling.arrangement == Arrangement::dense
                          ? (1.0 + kDensePlay) * tight
                          : std::max(tight, (1.0 + kLoosePlay) * (smallest + largest));
  for (const double part : {1.0, 0.75, 0.5, 0.25}) {
    SiteLattice lattice(region, filling.arrangement, tight + part * (wide - tight),
                        wanted(filling));
    if (lattice.n_sites() >= std::max<std::int64_t>(filling.count, 1)) return lattice;
  }
  return {region, filling.arrangement, tight, wanted(filling)};
}

}  // namespace

std::string fault_of_width(const Region& region, double diameter) {
  constexpr double kWidest = 1e7;  // rows of sites are numbered one by one
  const Box3 bounds = bounds_of(region);
  const double width = (bounds.high - bounds.low).maxCoeff() / diameter;
  if (width <= kWidest) return {};
  return fmt::format("the region is {:.3g} of the largest diameters wide; allowed: up to {:g}",
                     width, kWidest);
}

std::string fault_of_filling(const Region& region, const Filling& filling, double largest) {
  if (std::string fault = fault_of_width(region, 2.0 * largest); !fault.empty()) return fault;
  const std::int64_t room =
      SiteLattice(region, filling.arrangement, 2.0 * largest, wanted(filling)).n_sites();
  if (room >= std::max<std::int64_t>(filling.count, 1)) return {};
  if (filling.count == 0) {
    return fmt::format("no grain of radius {} m fits in the region: enlarge it", largest);
  }
  return fmt::format(
      "{} grains of radius up to {} m do not fit in the region; at most {} do: enlarge the region "
      "or "
      "lower the count",
      filling.count, largest, room);
}

FilledRegion::FilledRegion(const Region& region, const Filling& filling, double smallest,
                           double largest)
    : count_(filling.count), lattice_(choose_lattice(region, filling, smallest, largest)) {
  if (count_ == 0) count_ = lattice_.n_sites();
}

Vec3 FilledRegion::place(std::int64_t i, double radius, const Vec3& random) const {
  const std::int64_t last = lattice_.last_layer();
  if (i >= last) {
    const auto spread = static_cast<double>(lattice_.n_sites() - last) /
                        static_cast<double>(std::max<std::int64_t>(count_ - last, 1));
    i = last + static_cast<std::int64_t>((static_cast<double>(i - last) + 0.5) * spread);
  }
  return lattice_.site(i) + in_ball(0.5 * lattice_.spacing() - radius, random);
}

}  // namespace scree
