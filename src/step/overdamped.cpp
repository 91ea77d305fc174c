#include "scree/step/overdamped.hpp"

namespace scree {

BodyInertia Overdamped::apparent_inertia(const Store& store, std::int32_t slot, double dt) const {
  const DragCoefficients drag = drag_coefficients(store, slot, medium_);
  return {dt * drag.linear, dt * drag.angular};
}

Vec6 Overdamped::free_velocity(const Store& store, std::int32_t slot, const Load& load,
                               double /*dt*/) const {
  const DragCoefficients drag = drag_coefficients(store, slot, medium_);
  const Vec3 weight = buoyant_mass(store, slot, medium_.density) * gravity_;
  const Vec6 start = with_held(store, slot, load.flow);
  Vec6 force = load.force + drag_force(store, slot, drag, load.flow - start);
  force.head<3>() += weight;
  return start + inverse_mass_of(store, slot, {drag.linear, drag.angular}) * force;
}

}  // namespace scree
