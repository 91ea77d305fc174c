#include "scree/contact/sides.hpp"

#include <algorithm>

#include "scree/contact/passing.hpp"
#include "scree/contact/penetration.hpp"
#include "scree/geometry/shapes/ring.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "scree/geometry/shapes/sphere.hpp"

namespace scree {
namespace {

/// Part of the radius that an impulse must move a grain by in the step, to count as more than what
/// a solve leaves.
constexpr double kMoves = 1e-6;
/// An open contact may be left an impulse that gives a body the solve's velocity error.
constexpr double kSure = 2.0;

/// Whether the wall of the body may be around another.
bool is_around(const Store& store, std::int32_t slot) {
  const Shape& shape = store.shape[slot];
  return shape.is<Ring>() || (store.is_tool(slot) && hole_of(shape) != nullptr);
}

/// Whether a contact of @p pair, all contacts of a ball in a wall, is known at the start as another
/// side than the nearest.
bool is_apart_side(const Store& store, ContactView pair, const Contact& contact) {
  const double apart = kApartAtStart * smaller_radius(store, contact.a, contact.b);
  if (contact.gap <= apart || contact.key.recursion > 0) return false;
  return std::ranges::any_of(pair, [&](const Contact& nearer) { return nearer.gap < contact.gap; });
}

/// Whether @p impulse moves a body of the contact, N s, by more than what a solve leaves.
bool moves(const Store& store, const Contact& contact, double impulse, const SolvedStep& step) {
  const double mass = std::min(store.mass[contact.a], store.mass[contact.b]);
  const double way = kMoves * smaller_radius(store, contact.a, contact.b);
  return impulse > mass * std::max(way / step.dt, kSure * step.velocity_error);
}

Travel travel_of(const Store& store, std::int32_t slot) {
  return {kTooFar, store.velocity[slot].norm(), store.id[slot], store.position[slot]};
}

}  // namespace

bool is_in_wall(const Store& store, std::int32_t a, std::int32_t b) {
  return is_around(store, a) || is_around(store, b);
}

bool is_ball_in_wall(const Store& store, std::int32_t a, std::int32_t b) {
  return (store.shape[a].is<Sphere>() && is_around(store, b)) ||
         (store.shape[b].is<Sphere>() && is_around(store, a));
}

bool any_around(const Store& store) {
  for (std::int32_t slot = 0; slot < store.size(); ++slot) {
    if (is_around(store, slot)) return true;
  }
  return false;
}

bool any_goes_far_in_wall(const Store& store, std::span<const double> end_velocity,
                          double smallest_radius, double dt) {
  if (!any_around(store)) return false;
  // ways along a wall that are not looked at add up from part to part
  constexpr double kShort = 0.25;
  double of_walls = 0.0;
  for (std::int32_t slot = 0; slot < store.first_owned(); ++slot) {
    if (!store.is_prescribed(slot) || !is_around(store, slot)) continue;
    const Vec3 spin =
        surface_spin(store.shape[slot], store.orientation[slot], store.angular_velocity[slot]);
    if (!spin.isZero(0.0)) return true;
    of_walls = std::max(of_walls, store.velocity[slot].norm());
  }
  double fastest = 0.0;
  for (std::size_t row = 0; row < end_velocity.size(); row += 6) {
    fastest = std::max(fastest, Vec3::Map(&end_velocity[row]).norm());
  }
  return dt * (of_walls + fastest) > kShort * kDeepest * smallest_radius;
}

Travel furthest_on_sides(const Store& store, ContactView contacts,
                         std::span<const double> normal_impulses, const SolvedStep& step) {
  for (std::size_t first = 0, end = 0; first < contacts.size(); first = end) {
    end = first + 1;
    if (!is_ball_in_wall(store, contacts.a(first), contacts.b(first))) continue;
    while (end < contacts.size() && of_one_pair(contacts.key(first), contacts.key(end))) ++end;
    const ContactView pair = contacts.part(first, end - first);
    for (std::size_t i = 0; i < pair.size(); ++i) {
      const Contact contact = pair[i];
      if (moves(store, contact, normal_impulses[first + i], step) &&
          is_apart_side(store, pair, contact)) {
        return travel_of(store, contact.a);
      }
    }
  }
  return {};
}

}  // namespace scree
