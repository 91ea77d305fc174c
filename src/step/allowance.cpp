#include "allowance.hpp"

#include <algorithm>

#include "solve_error.hpp"

namespace scree {
namespace {

SpringState spring_of(std::span<const SpringState> springs, std::size_t i) {
  return springs.empty() ? SpringState() : springs[i];
}

}  // namespace

std::vector<SpringState> springs_of(const FormulatedStep& formulated,
                                    std::span<const ContactHistory> histories,
                                    std::span<const double> impulse) {
  const bool any = std::ranges::any_of(formulated.terms, &ContactTerms::compliant);
  if (!any) return {};
  std::vector<SpringState> springs;
  for (std::size_t i = 0; i < formulated.terms.size(); ++i) {
    const bool bears = impulse[formulated.problem.cones.row(i)] > 0.0;
    springs.push_back({formulated.terms[i].compliant, bears, histories[i].rest_gap});
  }
  return springs;
}

Allowances allowances(std::span<const Contact> contacts, std::span<const SpringState> springs,
                      std::span<const double> recovered, const Trial& trial, double dt) {
  Allowances allowed;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Contact& contact = contacts[i];
    const SpringState spring = spring_of(springs, i);
    if (spring.is_compliant) {
      const double end = contact.gap + dt * normal_speed(contact, trial.velocities);
      const double gap = std::min({0.0, spring.rest_gap, spring.bears ? end : 0.0});
      Allowance& pair = allowed[pair_of(contact.key)];
      pair.springs.push_back({contact.arm_a, contact.normal, gap, contact.sharing});
      if (contact.key.recursion > 0) pair.is_shared = true;
    } else if (contact.key.recursion == 0 && contact.gap < 0.0) {
      Allowance& pair = allowed[pair_of(contact.key)];
      pair.gap = std::min(pair.gap, contact.gap + recovered[i]);
    }
  }
  return allowed;
}

}  // namespace scree
