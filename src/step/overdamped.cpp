#include "scree/step/overdamped.hpp"

namespace scree {

BodyInertia Overdamped::apparent_inertia(const Store& store, std::int32_t slot, double dt) const {
  const DragCoefficients drag = drag_coefficients(store, slot, medium_);
  return {dt * drag.linear, Vec3::Constant(dt * drag.angular)};
}

Vec6 Overdamped::free_velocity(const Store& store, std::int32_t slot, const Load& load,
                               double /*dt*/) const {
  const DragCoefficients drag = drag_coefficients(store, slot, medium_);
  const Vec3 weight = buoyant_mass(store, slot, medium_.density) * gravity_;
  Vec6 v = load.flow;
  v.head<3>() += (weight + load.force.head<3>()) / drag.linear;
  v.tail<3>() += load.force.tail<3>() / drag.angular;
  return v;
}

}  // namespace scree
