#include "scree/problem/contact_terms.hpp"

#include <algorithm>
#include <span>

namespace scree {

void TermsOfContacts::push_back(const ContactTerms& terms) {
  const std::size_t i = flags_.size();
  flags_.push_back(flags_of(terms.compliant, terms.touched));
  put(pull_, i, terms.pull);
  put(gap_bias_, i, terms.gap_bias);
  put(rest_gap_, i, terms.rest_gap);
}

void TermsOfContacts::append(std::size_t count, const std::array<bool, kBlock>& compliant,
                             const HistoryBlock& histories) {
  const std::size_t first = flags_.size();
  flags_.resize(first + count);
  for (std::size_t i = 0; i < count; ++i) {
    flags_[first + i] = flags_of(compliant[i], histories.touched[i]);
  }
  const auto rest_gaps = std::span(histories.rest_gap).first(count);
  if (std::ranges::all_of(rest_gaps, [](double gap) { return gap == 0.0; })) return;
  for (std::size_t i = 0; i < count; ++i) put(rest_gap_, first + i, rest_gaps[i]);
}

bool TermsOfContacts::any_compliant() const {
  return std::ranges::any_of(flags_, [](std::uint8_t flags) { return (flags & kCompliant) != 0; });
}

bool TermsOfContacts::any_pulls() const {
  return std::ranges::any_of(pull_, [](double pull) { return pull > 0.0; });
}

void TermsOfContacts::put(std::vector<double>& numbers, std::size_t i, double number) const {
  if (i >= numbers.size()) {
    if (number == 0.0) return;
    numbers.reserve(flags_.capacity());
    numbers.resize(i + 1, 0.0);
  }
  numbers[i] = number;
}

}  // namespace scree
