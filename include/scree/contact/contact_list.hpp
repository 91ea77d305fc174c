#pragma once

/// The contacts of a step, which do not change any more: a record of each in blocks side by side,
/// written once (contact_builder.hpp). Products with J, measures and kernels read the blocks as
/// they are; who takes contacts one by one gets them as values, inline, so that numbers that are
/// not read are not made.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "scree/base/instructions.hpp"
#include "scree/base/triples.hpp"
#include "scree/contact/contact.hpp"

namespace scree {

struct Store;

/// Consecutive contacts side by side, but for their arms.
struct ContactBlock {
  Triples normal;                      ///< as Contact::normal
  BlockNumbers gap;                    ///< m
  std::array<std::int32_t, kBlock> a;  ///< slots
  std::array<std::int32_t, kBlock> b;
  /// A bit for each contact of balls whose B has an arm off the normal, and the place of the first
  /// of these arms.
  std::uint64_t off_normal = 0;
  std::size_t first_off = 0;
};
static_assert(kBlock == 64, "a bit for each");

/// The arms of the contacts of a block: from the bodies' centres to the contact point, m.
struct ArmBlock {
  Triples a;
  Triples b;
};

/// The arms of balls, which are along the normal: these are their numbers along it, m.
struct BallArmBlock {
  BlockNumbers a;
  BlockNumbers b;
};

/// Goes through contacts that are values.
template <class Contacts>
class ContactIterator {
 public:
  using iterator_concept = std::forward_iterator_tag;
  using iterator_category = std::input_iterator_tag;
  using value_type = Contact;
  using difference_type = std::ptrdiff_t;
  using reference = Contact;
  using pointer = void;

  ContactIterator() = default;
  ContactIterator(const Contacts& contacts, std::size_t at) : contacts_(&contacts), at_(at) {}
  SCREE_INLINE Contact operator*() const { return (*contacts_)[at_]; }
  ContactIterator& operator++() {
    ++at_;
    return *this;
  }
  ContactIterator operator++(int) {
    const ContactIterator before = *this;
    ++at_;
    return before;
  }
  bool operator==(const ContactIterator& other) const { return at_ == other.at_; }

 private:
  const Contacts* contacts_ = nullptr;
  std::size_t at_ = 0;
};

/// Shared by all who read them: the step, the problem that is formulated of them, and the methods
/// that solve it.
class ContactList {
 public:
  ContactList() = default;
  /// @p of_balls: arms are along the normals, but of bodies B that are prescribed.
  explicit ContactList(const std::vector<Contact>& contacts, bool of_balls = false);

  std::size_t size() const { return all_ ? all_->size : 0; }
  bool empty() const { return size() == 0; }
  SCREE_INLINE Contact operator[](std::size_t i) const { return (*all_)[i]; }
  auto begin() const { return ContactIterator(*this, 0); }
  auto end() const { return ContactIterator(*this, size()); }
  std::vector<Contact> copy() const;

  /// Whether the stiffness of a pair is shared by contacts anywhere.
  bool any_shared() const { return all_ && !all_->sharing.empty(); }
  /// Whether any is known for the predicted path alone.
  bool any_on_path() const { return all_ && !all_->on_path.empty(); }
  /// Whether all were made as contacts of balls; true of an empty list.
  bool are_of_balls() const { return !all_ || all_->of_balls; }
  std::span<const ContactBlock> blocks() const;
  /// One for each block, where not all are of balls.
  std::span<const ArmBlock> arms() const;
  /// One for each block, where all are of balls.
  std::span<const BallArmBlock> ball_arms() const;

 private:
  friend class ContactBuilder;
  friend class ContactView;
  struct Numbers {
    std::vector<ContactBlock> blocks;
    std::vector<ArmBlock> arms;
    std::vector<BallArmBlock> ball_arms;
    std::vector<Vec3> off_arms;     ///< of the bodies B of ContactBlock::off_normal
    std::vector<std::int64_t> ids;  ///< of each slot
    std::vector<ContactKey> keys;   ///< empty where ids say all
    std::vector<double> sharing;    ///< empty where each is 1
    std::vector<bool> on_path;      ///< empty where none is
    std::size_t size = 0;
    bool of_balls = true;
    bool are_sorted = true;

    SCREE_INLINE Contact operator[](std::size_t i) const;
    SCREE_INLINE ContactKey key(std::size_t i) const;
    SCREE_INLINE Vec3 arm_of_a(std::size_t i) const;
    SCREE_INLINE Vec3 arm_of_b(std::size_t i, const Vec3& normal) const;
  };

  explicit ContactList(std::shared_ptr<const Numbers> numbers) : all_(std::move(numbers)) {}

