#include "scree/step/step_length.hpp"

#include <algorithm>
#include <limits>

#include "scree/contact/resolved_length.hpp"
#include "scree/contact/site.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree {
namespace {

Vec3 velocity_at(const Store& store, std::int32_t slot, const Vec3& arm) {
  return store.velocity[slot] + store.angular_velocity[slot].cross(arm);
}

/// How fast the surface of the body in @p slot may go as it turns, m/s.
double turning_of(const Store& store, std::int32_t slot) {
  const double spin = store.angular_velocity[slot].norm();
  return spin > 0.0 ? spin * spin_radius(store.shape[slot], *store.shapes) : 0.0;
}

/// The speed that what acts on the body in @p slot, but for contacts, gives it in @p whole; @p dt:
/// of the step that free_velocity is of; m/s.
double given_of(const Store& store, std::int32_t slot, double dt, double whole) {
  if (store.is_prescribed(slot)) return 0.0;
  return whole / dt * (store.free_velocity[slot] - store.velocity[slot]).norm();
}

/// Facts of a body that all its contacts ask for. A tool has no radius, and of a wall no point
/// counts but that of the contact.
struct MovingBody {
  double radius = std::numeric_limits<double>::infinity();  ///< inscribed, m
  double turning = 0.0;                                     ///< m/s
  double given = 0.0;                                       ///< m/s
};

/// Those facts of each slot.
std::vector<MovingBody> moving_bodies(const Store& store, double dt, double whole) {
  std::vector<MovingBody> bodies(static_cast<std::size_t>(store.size()));
  for (std::int32_t slot = 0; slot < store.size(); ++slot) {
    MovingBody& body = bodies[slot];
    body.given = given_of(store, slot, dt, whole);
    if (store.is_tool(slot)) continue;
    body.radius = inscribed_radius(store, slot);
    body.turning = turning_of(store, slot);
  }
  return bodies;
}

/// The velocity of what A comes against, m/s: about its axis a hole turns into itself.
Vec3 velocity_of_other(const Store& store, const Contact& contact) {
  const bool is_wall = store.is_tool(contact.b) && hole_of(store.shape[contact.b]) == nullptr;
  return is_wall ? velocity_at(store, contact.b, contact.arm_b) : store.velocity[contact.b];
}

}  // namespace

StepLength::StepLength(double shortest, const ContactLaws& laws, std::int32_t n_materials)
    : shortest_(shortest), n_materials_(n_materials) {
  impacts_.resize(static_cast<std::size_t>(n_materials) * static_cast<std::size_t>(n_materials));
  for (std::int32_t a = 0; a < n_materials; ++a) {
    for (std::int32_t b = 0; b < n_materials; ++b) {
      if (!laws.has(a, b) || !laws.law(a, b).elasticity.compliant()) continue;
      impacts_[a * n_materials + b] = {laws.law(a, b).elasticity, share_of_impact(laws.law(a, b))};
    }
  }
}

double StepLength::longest(const Store& store, ContactView contacts, double dt,
                           double whole) const {
  double longest = std::numeric_limits<double>::infinity();
  const std::vector<MovingBody> bodies = moving_bodies(store, dt, whole);
  for (const Contact& contact : contacts) {
    if (longest <= shortest_) break;  // no step is shorter than the shortest
    const MovingBody& a = bodies[contact.a];
    const MovingBody& b = bodies[contact.b];
    const double radius = std::min(a.radius, b.radius);
    const double speed = (store.velocity[contact.a] - velocity_of_other(store, contact)).norm() +
                         a.turning + b.turning;
    longest = std::min({longest, length_for_travel(speed, radius),
                        longest_of_impact(store, contact, radius, a.given + b.given)});
  }
  return longest;
}

double StepLength::longest_of_impact(const Store& store, const Contact& contact, double radius,
                                     double given) const {
  constexpr double kAny = std::numeric_limits<double>::infinity();
  if (impacts_.empty()) return kAny;
  const auto& [law, share] =
      impacts_[store.material[contact.a] * n_materials_ + store.material[contact.b]];
  if (!law.compliant()) return kAny;
  const Vec3 parting =
      velocity_at(store, contact.a, contact.arm_a) - velocity_at(store, contact.b, contact.arm_b);
  const Approach two{
      .speed = -contact.normal.dot(parting), .gap = contact.gap, .radius = radius, .given = given};
  if (!is_impact(two)) return kAny;
  return length_for_impact(two, law, site_of(store, contact), share);
}

double longest_after(double dt, double resolved) {
  constexpr double kGrowth = 2.0;
  return std::min(kGrowth * dt, resolved);
}

}  // namespace scree
