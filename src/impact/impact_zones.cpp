#include "impact_zones.hpp"

#include <algorithm>
#include <map>

#include "scree/impact/joined_bodies.hpp"

namespace scree {
namespace {

/// The bodies of a contact that can move.
std::vector<std::int32_t> movable_bodies(const ImpactProblem& problem,
                                         const ImpactContact& contact) {
  std::vector<std::int32_t> bodies;
  for (const std::int32_t b : contact.body) {
    if (b >= 0 && problem.bodies[static_cast<std::size_t>(b)].inverse_mass.trace() > 0.0) {
      bodies.push_back(b);
    }
  }
  return bodies;
}

/// Names each body that the zone's contacts touch once.
void list_bodies(const ImpactProblem& problem, ImpactZone& zone) {
  for (const std::int32_t i : zone.contacts) {
    for (const std::int32_t b : problem.contacts[static_cast<std::size_t>(i)].body) {
      if (b >= 0) zone.bodies.push_back(b);
    }
  }
  std::sort(zone.bodies.begin(), zone.bodies.end());
  zone.bodies.erase(std::unique(zone.bodies.begin(), zone.bodies.end()), zone.bodies.end());
}

}  // namespace

std::vector<ImpactZone> impact_zones(const ImpactProblem& problem) {
  JoinedBodies joined(problem.bodies.size());
  for (const ImpactContact& contact : problem.contacts) {
    const auto bodies = movable_bodies(problem, contact);
    if (bodies.size() == 2) joined.join(bodies[0], bodies[1]);
  }
  struct Found {
    ImpactZone zone;
    bool approaches = false;
  };
  std::map<std::int32_t, Found> by_root;
  const ImpactVelocities velocities = velocities_of(problem);
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const auto bodies = movable_bodies(problem, problem.contacts[i]);
    if (bodies.empty()) continue;
    Found& found = by_root[joined.root(bodies[0])];
    found.zone.contacts.push_back(static_cast<std::int32_t>(i));
    found.approaches |= contact_velocity(problem.contacts[i], velocities)[0] < 0.0;
  }
  std::vector<ImpactZone> zones;
  for (auto& [root, found] : by_root) {
    if (!found.approaches) continue;
    list_bodies(problem, found.zone);
    zones.push_back(std::move(found.zone));
  }
  std::sort(zones.begin(), zones.end(), [](const ImpactZone& a, const ImpactZone& b) {
    return a.contacts.front() < b.contacts.front();
  });
  return zones;
}

ImpactProblem part_of(const ImpactProblem& problem, const ImpactZone& zone) {
  ImpactProblem part;
  for (const std::int32_t b : zone.bodies) {
    part.bodies.push_back(problem.bodies[static_cast<std::size_t>(b)]);
  }
  for (const std::int32_t i : zone.contacts) {
    part.contacts.push_back(problem.contacts[static_cast<std::size_t>(i)]);
    for (std::int32_t& b : part.contacts.back().body) {
      if (b < 0) continue;
      const auto place = std::lower_bound(zone.bodies.begin(), zone.bodies.end(), b);
      b = static_cast<std::int32_t>(place - zone.bodies.begin());
    }
  }
  return part;
}

double zone_restitution(const ImpactProblem& zone) {
  double first = -1.0;
  bool same = true;
  double masses = 0.0;
  double sum = 0.0;
  for (const ImpactContact& contact : zone.contacts) {
    const double inverse = inverse_reduced_mass(zone, contact);
    if (inverse <= 0.0) continue;
    if (first < 0.0) first = contact.restitution;
    same = same && contact.restitution == first;
    masses += 1.0 / inverse;
    sum += contact.restitution / inverse;
  }
  if (masses <= 0.0) return 0.0;
  return same ? first : sum / masses;
}

}  // namespace scree
