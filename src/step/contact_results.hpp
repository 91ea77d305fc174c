#pragma once

/// The part of a step's solution that belongs to its contacts, taken back from their rows once, in
/// one pass, for all who look at a step that was taken.

#include "contact_impulse.hpp"
#include "scree/step/contact_memory.hpp"

namespace scree {

struct ContactResult {
  std::size_t number;  ///< among the step's contacts
  const Contact& contact;
  const ContactTerms& terms;
  ContactImpulse solved;  ///< of the problem as it was solved
  ContactImpulse total;   ///< with what impacts before it gave: what the bodies felt
};

/// Calls `visit(ContactResult)` for each contact of @p outcome, in order. Not collective.
template <class Visit>
void for_each_result(const ContactOutcome& outcome, Visit&& visit) {
  const petsc::ConstView lambda(outcome.lambda);
  const petsc::ConstView total(outcome.total);
  const FormulatedStep& formulated = outcome.formulated;
  const ContactSpan rows = formulated.contact_rows();
  const bool alike = outcome.lambda == outcome.total;
  for (std::size_t i = 0; i < outcome.contacts.size(); ++i) {
    const Contact contact = outcome.contacts[i];
    const ContactTerms terms = formulated.terms[i];
    const ContactImpulse solved = impulse_of(rows, contact, i, lambda.span());
    visit(ContactResult{i, contact, terms, solved,
                        alike ? solved : impulse_of(rows, contact, i, total.span())});
  }
}

}  // namespace scree
