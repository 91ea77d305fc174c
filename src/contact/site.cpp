#include "scree/contact/site.hpp"

#include <utility>

#include "scree/bodies/inertia.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree {
namespace {

/// 1/m of the body in @p slot against an impulse along @p normal at @p arm, 1/kg.
double per_mass_of(const Store& store, std::int32_t slot, const Vec3& normal, const Vec3& arm) {
  if (store.is_prescribed(slot)) return 0.0;
  if (store.shape[slot].is<Sphere>()) return 1.0 / store.mass[slot];
  Vec6 row;
  row << normal, arm.cross(normal);
  return row.dot(inverse_mass_of(store, slot, own_inertia(store, slot)) * row);
}

}  // namespace

double bent_radius(const Store& store, std::int32_t slot) {
  const bool is_round = !store.is_tool(slot) || store.shape[slot].is<Sphere>();
  return is_round ? equal_volume_radius(store, slot) : kFlat;
}

ContactSite site_of(const Store& store, const Contact& contact) {
  const auto& [a, b] = std::pair(contact.a, contact.b);
  const double per_mass = per_mass_of(store, a, contact.normal, contact.arm_a) +
                          per_mass_of(store, b, contact.normal, contact.arm_b);
  return {
      .radius_a = bent_radius(store, a), .radius_b = bent_radius(store, b), .mass = 1.0 / per_mass};
}

}  // namespace scree
