#pragma once

/// The force on single grains in a step: that of their contacts, less what cohesion pulls, and of
/// the rows of other sources, as tools have theirs (step/tool_forces.hpp). A free grain's mass
/// times its acceleration is this force and what acts from outside: weight, drag, `forces`.

#include <cstdint>
#include <functional>
#include <vector>

#include "scree/step/step.hpp"

namespace scree {

/// Whether forces on a grain are wanted, by its id and its population (Store::group).
using GrainChoice = std::function<bool(std::int64_t id, std::int32_t population)>;

/// A part of the force on a grain; sums over the ranks are the whole.
struct ForceOnGrain {
  std::int64_t id = 0;
  Vec3 force = Vec3::Zero();   ///< impulse of the step over its length, world frame, N
  Vec3 torque = Vec3::Zero();  ///< about its centre at the start of the step, world frame, N m
  std::int64_t contacts = 0;   ///< that bear a force
};

/// The parts that rows of this rank have in the forces on the grains of @p choice, in the order of
/// ids, each grain once; none of grains on which no row acts. Not collective. @pre the step was
/// taken
std::vector<ForceOnGrain> forces_on_grains(const StepResult& step, const GrainChoice& choice);

}  // namespace scree
