#include "scree/contact/contact_list.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "scree/bodies/store.hpp"

namespace scree {
namespace {

/// Whether @p arm is along the unit vector @p normal, where its number is @p along.
SCREE_INLINE bool is_along(const Triple& arm, const Triple& normal, double along) {
  constexpr double kRounding = 1e-12;
  const Triple off = arm - along * normal;
  return dot(off, off) <= kRounding * kRounding * dot(arm, arm);
}

}  // namespace

SCREE_INLINE void ContactList::Numbers::add_ball_arms(const Contact& contact, std::size_t i) {
  ContactBlock& block = blocks[i / kBlock];
  BallArmBlock& own = ball_arms[i / kBlock];
  const std::size_t k = i % kBlock;
  const Triple normal = triple_of(contact.normal);
  const Triple arm_b = triple_of(contact.arm_b);
  own.a[k] = dot(normal, triple_of(contact.arm_a));
  own.b[k] = dot(normal, arm_b);
  if (k == 0) block.first_off = off_arms.size();
  if (is_along(arm_b, normal, own.b[k])) return;
  block.off_normal |= std::uint64_t{1} << k;
  off_arms.push_back(contact.arm_b);
}

SCREE_INLINE void ContactList::Numbers::add(const Contact& contact, std::size_t i) {
  ContactBlock& block = blocks[i / kBlock];
  const std::size_t k = i % kBlock;
  block.normal.set(k, contact.normal);
  block.gap[k] = contact.gap;
  block.a[k] = contact.a;
  block.b[k] = contact.b;
  if (of_balls) {
    add_ball_arms(contact, i);
  } else {
    arms[i / kBlock].a.set(k, contact.arm_a);
    arms[i / kBlock].b.set(k, contact.arm_b);
  }
}

SCREE_INLINE bool ContactList::Numbers::tell(std::int32_t slot, std::int64_t id) {
  constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::min();
  if (slot < 0) return false;
  const auto place = static_cast<std::size_t>(slot);
  if (place >= ids.size()) ids.resize(place + 1, kUnknown);
  if (ids[place] == kUnknown) ids[place] = id;
  return ids[place] == id;
}

/// Whether the ids of slots tell the key of @p contact, those of contacts before, too.
SCREE_INLINE bool ContactList::Numbers::tell(const Contact& contact) {
  const ContactKey& key = contact.key;
  const bool are_told = tell(contact.a, key.id_a) && tell(contact.b, key.id_b);
  return are_told && key.feature == 0 && key.image == 0 && key.recursion == 0;
}

/// Whether the rarer facts of contacts are there, so that they are to be held.
struct ContactList::Rare {
  bool keys = false;  ///< that ids do not tell
  bool sharing = false;
  bool on_path = false;
};

ContactList::ContactList(std::vector<Contact> contacts, bool of_balls) {
  if (contacts.empty()) return;
  auto numbers = std::make_shared<Numbers>();
  numbers->size = contacts.size();
  numbers->of_balls = of_balls;
  const std::size_t n_blocks = (contacts.size() + kBlock - 1) / kBlock;
  numbers->blocks.resize(n_blocks);
  if (of_balls) {
    numbers->ball_arms.resize(n_blocks);
  } else {
    numbers->arms.resize(n_blocks);
  }
  Rare rare;
  run_by(instructions(), [&] {
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const Contact& contact = contacts[i];
      numbers->add(contact, i);
      rare.keys = rare.keys || !numbers->tell(contact);
      rare.sharing = rare.sharing || contact.sharing != 1.0;
      rare.on_path = rare.on_path || contact.on_path;
    }
  });
  numbers->add(contacts, rare);
  all_ = std::move(numbers);
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

bool are_of_balls(const ContactView& contacts, const Store& store) {
  enum class Kind : std::uint8_t { other, ball, prescribed };
  std::vector<Kind> kinds(store.id.size(), Kind::other);  // bodies are anywhere in memory
  for (std::int32_t slot = 0; slot < store.size(); ++slot) {
    Kind& kind = kinds[static_cast<std::size_t>(slot)];
    if (store.shape[slot].is<Sphere>()) kind = Kind::ball;
    if (store.is_prescribed(slot)) kind = Kind::prescribed;
  }
  return std::ranges::all_of(contacts, [&](const Contact& contact) {
    const Kind a = kinds[static_cast<std::size_t>(contact.a)];
    const Kind b = kinds[static_cast<std::size_t>(contact.b)];
    return a == Kind::ball &&
           (b == Kind::prescribed || (b == Kind::ball && contact.key.recursion == 0));
  });
}

void ContactList::Numbers::add(const std::vector<Contact>& contacts, const Rare& rare) {
  if (rare.keys) {
    ids = {};
    keys.reserve(size);
    for (const Contact& contact : contacts) keys.push_back(contact.key);
  }
  if (rare.sharing) {
    sharing.reserve(size);
    for (const Contact& contact : contacts) sharing.push_back(contact.sharing);
  }
  if (rare.on_path) {
    for (const Contact& contact : contacts) on_path.push_back(contact.on_path);
  }
}

}  // namespace scree
