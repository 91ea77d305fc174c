#pragma once

/// Time stepping: paper 004, section 2.4, eqs. 9 and 12 (implicit Euler, first order), with Stokes drag.
///
/// For a grain with mass m, drag coefficient c = 6 pi eta r (zero in vacuum) and the fluid's velocity U,
/// F being the forces without drag and contacts, at the start of the step:
///
///     inertial     v_free = (m v + dt (F + c U)) / (m + dt c)
///     overdamped   v_free = U + F / c                              (m dropped: no memory of v)
///     v+     = v_free + M^-1 J^T lambda                            (step/impact)
///     q+     = q + dt v+         centres; orientations turn by exp(dt omega+) exactly
///
/// F = m' g + force fields, m' = m less the mass of fluid displaced; the same holds for rotations, with I,
/// 8 pi eta r^3, the fields' torques and -omega x I omega, implicitly, so that a body that tumbles gains no energy. Drag is implicit, so that no viscosity bounds
/// the step; fields are explicit: a field of stiffness k needs dt < 2 c / k in overdamped dynamics.
///
/// Held degrees of freedom feel no force: their velocity stays what the group's declaration gave.
/// Overdamped: M^-1 is mobility / dt (paper 001, the case of DESIGN section 1).

#include "scree/base/math.hpp"
#include "scree/base/petsc.hpp"
#include "scree/bodies/store.hpp"
#include "scree/loads/fluid.hpp"
#include "scree/step/loads.hpp"

namespace scree {

/// What drives a step: `gravity` in m/s^2, `dt` in s.
struct StepInput {
  Vec3 gravity = Vec3::Zero();
  Medium medium = {};
  double dt = 0.0;
};

/// Fills store.free_velocity and store.free_angular_velocity of the owned grains with v_free. Not
/// collective. @throws InputError naming a grain whose v_free is not finite.
void predict(Store& store, const Loads& loads, const StepInput& input);

/// v_free as the problem takes it: six entries (linear, angular; world frame, m/s and rad/s) for each owned
/// grain, in slot order. Collective (makes a vector on @p comm).
petsc::Vector free_velocities(MPI_Comm comm, const Store& store);

/// Takes over v+ (laid out as free_velocities' result) and moves the owned grains by dt. Orientations are
/// normalised, so that their length stays one to rounding. Not collective.
void advance(Store& store, Vec end_velocity, double dt);

}  // namespace scree
