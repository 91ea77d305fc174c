#include "scree/problem/contact_terms.hpp"

#include <algorithm>

namespace scree {

void TermsOfContacts::push_back(const ContactTerms& terms) {
  const std::size_t i = flags_.size();
  flags_.push_back(static_cast<std::uint8_t>((terms.compliant ? kCompliant : 0) |
                                             (terms.touched ? kTouched : 0)));
  put(pull_, i, terms.pull);
  put(gap_bias_, i, terms.gap_bias);
  put(rest_gap_, i, terms.rest_gap);
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
