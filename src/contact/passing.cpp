#include "scree/contact/passing.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include "pair_ways.hpp"
#include "parting_planes.hpp"
#include "scree/contact/penetration.hpp"
#include "scree/contact/sides.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/linking.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"
#include "scree/geometry/shapes/clump.hpp"
#include "scree/geometry/shapes/mesh.hpp"
#include "scree/geometry/shapes/ring.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree {
namespace {

/// The share of a pair of which it is not known where it is.
constexpr double kNotFound = std::numeric_limits<double>::infinity();

bool is_ring(const Store& store, std::int32_t slot) {
  return store.shape[slot].is<Ring>();
}

/// Whether no plane parts what is beside the shape from it.
bool is_concave(const Shape& shape) {
  return hole_of(shape) != nullptr || shape.is<Mesh>() || shape.is<Clump>();
}

/// Whether it is known of the pair how deep it is.
bool is_judged(const Store& store, const Contact& contact) {
  const Shape& a = store.shape[contact.a];
  const Shape& b = store.shape[contact.b];
  return (has_hull(a) || a.is<Clump>()) && (has_hull(b) || b.is<Plane>() || is_concave(b));
}

/// How far the points of the pair go along each other, m.
double sliding(const PairContacts& pair, const Ends& ends, double dt) {
  double furthest = 0.0;
  for (const Contact& contact : pair.contacts) {
    furthest = std::max(furthest, dt * relative_velocity(contact, ends.velocities).norm());
  }
  return furthest;
}

/// The points of the pair of @p contact where A has the pose @p a, and B, but for its image, @p b.
Manifold points_at(const Store& store, const Contact& contact, const PeriodicCell& cell,
                   const Pose& a, Pose b) {
  b.position += shift_of(store, contact, cell);
  return contacts_between(store.shape[contact.a], a, store.shape[contact.b], b, *store.shapes, 0.0);
}

Manifold points_at_start(const Store& store, const Contact& contact, const Ends& ends) {
  return points_at(store, contact, ends.cell, pose_of(store, contact.a), pose_of(store, contact.b));
}

/// The points of the pair where the step brings it.
Manifold points_at_end(const Store& store, const Contact& contact, const Ends& ends) {
  return points_at(store, contact, ends.cell, ends.poses[contact.a], ends.poses[contact.b]);
}

/// Adds the plane that parts a convex pair best where it is at the start: its rows may have become
/// those of later recursions of relcp, whose normals are of where these brought the pair.
/// @returns whether it was found.
bool add_plane_of_start(const Store& store, const Contact& contact, const Ends& ends,
                        PartingPlanes& planes) {
  const Manifold points = points_at_start(store, contact, ends);
  if (points.status != SeparationStatus::solved) return false;
  planes.add(points.deepest().normal);
  return true;
}

/// The gap of the pair where the step brings it, m; endlessly deep where it was not found.
double gap_at_end(const Store& store, const Contact& contact, const Ends& ends) {
  const Manifold points = points_at_end(store, contact, ends);
  const bool is_known = points.status == SeparationStatus::solved;
  return is_known ? points.deepest().gap : -std::numeric_limits<double>::infinity();
}

/// The gap of the pair at the start, m; 0 where it was not found. Rows of later recursions have
/// others.
double gap_at_start(const Store& store, const Contact& contact, const Ends& ends) {
  const Manifold points = points_at_start(store, contact, ends);
  return points.status == SeparationStatus::solved ? points.deepest().gap : 0.0;
}

/// How far the pair goes, over how far it may.
double share_of(const Store& store, const PairContacts& pair, const PairWays& ways,
                const Ends& ends, double dt) {
  const Contact first = pair.contacts[0];
  const double size = ways.size(first.a, first.b);
  const double most = ends.depth() * size;
  const auto share = [&](double before, double after) {
    return -after / std::max({most, kFurther * size - before, most - pair.lowest_gap});
  };
  const auto share_by_gap = [&] {
    const double after = gap_at_end(store, first, ends);
    return share(-after > most ? gap_at_start(store, first, ends) : 0.0, after);
  };
  if (pair.is_behind_planes_alone) return share_by_gap();
  const Shape& a = store.shape[first.a];
  const Shape& b = store.shape[first.b];
  if (is_concave(a) || is_concave(b)) {
    // a gap does not tell what is past a part
    const double way =
        has_parts(store, first.a, first.b) ? ways.turning(first.a, first.b) / size : 0.0;
    return std::max(share_by_gap(), way / kWidestClosing);
  }
  PartingPlanes planes(store, pair, ends.cell);
  double parted = planes.apart_at_start();
  const bool has_ring = is_ring(store, first.a) || is_ring(store, first.b);
  const bool is_endless = store.shape[first.b].is<Plane>();
  if (parted < -most && !has_ring && !is_endless) {
    if (!add_plane_of_start(store, first, ends, planes)) return kNotFound;
    parted = planes.apart_at_start();
  }
  const bool in_ring = has_ring && !is_endless && parted < -most;
  if (!in_ring) {
    const double after = planes.apart(ends.poses[first.a], ends.poses[first.b], kOtherSide * size);
    const double by_planes = share(parted, after);
    // what goes past another comes through all of its planes by more than that
    const bool may_be_round =
        ends.is_solved && !has_ring && !is_endless && -after <= kOtherSide * size;
    if (by_planes <= 1.0 || !may_be_round) return by_planes;
    return std::min(by_planes, share(parted, gap_at_end(store, first, ends)));
  }
  return std::max(share_by_gap(), sliding(pair, ends, dt) / (kThreaded * size));
}

/// How deep a pair of which the step knows no point is, over how deep it may be.
double share_of_unknown(const Store& store, const Contact& contact, const Ends& ends) {
  const double size =
      std::min(inscribed_radius(store, contact.a), inscribed_radius(store, contact.b));
  return -contact.gap / (ends.depth() * size);
}

Travel travel_of(const Store& store, std::int32_t slot, const Ends& ends, double share) {
  const double spin = ends.velocities[slot].tail<3>().norm();
  const double arm = spin > 0.0 ? spin_radius(store.shape[slot], *store.shapes) : 0.0;
  const double speed = ends.velocities[slot].head<3>().norm() + (arm > 0.0 ? spin * arm : 0.0);
  return {share, speed, store.id[slot], store.position[slot]};
}

}  // namespace

