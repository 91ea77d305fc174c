#pragma once

/// Records of single contacts (contact_memory.hpp), and how they are held: numbers that only some
/// have are held of all records of a rank from the first on that has them. Balls that neither roll
/// with resistance nor pull have none.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "scree/base/check.hpp"
#include "scree/base/instructions.hpp"
#include "scree/base/math.hpp"
#include "scree/contact/contact.hpp"

namespace scree {

/// A box in single precision, which holds the one that it is made of.
class OuterBox {
 public:
  OuterBox() = default;
  explicit OuterBox(const Box3& box) {
    for (int axis = 0; axis < 3; ++axis) {
      low_[axis] = beyond(box.low[axis], -1.0F);
      high_[axis] = beyond(box.high[axis], 1.0F);
    }
  }
  Box3 box() const { return {low_.cast<double>(), high_.cast<double>()}; }
  bool operator==(const OuterBox&) const = default;

 private:
  /// @p x where single precision has it, else a number beyond it on the side of the @p sign, by two
  /// roundings at most: so a box in single precision is its own. No branch: a processor could not
  /// predict it.
  static float beyond(double x, float sign) {
    const float rounded = static_cast<float>(x);
    const float further =
        rounded + sign * (std::numeric_limits<float>::epsilon() * std::abs(rounded) +
                          std::numeric_limits<float>::min());
    return static_cast<double>(rounded) == x ? rounded : further;
  }

  Eigen::Vector3f low_ = Eigen::Vector3f::Zero();
  Eigen::Vector3f high_ = Eigen::Vector3f::Zero();
};

/// The memory of one contact of the last step. The numbers that enter the next step's problem are
/// double; single precision serves the others: a start of moments, distances that are compared.
struct ContactRecord {
  ContactKey key = {};
  Vec3 force = Vec3::Zero();    ///< lambda/dt on A, world frame, N
  Vec3 normal = Vec3::UnitZ();  ///< of the contact then
  double rest_gap = 0.0;        ///< m
  std::int32_t touched = 0;     ///< 1: yes
  /// From A's centre to the contact point then, world frame, m; zero of balls, where that is the
  /// one point of their pair.
  Eigen::Vector3f arm = Eigen::Vector3f::Zero();
  /// The moment of rolling and spinning on A, world frame, N m.
  Eigen::Vector3f moment = Eigen::Vector3f::Zero();
  std::int32_t where = -1;  ///< place of its box; -1: nowhere

  /// The square of the distance of @p point, from A's centre, to its own, m^2.
  double squared_distance(const Vec3& point) const {
    return (arm.cast<double>() - point).squaredNorm();
  }
};

/// A record apart from the others, with its box.
struct BoxedRecord {
  ContactRecord record;
  OuterBox box;

  const ContactKey& key() const { return record.key; }
};

/// Records as values, and the boxes in which the owning points of their contacts lie in the next
/// step, or off by less than the skin. Those of a grain share one.
class ContactRecords {
 public:
  ContactRecords() = default;
  explicit ContactRecords(const std::vector<ContactRecord>& records);

  std::size_t size() const { return plain_.size(); }
  bool empty() const { return plain_.empty(); }
  SCREE_INLINE ContactRecord operator[](std::size_t i) const;
  SCREE_INLINE ContactKey key(std::size_t i) const;
  // single numbers of a record, for those who need few of them
  const Vec3& force(std::size_t i) const { return plain_[i].force; }
  const Vec3& normal(std::size_t i) const { return plain_[i].normal; }
  double rest_gap(std::size_t i) const { return plain_[i].rest_gap; }
  bool touched(std::size_t i) const { return !rare_.empty() && rare_[i].touched != 0; }
  std::int32_t place(std::size_t i) const { return plain_[i].where; }
  /// Whether two records are of one pair.
  SCREE_INLINE bool are_of_one_pair(std::size_t i, std::size_t j) const {
    const Plain& a = plain_[i];
    const Plain& b = plain_[j];
    return a.id_a == b.id_a && a.id_b == b.id_b && a.image == b.image;
  }
  /// Whether they follow each other by their keys.
  bool are_sorted() const;
  void sort();
  std::vector<ContactRecord> copy() const;

  OuterBox box(const ContactRecord& record) const {
    return record.where < 0 ? OuterBox() : boxes_[static_cast<std::size_t>(record.where)];
  }
  /// The boxes, to be written at the places that records name.
  std::vector<OuterBox>& boxes() { return boxes_; }
  /// The place of @p box, which is added unless it is the last.
  std::int32_t place_of(const OuterBox& box);

  SCREE_INLINE void push_back(const ContactRecord& record);
  /// Drops all records and makes room for so many: where there is too little, some is left to
  /// spare, and the old room ends before there is a new one.
  void restart(std::size_t count);
  /// Drops each record of whose number @p is_dropped says so.
  template <class Predicate>
  void erase_if(const Predicate& is_dropped);
  /// Adds those of the @p others whose keys are not here. @pre sorted by key, as these are, each
  /// once.
  void merge(std::vector<BoxedRecord> others);
  /// Puts @p records in place of all; boxes stay.
  void replace(const std::vector<ContactRecord>& records);

