#pragma once

/// Results of collision detection: pairs of slots, then contacts.

#include <compare>
#include <cstdint>
#include <tuple>

#include "scree/base/math.hpp"

namespace scree {

/// Two slots of the store whose boxes meet; the id in `a` is the lower.
struct Pair {
  std::int32_t a;
  std::int32_t b;
  auto operator<=>(const Pair&) const = default;
};

/// Names a contact from step to step and from rank to rank.
struct ContactKey {
  std::int64_t id_a = 0;
  std::int64_t id_b = 0;
  std::int64_t feature = 0;  ///< tells several contacts of a pair apart
  std::int32_t image = 0;    ///< image_code() of B's image against A, had space not repeated
  std::int32_t recursion =
      0;  ///< that found it within a step (step/recursion.hpp); 0: at its start

  bool operator==(const ContactKey&) const = default;
  /// Contacts of a pair and image follow each other.
  std::strong_ordering operator<=>(const ContactKey& other) const {
    return std::tie(id_a, id_b, image, feature, recursion) <=>
           std::tie(other.id_a, other.id_b, other.image, other.feature, other.recursion);
  }
};

/// Whether two contacts, or their records, are points of one pair.
inline bool of_one_pair(const ContactKey& a, const ContactKey& b) {
  return a.id_a == b.id_a && a.id_b == b.id_b && a.image == b.image;
}

/// The part of the key that all points of one pair share: its ids and the image.
using PairKey = std::tuple<std::int64_t, std::int64_t, std::int32_t>;
inline PairKey pair_of(const ContactKey& key) {
  return {key.id_a, key.id_b, key.image};
}

/// A periodic image as one number: 0 is the body itself. Images 1024 periods apart share theirs.
inline std::int32_t image_code(const Vec3i& image) {
  const auto part = [&image](int axis) { return image[axis] & 1023; };
  return part(0) | part(1) << 10 | part(2) << 20;
}

/// A right-handed triad of unit vectors, world frame.
struct ContactFrame {
  Vec3 normal;
  Vec3 tangent1;
  Vec3 tangent2;
};

/// The tangents of frame_of(), number by number. Without branches: normals point anywhere, and
/// lanes hold many (problem/frame_block.hpp).
struct Tangents {
  double x1, y1, z1, x2, y2, z2;
};
inline Tangents tangents_of(double x, double y, double z) {
  const double h = x * x + y * y;
  const bool below = z < 0.0;
  const bool straight_down = below && h < 1e-280;
  const double divisor = below ? h : 1.0 + z;
  const double a = (below ? 1.0 - z : 1.0) / (straight_down ? 1.0 : divisor);
  return {1.0 - x * x * a, -x * y * a, -x, -x * y * a, straight_down ? -1.0 : 1.0 - y * y * a, -y};
}

/// The frame of a contact with this @p normal: the rotation that takes e_z to n by the shortest
/// way, applied to e_x and e_y, so that tangents turn smoothly with the normal everywhere but at
/// -e_z,
///
///     t1 = (1 - x^2 a, -x y a, -x),   t2 = (-x y a, 1 - y^2 a, -y),   a = 1 / (1 + z)
///
/// with 1 + z = (x^2 + y^2) / (1 - z) below the equator, where 1 + z itself would lose its digits.
inline ContactFrame frame_of(const Vec3& normal) {
  const Tangents t = tangents_of(normal.x(), normal.y(), normal.z());
  return {normal, Vec3(t.x1, t.y1, t.z1), Vec3(t.x2, t.y2, t.z2)};
}

/// A potential contact of body A (the lower id) with body B; see DESIGN, "The problem, once".
/// The contact point is one for both, so that the impulses +lambda and -lambda have no moment
/// together, and angular momentum is conserved: halfway across the gap between grains; the grain's
/// own surface point against walls and tools, whose motion no impulse changes.
///
/// Those of a step are kept in blocks (contact_list.hpp). Tangents follow from the normal.
struct Contact {
  Vec3 normal;     ///< unit, from B to A, world frame
  double gap;      ///< phi, m; positive when apart
  std::int32_t a;  ///< slot of A: an owned or ghost grain
  std::int32_t b;  ///< slot of B: a grain or a tool
  Vec3 arm_a;      ///< from A's centre to the contact point, m
  Vec3 arm_b;      ///< from B's centre to the contact point, m
  ContactKey key;
  double sharing =
      1.0;  ///< among how many contacts of the pair its stiffness is shared (sharing.hpp)
  /// Apart by more than both margins: known for the predicted path alone, which leads to a touch.
  bool on_path = false;

  ContactFrame frame() const { return frame_of(normal); }
};

}  // namespace scree
