#pragma once

/// The contacts of a step as a problem, and its solution: once a step, or in each of its
/// recursions.

#include <exception>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "scree/base/parallel.hpp"
#include "scree/base/stage_clock.hpp"
#include "scree/contact/narrowphase.hpp"
#include "scree/step/contact_loop.hpp"
#include "scree/step/recursion.hpp"

namespace scree {

/// Part of the smallest radius by which a contact of a solved step may miss its law.
inline constexpr double kErrorPerStep = 0.1;

/// Parts of a step may together take what so many whole steps may, of recursions and of seconds:
/// more than impacts that are cut need, and a bound for those that are cut on and on.
inline constexpr std::int64_t kPartsWorth = 10;

/// Data with which all solves of a step work.
struct StepWork {
  const State& state;
  const Setup& setup;
  Machinery& machinery;
  const ContactInput& input;
  StageClock& seconds;
};

/// Impulses of an earlier solve of a step on this rank.
struct EarlierImpulses {
  std::vector<ContactRecord> contacts;  ///< sorted by key
  std::vector<double> rows;             ///< of other sources, whose rows are those of each solve
};

struct SolveInput {
  double velocity_error;  ///< by which a contact may miss its law at most, m/s
  double max_seconds;     ///< that are left for it, the same on all ranks
  /// Impulses to start from; null on all ranks in the first solve of the step.
  const EarlierImpulses* earlier = nullptr;
  /// The memory of constraints of compliant pairs that were found within the step.
  std::map<ContactKey, ContactHistory> springs = {};
};

/// The smallest radius over the length of a whole step, m/s.
inline double radius_per_step(const StepWork& work) {
  return work.state.smallest_radius / work.setup.dt;
}

/// Seconds that the solves of the part at hand may take together; infinity: no bound. Above 0, so
/// that a solve for which nothing is left ends at its first look at the clock. Not collective.
double seconds_of_part(const State& state, const SolverDriver& solver);
/// Speed at which overlap is undone at most, as the keys say, m/s.
double recovery_speed(const State& state, const Setup& setup);
/// Formulates and solves @p contacts, those of the step from here on. Collective.
void formulate_and_solve(const StepWork& work, const SolveInput& input, ContactList contacts,
                         SolvedContacts& step);

/// Where the first solve of a part of @p dt started. Collective. @pre the memory is that of the
/// step before.
petsc::Vector start_of(const State& state, const Setup& setup, const SolvedContacts& step,
                       double dt);

/// The contacts that a narrow phase finds, or the reason of its failure on any rank: a pair whose
/// nearest points are not found.
template <class Contacts>
struct Narrowed {
  Contacts contacts;
  std::string fault;
};

/// The contacts that @p narrow finds. Collective: a failure on one rank is known to all.
/// @throws Failure for what is no fault of a pair, on every rank.
template <class NarrowPhase>
auto narrowed(MPI_Comm comm, NarrowPhase&& narrow) {
  Narrowed<decltype(narrow())> found;
  std::string other;
  try {
    found.contacts = narrow();
  } catch (const Failure& failure) {
    found.fault = failure.what();
  } catch (const std::exception& error) {
    other = error.what();
  }
  other = first_text(comm, other);
  if (!other.empty()) throw Failure(other);
  found.fault = first_text(comm, found.fault);
  return found;
}

/// Where the last solve brings the bodies, and what overlaps there.
struct TrialOverlaps {
  Trial trial;
  Narrowed<std::vector<Contact>> found;
};

/// Collective.
TrialOverlaps find_trial_overlaps(const StepWork& work, const SolvedContacts& step);

}  // namespace scree
