#include "allowance.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

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
      const double end = contact.gap + dt * normal_speed(contact, trial);
      const double gap = std::min({0.0, spring.rest_gap, spring.bears ? end : 0.0});
      allowed[pair_of(contact.key)].springs.push_back({contact.arm_a, gap});
    } else if (contact.key.recursion == 0 && contact.gap < 0.0) {
      Allowance& pair = allowed[pair_of(contact.key)];
      pair.gap = std::min(pair.gap, contact.gap + recovered[i]);
    }
  }
  return allowed;
}

std::vector<std::optional<Place>> places_of(std::span<const Contact> found,
                                            std::span<const Contact> contacts) {
  std::map<PairKey, std::vector<std::size_t>> of_pairs;
  for (const Contact& one : found) of_pairs[pair_of(one.key)];
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto pair = of_pairs.find(pair_of(contacts[i].key));
    if (pair != of_pairs.end()) pair->second.push_back(i);
  }
  std::vector<bool> taken(contacts.size(), false);
  std::vector<std::optional<Place>> places;
  for (const Contact& one : found) {
    const std::vector<std::size_t>& mates = of_pairs[pair_of(one.key)];
    const auto nearest = std::ranges::min_element(mates, {}, [&](std::size_t i) {
      const bool is_other = contacts[i].key.feature != one.key.feature;
      return std::tuple(bool{taken[i]}, is_other, (contacts[i].arm_a - one.arm_a).squaredNorm());
    });
    if (nearest == mates.end()) {
      places.emplace_back();
      continue;
    }
    places.push_back(Place{*nearest, !taken[*nearest]});
    taken[*nearest] = true;
  }
  return places;
}

ContactHistory history_at(Place place, const Contact& contact, const ContactHistory& history,
                          bool loaded, const Contact& taker) {
  ContactHistory taken = history;
  taken.loaded = loaded;
  taken.force =
      place.is_free ? turned_with(contact.normal, taker.normal, history.force) : Vec3(Vec3::Zero());
  return taken;
}

}  // namespace scree
