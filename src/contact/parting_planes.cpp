#include "parting_planes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/shapes/clump.hpp"
#include "scree/geometry/shapes/plane.hpp"
#include "scree/geometry/shapes/ring.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree {
namespace {

/// The convex hull of a body at a pose: a body itself unless it is a ring.
struct PlacedHull {
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

bool has_hull(const Shape& shape) {
  return is_convex_body(shape) || shape.is<Ring>();
}

bool has_parts(const Store& store, std::int32_t a, std::int32_t b) {
  // asked of each contact: bodies, which are anywhere in memory, are looked at only where there are
  // clumps
  if (store.shapes->clumps().empty()) return false;
  const Shape& other = store.shape[b];
  return other.is<Clump>() || (store.shape[a].is<Clump>() && has_hull(other));
}

PartingPlanes::PartingPlanes(const Store& store, const PairContacts& pair, const PeriodicCell& cell)
    : store_(store),
      a_(pair.contacts[0].a),
      b_(pair.contacts[0].b),
      shift_(shift_of(store, pair.contacts[0], cell)) {
  if (store.shape[b_].is<Plane>()) {  // rows of later recursions have the normal that it comes to
    add(store.orientation[b_] * Vec3::UnitZ());
    return;
  }
  normals_.reserve(pair.contacts.size() + 1);
  for (const Contact& contact : pair.contacts) add(contact.normal);
}

void PartingPlanes::add(const Vec3& normal) {
  normals_.push_back({normal, between(normal, pose_of(store_, a_), pose_of(store_, b_))});
}

double PartingPlanes::between(const Vec3& n, const Pose& pose_a, const Pose& pose_b) const {
  const PlacedHull a{store_.shape[a_], *store_.shapes, pose_a};
  const PlacedHull b{store_.shape[b_], *store_.shapes, pose_b};
  const double apart = n.dot(pose_a.position - pose_b.position - shift_) - a.support(-n);
  return b.shape.is<Plane>() ? apart : apart - b.support(n);
}

double PartingPlanes::apart_at_start() const {
  return std::ranges::max(normals_, {}, &Normal::apart_at_start).apart_at_start;
}

double PartingPlanes::apart(const Pose& pose_a, const Pose& pose_b, double most) const {
  if (store_.shape[b_].is<Plane>()) {
    return between(pose_b.orientation * Vec3::UnitZ(), pose_a, pose_b);
  }
  const double least = std::min(-most, apart_at_start());
  const Quat with_a = pose_a.orientation * store_.orientation[a_].conjugate();
  const Quat with_b = pose_b.orientation * store_.orientation[b_].conjugate();
  double furthest = -std::numeric_limits<double>::infinity();
  for (const auto& [normal, at_start] : normals_) {
    if (at_start < least) continue;
    for (const Vec3& n : {normal, Vec3(with_a * normal), Vec3(with_b * normal)}) {
      furthest = std::max(furthest, between(n, pose_a, pose_b));
    }
  }
  return furthest;
}

}  // namespace scree
