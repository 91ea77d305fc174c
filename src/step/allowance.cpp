#include "scree/step/allowance.hpp"

#include <algorithm>

#include "scree/step/solve_error.hpp"

namespace scree {
namespace {

SpringState spring_of(std::span<const SpringState> springs, std::size_t i) {
  return springs.empty() ? SpringState() : springs[i];
}

}  // namespace

std::vector<SpringState> springs_of(const PosedStep& posed,
                                    std::span<const ContactHistory> histories,
                                    std::span<const double> impulse) {
  const bool any = std::ranges::any_of(posed.terms, &ContactTerms::compliant);
  if (!any) return {};
  std::vector<SpringState> springs;
  for (std::size_t i = 0; i < posed.terms.size(); ++i) {
    const bool bears = impulse[posed.problem.cones.row(i)] > 0.0;
    springs.push_back({posed.terms[i].compliant, bears, histories[i].rest_gap});
  }
  return springs;
}

Allowances allowances(std::span<const Contact> contacts, std::span<const SpringState> springs,
                      const Trial& trial, double recovered, double dt) {
  Allowances allowed;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Contact& contact = contacts[i];
    const SpringState spring = spring_of(springs, i);
    if (spring.is_compliant) {
      Allowance& pair = allowed[pair_of(contact.key)];
      pair.is_compliant = true;
      const double end = contact.gap + dt * normal_speed(contact, trial);
      pair.gap = std::min({pair.gap, spring.rest_gap, spring.bears ? end : 0.0});
    } else if (contact.key.recursion == 0 && contact.gap < 0.0) {
      Allowance& pair = allowed[pair_of(contact.key)];
      pair.gap = std::min(pair.gap, contact.gap + recovered);
    }
  }
  return allowed;
}

std::map<PairKey, ContactHistory> histories_of_springs(std::span<const Contact> contacts,
                                                       std::span<const SpringState> springs,
                                                       std::span<const ContactHistory> histories) {
  std::map<PairKey, ContactHistory> pairs;
  std::map<PairKey, int> points;
  for (std::size_t i = 0; i < springs.size(); ++i) {
    if (!springs[i].is_compliant) continue;
    ContactHistory& pair = pairs[pair_of(contacts[i].key)];
    pair.force += histories[i].force;
    pair.rest_gap = std::min(pair.rest_gap, histories[i].rest_gap);
    pair.touched = pair.touched || histories[i].touched;
    ++points[pair_of(contacts[i].key)];
  }
  for (auto& [key, pair] : pairs) pair.force /= points[key];
  return pairs;
}

std::vector<Contact> rigid_ones(std::span<const Contact> contacts,
                                std::span<const SpringState> springs) {
  std::vector<Contact> rigid;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (!spring_of(springs, i).is_compliant) rigid.push_back(contacts[i]);
  }
  return rigid;
}

}  // namespace scree
