#include "scree/step/contact_records.hpp"

#include <algorithm>
#include <ranges>
#include <tuple>
#include <type_traits>

namespace scree {
namespace {

/// Makes room for @p count numbers, and where there was too little for a few more in the next
/// steps.
template <class Numbers>
void make_room(Numbers& numbers, std::size_t count) {
  if (numbers.capacity() < count) numbers.reserve(count + count / 64);
}

}  // namespace

ContactRecords::ContactRecords(const std::vector<ContactRecord>& records) {
  replace(records);
}

bool ContactRecords::are_sorted() const {
  for (std::size_t i = 1; i < size(); ++i) {
    if (key(i) < key(i - 1)) return false;
  }
  return true;
}

std::vector<ContactRecord> ContactRecords::copy() const {
  std::vector<ContactRecord> records;
  records.reserve(size());
  for (std::size_t i = 0; i < size(); ++i) records.push_back((*this)[i]);
  return records;
}

void ContactRecords::sort() {
  if (rare_.empty()) {
    const auto key = [](const Plain& r) { return std::tie(r.id_a, r.id_b, r.image); };
    std::ranges::sort(plain_, {}, key);
    return;
  }
  std::vector<ContactRecord> records = copy();
  std::ranges::sort(records, {}, &ContactRecord::key);
  replace(records);
}

std::int32_t ContactRecords::place_of(const OuterBox& box) {
  if (boxes_.empty() || boxes_.back() != box) boxes_.push_back(box);
  return static_cast<std::int32_t>(boxes_.size()) - 1;
}

void ContactRecords::merge(std::vector<BoxedRecord> others) {
  const auto numbers = std::views::iota(std::size_t{0}, size());
  const auto key_of = [this](std::size_t i) { return key(i); };
  std::erase_if(others, [&](const BoxedRecord& other) {
    return std::ranges::binary_search(numbers, other.key(), {}, key_of);
  });
  std::size_t unmoved = size();
  std::size_t to = size() + others.size();
  make_room(plain_, to);
  make_room(boxes_, boxes_.size() + others.size());
  for (BoxedRecord& other : others) {
    other.record.where = place_of(other.box);
    push_back(other.record);
  }
  // from behind, where each place is free when it is written to
  while (!others.empty()) {
    --to;
    const ContactRecord& other = others.back().record;
    if (unmoved > 0 && other.key < key(unmoved - 1)) {
      --unmoved;
      plain_[to] = plain_[unmoved];
      if (!rare_.empty()) rare_[to] = rare_[unmoved];
    } else {
      plain_[to] = plain_of(other);
      if (!rare_.empty()) rare_[to] = rare_of(other);
      others.pop_back();
    }
  }
}

void ContactRecords::restart(std::size_t count) {
  const bool had_rare = !rare_.empty();
  plain_.clear();
  rare_.clear();
  const auto make_room_alone = [count](auto& numbers) {
    if (numbers.capacity() < count) numbers = std::remove_reference_t<decltype(numbers)>();
    make_room(numbers, count);
  };
  make_room_alone(plain_);
  if (had_rare) {
    make_room_alone(rare_);
  } else {
    rare_ = std::vector<Rare>();
  }
}

void ContactRecords::replace(const std::vector<ContactRecord>& records) {
  restart(records.size());
  for (const ContactRecord& record : records) push_back(record);
}

/// Holds the rare numbers of the record that comes next, and those before it that none were held
/// of.
void ContactRecords::hold_rare(const Rare& rare) {
  if (rare_.capacity() < plain_.capacity()) rare_.reserve(plain_.capacity());
  rare_.resize(plain_.size());
  rare_.push_back(rare);
}

FoundRecords::FoundRecords(const std::vector<ContactRecord>& of_each)
    : place_(of_each.size()), others_(of_each) {
  for (std::size_t i = 0; i < place_.size(); ++i) {
    place_[i] = mirrored(static_cast<std::int32_t>(i));
  }
}

void FoundRecords::set_other(std::size_t i, const ContactRecord& record) {
  place_[i] = mirrored(static_cast<std::int32_t>(others_.size()));
  others_.push_back(record);
}

}  // namespace scree