bool any_turns_far(const Store& store, std::span<const double> end_velocity, double smallest_radius,
                   double dt) {
  bool any_concave = !store.shapes->clumps().empty();
  // a prescribed tool that turns counts with every grain near it, and a mesh or clump that goes
  for (std::int32_t slot = 0; slot < store.first_owned(); ++slot) {
    any_concave = any_concave || store.shape[slot].is<Mesh>();
    if (!store.is_prescribed(slot)) continue;
    const Vec3 spin =
        surface_spin(store.shape[slot], store.orientation[slot], store.angular_velocity[slot]);
    if (!spin.isZero(0.0)) return true;
    const bool is_mesh = store.shape[slot].is<Mesh>() || store.shape[slot].is<Clump>();
    if (is_mesh && !store.velocity[slot].isZero(0.0)) return true;
  }
  bool any = false;
  for_each_row(store, std::ssize(end_velocity) / 6, [&](std::int32_t slot, std::int64_t row) {
    if (any) return;
    const double* end = &end_velocity[6 * row];
    const double arm = spin_radius(store.shape[slot], *store.shapes);
    const Vec3 spin(end + 3);
    double speed = arm > 0.0 && !spin.isZero(0.0) ? arm * spin.norm() : 0.0;
    // a ring's hole and the surface of a mesh or clump are no plane's side
    if (is_ring(store, slot) || any_concave) speed += Vec3(end).norm();
    any = !(dt * speed <= kDeepest * smallest_radius);
  });
  return any;
}

Travel furthest_into(const Store& store, ContactView contacts, const std::vector<bool>& yields,
                     const Ends& ends, double dt) {
  Travel furthest;
  const PairWays ways(store, ends, dt);
  for (std::size_t first = 0, end = 0; first < contacts.size(); first = end) {
    end = first + 1;
    if (!ends.is_judged(store, contacts.a(first), contacts.b(first))) continue;
    while (end < contacts.size() && of_one_pair(contacts.key(first), contacts.key(end))) ++end;
    double lowest_gap = 0.0;
    double lowest_rigid = 0.0;
    double nearest = contacts.gap(first);
    for (std::size_t i = first; i < end; ++i) {
      const Contact& contact = contacts[i];
      const double gap =
          contact.gap + dt * contact.normal.dot(relative_velocity(contact, ends.velocities));
      double& lowest = yields[i] ? lowest_gap : lowest_rigid;
      lowest = std::min(lowest, gap);
      nearest = std::min(nearest, contact.gap);
    }
    const Contact contact = contacts[first];
    const double deepest = ends.depth() * ways.size(contact.a, contact.b);
    const bool may_pass = ways.turning(contact.a, contact.b) > deepest || -lowest_rigid > deepest;
    const bool may_be_behind = ways.around(contact.a, contact.b) - nearest > deepest;
    if ((!may_pass && !may_be_behind) || !is_judged(store, contact)) continue;
    const PairContacts pair{contacts.part(first, end - first), lowest_gap, !may_pass};
    const double share = share_of(store, pair, ways, ends, dt);
    if (share > furthest.share) furthest = travel_of(store, contact.a, ends, share);
  }
  return furthest;
}

Travel furthest_of_unknown(const Store& store, ContactView found, const Ends& ends) {
  Travel furthest;
  for (const Contact& contact : found) {
    const double share = share_of_unknown(store, contact, ends);
    if (share > furthest.share) furthest = travel_of(store, contact.a, ends, share);
  }
  return furthest;
}

bool Ends::is_judged(const Store& store, std::int32_t a, std::int32_t b) const {
  if (judged == Judged::all) return true;
  return judged == Judged::in_walls ? is_in_wall(store, a, b) : is_ball_in_wall(store, a, b);
}

std::vector<Contact> too_deep(const Store& store, ContactView found, const Ends& ends) {
  std::vector<Contact> deep;
  for (const Contact& contact : found) {
    if (share_of_unknown(store, contact, ends) > 1.0) deep.push_back(contact);
  }
  return deep;
}

bool any_ring_or_mesh(const Store& store) {
  return std::ranges::any_of(
      store.shape, [](const Shape& shape) { return shape.is<Ring>() || shape.is<Mesh>(); });
}

Travel relinked(const Store& store, std::span<const Pair> pairs, const Ends& ends) {
  const auto circle = [&store](std::int32_t slot, const Pose& pose) {
    return Circle{pose, store.shape[slot].get<Ring>().major_radius};
  };
  for (const auto& [a, b] : pairs) {
    if (!is_ring(store, a) || !is_ring(store, b)) continue;
    const bool before = are_linked(circle(a, pose_of(store, a)), circle(b, pose_of(store, b)));
    const bool after = are_linked(circle(a, ends.poses[a]), circle(b, ends.poses[b]));
    if (before != after) return travel_of(store, a, ends, kTooFar);
  }
  return {};
}

}  // namespace scree
