#pragma once

/// The reach of a step: which pairs of bodies may touch before it ends.
///
/// A contact that the problem does not know cannot be resisted until the next step, so every pair
/// that may close within the step must be found at its start. Two things close a gap:
///
/// 1. The motion that is known. A body goes from x along v* dt, with v* = v_free of the step (for a
///    prescribed tool: its velocity). The box is swept over it, so that a fast grain does not pass through a
///    thin wall between two searches. Turning adds the sagitta of the arc, rho (1 - cos(|w| dt / 2)).
/// 2. The motion that contacts change. Impulses can stop a body or throw it sideways. They add no
///    energy, so that a body moves by about |v*| dt at most; |v|, its velocity so far, counts too, since
///    drag may make v* small while a body that is pushed keeps its speed. So
///    the box grows to all sides by
///
///        margin = min( (max(|v*|, |v|) + |w| rho) dt, smallest radius ) + 0.02 smallest radius
///
///    and half the rupture distance of cohesion, so that a pair is known for as long as it may pull. A
///    pair whose gap is less than the sum of its margins is a potential contact, and so is one whose
///    predicted paths touch where a margin is capped (Contact::on_path). The cap
///    keeps a fast stream from dragging far neighbours into the problem (a step
///    that closes gaps wider than the pair's smaller radius is cut: contact/closing.hpp).
///    The floor is for grains at rest that others push: it also keeps resting contacts in the set
///    from step to step.
///
/// rho is the shape's spin_radius (0 for spheres). A potential contact whose gap stays open costs
/// one cone with a zero impulse and changes nothing else. DESIGN, sections 1, 4 and 5.

#include "scree/bodies/store.hpp"

namespace scree {

/// How far bodies can come in the step at hand; the same on every rank.
struct Reach {
  double dt = 0.0;               ///< s
  double smallest_radius = 0.0;  ///< inscribed, of all grains of all ranks, m
  PeriodicCell cell = {};
  double rupture_distance = 0.0;  ///< largest of all pairs of materials, m
  /// Width that is added to boxes alone, m: for constraints that search for overlaps at the end of
  /// the step (narrowphase's overlaps()).
  double spare = 0.0;
};

/// Part of the smallest radius by which a body's box is enlarged even at rest.
inline constexpr double kRestMargin = 0.02;

/// The margin of a body at rest, m.
inline double rest_margin(const Reach& reach) {
  return kRestMargin * reach.smallest_radius + 0.5 * reach.rupture_distance;
}

/// v* of the body in @p slot, m/s.
inline const Vec3& predicted_velocity(const Store& store, std::int32_t slot) {
  return store.is_prescribed(slot) ? store.velocity[slot] : store.free_velocity[slot];
}

/// The margin of the body in @p slot, m; see above.
double margin(const Store& store, std::int32_t slot, const Reach& reach);

/// The box of the body in @p slot: swept over its way, with its margin. @pre as update_boxes().
Box3 swept_box(const Store& store, std::int32_t slot, const Reach& reach);

/// A tool's @p box without ends in periodic directions, since grains meet its images, too.
Box3 with_images(Box3 box, const PeriodicCell& cell);

/// Fills store.box of tools and owned grains; ghosts have their owner's. Not collective.
/// @pre velocities of prescribed tools are those of the step (tools/motion.hpp), and the others'
/// store.free_velocity is filled (step/stepper.hpp).
void update_boxes(Store& store, const Reach& reach);

}  // namespace scree
