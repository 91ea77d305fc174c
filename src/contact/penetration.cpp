#include "scree/contact/penetration.hpp"

#include <algorithm>

namespace scree {

double smaller_radius(const Store& store, std::int32_t a, std::int32_t b) {
  const double of_a = inscribed_radius(store, a);
  return store.is_tool(b) ? of_a : std::min(of_a, inscribed_radius(store, b));
}

Penetration penetration(const Store& store, ContactView contacts) {
  Penetration worst;
  for (const Contact& contact : contacts) {
    if (contact.gap >= 0.0) continue;
    const double relative = -contact.gap / smaller_radius(store, contact.a, contact.b);
    if (relative > worst.relative) worst = {relative, -contact.gap, contact.a, contact.b};
  }
  return worst;
}

}  // namespace scree
