#include "zone_solves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "body_blocks.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/sparse_exchange.hpp"
#include "zone_labels.hpp"

namespace scree {
namespace {

constexpr std::int32_t kNoBody = -1;

/// A body on its way to the rank that resolves its zone.
struct SentBody {
  std::int64_t block = 0;  ///< global
  ImpactBody body;
};

/// A contact on its way there; its bodies by their numbers among those that its rank sends. Its
/// rows follow from its normal and its arms.
struct SentContact {
  ContactKey key;
  std::int64_t place = 0;  ///< among the active contacts of its rank
  std::array<std::int32_t, 2> body{kNoBody, kNoBody};
  Vec3 normal = Vec3::Zero();
  std::array<Vec3, 2> arm{Vec3::Zero(), Vec3::Zero()};
  Vec3 bias = Vec3::Zero();
  double restitution = 0.0;
  double friction = 0.0;
  std::int32_t n_rows = 0;
  bool has_gap = false;
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

SentContact sent_contact(const StrikingZones& zones, const StrikingBodies& bodies,
                         std::size_t place, double friction) {
  const std::int32_t i = zones.active[place];
  const auto at = static_cast<std::size_t>(i);
  const int dim = zones.step.contact_rows().dim(at);
  const Contact& point = zones.contacts[at];
  return {.key = point.key,
          .place = static_cast<std::int64_t>(place),
          .normal = point.normal,
          .arm = {point.arm_a, point.arm_b},
          .bias = bodies.bias(at),
          .restitution = zones.step.impact(at).restitution,
          .friction = dim >= kForceRows ? friction : 0.0,
          .n_rows = std::min(dim, kForceRows),
          .has_gap = point.gap > bodies.touching(at)};
}

/// The rows of @p sent; its bodies have no numbers yet.
ImpactContact impact_contact(const SentContact& sent) {
  ImpactContact contact;
  contact.bias = sent.bias;
  contact.restitution = sent.restitution;
  contact.friction = sent.friction;
  contact.has_gap = sent.has_gap;
  const ContactFrame frame = frame_of(sent.normal);
  for (std::size_t side = 0; side < 2; ++side) {
    if (sent.body[side] == kNoBody) continue;
    const double sign = side == 0 ? 1.0 : -1.0;
    contact.rows[side].topRows(sent.n_rows) =
        block_of_frame<kForceRows>(frame, sent.arm[side], sign, 0.0).topRows(sent.n_rows);
  }
  return contact;
}

/// The label of the zone of a contact; kNotStriking where nothing of it can move, too.
double label_of(const StrikingZones& zones, std::int32_t contact) {
  const BodyPattern& pattern = zones.step.problem.delassus.blocks->pattern;
  double label = kNotStriking;  // as that of bodies that cannot move
  for (const std::int32_t body : pattern.bodies(contact)) {
    label = std::min(label, zones.labels[body]);
  }
  return label;
}

struct Outgoing {
  RankBytes bodies;
  RankBytes contacts;
};

/// The rows of this rank's contacts, for the ranks that resolve their zones, and the bodies of
/// each: those of several zones may go to a rank more than once.
Outgoing pack(const StrikingZones& zones, const BodyBlocks& blocks, const StrikingBodies& bodies) {
  const ContactProblem& problem = zones.step.problem;
  const BodyPattern& pattern = problem.delassus.blocks->pattern;
  const std::vector<double> friction = friction_coefficients(problem.cones);
  struct Known {
    int to = -1;               // the last rank that a body was sent to
    std::int32_t number = -1;  // there
  };
  std::vector<Known> known(pattern.n_bodies());
  std::map<int, std::int32_t> n_bodies;  // that are sent to a rank
  Outgoing outgoing;
  const std::size_t most = zones.active.size() * sizeof(SentContact);
  const int self = rank_of(problem.comm);
  for (std::size_t place = 0; place < zones.active.size(); ++place) {
    const std::int32_t i = zones.active[place];
    const double label = label_of(zones, i);
    if (label >= kNotStriking) continue;
    const int rank = blocks.rank(static_cast<std::int64_t>(label));
    SentContact sent = sent_contact(zones, bodies, place, friction[i]);
    const BodiesOfCone touched = pattern.bodies(i);
    for (std::size_t side = 0; side < touched.size(); ++side) {
      const std::int32_t body = touched[side];
      Known& of = known[body];
      if (of.to != rank) {
        of = {rank, n_bodies[rank]++};
        const std::int64_t id = side == 0 ? sent.key.id_a : sent.key.id_b;
        append_record(
            outgoing.bodies[rank],
            SentBody{blocks.global(body),
                     {id, problem.delassus.blocks->inverse_mass[body], bodies.velocity(body)}});
      }
      sent.body[side] = of.number;
    }
    std::vector<std::byte>& message = outgoing.contacts[rank];
    if (rank == self) message.reserve(most);
    append_record(message, sent);
  }
  return outgoing;
}

/// The places of @p records in the order of what @p key reads of each, without moving them.
template <class Record, class Key>
std::vector<std::size_t> order_of(const std::vector<Record>& records, Key key) {
  std::vector<std::size_t> order(records.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto before = [&](std::size_t a, std::size_t b) {
    return key(records[a]) < key(records[b]);
  };
  if (!std::is_sorted(order.begin(), order.end(), before)) {
    std::sort(order.begin(), order.end(), before);
  }
  return order;
}

/// Adds the bodies that came in, by id; what several ranks know has come several times.
/// @returns their places, of each rank's in the order in which it sent them.
std::map<int, std::vector<std::int32_t>> add_bodies(const RankBytes& incoming, Gathered& gathered) {
  std::vector<SentBody> came;
  std::vector<std::size_t> ends;  // of each rank's
  for (const auto& [rank, bytes] : incoming) {
    read_records(bytes, came);
    ends.push_back(came.size());
  }
  std::vector<std::int32_t> place(came.size());
  gathered.blocks.reserve(came.size());
  gathered.problem.bodies.reserve(came.size());
  for (const std::size_t k : order_of(came, [](const SentBody& sent) { return sent.body.id; })) {
    if (gathered.blocks.empty() || gathered.blocks.back() != came[k].block) {
      gathered.blocks.push_back(came[k].block);
      gathered.problem.bodies.push_back(came[k].body);
    }
    place[k] = static_cast<std::int32_t>(gathered.blocks.size()) - 1;
  }
  std::map<int, std::vector<std::int32_t>> places;
  auto end = ends.begin();
  auto first = place.begin();
  for (const auto& [rank, bytes] : incoming) {
    const auto last = place.begin() + static_cast<std::ptrdiff_t>(*end++);
    places[rank].assign(first, last);
    first = last;
  }
  return places;
}

/// Adds the contacts that came in, by their keys.
void add_contacts(const RankBytes& incoming, const std::map<int, std::vector<std::int32_t>>& places,
                  Gathered& gathered) {
  std::vector<SentContact> came;
  std::vector<int> from;  // the rank of each
  for (const auto& [rank, bytes] : incoming) {
    read_records(bytes, came);
    from.resize(came.size(), rank);
  }
  gathered.problem.contacts.reserve(came.size());
  gathered.origin.reserve(came.size());
  for (const std::size_t k : order_of(came, [](const SentContact& sent) { return sent.key; })) {
    ImpactContact& contact = gathered.problem.contacts.emplace_back(impact_contact(came[k]));
    for (std::size_t side = 0; side < 2; ++side) {
      if (came[k].body[side] != kNoBody) {
        contact.body[side] = places.at(from[k])[static_cast<std::size_t>(came[k].body[side])];
      }
    }
    gathered.origin.emplace_back(from[k], came[k].place);
  }
}

/// As sparse_exchange(), but a rank's message to itself is not copied. Collective.
RankBytes exchange(MPI_Comm comm, RankBytes outgoing) {
  auto own = outgoing.extract(rank_of(comm));
  RankBytes incoming = sparse_exchange(comm, outgoing);
  if (!own.empty()) incoming.insert(std::move(own));
  return incoming;
}

/// Collective.
Gathered gather(MPI_Comm comm, Outgoing outgoing) {
  Gathered gathered;
  const auto places = add_bodies(exchange(comm, std::move(outgoing.bodies)), gathered);
  add_contacts(exchange(comm, std::move(outgoing.contacts)), places, gathered);
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
    figures.lost_by_length += zone.lost_by_length;
    figures.energy_before += zone.energy_before;
    figures.energy_after += zone.energy_after;
    const bool is_cut_off = zone.end == ImpactEnd::cut_off;
    const bool is_left = !is_cut_off && zone.end != ImpactEnd::ended;
    const bool is_first_of_kind = is_cut_off && figures.cut_off == 0;
    if (is_first_of_kind || figures.fault.empty()) figures.fault = zone.fault;
    figures.cut_off += is_cut_off ? 1 : 0;
    figures.n_left += is_left ? 1 : 0;
    figures.approach_left = std::max(figures.approach_left, zone.approach_left);
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
  for (const auto& [rank, bytes] : exchange(comm, std::move(outgoing))) {
    read_records(bytes, returned);
  }
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
  for (const auto& [rank, bytes] : exchange(comm, std::move(outgoing))) {
    read_records(bytes, returned);
  }
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