  std::shared_ptr<const Numbers> all_;
};

/// Contacts of a list, or as they are found, which must outlive this.
class ContactView {
 public:
  ContactView() = default;
  ContactView(const Contact* first, std::size_t count) : found_(first), size_(count) {}
  ContactView(std::span<const Contact> found) : ContactView(found.data(), found.size()) {}
  ContactView(const std::vector<Contact>& found) : ContactView(found.data(), found.size()) {}
  ContactView(const ContactList& list) : listed_(list.all_.get()), size_(list.size()) {}

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  SCREE_INLINE Contact operator[](std::size_t i) const {
    return listed_ == nullptr ? found_[i] : (*listed_)[first_ + i];
  }
  SCREE_INLINE ContactKey key(std::size_t i) const {
    return listed_ == nullptr ? found_[i].key : listed_->key(first_ + i);
  }
  /// Whether each is the only one of its pair, at the start of a step; not always told.
  bool are_single() const { return listed_ != nullptr && listed_->keys.empty(); }
  /// Whether they follow each other by their keys; not always told.
  bool are_sorted() const { return listed_ != nullptr && listed_->are_sorted; }
  // single numbers of a contact, for those who need few of them
  SCREE_INLINE std::int32_t a(std::size_t i) const {
    return listed_ == nullptr ? found_[i].a : block(i).a[place(i)];
  }
  SCREE_INLINE std::int32_t b(std::size_t i) const {
    return listed_ == nullptr ? found_[i].b : block(i).b[place(i)];
  }
  SCREE_INLINE double gap(std::size_t i) const {
    return listed_ == nullptr ? found_[i].gap : block(i).gap[place(i)];
  }
  SCREE_INLINE double sharing(std::size_t i) const {
    if (listed_ == nullptr) return found_[i].sharing;
    return listed_->sharing.empty() ? 1.0 : listed_->sharing[first_ + i];
  }
  SCREE_INLINE bool on_path(std::size_t i) const {
    if (listed_ == nullptr) return found_[i].on_path;
    return !listed_->on_path.empty() && listed_->on_path[first_ + i];
  }
  auto begin() const { return ContactIterator(*this, 0); }
  auto end() const { return ContactIterator(*this, size_); }
  ContactView part(std::size_t first, std::size_t count) const {
    ContactView some = *this;
    if (listed_ == nullptr) {
      some.found_ += first;
    } else {
      some.first_ += first;
    }
    some.size_ = count;
    return some;
  }

 private:
  const ContactBlock& block(std::size_t i) const { return listed_->blocks[(first_ + i) / kBlock]; }
  std::size_t place(std::size_t i) const { return (first_ + i) % kBlock; }

  const Contact* found_ = nullptr;
  const ContactList::Numbers* listed_ = nullptr;
  std::size_t first_ = 0;  ///< of those that are listed
  std::size_t size_ = 0;
};

/// Whether the arms of contacts of the bodies in slots @p a and @p b are along the normal, but that
/// of a B that is prescribed: A is a ball, and B a ball or prescribed.
bool meet_as_balls(const Store& store, std::int32_t a, std::int32_t b);
/// Whether this is so of all @p contacts: constraints found within a step act where the arms of two
/// bodies meet, off the normal.
bool are_of_balls(const ContactView& contacts, const Store& store);

SCREE_INLINE ContactKey ContactList::Numbers::key(std::size_t i) const {
  if (!keys.empty()) return keys[i];
  const ContactBlock& block = blocks[i / kBlock];
  return {.id_a = ids[static_cast<std::size_t>(block.a[i % kBlock])],
          .id_b = ids[static_cast<std::size_t>(block.b[i % kBlock])]};
}

SCREE_INLINE Vec3 ContactList::Numbers::arm_of_a(std::size_t i) const {
  const std::size_t k = i % kBlock;
  if (!of_balls) return vec3_of(arms[i / kBlock].a[k]);
  return ball_arms[i / kBlock].a[k] * vec3_of(blocks[i / kBlock].normal[k]);
}

SCREE_INLINE Vec3 ContactList::Numbers::arm_of_b(std::size_t i, const Vec3& normal) const {
  const ContactBlock& block = blocks[i / kBlock];
  const std::uint64_t bit = std::uint64_t{1} << (i % kBlock);
  if ((block.off_normal & bit) == 0) return ball_arms[i / kBlock].b[i % kBlock] * normal;
  const int before = std::popcount(block.off_normal & (bit - 1));
  return off_arms[block.first_off + static_cast<std::size_t>(before)];
}

SCREE_INLINE Contact ContactList::Numbers::operator[](std::size_t i) const {
  const std::size_t k = i % kBlock;
  const ContactBlock& block = blocks[i / kBlock];
  const Vec3 normal = vec3_of(block.normal[k]);
  return {.normal = normal,
          .gap = block.gap[k],
          .a = block.a[k],
          .b = block.b[k],
          .arm_a = arm_of_a(i),
          .arm_b = of_balls ? arm_of_b(i, normal) : vec3_of(arms[i / kBlock].b[k]),
          .key = key(i),
          .sharing = sharing.empty() ? 1.0 : sharing[i],
          .on_path = !on_path.empty() && on_path[i]};
}

}  // namespace scree
