#include "single.hpp"

#include <optional>

#include "scree/contact/contact_builder.hpp"

namespace scree {

ContactList SingleConstraints::find(const Store& bodies, const std::vector<Pair>& pairs,
                                    const Reach& reach) const {
  ContactList all = narrowphase(bodies, pairs, reach);
  if (ContactView(all).are_single() && !all.any_shared()) return all;
  ContactBuilder deepest(bodies.id, all.size());
  std::optional<Contact> of_pair;
  for (Contact contact : all) {
    contact.sharing = 1.0;
    const bool is_next = of_pair && !of_one_pair(of_pair->key, contact.key);
    if (is_next) deepest.add(*of_pair, all.are_of_balls());
    if (!of_pair || is_next || contact.gap < of_pair->gap) of_pair = contact;
  }
  if (of_pair) deepest.add(*of_pair, all.are_of_balls());
  return deepest.take();
}

}  // namespace scree
