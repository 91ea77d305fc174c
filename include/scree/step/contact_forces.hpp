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

/// The points of @p contacts, world frame, m. Not collective. @pre bodies stand as they did in
/// detection
std::vector<Vec3> points_of(const Store& bodies, std::span<const Contact> contacts);

/// The kinds of the bodies of @p contacts. Not collective. @pre bodies have the slots of detection
std::vector<ContactKinds> kinds_of(const Store& bodies, std::span<const Contact> contacts);

}  // namespace scree
