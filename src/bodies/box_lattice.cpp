#include "box_lattice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

using Counts = std::array<std::int64_t, 3>;

/// Play of a grain of middle size in its cell, relative to its diameter.
constexpr double kPlay = 0.15;

/// Cells with edges of at least @p edge along each side of the box; a side that is a multiple of
/// the edge but for rounding holds that many.
Counts cells_along(const BoxPlaces& box, double edge) {
  Counts counts{};
  for (int axis = 0; axis < 3; ++axis) {
    const double number = (box.high[axis] - box.low[axis]) / edge;
    counts[static_cast<std::size_t>(axis)] =
        static_cast<std::int64_t>(std::floor(std::min(number, 1e15) * (1.0 + 1e-12)));
  }
  return counts;
}

/// Product, held at what a count of grains can be.
std::int64_t product(const Counts& counts) {
  const double total = static_cast<double>(counts[0]) * static_cast<double>(counts[1]) *
                       static_cast<double>(counts[2]);
  return static_cast<std::int64_t>(std::min(total, 4e18));
}

/// The widest of a few edges with which the count fits.
double choose_edge(const BoxPlaces& box, double smallest, double largest) {
  const double tight = 2.0 * largest;
  const double wide = std::max(tight, (1.0 + kPlay) * (smallest + largest));
  for (const double part : {1.0, 0.75, 0.5, 0.25}) {
    const double edge = tight + part * (wide - tight);
    if (product(cells_along(box, edge)) >= box.count) return edge;
  }
  return tight;
}

}  // namespace

BoxLattice::BoxLattice(const BoxPlaces& box, double smallest, double largest)
    : low_(box.low), count_(box.count) {
  const double edge = choose_edge(box, smallest, largest);
  const Counts counts = cells_along(box, edge);
  nx_ = counts[0];
  per_layer_ = counts[0] * counts[1];
  const Vec3 size = box.high - box.low;
  // Wide cells sideways; upwards no wider than chosen, so that the bed starts low.
  cell_ = Vec3(size.x() / static_cast<double>(counts[0]), size.y() / static_cast<double>(counts[1]),
               std::min(edge, size.z() / static_cast<double>(counts[2])));
}

std::int64_t BoxLattice::capacity(const BoxPlaces& box, double largest) {
  return product(cells_along(box, 2.0 * largest));
}

std::string BoxLattice::does_not_fit(const BoxPlaces& box, double largest) {
  return fmt::format(
      "{} grains of radius up to {} m do not fit in the box; at most {} do: enlarge the box or "
      "lower the count",
      box.count, largest, capacity(box, largest));
}

Vec3 BoxLattice::place(std::int64_t i, double radius, const Vec3& random) const {
  const std::int64_t layer = i / per_layer_;
  std::int64_t site = i % per_layer_;
  const std::int64_t in_layer = std::min(per_layer_, count_ - layer * per_layer_);
  if (in_layer < per_layer_) {
    site =
        static_cast<std::int64_t>((static_cast<double>(site) + 0.5) *
                                  static_cast<double>(per_layer_) / static_cast<double>(in_layer));
  }
  const Vec3 corner(static_cast<double>(site % nx_), static_cast<double>(site / nx_),
                    static_cast<double>(layer));
  const Vec3 play = (cell_.array() - 2.0 * radius).max(0.0);
  return low_ + (corner + Vec3::Constant(0.5)).cwiseProduct(cell_) +
         (random - Vec3::Constant(0.5)).cwiseProduct(play);
}

}  // namespace scree
