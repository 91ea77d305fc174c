#pragma once

/// Simultaneous impacts of any restitution, zone by zone:
///
///     1  v_1 = elastic outcome of the zone                      (elastic_outcome.hpp)
///     2  v_0 = inelastic outcome, 0 <= lambda _|_ u_n >= 0      (inelastic_impulses())
///     3  v   = (1 - e) v_0 + e v_1                              e of the zone (impact_zones.hpp)
///     4  friction of the normal impulses of 3, and 1 to 3 once more where it makes contacts approach
///
/// With e = 0 and e = 1 the outcome is exactly that of 2 and of 1. Both outcomes are feasible, and
/// neither has more energy than there was before; so it is with every mixture, since the feasible
/// set and the energy are convex. The inelastic outcome of many contacts is sought until 1e-4
/// of the approach before is left, over all, or as much as rests up to 1e-3 of it, or for a bounded
/// number of steps; what still approaches then is left to the step's own problem. So it is with
/// what approaches more slowly than `resting`, where e < 1, and without an impulse of the inelastic
/// outcome: neither outcome, nor friction, goes on for it, however heavy its bodies are. With e = 1
/// nothing is left, since the step's problem would take its energy.
///
/// Walls that move: the elastic outcome keeps the energy in the frame y_f where all contacts are at
/// rest, a_i . y_f + o_i = 0, as that of a box that is shaken. Where contacts have no such frame,
/// it is the one with the least sum of opening speeds (a linear program), and contacts that open in
/// it count as contacts at rest. Where no velocity keeps all contacts from closing, as of a ball
/// between walls that close in, there is no outcome, which the report says.
/// Contacts with a gap that close in the step count as closed. Where they stand against each other,
/// as of a ball that crosses its room between two walls within the step, the equality that takes
/// the motion away is none of the instant: the report says what is lost by it, beyond what the
/// contacts without a gap take alone, and whether it is worth a shorter step.
/// Reference: paper 000, sections 6.2 and 6.3; Smith et al., Reflections on Simultaneous Impact (2012).

#include <vector>

#include "scree/impact/elastic_outcome.hpp"
#include "scree/impact/impact_problem.hpp"

namespace scree {

struct ImpactOptions {
  ElasticOptions elastic;
  /// Speed of approach that a zone of e < 1 leaves to the caller, m/s. Without loss nothing is
  /// left.
  double resting = 0.0;
  bool friction = true;  ///< of contacts that have some
  /// Zones whose e is 0; false: they stay as they are, for a caller who meets them inelastically
  /// later.
  bool inelastic_zones = true;
};

enum class ImpactEnd {
  ended,        ///< nothing approaches faster than what is left
  cut_off,      ///< the last resort: too many applications; the velocities still approach
  walls_close,  ///< no velocity keeps the contacts from closing: the zone's velocities are as
                ///< before
  unsettled     ///< the search for the inelastic outcome was cut off: what approaches is left
};
template <>
inline constexpr std::array kNamesOf<ImpactEnd> = names("ended", "cut_off", "walls_close",
                                                        "unsettled");

struct ImpactReport {
  ImpactEnd end = ImpactEnd::ended;
  std::size_t n_bodies = 0;
  std::size_t n_contacts = 0;
  double restitution = 0.0;       ///< e of the zone
  std::int64_t applications = 0;  ///< of the impact operator
  std::int64_t friction_sweeps = 0;
  int inelastic_solves = 0;
  int programs = 0;  ///< linear programs, those of moving walls included
  double program_seconds = 0.0;
  std::size_t equalities = 0;  ///< contacts that are implicit equalities
  double lost_in_gaps = 0.0;   ///< to equalities of contacts with a gap, e^2 of the elastic loss, J
  double lost_by_length = 0.0;  ///< the same where it is worth a shorter step, J
  double energy_before = 0.0;   ///< kinetic, of what can move, J
  double energy_after = 0.0;
  double approach_left = 0.0;  ///< largest -u_n of a contact after, m/s
  std::string fault;           ///< which zone has no outcome, or a worse one, and why
};

struct ImpactOutcome {
  ImpactVelocities velocity;  ///< of each body of the problem
  std::vector<Vec3> impulse;  ///< lambda of each contact, N s; zero outside of the zones
  std::vector<ImpactReport> zones;
};

/// The normal impulses (N s, one a contact) after which nothing approaches and what opens carries
/// none, of a problem of one zone under its velocities: exactly where contacts are few, else to a
/// tolerance, with no energy gained. Not collective.
std::vector<double> inelastic_impulses(const ImpactProblem& zone);

/// Not collective: one rank has the problem whole. The outcome depends on the order of bodies and
/// contacts by rounding, and with the lexicographic and random orders of gauss_seidel by what comes
/// first.
ImpactOutcome resolve_impacts(const ImpactProblem& problem, const ImpactOptions& options);

}  // namespace scree
