#pragma once

/// Places out of overlaps. A rigid contact that overlaps asks nothing of velocities but that it
/// does not close further: what would part the two in a step is a speed that stays, the larger the
/// shorter the step. Where a run begins, grains are moved instead,
///
///     min 1/2 dx^T M dx    with    J dx + phi >= 0    of each rigid contact that overlaps,
///
/// the least change of places, turning included, in the metric of the inertia M; J are the rows of
/// normals. It is the frictionless problem of the waist with v_free = 0 and r = phi/dt, solved by
/// the methods of such problems. Contacts that it presses together are added to it, and it is
/// solved again; since phi is linear in places for small moves only, no more of dx is taken, of all
/// bodies, than brings two a tenth of the smaller radius past each other, contacts are found anew,
/// and what is left is projected again, kMostProjections times at most. Where walls jam the grains
/// there is no such move: what was found is taken where it lessens the deepest overlap, and what
/// remains stands in the column `penetration`.
///
/// Overlaps up to kOverlapLeft of the smallest radius stay, so that settled beds are left alone:
/// they are what solves that end within their tolerance leave, and the bias undoes them at no more
/// than the speed that forces give in a step (AssembleInput::has_inertia).
/// Dynamics without inertia has no speed that stays, and no projection: overlap parts bodies
/// against their drag, a force like others (contact.recovery_speed).
/// Reference: DESIGN, section 1.

#include <optional>
#include <span>
#include <vector>

#include "scree/contact/contact_list.hpp"
#include "scree/domain/numbering.hpp"
#include "scree/step/loads.hpp"
#include "scree/step/machinery.hpp"
#include "scree/step/setup.hpp"
#include "scree/step/state.hpp"

namespace scree {

/// Over the smallest radius: overlaps of rigid contacts that are left alone.
inline constexpr double kOverlapLeft = 1e-3;
/// How often at most contacts are found anew behind a projection, in a step or a part of one.
inline constexpr int kMostProjections = 30;

/// What the projections of a step did. The same on every rank.
struct Projected {
  double overlap = 0.0;  ///< the deepest that was there first, over the smaller radius of the pair
  double shift = 0.0;    ///< the longest way of a body's centre by all of them, m
  double work = 0.0;     ///< of weight, force fields and loads along the ways, taken by them, J
};

/// The places of tools and owned grains.
struct BodyPlaces {
  std::vector<Vec3> position;
  std::vector<Quat> orientation;
  std::vector<Vec3i> wraps;
};
BodyPlaces places_of(const Store& bodies);
/// @pre @p places are of the same bodies in the same slots.
void restore_places(Store& bodies, const BodyPlaces& places);

/// The facts of the step that a projection is made in.
struct ProjectionInput {
  const Numbering& numbers;
  ContactView contacts;  ///< of this rank, at the bodies' places
  const Loads& loads;
  const StepClock& clock;
  const GiveUp& give_up;
};

/// Moves the owned grains and the free tools out of the overlaps of rigid contacts; ghosts stay
/// where they were. Tells of it in @p sum, and leaves in @p before, where it is empty, their places
/// before the first move. Whether any body of any rank has moved. Collective. @throws GivenUp
bool project_overlaps(State& state, const Setup& setup, Machinery& machinery,
                      const ProjectionInput& input, std::optional<BodyPlaces>& before,
                      Projected& sum);

}  // namespace scree
