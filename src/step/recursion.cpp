#include "scree/step/recursion.hpp"

#include <algorithm>
#include <limits>

#include "contact_impulse.hpp"
#include "scree/base/parallel.hpp"
#include "scree/contact/penetration.hpp"
#include "scree/domain/numbering.hpp"
#include "solve_error.hpp"

namespace scree {
namespace {

/// Has the arms of two bodies meet in one point at the start; at the end of @p trial they do. Each
/// takes half of what the centres have gone against each other, so that impulses on the two have no
/// moment together.
void meet_at_start(const Store& bodies, const Trial& trial, Contact& contact) {
  if (bodies.is_prescribed(contact.b)) return;
  const auto travel = [&](std::int32_t slot) -> Vec3 {
    return trial.poses[slot].position - bodies.position[slot];
  };
  const Vec3 apart = travel(contact.b) - travel(contact.a);
  contact.arm_a -= 0.5 * apart;
  contact.arm_b += 0.5 * apart;
}

}  // namespace

std::vector<Vec6> velocities_of_slots(const Store& bodies, std::span<const double> end_velocity,
                                      Exchange& exchange) {
  std::vector<Vec6> velocities(static_cast<std::size_t>(bodies.size()));
  for (std::int32_t slot = 0; slot < bodies.end_owned(); ++slot) {
    if (bodies.is_tool(slot)) {
      velocities[slot] << bodies.velocity[slot], bodies.angular_velocity[slot];
    } else {
      velocities[slot] =
          Vec6(&end_velocity[6 * static_cast<std::size_t>(slot - bodies.first_owned())]);
    }
  }
  const std::vector<Vec6> tools = of_free_tools(exchange.comm(), bodies, end_velocity);
  for (std::int32_t slot = 0, k = 0; slot < bodies.n_tools; ++slot) {
    if (bodies.is_free_tool(slot)) velocities[slot] = tools[k++];
  }
  exchange.update(velocities);
  return velocities;
}

Trial trial_of(const Store& bodies, std::span<const double> end_velocity, Exchange& exchange,
               double dt) {
  Trial trial{std::vector<Pose>(static_cast<std::size_t>(bodies.size())),
              velocities_of_slots(bodies, end_velocity, exchange)};
  for (std::int32_t slot = 0; slot < bodies.size(); ++slot) {
    const Vec6& v = trial.velocities[slot];
    trial.poses[slot] = moved(pose_of(bodies, slot), v.head<3>(), v.tail<3>(), dt);
  }
  return trial;
}

std::vector<ContactRecord> impulses_of(ContactView contacts, const ContactProblem& problem,
                                       std::span<const double> impulse, double dt) {
  const ContactSpan rows(problem, contacts.size());
  std::vector<ContactRecord> records(contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ContactImpulse one = impulse_of(rows, contacts[i], i, impulse);
    records[i].key = contacts.key(i);
    records[i].force = one.linear / dt;
    records[i].moment = (one.angular / dt).cast<float>();
  }
  std::sort(records.begin(), records.end(),
            [](const ContactRecord& a, const ContactRecord& b) { return a.key < b.key; });
  return records;
}

FoundRecords records_of(ContactView contacts, std::span<const ContactRecord> records) {
  FoundRecords found(contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ContactKey key = contacts.key(i);
    const auto record = std::ranges::lower_bound(records, key, {}, &ContactRecord::key);
    if (record != records.end() && record->key == key) found.set_other(i, *record);
  }
  return found;
}

Overlaps largest_overlap(const Store& bodies, ContactView found) {
  const Penetration worst = penetration(bodies, found);
  if (worst.relative == 0.0) return {};
  return {{}, {}, worst.relative, bodies.id[worst.a], bodies.id[worst.b]};
}

double Allowance::at(const Contact& point, double start_gap) const {
  return is_shared ? of_one_spring(point.normal, start_gap) : of_nearest(point.arm_a);
}

double Allowance::of_nearest(const Vec3& arm) const {
  double least = std::numeric_limits<double>::infinity();
  double allowed = gap;
  for (const Spring& spring : springs) {
    const double distance = (spring.arm - arm).squaredNorm();
    if (distance >= least) continue;
    least = distance;
    allowed = spring.gap;
  }
  return allowed;
}

/// One spring that bears Lambda, with its dashpot, ends at rest + (1 - share) min(start - rest, 0)
/// - dt R Lambda.
double Allowance::of_one_spring(const Vec3& normal, double start_gap) const {
  constexpr double kAlike = 0.5;  // of the normals' cosine
  constexpr double kSpread = 1.01;
  double of_all = 0.0;
  double deepest = 0.0;
  double rest = 0.0;
  double share = std::numeric_limits<double>::infinity();
  for (const Spring& spring : springs) {
    const double alike = std::max(0.0, spring.normal.dot(normal));
    of_all += alike * spring.load;
    rest = std::min(rest, spring.rest_gap);
    share = std::min(share, spring.bias_share);
    if (alike > kAlike) deepest = std::min(deepest, spring.gap);
  }
  const double held = (1.0 - share) * std::min(start_gap - rest, 0.0);
  return std::max(deepest, rest + held - kSpread * of_all);
}

Overlaps pulled_back(const Store& bodies, ContactView found, const Allowances& allowed,
                     const Trial& trial, double tolerance, std::int32_t recursion, double dt) {
  Overlaps result;
  for (const Contact& contact : found) {
    const auto known = allowed.find(pair_of(contact.key));
    const Allowance pair = known == allowed.end() ? Allowance() : known->second;
    Contact at_start = contact;
    meet_at_start(bodies, trial, at_start);
    at_start.gap -= dt * normal_speed(at_start, trial.velocities);
    const double may = pair.at(contact, at_start.gap);
    const double overlap = (may - contact.gap) / smaller_radius(bodies, contact.a, contact.b);
    if (overlap > result.largest) {
      result.largest = overlap;
      result.id_a = contact.key.id_a;
      result.id_b = contact.key.id_b;
    }
    if (overlap <= tolerance) continue;
    at_start.key.recursion = recursion;
    if (!pair.is_compliant()) at_start.gap -= may;
    (pair.is_compliant() ? result.springs : result.constraints).push_back(at_start);
  }
  return result;
}

void report_largest(const Overlaps& mine, MPI_Comm comm, EndOverlap& overlap) {
  overlap.largest = max_over_ranks(comm, mine.largest);
  const bool is_mine = mine.largest == overlap.largest;
  overlap.id_a = max_over_ranks(comm, is_mine ? mine.id_a : std::int64_t{-1});
  overlap.id_b =
      max_over_ranks(comm, is_mine && mine.id_a == overlap.id_a ? mine.id_b : std::int64_t{-1});
}

}  // namespace scree
