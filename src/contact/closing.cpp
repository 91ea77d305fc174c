#include "scree/contact/closing.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>

#include "parting_planes.hpp"
#include "scree/contact/penetration.hpp"
#include "scree/contact/reach.hpp"
#include "scree/geometry/shapes/clump.hpp"
#include "scree/geometry/shapes/mesh.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree {
namespace {

/// Largest angle that a body other than a ball may turn by, rad.
constexpr double kMostTurn = 1.5;

Vec3 predicted_at(const Store& store, std::int32_t slot, const Vec3& arm) {
  return predicted_velocity(store, slot) + store.angular_velocity[slot].cross(arm);
}

/// How far a point of one body may come against the other, m.
double way_of(const Store& store, const Contact& contact, double dt) {
  double speed =
      (predicted_velocity(store, contact.a) - predicted_velocity(store, contact.b)).norm();
  for (const std::int32_t slot : {contact.a, contact.b}) {
    const double spin = store.angular_velocity[slot].norm();
    if (spin > 0.0) speed += spin * spin_radius(store.shape[slot], *store.shapes);
  }
  return dt * speed;
}

/// Whether what is free beside B is not on one side of the contact's plane alone.
bool is_concave(const Store& store, std::int32_t a, std::int32_t b) {
  if (store.is_tool(b)) {  // seldom: grains, which are anywhere in memory, are not looked at
    const Shape& other = store.shape[b];
    if (hole_of(other) != nullptr || other.is<Mesh>()) return true;
  }
  return has_parts(store, a, b);
}

/// The gap that @p contact closes, or the travel that a hole, mesh or clump does not allow, m; 0
/// where it does neither.
double closed_gap(const Store& store, const Contact& contact, double dt) {
  const Vec3 relative =
      predicted_at(store, contact.a, contact.arm_a) - predicted_at(store, contact.b, contact.arm_b);
  const bool closes = -dt * contact.normal.dot(relative) > contact.gap;
  double gap = closes ? contact.gap : 0.0;
  if (has_parts(store, contact.a, contact.b)) return std::max(gap, way_of(store, contact, dt));
  if (is_concave(store, contact.a, contact.b)) {
    // about its axis a hole turns into itself, a mesh does not
    const bool is_hole = hole_of(store.shape[contact.b]) != nullptr;
    const Vec3 wall = is_hole ? predicted_velocity(store, contact.b)
                              : predicted_at(store, contact.b, contact.arm_b);
    gap = std::max(gap, dt * (predicted_velocity(store, contact.a) - wall).norm());
    // what turns goes along the wall with its corners; a ball meets it alike however it turns
    const bool is_ball = store.shape[contact.a].is<Sphere>();
    const Vec3 corner = predicted_at(store, contact.a, contact.arm_a) - wall;
    if (!is_ball) gap = std::max(gap, dt * corner.norm());
    // of a clump a corner that has no point may go furthest
    if (store.shape[contact.a].is<Clump>()) {
      const double spin = store.angular_velocity[contact.a].norm();
      const double own = (predicted_velocity(store, contact.a) - wall).norm();
      gap = std::max(gap, dt * (own + spin * spin_radius(store.shape[contact.a], *store.shapes)));
    }
  }
  return gap;
}

/// How far @p there reaches out of @p known, m; where both have no end, not at all.
double furthest_beyond(const Box3& known, const Box3& there) {
  double out = -std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    for (const double beyond :
         {known.low[axis] - there.low[axis], there.high[axis] - known.high[axis]}) {
      if (beyond > out) out = beyond;  // not where it is no number
    }
  }
  return out;
}

Travel travel_of(const Store& store, std::int32_t slot, double share, double speed) {
  return {share, speed, store.id[slot], store.position[slot]};
}

}  // namespace

Travel furthest_closing(const Store& store, const ContactList& contacts, double smallest_radius,
                        double dt) {
  Travel furthest;
  const std::span<const ContactBlock> blocks = contacts.blocks();
  const ContactView view(contacts);
  const bool any_on_path = contacts.any_on_path();
  const double narrow = kWidestClosing * smallest_radius;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ContactBlock& block = blocks[i / kBlock];
    const std::size_t k = i % kBlock;
    const bool on_path = any_on_path && view.on_path(i);
    if (block.gap[k] <= narrow && !on_path && !is_concave(store, block.a[k], block.b[k])) continue;
    const Contact contact = contacts[i];
    const double widest = kWidestClosing * smaller_radius(store, contact.a, contact.b);
    double share = closed_gap(store, contact, dt) / widest;
    if (contact.on_path) share = std::max(share, kTooFar);
    if (!(share > furthest.share)) continue;
    const double speed = predicted_velocity(store, contact.a).norm();
    furthest = travel_of(store, contact.a, share, speed);
  }
  return furthest;
}

Travel furthest_out(const Store& store, std::span<const double> end_velocity,
                    double smallest_radius, double dt, bool stay_inside) {
  Travel furthest;
  for_each_row(store, std::ssize(end_velocity) / 6, [&](std::int32_t slot, std::int64_t row) {
    const double* end = &end_velocity[6 * row];
    const Vec3 velocity(end);
    const Vec3 spin(end + 3);
    const double turning = spin_radius(store.shape[slot], *store.shapes);
    const double turned = turning > 0.0 && !spin.isZero(0.0) ? turning * spin.norm() : 0.0;
    const double most = velocity.norm() + turned;
    const bool turns = dt * turned > kTurningOut * smallest_radius;
    const double allowed = turns ? kTurningOut : kFurthestOut;
    if (!(dt * most > allowed * smallest_radius)) return;
    const Pose moved_to = moved(pose_of(store, slot), velocity, spin, dt);
    const Box3 there = box_of(store.shape[slot], moved_to, *store.shapes);
    const Box3& known = store.box[slot];
    const double out = furthest_beyond(known, there);
    // what turns by more than a right angle may come back into the box
    const bool far_round = turning > 0.0 && dt * spin.norm() > kMostTurn;
    // grains are what a tool must not pass
    const double size = store.is_tool(slot) ? smallest_radius : inscribed_radius(store, slot);
    double share = out / (allowed * size);
    if (far_round || (stay_inside && out > 0.0)) share = kTooFar;
    if (share > furthest.share) furthest = travel_of(store, slot, share, most);
  });
  return furthest;
}

}  // namespace scree
