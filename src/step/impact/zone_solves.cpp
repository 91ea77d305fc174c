#include "zone_solves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <compare>
#include <exception>
#include <string>
#include <unordered_map>
#include <utility>

#include "body_blocks.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/sparse_exchange.hpp"
#include "zone_labels.hpp"

namespace scree {
namespace {

constexpr std::int64_t kNoBody = -1;

/// A body on its way to the rank that resolves its zone.
struct SentBody {
  std::int64_t block = 0;  ///< global
  ImpactBody body;
};

/// A contact on its way there; its bodies by their global blocks.
struct SentContact {
  ContactKey key;
  std::int64_t place = 0;  ///< among the active contacts of its rank
  std::array<std::int64_t, 2> block{kNoBody, kNoBody};
  ImpactContact contact;
};

struct ReturnedBody {
  std::int64_t block = 0;
  Vec6 velocity;
};

struct ReturnedContact {
  std::int64_t place = 0;
  Vec3 impulse;
};

/// Whole zones, gathered by one rank.
struct Gathered {
  ImpactProblem problem;
  std::vector<std::int64_t> blocks;                  ///< of each body
  std::vector<std::pair<int, std::int64_t>> origin;  ///< of each contact: its rank, its place there
};

ImpactContact impact_contact(const StrikingZones& zones, const StrikingBodies& bodies,
                             std::int32_t i, double friction) {
  const ContactProblem& problem = zones.step.problem;
  const BlockRows& blocks = *problem.delassus.blocks;
  const int dim = zones.step.contact_rows().dim(static_cast<std::size_t>(i));
  ImpactContact contact;
  contact.bias = bodies.bias(i);
  contact.restitution = zones.step.impact(static_cast<std::size_t>(i)).restitution;
  contact.friction = dim >= kForceRows ? friction : 0.0;
  contact.has_gap = zones.contacts[i].gap > bodies.touching(static_cast<std::size_t>(i));
  const int n_rows = std::min(dim, kForceRows);
  const Contact& point = zones.contacts[i];
  const auto rows_of = [&](const Vec3& arm, double sign) -> ImpactRows {
    ImpactRows rows = ImpactRows::Zero();
    rows.topRows(n_rows) =
        block_of_frame<kForceRows>(point.frame(), arm, sign, 0.0).topRows(n_rows);
    return rows;
  };
  contact.rows[0] = rows_of(point.arm_a, 1.0);
  if (blocks.pattern.first[i + 1] - blocks.pattern.first[i] > 1) {
    contact.rows[1] = rows_of(point.arm_b, -1.0);
  }
  return contact;
}

/// The label of the zone of a contact; kNotStriking where nothing of it can move, too.
double label_of(const StrikingZones& zones, std::int32_t contact) {
  double label = kNotStriking;
  for_each_movable(*zones.step.problem.delassus.blocks, contact,
                   [&](std::int32_t body) { label = zones.labels[body]; });
  return label;
}

struct Outgoing {
  RankBytes bodies;
  RankBytes contacts;
};

/// A local body and the rank that is to know it.
struct Touched {
  int rank;
  std::int32_t body;
  std::int64_t id;
  auto operator<=>(const Touched&) const = default;
};

/// The rows of this rank's contacts, for the ranks that resolve their zones; each body once for
/// each.
Outgoing pack(const StrikingZones& zones, const BodyBlocks& blocks, const StrikingBodies& bodies) {
  const ContactProblem& problem = zones.step.problem;
  const BodyPattern& pattern = problem.delassus.blocks->pattern;
  const std::vector<double> friction = friction_coefficients(problem.cones);
  std::vector<Touched> touched;
  Outgoing outgoing;
  for (std::size_t place = 0; place < zones.active.size(); ++place) {
    const std::int32_t i = zones.active[place];
    const double label = label_of(zones, i);
    if (label >= kNotStriking) continue;
    const int rank = blocks.rank(static_cast<std::int64_t>(label));
    const ContactKey& key = zones.contacts[i].key;
    SentContact sent{.key = key,
                     .place = static_cast<std::int64_t>(place),
                     .contact = impact_contact(zones, bodies, i, friction[i])};
    for (std::int32_t e = pattern.first[i]; e < pattern.first[i + 1]; ++e) {
      const std::int32_t side = e - pattern.first[i];
      sent.block[side] = blocks.global(pattern.body[e]);
      touched.push_back({rank, pattern.body[e], side == 0 ? key.id_a : key.id_b});
    }
    append_record(outgoing.contacts[rank], sent);
  }
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  for (const auto& [rank, body, id] : touched) {
    const Mat6& inverse_mass = problem.delassus.blocks->inverse_mass[body];
    append_record(outgoing.bodies[rank],
                  SentBody{blocks.global(body), {id, inverse_mass, bodies.velocity(body)}});
  }
  return outgoing;
}

/// The bodies that came in, by id; what several ranks know has come several times.
std::vector<SentBody> unpack_bodies(const RankBytes& incoming) {
  std::vector<SentBody> bodies;
  for (const auto& [rank, bytes] : incoming) read_records(bytes, bodies);
  std::sort(bodies.begin(), bodies.end(),
            [](const SentBody& a, const SentBody& b) { return a.body.id < b.body.id; });
  const auto same = [](const SentBody& a, const SentBody& b) { return a.block == b.block; };
  bodies.erase(std::unique(bodies.begin(), bodies.end(), same), bodies.end());
  return bodies;
}

/// A contact that came in, and from where.
struct CameIn {
  SentContact sent;
  int rank;
};

std::vector<CameIn> unpack_contacts(const RankBytes& incoming) {
  std::vector<CameIn> contacts;
  for (const auto& [rank, bytes] : incoming) {
    std::vector<SentContact> of_rank;
    read_records(bytes, of_rank);
    for (const SentContact& sent : of_rank) contacts.push_back({sent, rank});
  }
  std::sort(contacts.begin(), contacts.end(),
            [](const CameIn& a, const CameIn& b) { return a.sent.key < b.sent.key; });
  return contacts;
}

/// Collective.
Gathered gather(MPI_Comm comm, const Outgoing& outgoing) {
  Gathered gathered;
  std::unordered_map<std::int64_t, std::int32_t> place_of;
  for (const SentBody& sent : unpack_bodies(sparse_exchange(comm, outgoing.bodies))) {
    place_of[sent.block] = static_cast<std::int32_t>(gathered.blocks.size());
    gathered.blocks.push_back(sent.block);
    gathered.problem.bodies.push_back(sent.body);
  }
  for (CameIn& came : unpack_contacts(sparse_exchange(comm, outgoing.contacts))) {
    ImpactContact& contact = came.sent.contact;
    for (std::size_t side = 0; side < 2; ++side) {
      if (came.sent.block[side] != kNoBody) contact.body[side] = place_of.at(came.sent.block[side]);
    }
    gathered.problem.contacts.push_back(contact);
    gathered.origin.emplace_back(came.rank, came.sent.place);
  }
  return gathered;
}

/// The outcome of this rank's zones. Collective. @throws Failure, on every rank, where that of any
/// fails: others wait for its answers.
ImpactOutcome resolve_together(MPI_Comm comm, const ImpactProblem& problem,
                               const ImpactOptions& options) {
  ImpactOutcome outcome;
  std::string fault;
  try {
    outcome = resolve_impacts(problem, options);
  } catch (const std::exception& error) {
    fault = fmt::format("impact {}: {}", name_of(problem), error.what());
  }
  fail_together(comm, fault);
  return outcome;
}

EnergeticFigures figures_of(const std::vector<ImpactReport>& zones) {
  EnergeticFigures figures;
  for (const ImpactReport& zone : zones) {
    ++figures.zones;
    figures.contacts = std::max(figures.contacts, static_cast<std::int64_t>(zone.n_contacts));
    figures.applications += zone.applications;
    figures.programs += zone.programs;
    figures.program_seconds += zone.program_seconds;
    figures.lost_in_gaps += zone.lost_in_gaps;
    figures.energy_before += zone.energy_before;
    figures.energy_after += zone.energy_after;
    figures.cut_off += zone.end == ImpactEnd::cut_off ? 1 : 0;
    figures.walls_close += zone.end == ImpactEnd::walls_close ? 1 : 0;
    figures.approach_left = std::max(figures.approach_left, zone.approach_left);
    if (figures.fault.empty()) figures.fault = zone.fault;
  }
  return figures;
}

/// Gives own bodies the velocities that ranks have found for them, and ghosts theirs. Collective.
void return_velocities(MPI_Comm comm, const Gathered& gathered, const ImpactOutcome& outcome,
                       const BodyBlocks& blocks, StrikingBodies& bodies) {
  RankBytes outgoing;
  for (std::size_t b = 0; b < gathered.blocks.size(); ++b) {
    if (outcome.velocity[b] == gathered.problem.bodies[b].velocity) continue;
    append_record(outgoing[blocks.rank(gathered.blocks[b])],
                  ReturnedBody{gathered.blocks[b], outcome.velocity[b]});
  }
  std::vector<ReturnedBody> returned;
  for (const auto& [rank, bytes] : sparse_exchange(comm, outgoing)) read_records(bytes, returned);
  for (const ReturnedBody& body : returned) {
    bodies.set_velocity(blocks.own(body.block), body.velocity);
  }
  bodies.share();
}

/// The impulses of this rank's @p n active contacts, of those that were resolved. Collective.
std::vector<Vec3> return_impulses(MPI_Comm comm, const Gathered& gathered,
                                  const ImpactOutcome& outcome, std::size_t n) {
  RankBytes outgoing;
  for (std::size_t i = 0; i < gathered.origin.size(); ++i) {
    const auto& [rank, place] = gathered.origin[i];
    append_record(outgoing[rank], ReturnedContact{place, outcome.impulse[i]});
  }
  std::vector<ReturnedContact> returned;
  for (const auto& [rank, bytes] : sparse_exchange(comm, outgoing)) read_records(bytes, returned);
  std::vector<Vec3> impulse(n, Vec3::Zero());
  for (const ReturnedContact& contact : returned) impulse[contact.place] = contact.impulse;
  return impulse;
}

}  // namespace

ZoneOutcome resolve_zones(const StrikingZones& zones, const ImpactOptions& options,
                          StrikingBodies& bodies) {
  const MPI_Comm comm = zones.step.problem.comm;
  const BodyBlocks blocks(zones.step.problem);
  const Gathered gathered = gather(comm, pack(zones, blocks, bodies));
  const ImpactOutcome outcome = resolve_together(comm, gathered.problem, options);
  return_velocities(comm, gathered, outcome, blocks, bodies);
  return {return_impulses(comm, gathered, outcome, zones.active.size()), figures_of(outcome.zones)};
}

}  // namespace scree
