#pragma once

/// Planes between two bodies, by which it is known whether a step brought one past the other.

#include <cstdint>
#include <span>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/contact/contact.hpp"
#include "scree/geometry/periodic.hpp"
#include "scree/geometry/pose.hpp"

namespace scree {

/// The shift of the image of B that @p contact is with: grains' images have slots of their own,
/// tools' do not.
Vec3 shift_of(const Store& store, const Contact& contact, const PeriodicCell& cell);

/// A convex body or ring, or the part of a clump: its shape, and its place in the body's frame.
struct PartOfBody {
  Shape shape;
  Pose own;
};

/// The contacts of one pair.
struct PairContacts {
  std::span<const Contact> contacts;
  double lowest_gap;  ///< that its springs leave it at the end, 0 of a rigid pair; m
};

/// The contacts of each pair of parts of a pair of bodies of which one is a clump.
std::vector<std::vector<Contact>> by_parts(const Store& store, std::span<const Contact> contacts);

/// A pair of bodies with hulls, or of one with a plane: of clumps a pair of parts, the one that the
/// first contact is of.
class PartingPlanes {
 public:
  PartingPlanes(const Store& store, const PairContacts& pair, const PeriodicCell& cell);

  /// The largest distance between two planes that part them where they stand at @p pose_a and
  /// @p pose_b, m; negative, the depth by which the best of them fails.
  double apart(const Pose& pose_a, const Pose& pose_b) const;
  double apart_at_start() const { return apart(pose_of(store_, a_), pose_of(store_, b_)); }

 private:
  const Store& store_;
  PairContacts pair_;
  std::int32_t a_;
  std::int32_t b_;
  PartOfBody part_a_;
  PartOfBody part_b_;
  Vec3 shift_;
};

}  // namespace scree
