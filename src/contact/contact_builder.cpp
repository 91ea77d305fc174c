#include "scree/contact/contact_builder.hpp"

#include <utility>

namespace scree {
namespace {

/// Whether @p arm is along the unit vector @p normal, where its number is @p along.
bool is_along(const Vec3& arm, const Vec3& normal, double along) {
  constexpr double kRounding = 1e-12;
  return (arm - along * normal).squaredNorm() <= kRounding * kRounding * arm.squaredNorm();
}

}  // namespace

ContactBuilder::ContactBuilder(std::span<const std::int64_t> ids, std::size_t expected)
    : numbers_(std::make_shared<Numbers>()) {
  const std::size_t n_blocks = (expected + kBlock - 1) / kBlock;
  numbers_->blocks.reserve(n_blocks);
  numbers_->ball_arms.reserve(n_blocks);
  numbers_->ids.assign(ids.begin(), ids.end());
  ids_ = numbers_->ids.data();
}

void ContactBuilder::open_block() {
  block_ = &numbers_->blocks.emplace_back();
  block_->first_off = numbers_->off_arms.size();
  if (numbers_->of_balls) {
    ball_arms_ = &numbers_->ball_arms.emplace_back();
  } else {
    arms_ = &numbers_->arms.emplace_back();
  }
}

void ContactBuilder::add(const Contact& contact, bool of_balls) {
  if (numbers_->of_balls && !of_balls) leave_balls();
  const std::size_t k = open_place(triple_of(contact.normal), contact.gap, contact.a, contact.b);
  if (numbers_->of_balls) {
    set_arms_of_balls(contact, k);
  } else {
    arms_->a.set(k, contact.arm_a);
    arms_->b.set(k, contact.arm_b);
  }
  const ContactKey& key = contact.key;
  const bool is_told = key.feature == 0 && key.image == 0 && key.recursion == 0 && has_ids(contact);
  are_sorted_ = are_sorted_ && is_behind_last(key);
  if (holds_keys_ || !is_told) hold_key(key);
  if (contact.sharing != 1.0) hold_sharing(contact.sharing);
  if (contact.on_path) hold_on_path();
  close_place(key.id_a, key.id_b);
}

/// Whether slots tell the ids of @p contact.
bool ContactBuilder::has_ids(const Contact& contact) const {
  const auto is = [this](std::int32_t slot, std::int64_t id) {
    return static_cast<std::size_t>(slot) < numbers_->ids.size() && ids_[slot] == id;
  };
  return is(contact.a, contact.key.id_a) && is(contact.b, contact.key.id_b);
}

/// Whether @p key is behind that of the last contact.
bool ContactBuilder::is_behind_last(const ContactKey& key) const {
  if (size_ == 0) return true;
  const ContactKey last = holds_keys_ ? numbers_->keys.back() : ContactKey{last_a_, last_b_};
  return last < key;
}

void ContactBuilder::set_arms_of_balls(const Contact& contact, std::size_t k) {
  ball_arms_->a[k] = contact.normal.dot(contact.arm_a);
  ball_arms_->b[k] = contact.normal.dot(contact.arm_b);
  if (is_along(contact.arm_b, contact.normal, ball_arms_->b[k])) return;
  block_->off_normal |= std::uint64_t{1} << k;
  numbers_->off_arms.push_back(contact.arm_b);
}

/// Writes out the arms of the contacts so far: there are other bodies.
void ContactBuilder::leave_balls() {
  Numbers& all = *numbers_;
  all.arms.reserve(all.blocks.capacity());
  all.arms.resize(all.blocks.size());
  for (std::size_t i = 0; i < size_; ++i) {
    const std::size_t k = i % kBlock;
    const Vec3 normal = vec3_of(all.blocks[i / kBlock].normal[k]);
    all.arms[i / kBlock].a.set(k, all.arm_of_a(i));
    all.arms[i / kBlock].b.set(k, all.arm_of_b(i, normal));
  }
  for (ContactBlock& block : all.blocks) block.off_normal = 0;
  all.ball_arms = {};
  all.off_arms = {};
  all.of_balls = false;
  ball_arms_ = nullptr;
  arms_ = all.arms.empty() ? nullptr : &all.arms.back();
}

void ContactBuilder::hold_key(const ContactKey& key) {
  Numbers& all = *numbers_;
  if (!holds_keys_) {
    all.keys.reserve(all.blocks.capacity() * kBlock);
    for (std::size_t i = 0; i < size_; ++i) {
      const ContactBlock& block = all.blocks[i / kBlock];
      all.keys.push_back({.id_a = ids_[block.a[i % kBlock]], .id_b = ids_[block.b[i % kBlock]]});
    }
    holds_keys_ = true;
  }
  all.keys.push_back(key);
}

void ContactBuilder::hold_sharing(double sharing) {
  numbers_->sharing.resize(size_, 1.0);
  numbers_->sharing.push_back(sharing);
}

void ContactBuilder::hold_on_path() {
  numbers_->on_path.resize(size_, false);
  numbers_->on_path.push_back(true);
}

ContactList ContactBuilder::take() {
  Numbers& all = *numbers_;
  if (size_ == 0) return {};
  all.size = size_;
  all.are_sorted = are_sorted_;
  if (holds_keys_) all.ids = {};
  if (!all.sharing.empty()) all.sharing.resize(size_, 1.0);
  if (!all.on_path.empty()) all.on_path.resize(size_, false);
  return ContactList(std::exchange(numbers_, nullptr));
}

ContactList in_order(const ContactList& list, std::span<const std::size_t> order,
                     std::span<const std::int64_t> ids) {
  ContactBuilder builder(ids, order.size());
  for (const std::size_t i : order) builder.add(list[i], list.are_of_balls());
  return builder.take();
}

}  // namespace scree
