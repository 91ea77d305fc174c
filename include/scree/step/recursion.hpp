#pragma once

/// Constraints that are found where a step would bring bodies: ReLCP, paper 001, section 3.1, eqs.
/// 20 to 26.
///
/// A contact's row of the problem is the gap linearised about the step's start. Bodies that turn
/// and slide past one another in the step meet elsewhere, and overlap. So after a solve bodies are
/// moved to the trial configuration that it gives, and each point where they overlap there by more
/// than is allowed becomes a further constraint of the same step, pulled back to its start: with
/// the velocities v_i of that solve, phi, n and the arms of J of the trial configuration, and a <=
/// 0 the gap that the pair may end with,
///
///     phi + dt J (v - v_i) >= a,      so that its row of the problem has the gap   phi - a - dt J v_i
///
/// Most take the place of a row of their pair that is nearly the same; all other rows stay
/// (step/constraints/stand_ins.hpp). The problem is solved again, and so on until no overlap is
/// left. v_free is that of the step's start in each solve, so that no force counts twice.
///
/// a is negative where an overlap is allowed (step/allowance.hpp): what is left of one of the
/// start, or the compression of the pair's springs. The constraints of a compliant pair share
/// its stiffness (step/pair_springs.hpp), and their springs hold a: the gap of a row is phi - dt J
/// v_i. The recursion ends when for all pairs
///
///     a - phi <= tolerance times the inscribed radius of the pair's smaller grain
///
/// Impulses act at the step's start, with the arms of the trial configuration (the paper's D). The
/// centres have gone against each other in the step, so that the arms of two grains meet in one
/// point there, but not at the start: both arms are moved to the midpoint of their ends, so that
/// +lambda and -lambda act at one point, and the angular momentum is kept whatever the impulse.

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "scree/contact/contact_list.hpp"
#include "scree/domain/exchange.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/step/contact_memory.hpp"
#include "scree/step/end_overlap.hpp"
#include "scree/tools/motion.hpp"

namespace scree {

/// Bodies at the end of a step, as a solve gives it, for each slot.
struct Trial {
  std::vector<Pose> poses;
  std::vector<Vec6> velocities;  ///< linear, then angular
};

/// The velocity of each slot, linear, then angular. @param end_velocity of the owned grains, six
/// numbers each; tools go on as the store says, along their paths. Collective. @pre ghosts are as
/// Exchange::ghosts() left them
std::vector<Vec6> velocities_of_slots(const Store& bodies, std::span<const double> end_velocity,
                                      Exchange& exchange);

/// With these velocities. Collective. @pre as velocities_of_slots()
Trial trial_of(const Store& bodies, std::span<const double> end_velocity, Exchange& exchange,
               double dt);

/// How deep a pair may overlap at the end of a step, a, m; never positive.
struct Allowance {
  struct Spring {
    Vec3 arm;  ///< from A's centre to where it acts
    Vec3 normal;
    double gap;         ///< to which it is compressed
    double load;        ///< compression of the pair's whole spring by what this one bears, m
    double rest_gap;    ///< at which it bears nothing, m
    double bias_share;  ///< bias of its row over gap/dt, where it is compressed at the start
  };
  double gap = 0.0;             ///< of a rigid pair
  std::vector<Spring> springs;  ///< of a compliant one, at least one
  bool is_shared = false;       ///< they share the pair's stiffness by what they bear

  bool is_compliant() const { return !springs.empty(); }
  /// At a point of the pair, of which only the arm of A and the normal are read, and which is at
  /// @p start_gap (m) at the start of the step.
  double at(const Contact& point, double start_gap) const;

 private:
  double of_nearest(const Vec3& arm) const;
  double of_one_spring(const Vec3& normal, double start_gap) const;
};
using Allowances = std::map<PairKey, Allowance>;

/// Overlaps beyond the allowed ones in a trial configuration.
struct Overlaps {
  std::vector<Contact> constraints;  ///< of this rank's rigid pairs, pulled back, sorted by key
  std::vector<Contact> springs;      ///< of its compliant pairs, pulled back, sorted by key
  double largest = 0.0;              ///< of all pairs of this rank, relative
  std::int64_t id_a = -1;
  std::int64_t id_b = -1;
};

/// The largest overlap of @p found, which overlaps() gives, without constraints. Not collective.
Overlaps largest_overlap(const Store& bodies, ContactView found);

/// Impulses of a solve for the start of the next one, sorted by key. Not collective.
std::vector<ContactRecord> impulses_of(ContactView contacts, const ContactProblem& problem,
                                       std::span<const double> impulse, double dt);

/// The record of each of @p contacts among those. Not collective.
FoundRecords records_of(ContactView contacts, std::span<const ContactRecord> records);

/// @p found: what overlaps in the @p trial configuration (contact/narrowphase.hpp), where pairs may
/// by @p allowed; a pair that it does not name may not overlap. @p tolerance: relative. Not
/// collective.
Overlaps pulled_back(const Store& bodies, ContactView found, const Allowances& allowed,
                     const Trial& trial, double tolerance, std::int32_t recursion, double dt);

/// The largest overlap of all ranks' @p mine. Collective.
void report_largest(const Overlaps& mine, MPI_Comm comm, EndOverlap& overlap);

}  // namespace scree
