#pragma once

/// Inertial time stepping: paper 004, section 2.4, eqs. 9 and 12 (implicit Euler, first order).
///
///     v_free = v + dt M^-1 f,    f = (m g, -omega x I omega)
///     v+     = v_free + M^-1 J^T lambda                     (step/impact)
///     q+     = q + dt v+         centres; orientations turn by exp(dt omega+) exactly
///
/// Held degrees of freedom feel no force: their velocity stays what the group's declaration gave.

#include "scree/base/math.hpp"
#include "scree/base/petsc.hpp"
#include "scree/bodies/store.hpp"

namespace scree {

/// v_free: six entries (linear, angular; world frame, m/s and rad/s) for each owned grain, in slot
/// order. Collective (makes a vector on @p comm).
petsc::Vector predict(MPI_Comm comm, const Store& store, const Vec3& gravity, double dt);

/// Takes over v+ (laid out as predict's result) and moves the owned grains by dt. Orientations are
/// normalised, so that their length stays one to rounding. Not collective.
void advance(Store& store, Vec end_velocity, double dt);

}  // namespace scree
