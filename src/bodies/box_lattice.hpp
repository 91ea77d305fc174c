#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "scree/bodies/groups.hpp"

namespace scree {

/// Sites for grains in a box: cells of a grid, each large enough for the largest grain, which lies
/// anywhere in its cell where it stays inside it; so grains never overlap, whoever places them.
///
/// The cells are as wide as the box allows once their number is chosen, and leave a grain of middle
/// size a play of 15 % of its diameter, less when the count fits only so. Layers fill from below;
/// the sites used in the last layer are spread over it.
class BoxLattice {
 public:
  /// @pre box.count <= capacity(box, largest).
  BoxLattice(const BoxPlaces& box, double smallest, double largest);

  /// How many grains up to the radius @p largest find a site in the box at most.
  static std::int64_t capacity(const BoxPlaces& box, double largest);
  /// Says that they do not, and the remedy.
  static std::string does_not_fit(const BoxPlaces& box, double largest);

  /// Centre of grain @p i, of radius @p radius. @p random: three numbers in [0, 1).
  Vec3 place(std::int64_t i, double radius, const Vec3& random) const;

 private:
  Vec3 low_;
  Vec3 cell_;  ///< edges, m
  std::int64_t count_;
  std::int64_t nx_;
  std::int64_t per_layer_;
};

}  // namespace scree
