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
}

/// Whether slots tell the ids of @p contact.
bool ContactBuilder::has_ids(const Contact& contact) const {
  const auto is = [this](std::int32_t slot, std::int64_t id) {
    return static_cast<std::size_t>(slot) < numbers_->ids.size() &&
           numbers_->ids[static_cast<std::size_t>(slot)] == id;
  };
  return is(contact.a, contact.key.id_a) && is(contact.b, contact.key.id_b);
}

void ContactBuilder::open_block() {
  numbers_->blocks.emplace_back().first_off = numbers_->off_arms.size();
  if (numbers_->of_balls) {
    numbers_->ball_arms.emplace_back();
  } else {
    numbers_->arms.emplace_back();
  }
}

void ContactBuilder::set_arms_of_balls(const Contact& contact, std::size_t k) {
  BallArmBlock& arms = numbers_->ball_arms.back();
  arms.a[k] = contact.normal.dot(contact.arm_a);
  arms.b[k] = contact.normal.dot(contact.arm_b);
  if (is_along(contact.arm_b, contact.normal, arms.b[k])) return;
  numbers_->blocks.back().off_normal |= std::uint64_t{1} << k;
  numbers_->off_arms.push_back(contact.arm_b);
}

/// Writes out the arms of the contacts so far: there are other bodies.
void ContactBuilder::leave_balls() {
  Numbers& all = *numbers_;
  all.arms.reserve(all.blocks.capacity());
  all.arms.resize(all.blocks.size());
  for (std::size_t i = 0; i < all.size; ++i) {
    const Contact contact = all[i];
    all.arms[i / kBlock].a.set(i % kBlock, contact.arm_a);
    all.arms[i / kBlock].b.set(i % kBlock, contact.arm_b);
  }
  for (ContactBlock& block : all.blocks) block.off_normal = 0;
  all.ball_arms = {};
  all.off_arms = {};
  all.of_balls = false;
}

void ContactBuilder::hold_key(const ContactKey& key) {
  Numbers& all = *numbers_;
  if (!holds_keys_) {
    all.keys.reserve(all.blocks.capacity() * kBlock);
    for (std::size_t i = 0; i < all.size; ++i) {
      const ContactBlock& block = all.blocks[i / kBlock];
      all.keys.push_back({.id_a = all.ids[static_cast<std::size_t>(block.a[i % kBlock])],
                          .id_b = all.ids[static_cast<std::size_t>(block.b[i % kBlock])]});
    }
    holds_keys_ = true;
  }
  all.keys.push_back(key);
}

void ContactBuilder::hold_sharing(double sharing) {
  numbers_->sharing.resize(numbers_->size, 1.0);
  numbers_->sharing.push_back(sharing);
}

void ContactBuilder::hold_on_path() {
  numbers_->on_path.resize(numbers_->size, false);
  numbers_->on_path.push_back(true);
}

ContactList ContactBuilder::take() {
  Numbers& all = *numbers_;
  if (all.size == 0) return {};
  if (holds_keys_) all.ids = {};
  if (!all.sharing.empty()) all.sharing.resize(all.size, 1.0);
  if (!all.on_path.empty()) all.on_path.resize(all.size, false);
  return ContactList(std::exchange(numbers_, nullptr));
}

}  // namespace scree
