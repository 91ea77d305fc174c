#pragma once

/// The force of each contact of a step and its place: for those who look at forces (fields,
/// pictures).

#include <vector>

#include "scree/step/step.hpp"

namespace scree {

/// A contact of A, a grain, with B, a grain, wall or tool, at the start of the step, when it was
/// detected.
struct ContactForce {
  Vec3 force;  ///< on A, -force on B: impulse of the step over dt, less what cohesion pulls; world
               ///< frame, N
  Vec3 point;  ///< of the contact, m
  Vec3 centre_a;  ///< m
  Vec3 centre_b;  ///< m; of the image that A meets
  bool moves_a;   ///< false for a grain that is held in all directions
  bool moves_b;   ///< false for walls and tools, too
  BodyKind kind_a;
  BodyKind kind_b;
};

/// The forces of this rank's contacts, in their order. Not collective. @pre the step was taken
std::vector<ContactForce> contact_forces(const StepResult& step);

/// The bodies of all slots. Not collective.
std::vector<PlacedBody> placed_bodies(const Store& bodies);

}  // namespace scree
