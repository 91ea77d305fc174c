#include "scree/step/stepper.hpp"

#include <fmt/format.h>

#include <utility>

#include "scree/base/check.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/problem/assemble.hpp"

namespace scree {
namespace {

/// The matrix of the cross product with @p v.
Mat3 cross_matrix(const Vec3& v) {
  Mat3 m;
  m << 0.0, -v.z(), v.y(), v.z(), 0.0, -v.x(), -v.y(), v.x(), 0.0;
  return m;
}

/// The spin w of a free body after @p dt, in its frame, in which turning about w leaves w as it is, implicitly:
///
///     I (w' - w) + dt w' x I w' = 0,      so that w' . I (w' - w) = 0 and the energy never grows
///
/// by Newton's method; @p w itself where a body turns too far in a step for it.
Vec3 freely_turned(const Vec3& w, const Vec3& inertia, double dt) {
  constexpr int kSteps = 20;
  const double enough = 1e-14 * inertia.cwiseProduct(w).norm();
  Vec3 next = w;
  for (int k = 0; k < kSteps; ++k) {
    const Vec3 momentum = inertia.cwiseProduct(next);
    const Vec3 error = inertia.cwiseProduct(next - w) + dt * next.cross(momentum);
    if (error.norm() <= enough) return next;
    const Mat3 slope = Mat3(inertia.asDiagonal()) +
                       dt * (cross_matrix(next) * inertia.asDiagonal() - cross_matrix(momentum));
    next -= slope.inverse() * error;
  }
  return w;
}

/// The spin of the grain in @p slot after the step, were there no torque but that of bearings, world frame. Where
/// rotations are held the bearings bear the gyroscopic torque about their axes: what is left moves the others.
Vec3 inertial_spin(const Store& store, std::int32_t slot, double dt) {
  const Vec3& inertia = store.inertia[slot];
  const Vec3& spin = store.angular_velocity[slot];
  if (inertia.x() == inertia.y() && inertia.y() == inertia.z()) return spin;
  const Quat& q = store.orientation[slot];
  const Vec3 local = q.conjugate() * spin;
  if ((store.fixed[slot] & kFixRotation) == 0) return q * freely_turned(local, inertia, dt);
  const Vec3 torque = q * inertia.cwiseProduct(local).cross(local);
  return spin + dt * inverse_inertia(store, slot, inertia) * torque;
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

  Vec3 free_velocity(const StepInput& input) const {
    if (!input.medium.inertia) return flow + acceleration / drag_rate;
    return (velocity + input.dt * (acceleration + drag_rate * flow)) / (1.0 + input.dt * drag_rate);
  }
};

/// @p free but for the degrees of freedom that the three @p held bits hold.
Vec3 where_not_held(const Vec3& free, const Vec3& velocity, int held) {
  Vec3 result = free;
  for (int k = 0; k < 3; ++k) {
    if ((held >> k & 1) != 0) result[k] = velocity[k];
  }
  return result;
}

}  // namespace

void predict(Store& store, const Loads& loads, const StepInput& input) {
  SCREE_ASSERT(std::cmp_equal(loads.force.size(), store.n_owned));
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    const std::size_t load = slot - store.first_owned();
    const Vec6& force = loads.force[load];
    const Vec6& flow = loads.flow[load];
    const double mass = store.mass[slot];
    const DragCoefficients drag = drag_coefficients(store, slot, input.medium);
    const double weight = buoyant_mass(store, slot, input.medium.density) / mass;
    const Drive linear{store.velocity[slot], weight * input.gravity + force.head<3>() / mass,
                       drag.linear / mass, flow.head<3>()};
    const Drive angular{inertial_spin(store, slot, input.dt),
                        angular_acceleration(store, slot, force.tail<3>()),
                        drag.angular / store.inertia[slot].x(), flow.tail<3>()};
    store.free_velocity[slot] =
        where_not_held(linear.free_velocity(input), linear.velocity, store.fixed[slot]);
    store.free_angular_velocity[slot] = where_not_held(
        angular.free_velocity(input), store.angular_velocity[slot], store.fixed[slot] >> 3);
    if (store.free_velocity[slot].allFinite() && store.free_angular_velocity[slot].allFinite())
      continue;
    const Vec3& x = store.position[slot];
    throw InputError(fmt::format(
        "forces: what acts on body {} at ({:.9g}, {:.9g}, {:.9g}) m, {:.3g} N, gives it a velocity "
        "beyond what a number can hold; check the formulas of `forces` and `fluid`, and time.dt",
        store.id[slot], x.x(), x.y(), x.z(), force.head<3>().norm()));
  }
}

petsc::Vector free_velocities(MPI_Comm comm, const Store& store) {
  petsc::Vector v_free = petsc::make_vector(comm, 6 * static_cast<std::size_t>(store.n_owned));
  const petsc::View v(v_free.get());
  for (std::int32_t k = 0; k < store.n_owned; ++k) {
    const std::int32_t slot = store.first_owned() + k;
    Eigen::Map<Vec6> entries(v.data() + 6 * k);
    entries << store.free_velocity[slot], store.free_angular_velocity[slot];
  }
  return v_free;
}

void advance(Store& store, Vec end_velocity, double dt) {
  const petsc::ConstView v(end_velocity);
  SCREE_ASSERT(std::cmp_equal(v.size(), 6 * std::int64_t{store.n_owned}));
  for (std::int32_t i = 0; i < store.n_owned; ++i) {
    const std::int32_t slot = store.first_owned() + i;
    const double* w = v.data() + 6 * i;
    store.velocity[slot] = Vec3(w[0], w[1], w[2]);
    store.angular_velocity[slot] = Vec3(w[3], w[4], w[5]);
    store.position[slot] += dt * store.velocity[slot];
    store.orientation[slot] =
        (rotation_by(dt * store.angular_velocity[slot]) * store.orientation[slot]).normalized();
  }
}

}  // namespace scree
