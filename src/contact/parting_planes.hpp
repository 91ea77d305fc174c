#pragma once

/// Facts of a pair of bodies that tell whether a step may bring one past the other.

#include <cstdint>
#include <span>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/contact/contact_list.hpp"
#include "scree/geometry/periodic.hpp"
#include "scree/geometry/pose.hpp"

namespace scree {

/// The shift of the image of B that @p contact is with: grains' images have slots of their own,
/// tools' do not.
Vec3 shift_of(const Store& store, const Contact& contact, const PeriodicCell& cell);

/// Whether a shape has a convex hull that tells where it is: convex ones and rings.
bool has_hull(const Shape& shape);

/// Whether a pair may meet with parts of clumps of which it has no point, and pass.
bool has_parts(const Store& store, std::int32_t a, std::int32_t b);

/// The contacts of one pair.
struct PairContacts {
  ContactView contacts;
  double lowest_gap;  ///< that its springs leave it at the end, 0 of a rigid pair; m
  /// Whether it is looked at only since a wall falls behind the planes of its points.
  bool is_behind_planes_alone = false;
};

/// A pair of bodies with hulls, or of one with a plane.
class PartingPlanes {
 public:
  PartingPlanes(const Store& store, const PairContacts& pair, const PeriodicCell& cell);

  /// Has planes with the unit normal @p normal, from B to A at the start, tried, too.
  void add(const Vec3& normal);

  /// The largest distance between two planes that part them where they are at the start, m;
  /// negative, the depth by which the best of them fails.
  double apart_at_start() const;

  /// The largest distance between two planes that part them at @p pose_a and @p pose_b, m, by the
  /// best normal of the start and those that fail there by no more than @p most, m.
  double apart(const Pose& pose_a, const Pose& pose_b, double most) const;

 private:
  struct Normal {
    Vec3 n;
    double apart_at_start;  ///< m
  };

  /// The distance between planes with the unit normal @p n, m.
  double between(const Vec3& n, const Pose& pose_a, const Pose& pose_b) const;

  const Store& store_;
  std::int32_t a_;
  std::int32_t b_;
  Vec3 shift_;
  std::vector<Normal> normals_;
};

}  // namespace scree
