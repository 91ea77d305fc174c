#include "impact_zones.hpp"

#include <algorithm>
#include <array>

#include "scree/impact/joined_bodies.hpp"

namespace scree {
namespace {

/// Whether each body can move.
std::vector<bool> movable_bodies(const ImpactProblem& problem) {
  std::vector<bool> movable(problem.bodies.size());
  for (std::size_t b = 0; b < movable.size(); ++b) {
    movable[b] = problem.bodies[b].inverse_mass.trace() > 0.0;
  }
  return movable;
}

/// The bodies of a contact that can move; -1 in the place of the others.
std::array<std::int32_t, 2> movable_of(const ImpactContact& contact,
                                       const std::vector<bool>& movable) {
  std::array<std::int32_t, 2> bodies = contact.body;
  for (std::int32_t& b : bodies) {
    if (b >= 0 && !movable[static_cast<std::size_t>(b)]) b = -1;
  }
  return bodies;
}

/// Names each body that the zone's contacts touch once. @param named false for each body, before
/// and after.
void list_bodies(const ImpactProblem& problem, ImpactZone& zone, std::vector<bool>& named) {
  for (const std::int32_t i : zone.contacts) {
    for (const std::int32_t b : problem.contacts[static_cast<std::size_t>(i)].body) {
      if (b < 0 || named[static_cast<std::size_t>(b)]) continue;
      named[static_cast<std::size_t>(b)] = true;
      zone.bodies.push_back(b);
    }
  }
  std::sort(zone.bodies.begin(), zone.bodies.end());
  for (const std::int32_t b : zone.bodies) named[static_cast<std::size_t>(b)] = false;
}

}  // namespace

std::vector<ImpactZone> impact_zones(const ImpactProblem& problem) {
  const std::vector<bool> movable = movable_bodies(problem);
  JoinedBodies joined(problem.bodies.size());
  for (const ImpactContact& contact : problem.contacts) {
    const auto [a, b] = movable_of(contact, movable);
    if (a >= 0 && b >= 0) joined.join(a, b);
  }
  struct Found {
    ImpactZone zone;
    bool approaches = false;
  };
  std::vector<Found> found;
  std::vector<std::int32_t> place(problem.bodies.size(), -1);  // of the zone of a root
  const ImpactVelocities velocities = velocities_of(problem);
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const auto [a, b] = movable_of(problem.contacts[i], movable);
    if (a < 0 && b < 0) continue;
    std::int32_t& at = place[static_cast<std::size_t>(joined.root(a >= 0 ? a : b))];
    if (at < 0) {
      at = static_cast<std::int32_t>(found.size());
      found.emplace_back();
    }
    Found& of = found[static_cast<std::size_t>(at)];
    of.zone.contacts.push_back(static_cast<std::int32_t>(i));
    of.approaches = of.approaches || normal_velocity(problem.contacts[i], velocities) < 0.0;
  }
  std::vector<ImpactZone> zones;
  std::vector<bool> named(problem.bodies.size(), false);
  for (Found& of : found) {
    if (!of.approaches) continue;
    list_bodies(problem, of.zone, named);
    zones.push_back(std::move(of.zone));
  }
  return zones;
}

ImpactProblem part_of(const ImpactProblem& problem, const ImpactZone& zone,
                      std::vector<std::int32_t>& place) {
  ImpactProblem part;
  part.bodies.reserve(zone.bodies.size());
  part.contacts.reserve(zone.contacts.size());
  for (const std::int32_t b : zone.bodies) {
    place[static_cast<std::size_t>(b)] = static_cast<std::int32_t>(part.bodies.size());
    part.bodies.push_back(problem.bodies[static_cast<std::size_t>(b)]);
  }
  for (const std::int32_t i : zone.contacts) {
    part.contacts.push_back(problem.contacts[static_cast<std::size_t>(i)]);
    for (std::int32_t& b : part.contacts.back().body) {
      if (b >= 0) b = place[static_cast<std::size_t>(b)];
    }
  }
  return part;
}

double zone_restitution(const ImpactProblem& zone) {
  // mostly all have one, and no mass is asked for but the first
  const bool have_one = std::ranges::all_of(zone.contacts, [&](const ImpactContact& contact) {
    return contact.restitution == zone.contacts.front().restitution;
  });
  double first = -1.0;
  bool same = true;
  double masses = 0.0;
  double sum = 0.0;
  for (const ImpactContact& contact : zone.contacts) {
    const double inverse = inverse_reduced_mass(zone, contact);
    if (inverse <= 0.0) continue;
    if (first < 0.0) first = contact.restitution;
    if (have_one) return first;
    same = same && contact.restitution == first;
    masses += 1.0 / inverse;
    sum += contact.restitution / inverse;
  }
  if (masses <= 0.0) return 0.0;
  return same ? first : sum / masses;
}

}  // namespace scree
