#include "scree/contact/penetration.hpp"

#include <algorithm>

namespace scree {

Penetration penetration(const Store& store, std::span<const Contact> contacts) {
  Penetration worst;
  for (const Contact& contact : contacts) {
    if (contact.gap >= 0.0) continue;
    double smaller = radius(store, contact.a);
    if (!store.is_tool(contact.b)) smaller = std::min(smaller, radius(store, contact.b));
    const double relative = -contact.gap / smaller;
    if (relative > worst.relative) worst = {relative, -contact.gap, contact.a, contact.b};
  }
  return worst;
}

}  // namespace scree
