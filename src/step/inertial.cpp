#include "scree/step/inertial.hpp"

#include <Eigen/LU>
#include <array>

namespace scree {
namespace {

/// The spin w after @p dt of a body that no torque turns but that of bearings, in a frame in which
/// turning about w leaves w and I as they are, implicitly in the components that are not held:
///
///     I (w' - w) + dt w' x I w' = 0
///
/// so that w' . I (w' - w) = 0, and the energy never grows where held components are zero. By
/// Newton's method; @p w itself where a body turns too far in a step for it. Bearings bear the
/// torque in the components that they hold.
Vec3 turned_alone(const Vec3& w, const Mat3& inertia, const std::array<bool, 3>& held, double dt) {
  constexpr int kSteps = 20;
  const double enough = 1e-14 * inertia.norm() * w.norm();
  Vec3 next = w;
  for (int k = 0; k < kSteps; ++k) {
    const Vec3 momentum = inertia * next;
    Vec3 error = inertia * (next - w) + dt * next.cross(momentum);
    Mat3 slope = inertia + dt * (skew(next) * inertia - skew(momentum));
    for (int axis = 0; axis < 3; ++axis) {
      if (!held[axis]) continue;
      error[axis] = 0.0;
      slope.row(axis) = Vec3::Unit(axis).transpose();
    }
    if (error.norm() <= enough) return next;
    next -= slope.inverse() * error;
  }
  return w;
}

/// The angular acceleration by what acts besides drag.
Vec3 angular_acceleration(const Store& store, std::int32_t slot, const Vec3& torque) {
  if (torque.isZero(0.0)) return Vec3::Zero();
  return inverse_inertia(store, slot, store.inertia[slot]) * torque;
}

}  // namespace

Vec3 inertial_spin(const Store& store, std::int32_t slot, double dt) {
  const Vec3& moments = store.inertia[slot];
  const Vec3& spin = store.angular_velocity[slot];
  if (is_isotropic(moments)) return spin;
  const Quat& q = store.orientation[slot];
  if ((store.fixed[slot] & kFixRotation) == 0) {
    return q * turned_alone(q.conjugate() * spin, moments.asDiagonal(), {}, dt);
  }
  const Mat3 rotation = q.toRotationMatrix();
  return turned_alone(spin, rotation * moments.asDiagonal() * rotation.transpose(),
                      {is_held(store, slot, 3), is_held(store, slot, 4), is_held(store, slot, 5)},
                      dt);
}

BodyInertia Inertial::apparent_inertia(const Store& store, std::int32_t slot, double dt) const {
  if (is_vacuum()) return own_inertia(store, slot);
  const DragCoefficients drag = drag_coefficients(store, slot, medium_);
  BodyInertia inertia = own_inertia(store, slot);
  inertia.masses += dt * drag.linear;
  inertia.moments += dt * drag.angular;
  return inertia;
}

Vec6 Inertial::free_velocity(const Store& store, std::int32_t slot, const Load& load,
                             double dt) const {
  const double mass = store.mass[slot];
  const double heavy = buoyant_mass(store, slot, medium_.density);
  Vec6 start;
  start << store.velocity[slot], inertial_spin(store, slot, dt);
  if (is_vacuum() && load.force.isZero(0.0)) {  // most bodies have their weight alone
    start.head<3>() += dt * (heavy / mass * gravity_);
    return start;
  }
  const DragCoefficients drag = drag_coefficients(store, slot, medium_);
  if (drag.is_zero()) {
    Vec6 acceleration;
    acceleration << heavy / mass * gravity_ + load.force.head<3>() / mass,
        angular_acceleration(store, slot, load.force.tail<3>());
    return start + dt * acceleration;
  }
  Vec6 force = load.force + drag_force(store, slot, drag, load.flow - start);
  force.head<3>() += heavy * gravity_;
  return start + dt * (inverse_mass_of(store, slot, apparent_inertia(store, slot, dt)) * force);
}

}  // namespace scree
