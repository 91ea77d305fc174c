#pragma once

/// Clusters of balls in the place of smooth bodies, for detection alone ("multisphere",
/// geometry/shapes/ball_cluster.hpp).
///
/// A grain goes on to be what its shape says: its volume, inertia, drag, box and picture are the
/// smooth body's. What it touches other bodies with are the balls, which lie within it.
///
/// | shape | touches with |
/// | --- | --- |
/// | spheroid longer than wide, capsule, ring | n balls |
/// | sphere, walls and tools | itself |
/// | anything else | is refused |

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/contact/surfaces.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/shapes/ball_cluster.hpp"

namespace scree {

/// @p n balls instead of @p shape; none for a sphere, which is its own only ball.
/// @throws InputError, with the reason, for a shape that such balls do not fill, or not that many.
/// Not collective.
std::optional<BallCluster> balls_of(const Shape& shape, int n);

/// Why @p n balls cannot stand for @p shape; empty when they can. Not collective.
std::string fault_of_balls(const Shape& shape, int n);

/// The surfaces of bodies whose grains are balls, for as long as no body changes its slot or its
/// shape.
class BallTwins {
 public:
  /// @pre no grain of @p store has a fault_of_balls(). Not collective.
  BallTwins(const Store& store, int n);

  Surfaces surfaces() const { return {shapes_, library_}; }

 private:
  std::vector<Shape> shapes_;  ///< one for each slot
  ShapeLibrary library_;       ///< the store's, and the clusters
};

}  // namespace scree
