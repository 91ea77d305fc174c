#include "scree/step/contact_records.hpp"

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

std::int32_t ContactRecords::place_of(const OuterBox& box) {
  if (boxes.empty() || boxes.back() != box) boxes.push_back(box);
  return static_cast<std::int32_t>(boxes.size()) - 1;
}

void ContactRecords::restart(std::size_t count) {
  const std::size_t with_spare = count + count / 16;  // problems grow slowly
  const bool had_rest = !rest_.empty();
  plain_.clear();
  rest_.clear();
  if (plain_.capacity() < count) {
    plain_ = std::vector<Plain>();
    plain_.reserve(with_spare);
  }
  if (had_rest && rest_.capacity() < count) {
    rest_ = std::vector<Rest>();
    rest_.reserve(with_spare);
  }
}

void ContactRecords::replace(const std::vector<ContactRecord>& records) {
  restart(records.size());
  for (const ContactRecord& record : records) push_back(record);
}

/// Holds that of the next record, and what those before it have.
void ContactRecords::hold_rest(const Rest& rest) {
  if (rest_.capacity() < plain_.capacity()) rest_.reserve(plain_.capacity());
  rest_.resize(plain_.size());
  rest_.push_back(rest);
}

FoundRecords::FoundRecords(const std::vector<ContactRecord>& of_each)
    : place_(of_each.size()), others_(of_each) {
  for (std::size_t i = 0; i < place_.size(); ++i)
    place_[i] = kNone - 1 - static_cast<std::int32_t>(i);
}

void FoundRecords::set_other(std::size_t i, const ContactRecord& record) {
  place_[i] = kNone - 1 - static_cast<std::int32_t>(others_.size());
  others_.push_back(record);
}

}  // namespace scree