 private:
  struct Plain {
    std::int64_t id_a, id_b;
    Vec3 force, normal;
    double rest_gap;
    std::int32_t image, where;
  };
  static_assert(sizeof(Plain) == 80);
  struct Rare {
    std::int64_t feature = 0;
    std::int32_t recursion = 0;
    std::int32_t touched = 0;
    Eigen::Vector3f arm = Eigen::Vector3f::Zero();
    Eigen::Vector3f moment = Eigen::Vector3f::Zero();
    bool operator==(const Rare&) const = default;
  };

  SCREE_INLINE static Plain plain_of(const ContactRecord& record);
  SCREE_INLINE static Rare rare_of(const ContactRecord& record);
  [[gnu::noinline]] void hold_rare(const Rare& rare);

  std::vector<Plain> plain_;
  std::vector<Rare> rare_;  ///< empty where none has such numbers
  std::vector<OuterBox> boxes_;
};

SCREE_INLINE ContactKey ContactRecords::key(std::size_t i) const {
  const Plain& plain = plain_[i];
  ContactKey key{.id_a = plain.id_a, .id_b = plain.id_b, .image = plain.image};
  if (rare_.empty()) return key;
  key.feature = rare_[i].feature;
  key.recursion = rare_[i].recursion;
  return key;
}

SCREE_INLINE ContactRecord ContactRecords::operator[](std::size_t i) const {
  const Plain& plain = plain_[i];
  ContactRecord record{.key = key(i),
                       .force = plain.force,
                       .normal = plain.normal,
                       .rest_gap = plain.rest_gap,
                       .where = plain.where};
  if (rare_.empty()) return record;
  record.touched = rare_[i].touched;
  record.arm = rare_[i].arm;
  record.moment = rare_[i].moment;
  return record;
}

SCREE_INLINE ContactRecords::Plain ContactRecords::plain_of(const ContactRecord& record) {
  return {.id_a = record.key.id_a,
          .id_b = record.key.id_b,
          .force = record.force,
          .normal = record.normal,
          .rest_gap = record.rest_gap,
          .image = record.key.image,
          .where = record.where};
}

SCREE_INLINE ContactRecords::Rare ContactRecords::rare_of(const ContactRecord& record) {
  return {.feature = record.key.feature,
          .recursion = record.key.recursion,
          .touched = record.touched,
          .arm = record.arm,
          .moment = record.moment};
}

SCREE_INLINE void ContactRecords::push_back(const ContactRecord& record) {
  const Rare rare = rare_of(record);
  if (!rare_.empty() || rare != Rare()) hold_rare(rare);
  plain_.push_back(plain_of(record));
}

template <class Predicate>
void ContactRecords::erase_if(const Predicate& is_dropped) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < plain_.size(); ++i) {
    if (is_dropped(i)) continue;
    plain_[kept] = plain_[i];
    if (!rare_.empty()) rare_[kept] = rare_[i];
    ++kept;
  }
  plain_.resize(kept);
  if (!rare_.empty()) rare_.resize(kept);
}

/// The records found for contacts, as values.
class FoundRecords {
 public:
  /// None yet for so many contacts.
  explicit FoundRecords(std::size_t contacts) : place_(contacts, kNone) {}
  /// @p memory must outlive this.
  FoundRecords(std::size_t contacts, const ContactRecords& memory)
      : memory_(&memory), place_(contacts, kNone) {}
  /// One for each contact.
  explicit FoundRecords(const std::vector<ContactRecord>& of_each);

  std::size_t size() const { return place_.size(); }
  /// Whether contact @p i has none.
  SCREE_INLINE bool is_new(std::size_t i) const { return place_[i] == kNone; }
  // of a contact that is not new:
  SCREE_INLINE ContactRecord operator[](std::size_t i) const { return held_by(i)[number(i)]; }
  SCREE_INLINE const Vec3& force(std::size_t i) const { return held_by(i).force(number(i)); }
  SCREE_INLINE const Vec3& normal(std::size_t i) const { return held_by(i).normal(number(i)); }
  SCREE_INLINE double rest_gap(std::size_t i) const { return held_by(i).rest_gap(number(i)); }
  SCREE_INLINE bool touched(std::size_t i) const { return held_by(i).touched(number(i)); }
  /// The place of its record in the memory; negative where it has none there.
  std::int64_t place(std::size_t i) const { return place_[i]; }

  /// Gives contact @p i the record at a place of the memory.
  SCREE_INLINE void set(std::size_t i, std::size_t place) {
    SCREE_ASSERT(memory_ != nullptr && place < memory_->size());
    place_[i] = static_cast<std::int32_t>(place);
  }
  /// Gives it a record that is not the memory's.
  void set_other(std::size_t i, const ContactRecord& record);

 private:
  static constexpr std::int32_t kNone = -1;

  /// The place of a number among the others, and the number at a place.
  static constexpr std::int32_t mirrored(std::int32_t x) { return kNone - 1 - x; }
  const ContactRecords& held_by(std::size_t i) const { return place_[i] >= 0 ? *memory_ : others_; }
  std::size_t number(std::size_t i) const {
    SCREE_ASSERT(!is_new(i));
    const std::int32_t place = place_[i];
    return static_cast<std::size_t>(place >= 0 ? place : mirrored(place));
  }

  const ContactRecords* memory_ = nullptr;
  std::vector<std::int32_t> place_;
  ContactRecords others_;
};

}  // namespace scree
