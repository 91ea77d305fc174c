#include "scree/contact/contact_list.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/contact/contact_builder.hpp"
#include "scree/geometry/shapes/sphere.hpp"

namespace scree {
namespace {

/// The id of each slot that @p contacts have, by the first that has it.
std::vector<std::int64_t> ids_of_slots(const std::vector<Contact>& contacts) {
  static constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::min();
  std::vector<std::int64_t> ids;
  const auto tell = [&ids](std::int32_t slot, std::int64_t id) {
    if (slot < 0) return;
    const auto place = static_cast<std::size_t>(slot);
    if (place >= ids.size()) ids.resize(place + 1, kUnknown);
    if (ids[place] == kUnknown) ids[place] = id;
  };
  for (const Contact& contact : contacts) {
    tell(contact.a, contact.key.id_a);
    tell(contact.b, contact.key.id_b);
  }
  return ids;
}

}  // namespace

ContactList::ContactList(const std::vector<Contact>& contacts, bool of_balls) {
  ContactBuilder builder(ids_of_slots(contacts), contacts.size());
  for (const Contact& contact : contacts) builder.add(contact, of_balls);
  *this = builder.take();
}

std::span<const ContactBlock> ContactList::blocks() const {
  return all_ ? std::span<const ContactBlock>(all_->blocks) : std::span<const ContactBlock>();
}

std::span<const ArmBlock> ContactList::arms() const {
  return all_ ? std::span<const ArmBlock>(all_->arms) : std::span<const ArmBlock>();
}

std::span<const BallArmBlock> ContactList::ball_arms() const {
  return all_ ? std::span<const BallArmBlock>(all_->ball_arms) : std::span<const BallArmBlock>();
}

std::vector<Contact> ContactList::copy() const {
  std::vector<Contact> all;
  all.reserve(size());
  for (const Contact& contact : *this) all.push_back(contact);
  return all;
}

bool meet_as_balls(const Store& store, std::int32_t a, std::int32_t b) {
  const auto is_ball = [&store](std::int32_t slot) { return store.shape[slot].is<Sphere>(); };
  return !store.is_prescribed(a) && is_ball(a) && (store.is_prescribed(b) || is_ball(b));
}

bool are_of_balls(const ContactView& contacts, const Store& store) {
  return std::ranges::all_of(contacts, [&](const Contact& contact) {
    return meet_as_balls(store, contact.a, contact.b) &&
           (contact.key.recursion == 0 || store.is_prescribed(contact.b));
  });
}

}  // namespace scree
