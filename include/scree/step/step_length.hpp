#pragma once

/// The length of the next step, where the run leaves it to scree (`time.dt: auto`).
///
/// Lengths are those of block time steps: time goes on in steps of the longest length, and each is
/// cut into halves, and these again, until a part is short enough, down to the shortest. So parts
/// begin and end where those of any other length do (step/step_clock.hpp); all that comes by steps,
/// as output, stages and insertions, comes at the end of a longest one; and lengths are the same
/// on any number of ranks unless a bound is met to rounding.
///
/// Before a step is solved, each contact that was found for it says how long it may be
/// (contact/resolved_length.hpp), and it is cut at once to what the least of them allows. The next
/// one is twice as long at most, and no longer than those found at last allowed: bodies and their
/// velocities at its start alone, and that number, choose it.

#include <span>
#include <vector>

#include "scree/bodies/materials.hpp"
#include "scree/bodies/store.hpp"
#include "scree/contact/contact.hpp"
#include "scree/step/step_clock.hpp"

namespace scree {

class StepLength {
 public:
  /// Steps down to @p shortest, s; impacts of bodies without inertia are none.
  explicit StepLength(double shortest) : shortest_(shortest) {}
  /// @p n_materials: that @p laws are of
  StepLength(double shortest, const ContactLaws& laws, std::int32_t n_materials);

  double shortest() const { return shortest_; }

  /// The longest step that resolves what this rank's @p contacts do, s; infinity: any does. @p dt:
  /// of the step at hand, which bodies are predicted for; @p whole: of a longest one. Not
  /// collective.
  double longest(const Store& store, ContactView contacts, double dt, double whole) const;

 private:
  double longest_of_impact(const Store& store, const Contact& contact, double radius,
                           double given) const;

  struct Impacts {
    PairElasticity law;
    double share = 0.0;  ///< dt/T
  };

  double shortest_;
  std::int32_t n_materials_ = 0;
  std::vector<Impacts> impacts_;  ///< of each two materials; empty: none
};

/// The longest that the step after one of @p dt may be, which @p resolved allowed, s.
double longest_after(double dt, double resolved);

}  // namespace scree
