#pragma once

/// Makes the list of a step's contacts as they are found: each is written once, into its block.

#include <cstddef>
#include <cstdint>
#include <limits>
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
  ContactBuilder(const ContactBuilder&) = delete;
  ContactBuilder& operator=(const ContactBuilder&) = delete;

  /// @p of_balls: its arms are those of balls (meet_as_balls).
  void add(const Contact& contact, bool of_balls);
  SCREE_INLINE void add(const BallContact& contact);

  std::size_t size() const { return size_; }
  /// Whether each came behind those before it, by its key.
  bool are_sorted() const { return are_sorted_; }
  /// Ends this.
  ContactList take();

 private:
  using Numbers = ContactList::Numbers;

  SCREE_INLINE std::size_t open_place(const Triple& normal, double gap, std::int32_t a,
                                      std::int32_t b);
  SCREE_INLINE void close_place(std::int64_t id_a, std::int64_t id_b);
  void open_block();
  void set_arms_of_balls(const Contact& contact, std::size_t k);
  void leave_balls();
  bool has_ids(const Contact& contact) const;
  bool is_behind_last(const ContactKey& key) const;
  void hold_key(const ContactKey& key);
  void hold_sharing(double sharing);
  void hold_on_path();

  std::shared_ptr<Numbers> numbers_;
  // the last block, and what is looked at for each contact
  ContactBlock* block_ = nullptr;
  ArmBlock* arms_ = nullptr;  ///< null where all are of balls
  BallArmBlock* ball_arms_ = nullptr;
  const std::int64_t* ids_;  ///< of slots
  std::size_t size_ = 0;
  std::int64_t last_a_ = std::numeric_limits<std::int64_t>::min();  ///< ids of the last contact
  std::int64_t last_b_ = std::numeric_limits<std::int64_t>::min();
  bool are_sorted_ = true;
  bool holds_keys_ = false;  ///< of all, since some are not told by ids
};

/// The place in its block, the last one, of a further contact, which is written but for its arms.
SCREE_INLINE std::size_t ContactBuilder::open_place(const Triple& normal, double gap,
                                                    std::int32_t a, std::int32_t b) {
  const std::size_t k = size_ % kBlock;
  if (k == 0) open_block();
  block_->normal.set(k, normal);
  block_->gap[k] = gap;
  block_->a[k] = a;
  block_->b[k] = b;
  return k;
}

/// Counts the contact. @pre its key, where that is held, and the rarer numbers are written
SCREE_INLINE void ContactBuilder::close_place(std::int64_t id_a, std::int64_t id_b) {
  last_a_ = id_a;
  last_b_ = id_b;
  ++size_;
}

SCREE_INLINE void ContactBuilder::add(const BallContact& contact) {
  const std::size_t k = open_place(contact.normal, contact.gap, contact.a, contact.b);
  if (arms_ == nullptr) {
    ball_arms_->a[k] = contact.arm_a;
    ball_arms_->b[k] = contact.arm_b;
  } else {
    arms_->a.set(k, contact.arm_a * contact.normal);
    arms_->b.set(k, contact.arm_b * contact.normal);
  }
  const std::int64_t id_a = ids_[contact.a];
  const std::int64_t id_b = ids_[contact.b];
  const bool is_behind = id_a > last_a_ || (id_a == last_a_ && id_b > last_b_);
  if (!is_behind || holds_keys_ || contact.image != 0) {
    const ContactKey key{.id_a = id_a, .id_b = id_b, .image = contact.image};
    are_sorted_ = are_sorted_ && is_behind_last(key);
    if (holds_keys_ || contact.image != 0) hold_key(key);
  }
  if (contact.on_path) hold_on_path();
  close_place(id_a, id_b);
}

/// The contacts of @p list with the numbers @p order, in that order. @p ids as of the builder.
ContactList in_order(const ContactList& list, std::span<const std::size_t> order,
                     std::span<const std::int64_t> ids);

}  // namespace scree
