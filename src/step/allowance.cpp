#include "allowance.hpp"

#include <algorithm>

#include "contact_impulse.hpp"
#include "solve_error.hpp"

namespace scree {
namespace {

SpringState spring_of(std::span<const SpringState> springs, std::size_t i) {
  return springs.empty() ? SpringState() : springs[i];
}

}  // namespace

std::vector<SpringState> springs_of(const FormulatedStep& formulated, ContactView contacts,
                                    std::span<const ContactHistory> histories,
                                    std::span<const double> impulse) {
  if (!formulated.terms.any_compliant()) return {};
  const ContactSpan rows = formulated.contact_rows();
  std::vector<SpringState> springs;
  for (std::size_t i = 0; i < formulated.terms.size(); ++i) {
    const ContactTerms terms = formulated.terms[i];
    const double normal = impulse_of(rows, contacts[i], i, impulse).normal;
    const double softness = rows.normal_softness(i) / contacts[i].sharing;
    const double gap = contacts[i].gap - histories[i].rest_gap;
    springs.push_back({.is_compliant = terms.compliant,
                       .bears = normal > 0.0,
                       .rest_gap = histories[i].rest_gap,
                       .load = formulated.dt * softness * normal,
                       .bias_share = gap < 0.0 ? terms.gap_bias * formulated.dt / gap : 1.0});
  }
  return springs;
}

Allowances allowances(ContactView contacts, std::span<const SpringState> springs,
                      std::span<const double> recovered, const Trial& trial, double dt) {
  Allowances allowed;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Contact& contact = contacts[i];
    const SpringState spring = spring_of(springs, i);
    if (spring.is_compliant) {
      const double end = contact.gap + dt * normal_speed(contact, trial.velocities);
      const bool yields = spring.bears || contact.gap < spring.rest_gap;
      const double gap = std::min({0.0, spring.rest_gap, yields ? end : 0.0});
      Allowance& pair = allowed[pair_of(contact.key)];
      pair.springs.push_back(
          {contact.arm_a, contact.normal, gap, spring.load, spring.rest_gap, spring.bias_share});
      if (contact.key.recursion > 0) pair.is_shared = true;
    } else if (contact.key.recursion == 0 && contact.gap < 0.0) {
      Allowance& pair = allowed[pair_of(contact.key)];
      pair.gap = std::min(pair.gap, contact.gap + recovered[i]);
    }
  }
  return allowed;
}

}  // namespace scree
