#pragma once

/// The part of a step's solution that belongs to its contacts, taken back from their rows once, by
/// blocks, for all who look at a step that was taken.

#include <algorithm>
#include <cstddef>
#include <span>

#include "contact_impulse.hpp"
#include "scree/base/triples.hpp"
#include "scree/step/contact_memory.hpp"

namespace scree {

/// A block of a step's contacts.
struct ListedBlock {
  std::size_t first;           ///< number of the first
  const ContactBlock& frames;  ///< numbers that each has
  ContactView contacts;

  std::size_t size() const { return contacts.size(); }
};

/// The impulses of a block of contacts side by side, as those of ContactImpulse.
class ImpulseBlock {
 public:
  /// Takes those of @p block by its @p rows of @p lambda, this rank's numbers.
  void take(const ContactSpan& rows, const ListedBlock& block, std::span<const double> lambda);

  const BlockNumbers& normal() const { return normal_; }
  const Triples& linear() const { return linear_; }
  Vec3 angular(std::size_t i) const { return has_moments_ ? vec3_of(angular_[i]) : Vec3::Zero(); }
  ContactImpulse operator[](std::size_t i) const {
    return {.normal = normal_[i], .linear = vec3_of(linear_[i]), .angular = angular(i)};
  }

 private:
  BlockNumbers normal_{};
  Triples linear_{};
  Triples angular_;  ///< where any has_moments_
  bool has_moments_ = false;
};

struct ContactResult {
  std::size_t number;  ///< among the step's contacts
  Contact contact;
  ContactTerms terms;
  ContactImpulse solved;  ///< of the problem as it was solved
  ContactImpulse total;   ///< with what impacts before it gave: what the bodies felt
};

/// The results of a block of contacts, which follow each other.
struct ResultBlock : ListedBlock {
  const TermsOfContacts& terms;  ///< of all contacts of the step
  const ImpulseBlock& solved;    ///< of the problem as it was solved
  const ImpulseBlock& total;     ///< with what impacts before it gave: what the bodies felt

  ContactResult operator[](std::size_t i) const {
    return {first + i, contacts[i], terms[first + i], solved[i], total[i]};
  }
};

/// Calls `visit(ResultBlock)` for the contacts of @p outcome, in order. Not collective.
template <class Visit>
void for_each_block_of_results(const ContactOutcome& outcome, Visit&& visit) {
  const petsc::ConstView lambda(outcome.lambda);
  const petsc::ConstView total(outcome.total);
  const FormulatedStep& formulated = outcome.formulated;
  const ContactSpan rows = formulated.contact_rows();
  const bool alike = outcome.lambda == outcome.total;
  ImpulseBlock solved;
  ImpulseBlock felt;
  for (std::size_t first = 0; first < outcome.contacts.size(); first += kBlock) {
    const std::size_t count = std::min(kBlock, outcome.contacts.size() - first);
    const ListedBlock block{first, outcome.contacts.blocks()[first / kBlock],
                            ContactView(outcome.contacts).part(first, count)};
    solved.take(rows, block, lambda.span());
    if (!alike) felt.take(rows, block, total.span());
    visit(ResultBlock{block, formulated.terms, solved, alike ? solved : felt});
  }
}

}  // namespace scree
