#include "scree/step/stepper.hpp"

#include "scree/geometry/pose.hpp"
#include "scree/problem/assemble.hpp"

namespace scree {
namespace {

/// Torque that keeps the spin of a body that is not a ball: -omega x (I omega), world frame.
Vec3 gyroscopic_torque(const Quat& orientation, const Vec3& omega, const Vec3& inertia) {
  const Vec3 local = orientation.conjugate() * omega;
  const Vec3 momentum = inertia.cwiseProduct(local);
  return orientation * momentum.cross(local);
}

Vec3 angular_acceleration(const Store& store, std::size_t slot) {
  const Vec3& inertia = store.inertia[slot];
  if (inertia.x() == inertia.y() && inertia.y() == inertia.z()) return Vec3::Zero();
  const Vec3 torque =
      gyroscopic_torque(store.orientation[slot], store.angular_velocity[slot], inertia);
  return inverse_inertia(store, static_cast<std::int32_t>(slot)) * torque;
}

}  // namespace

petsc::Vector predict(MPI_Comm comm, const Store& store, const Vec3& gravity, double dt) {
  petsc::Vector v_free = petsc::make_vector(comm, 6 * static_cast<std::size_t>(store.n_owned));
  const petsc::View v(v_free.get());
  for (std::int32_t i = 0; i < store.n_owned; ++i) {
    const auto slot = static_cast<std::size_t>(store.first_owned() + i);
    Vec6 velocity;
    velocity << store.velocity[slot], store.angular_velocity[slot];
    Vec6 acceleration;
    acceleration << gravity, angular_acceleration(store, slot);
    for (int k = 0; k < 6; ++k) {
      const bool held = (store.fixed[slot] >> k & 1) != 0;
      v[static_cast<std::size_t>(6 * i + k)] = velocity[k] + (held ? 0.0 : dt * acceleration[k]);
    }
  }
  return v_free;
}

void advance(Store& store, Vec end_velocity, double dt) {
  const petsc::ConstView v(end_velocity);
  SCREE_ASSERT(v.size() == 6 * static_cast<std::size_t>(store.n_owned));
  for (std::int32_t i = 0; i < store.n_owned; ++i) {
    const auto slot = static_cast<std::size_t>(store.first_owned() + i);
    const double* w = v.data() + 6 * i;
    store.velocity[slot] = Vec3(w[0], w[1], w[2]);
    store.angular_velocity[slot] = Vec3(w[3], w[4], w[5]);
    store.position[slot] += dt * store.velocity[slot];
    store.orientation[slot] =
        (rotation_by(dt * store.angular_velocity[slot]) * store.orientation[slot]).normalized();
  }
}

}  // namespace scree
