#include "scree/step/inertial.hpp"

#include <Eigen/LU>
#include <array>

namespace scree {
namespace {

/// The spin w after @p dt of a body that no torque turns but that of bearings, in a frame in which turning about w
/// leaves w and I as they are, implicitly in the components that are not held:
///
///     I (w' - w) + dt w' x I w' = 0
///
/// so that w' . I (w' - w) = 0, and the energy never grows where held components are zero. By Newton's method; @p w
/// itself where a body turns too far in a step for it. Bearings bear the torque in the components that they hold.
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

/// The spin of the grain in @p slot after the step, were there no torque but that of bearings, world frame: those hold
/// axes of the world.
Vec3 inertial_spin(const Store& store, std::int32_t slot, double dt) {
  const Vec3& moments = store.inertia[slot];
  const Vec3& spin = store.angular_velocity[slot];
  if (moments.x() == moments.y() && moments.y() == moments.z()) return spin;
  const Quat& q = store.orientation[slot];
  if ((store.fixed[slot] & kFixRotation) == 0) {
    return q * turned_alone(q.conjugate() * spin, moments.asDiagonal(), {}, dt);
  }
  const Mat3 rotation = q.toRotationMatrix();
  return turned_alone(spin, rotation * moments.asDiagonal() * rotation.transpose(),
                      {is_held(store, slot, 3), is_held(store, slot, 4), is_held(store, slot, 5)},
                      dt);
}

/// The angular acceleration by what acts besides drag.
Vec3 angular_acceleration(const Store& store, std::int32_t slot, const Vec3& torque) {
  if (torque.isZero(0.0)) return Vec3::Zero();
  return inverse_inertia(store, slot, store.inertia[slot]) * torque;
}

/// One of the two velocities of a grain: what it has, how forces accelerate it, how fast drag brings it to
/// the fluid's (1/s), and the fluid's.
struct Drive {
  Vec3 velocity;
  Vec3 acceleration;
  double drag_rate;
  Vec3 flow;

  Vec3 after(double dt) const {
    return (velocity + dt * (acceleration + drag_rate * flow)) / (1.0 + dt * drag_rate);
  }
};

}  // namespace

BodyInertia Inertial::apparent_inertia(const Store& store, std::int32_t slot, double dt) const {
  const DragCoefficients drag = drag_coefficients(store, slot, medium_);
  BodyInertia inertia = own_inertia(store, slot);
  inertia.mass += dt * drag.linear;
  inertia.moments += Vec3::Constant(dt * drag.angular);
  return inertia;
}

Vec6 Inertial::free_velocity(const Store& store, std::int32_t slot, const Load& load,
                             double dt) const {
  const double mass = store.mass[slot];
  const DragCoefficients drag = drag_coefficients(store, slot, medium_);
  const double weight = buoyant_mass(store, slot, medium_.density) / mass;
  const Drive linear{store.velocity[slot], weight * gravity_ + load.force.head<3>() / mass,
                     drag.linear / mass, load.flow.head<3>()};
  const Drive angular{inertial_spin(store, slot, dt),
                      angular_acceleration(store, slot, load.force.tail<3>()),
                      drag.angular / store.inertia[slot].x(), load.flow.tail<3>()};
  Vec6 v;
  v << linear.after(dt), angular.after(dt);
  return v;
}

}  // namespace scree
