#include "parting_planes.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pairs/features.hpp"
#include "scree/geometry/shapes/clump.hpp"
#include "scree/geometry/shapes/plane.hpp"
#include "scree/geometry/shapes/ring.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree {
namespace {

/// The convex hull of a part where its body is at a pose: the part itself unless it is a ring.
struct PlacedHull {
  PlacedHull(const PartOfBody& part, const Pose& body, const ShapeLibrary& shapes)
      : shape(part.shape),
        library(shapes),
        pose{body.to_world(part.own.position), body.orientation * part.own.orientation} {}

  /// h along the unit vector @p direction, from the body's position, m.
  double support(const Vec3& direction) const {
    const Vec3 own = pose.orientation.conjugate() * direction;
    if (const auto* ring = shape.get_if<Ring>()) {
      return ring->major_radius * own.head<2>().norm() + ring->minor_radius;
    }
    return own.dot(scree::support(shape, own, library));
  }

  const Shape& shape;
  const ShapeLibrary& library;
  Pose pose;
};

/// The part of the body in @p slot that has the feature @p feature of a contact point.
PartOfBody part_of(const Store& store, std::int32_t slot, std::int64_t feature) {
  const auto* clump = store.shape[slot].get_if<Clump>();
  if (clump == nullptr) return {store.shape[slot], Pose{}};
  const ScaledClump body = store.shapes->geometry_of(*clump);
  const std::size_t i = ScaledClump::part_of_feature(feature);
  return {body.part(i), body.pose_of(i, Pose{})};
}

}  // namespace

Vec3 shift_of(const Store& store, const Contact& contact, const PeriodicCell& cell) {
  Vec3 shift = Vec3::Zero();
  if (!store.is_tool(contact.b)) return shift;
  const Vec3 apart =
      store.position[contact.a] + contact.arm_a - contact.arm_b - store.position[contact.b];
  for (int axis = 0; axis < 3; ++axis) {
    if (!cell.repeats(axis)) continue;
    shift[axis] = cell.period[axis] * std::round(apart[axis] / cell.period[axis]);
  }
  return shift;
}

std::vector<std::vector<Contact>> by_parts(const Store& store, std::span<const Contact> contacts) {
  const auto part_on = [&store](std::int32_t slot, std::int64_t feature) {
    return store.shape[slot].is<Clump>() ? ScaledClump::part_of_feature(feature) : std::size_t{0};
  };
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Contact>> parts;
  for (const Contact& contact : contacts) {
    const std::int64_t feature = contact.key.feature;
    parts[{part_on(contact.a, feature_of_a(feature)), part_on(contact.b, feature_of_b(feature))}]
        .push_back(contact);
  }
  std::vector<std::vector<Contact>> found;
  for (auto& [key, of_parts] : parts) found.push_back(std::move(of_parts));
  return found;
}

PartingPlanes::PartingPlanes(const Store& store, const PairContacts& pair, const PeriodicCell& cell)
    : store_(store),
      pair_(pair),
      a_(pair.contacts[0].a),
      b_(pair.contacts[0].b),
      part_a_(part_of(store, a_, feature_of_a(pair.contacts[0].key.feature))),
      part_b_(part_of(store, b_, feature_of_b(pair.contacts[0].key.feature))),
      shift_(shift_of(store, pair.contacts[0], cell)) {}

double PartingPlanes::apart(const Pose& pose_a, const Pose& pose_b) const {
  const PlacedHull a(part_a_, pose_a, *store_.shapes);
  const PlacedHull b(part_b_, pose_b, *store_.shapes);
  const Vec3 between = a.pose.position - b.pose.position - shift_;
  if (b.shape.is<Plane>()) {
    const Vec3 n = pose_b.orientation * Vec3::UnitZ();
    return n.dot(between) - a.support(-n);
  }
  const Quat with_a = pose_a.orientation * store_.orientation[a_].conjugate();
  const Quat with_b = pose_b.orientation * store_.orientation[b_].conjugate();
  double furthest = -std::numeric_limits<double>::infinity();
  for (const Contact& contact : pair_.contacts) {
    for (const Vec3& n :
         {contact.normal, Vec3(with_a * contact.normal), Vec3(with_b * contact.normal)}) {
      furthest = std::max(furthest, n.dot(between) - a.support(-n) - b.support(n));
    }
  }
  return furthest;
}

}  // namespace scree
