#include "scree/contact/approach.hpp"

#include "scree/contact/penetration.hpp"
#include "scree/contact/reach.hpp"

namespace scree {
namespace {

Vec3 predicted_at(const Store& store, std::int32_t slot, const Vec3& arm) {
  const auto i = static_cast<std::size_t>(slot);
  return predicted_velocity(store, slot) + store.angular_velocity[i].cross(arm);
}

}  // namespace

Approach fastest_approach(const Store& store, std::span<const Contact> contacts, double dt) {
  Approach fastest;
  for (const Contact& contact : contacts) {
    const Vec3 relative = predicted_at(store, contact.a, contact.arm_a) -
                          predicted_at(store, contact.b, contact.arm_b);
    const double speed = -contact.normal.dot(relative);
    if (!(dt * speed > contact.gap)) continue;
    const double radii = dt * speed / smaller_radius(store, contact);
    if (!(radii > fastest.radii)) continue;
    const auto a = static_cast<std::size_t>(contact.a);
    fastest = {radii, speed, store.id[a], store.position[a]};
  }
  return fastest;
}

}  // namespace scree
