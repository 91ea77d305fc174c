#pragma once

/// Bodies that forces accelerate, and a fluid's drag slows:
///
///     M      = m + dt C
///     v_free = v + dt M^-1 (F + C (U - v))
///
/// C being the drag over the velocities, linear and angular, m the mass and the inertia, and
/// with the gyroscopic torque -omega x I omega among the torques, implicitly, so that a body that
/// tumbles gains no energy. At the mean of the velocities at start and end of a step the work of
/// what acts is the change of kinetic energy, but for what weight and contacts do.

#include "scree/loads/fluid.hpp"
#include "scree/step/stepper.hpp"

namespace scree {

/// The spin of the grain in @p slot after the step, were there no torque but that of bearings,
/// world frame: those hold axes of the world. Not collective.
Vec3 inertial_spin(const Store& store, std::int32_t slot, double dt);

class Inertial final : public Stepper {
 public:
  /// @param gravity m/s^2
  explicit Inertial(const Vec3& gravity, const Medium& medium = {})
      : gravity_(gravity), medium_(medium) {}

  bool has_inertia() const override { return true; }
  BodyInertia apparent_inertia(const Store& store, std::int32_t slot, double dt) const override;
  Vec6 free_velocity(const Store& store, std::int32_t slot, const Load& load,
                     double dt) const override;
  Vec6 mean_velocity(const Vec6& start, const Vec6& end) const override {
    return 0.5 * (start + end);
  }

 private:
  bool is_vacuum() const { return medium_.viscosity == 0.0; }

  Vec3 gravity_;
  Medium medium_;
};

}  // namespace scree
