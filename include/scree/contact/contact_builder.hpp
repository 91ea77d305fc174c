#pragma once

/// Makes the list of a step's contacts as they are found: each is written once, into its block.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "scree/base/instructions.hpp"
#include "scree/contact/contact_list.hpp"

namespace scree {

/// Where two balls meet.
struct BallContact {
  Triple normal;   ///< as Contact::normal
  double gap;      ///< m
  std::int32_t a;  ///< slots
  std::int32_t b;
  double arm_a;  ///< along the normal, m
  double arm_b;
  std::int32_t image;  ///< as ContactKey::image
  bool on_path;        ///< as Contact::on_path
};

class ContactBuilder {
 public:
  /// For bodies with these @p ids, one for each slot. @p expected: contacts for which there is
  /// room.
  ContactBuilder(std::span<const std::int64_t> ids, std::size_t expected);

  /// @p of_balls: A is a ball, and B a ball or prescribed, so that arms are along the normal, but
  /// of what is prescribed.
  SCREE_INLINE void add(const Contact& contact, bool of_balls);
  SCREE_INLINE void add(const BallContact& contact);

  std::size_t size() const { return numbers_->size; }
  /// Whether each came behind those before it, by its key.
  bool are_sorted() const { return numbers_->are_sorted; }
  /// Ends this.
  ContactList take();

 private:
  using Numbers = ContactList::Numbers;

  SCREE_INLINE std::size_t open_place(const Triple& normal, double gap, std::int32_t a,
                                      std::int32_t b);
  SCREE_INLINE void close_place(const ContactKey& key, bool is_told, double sharing, bool on_path);
  bool has_ids(const Contact& contact) const;
  void open_block();
  void set_arms_of_balls(const Contact& contact, std::size_t k);
  void leave_balls();
  void hold_key(const ContactKey& key);
  void hold_sharing(double sharing);
  void hold_on_path();

  std::shared_ptr<Numbers> numbers_;
  ContactKey last_;
  bool holds_keys_ = false;  ///< those that ids do not tell, too
};

/// The place in its block, the last one, of a further contact, which is written but for its arms.
SCREE_INLINE std::size_t ContactBuilder::open_place(const Triple& normal, double gap,
                                                    std::int32_t a, std::int32_t b) {
  const std::size_t k = numbers_->size % kBlock;
  if (k == 0) open_block();
  ContactBlock& block = numbers_->blocks.back();
  block.normal.set(k, normal);
  block.gap[k] = gap;
  block.a[k] = a;
  block.b[k] = b;
  return k;
}

/// Writes what is rarely there. @p is_told: slots tell the ids of the @p key.
SCREE_INLINE void ContactBuilder::close_place(const ContactKey& key, bool is_told, double sharing,
                                              bool on_path) {
  numbers_->are_sorted = numbers_->are_sorted && (numbers_->size == 0 || last_ < key);
  last_ = key;
  const bool is_plain = is_told && key.feature == 0 && key.image == 0 && key.recursion == 0;
  if (holds_keys_ || !is_plain) hold_key(key);
  if (sharing != 1.0) hold_sharing(sharing);
  if (on_path) hold_on_path();
  ++numbers_->size;
}

SCREE_INLINE void ContactBuilder::add(const BallContact& contact) {
  const std::size_t k = open_place(contact.normal, contact.gap, contact.a, contact.b);
  if (numbers_->of_balls) {
    BallArmBlock& arms = numbers_->ball_arms.back();
    arms.a[k] = contact.arm_a;
    arms.b[k] = contact.arm_b;
  } else {
    ArmBlock& arms = numbers_->arms.back();
    arms.a.set(k, contact.arm_a * contact.normal);
    arms.b.set(k, contact.arm_b * contact.normal);
  }
  const ContactKey key{.id_a = numbers_->ids[static_cast<std::size_t>(contact.a)],
                       .id_b = numbers_->ids[static_cast<std::size_t>(contact.b)],
                       .image = contact.image};
  close_place(key, true, 1.0, contact.on_path);
}

SCREE_INLINE void ContactBuilder::add(const Contact& contact, bool of_balls) {
  if (numbers_->of_balls && !of_balls) leave_balls();
  const std::size_t k = open_place(triple_of(contact.normal), contact.gap, contact.a, contact.b);
  if (numbers_->of_balls) {
    set_arms_of_balls(contact, k);
  } else {
    numbers_->arms.back().a.set(k, contact.arm_a);
    numbers_->arms.back().b.set(k, contact.arm_b);
  }
  close_place(contact.key, has_ids(contact), contact.sharing, contact.on_path);
}

}  // namespace scree
