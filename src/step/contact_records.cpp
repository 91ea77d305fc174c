#include "scree/step/contact_records.hpp"

#include <algorithm>
#include <tuple>
#include <type_traits>

namespace scree {

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

void ContactRecords::restart(std::size_t count) {
  const bool had_rare = !rare_.empty();
  plain_.clear();
  rare_.clear();
  const auto make_room = [count](auto& numbers) {
    if (numbers.capacity() >= count) return;
    numbers = std::remove_reference_t<decltype(numbers)>();
    numbers.reserve(count + count / 64);
  };
  make_room(plain_);
  if (had_rare) {
    make_room(rare_);
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
