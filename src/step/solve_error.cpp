#include "solve_error.hpp"

#include <algorithm>
#include <map>

#include "scree/contact/penetration.hpp"

namespace scree {
namespace {

/// Share of the tolerance that an overlap of the solve may have beyond what it missed.
constexpr double kOwnShare = 0.5;

/// The gap that the row of @p contact misses with the velocities of @p trial, m; negative where it
/// is satisfied.
double miss_of(const Contact& contact, double recovered, const Trial& trial, double dt) {
  const bool of_start = contact.key.recursion == 0;
  const double allowed = of_start ? std::min(contact.gap + recovered, 0.0) : 0.0;
  return allowed - (contact.gap + dt * normal_speed(contact, trial.velocities));
}

}  // namespace

double largest_miss(ContactView contacts, std::span<const double> recovered, const Trial& trial,
                    double dt) {
  double largest = 0.0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    largest = std::max(largest, miss_of(contacts[i], recovered[i], trial, dt));
  }
  return largest;
}

void erase_errors_of_solve(const Store& bodies, ContactView contacts,
                           std::span<const double> recovered, const Trial& trial, double tolerance,
                           double dt, std::vector<Contact>& constraints) {
  std::map<PairKey, double> missed;  // of the pairs that overlap, few among all
  for (const Contact& constraint : constraints) missed[pair_of(constraint.key)] = 0.0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto pair = missed.find(pair_of(contacts[i].key));
    if (pair == missed.end()) continue;
    pair->second = std::max(pair->second, miss_of(contacts[i], recovered[i], trial, dt));
  }
  std::erase_if(constraints, [&](const Contact& constraint) {
    const double overlap = -(constraint.gap + dt * normal_speed(constraint, trial.velocities));
    const double own = kOwnShare * tolerance * smaller_radius(bodies, constraint.a, constraint.b);
    return overlap <= missed[pair_of(constraint.key)] + own;
  });
}

}  // namespace scree
