#include "single.hpp"

namespace scree {

std::vector<Contact> SingleConstraints::find(const Store& bodies, const std::vector<Pair>& pairs,
                                             const Reach& reach) const {
  std::vector<Contact> contacts = narrowphase(bodies, pairs, reach);
  std::size_t kept = 0;
  for (const Contact& contact : contacts) {
    if (kept > 0 && of_one_pair(contacts[kept - 1].key, contact.key)) {
      if (contact.gap < contacts[kept - 1].gap) contacts[kept - 1] = contact;
    } else {
      contacts[kept++] = contact;
    }
    contacts[kept - 1].sharing = 1.0;
  }
  contacts.resize(kept);
  return contacts;
}

}  // namespace scree
