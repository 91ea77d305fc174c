#pragma once

/// Bodies without inertia, which move as forces drive them against the drag of a fluid (paper 001):
/// velocity is no state, and M^-1 is the mobility over dt,
///
///     M      = dt C
///     v_free = U + C^-1 F
///
/// C being the drag over the velocities, linear and angular. Where degrees of freedom are held,
/// C^-1 is the inverse of what is left of it, and F has the drag of what is held. So the work of
/// what acts in a step is that at its velocity.

#include "scree/loads/fluid.hpp"
#include "scree/step/stepper.hpp"

namespace scree {

class Overdamped final : public Stepper {
 public:
  /// @param gravity m/s^2 @pre the medium has a viscosity.
  Overdamped(const Vec3& gravity, const Medium& medium) : gravity_(gravity), medium_(medium) {}

  bool has_inertia() const override { return false; }
  BodyInertia apparent_inertia(const Store& store, std::int32_t slot, double dt) const override;
  Vec6 free_velocity(const Store& store, std::int32_t slot, const Load& load,
                     double dt) const override;
  Vec6 mean_velocity(const Vec6& /*start*/, const Vec6& end) const override { return end; }

 private:
  Vec3 gravity_;
  Medium medium_;
};

}  // namespace scree
