#pragma once

/// How far the bodies of a pair go in a step, by facts of each body that all its pairs ask for.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/instructions.hpp"
#include "scree/contact/passing.hpp"
#include "scree/contact/sides.hpp"

namespace scree {

/// The velocity of A's contact point against B's, m/s.
SCREE_INLINE Vec3 relative_velocity(const Contact& contact, std::span<const Vec6> velocities) {
  const auto at = [&](std::int32_t slot, const Vec3& arm) -> Vec3 {
    const Vec6& v = velocities[static_cast<std::size_t>(slot)];
    return v.head<3>() + v.tail<3>().cross(arm);
  };
  return at(contact.a, contact.arm_a) - at(contact.b, contact.arm_b);
}

/// How fast a @p spin, rad/s, moves the surface of the body in @p slot, which has this @p
/// orientation, at most, m/s.
double surface_speed(const Store& store, std::int32_t slot, const Quat& orientation,
                     const Vec3& spin);

class PairWays {
 public:
  PairWays(const Store& store, const Ends& ends, double dt);

  /// The smaller inscribed radius, m.
  SCREE_INLINE double size(std::int32_t a, std::int32_t b) const {
    return std::min(bodies_[a].size, bodies_[b].size);
  }
  /// How far the surfaces of the pair may come other than past the planes of its points, by turning
  /// or along a mesh or a clump, m.
  SCREE_INLINE double turning(std::int32_t a, std::int32_t b) const {
    const double far = bodies_[a].turning + bodies_[b].turning;
    return bodies_[a].is_clump || bodies_[b].has_parts ? far + along(a, b) : far;
  }
  /// How far they may come against a wall that is around one of them, m; 0 where none is.
  SCREE_INLINE double around(std::int32_t a, std::int32_t b) const {
    if (!is_in_wall(store_, a, b)) return 0.0;
    return bodies_[a].turning + bodies_[b].turning + linear(a, b);
  }

 private:
  struct Body {
    double size;     ///< the inscribed radius, m
    double turning;  ///< how far it goes as it turns, m
    bool is_clump;
    bool has_parts;  ///< a clump or a mesh
  };

  double linear(std::int32_t a, std::int32_t b) const;

  /// The way of the two against each other, m; 0 where B has neither parts nor a hull.
  double along(std::int32_t a, std::int32_t b) const;

  const Store& store_;
  const Ends& ends_;
  double dt_;
  std::vector<Body> bodies_;  ///< of each slot
};

}  // namespace scree
