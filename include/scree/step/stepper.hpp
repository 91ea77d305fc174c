#pragma once

/// Time stepping: paper 004, section 2.4, eqs. 9 and 12 (implicit Euler, first order).
///
///     v+ = v_free + M^-1 J^T lambda                            (step/impact)
///     q+ = q + dt v+         centres; orientations turn by exp(dt omega+) exactly
///
/// M and v_free are the stepper's. For a grain with mass m, drag C over its velocity (zero in
/// vacuum; a tensor that turns with the grain, 6 pi eta r for a ball) and the fluid's velocity U, F
/// being the forces without drag and contacts, at the start of the step:
///
/// | stepper                          | M        | v_free                       | loads work at |
/// | ---                              | ---      | ---                          | ---           |
/// | inertial (step/inertial.hpp)     | m + dt C | v + dt M^-1 (F + C (U - v))  | (v + v+) / 2  |
/// | overdamped (step/overdamped.hpp) | dt C     | U + C^-1 F                   | v+            |
///
/// F = m' g + force fields, m' = m less the mass of fluid displaced; the same holds for rotations,
/// with I, their drag (8 pi eta r^3 for a ball) and the fields' torques. Drag is implicit, so that
/// no viscosity bounds the step; fields are explicit: a field of stiffness k needs dt < 2 C / k in
/// overdamped dynamics.
///
/// Held degrees of freedom feel no force: their velocity stays what the group's declaration gave.
/// Free tools are moved likewise, F being m' g and their load; the fluid does not drag them.

#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/math.hpp"
#include "scree/base/petsc.hpp"
#include "scree/bodies/inertia.hpp"
#include "scree/bodies/store.hpp"
#include "scree/step/loads.hpp"

namespace scree {

/// The inertia that bodies oppose to forces, and the velocities to which forces without contacts
/// bring them. Not collective.
class Stepper {
 public:
  virtual ~Stepper() = default;

  /// Whether velocities outlast the forces that gave them.
  virtual bool has_inertia() const = 0;

  /// The inertia M that impulses of a step of @p dt meet in the body in @p slot, which is not
  /// prescribed.
  virtual BodyInertia apparent_inertia(const Store& store, std::int32_t slot, double dt) const = 0;
  /// v_free of the body in @p slot, linear, then angular. What it gives held degrees of freedom
  /// counts for nothing.
  virtual Vec6 free_velocity(const Store& store, std::int32_t slot, const Load& load,
                             double dt) const = 0;
  /// The velocity at which what acts in a step works, where a step takes a grain from @p start to
  /// @p end.
  virtual Vec6 mean_velocity(const Vec6& start, const Vec6& end) const = 0;
};

/// @p v, but for the degrees of freedom that the grain in @p slot has held: these have the velocity
/// of the store. Not collective.
Vec6 with_held(const Store& store, std::int32_t slot, Vec6 v);

/// M of all slots in a step of @p dt; that of prescribed tools is infinite. Not collective.
std::vector<BodyInertia> apparent_inertias(const Stepper& stepper, const Store& store, double dt);

/// Writes the linear part of v_free to store.free_velocity for the bodies of @p loads, owned grains
/// and free tools. Not collective. @throws InputError naming a body whose v_free is not finite.
void predict(Store& store, const Stepper& stepper, const Loads& loads, double dt);

/// v_free of the bodies of this rank's @p n_rows block rows as the problem takes it: linear, then
/// angular, world frame, m/s and rad/s. Collective (makes a vector on @p comm). @pre predict() was
/// called, and velocities are those of then.
petsc::Vector free_velocities(MPI_Comm comm, const Store& store, const Stepper& stepper,
                              const Loads& loads, std::int64_t n_rows, double dt);

/// Takes over v+ (laid out as free_velocities' result) and moves the owned grains and the free
/// tools by dt. Orientations are normalised, so that their length stays one to rounding.
/// Collective.
void advance(MPI_Comm comm, Store& store, Vec end_velocity, double dt);

}  // namespace scree
