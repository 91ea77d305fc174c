#pragma once

/// Which form of pair_rows.hpp bodies and rows have, by their numbers.

#include <span>
#include <vector>

#include "pair_rows.hpp"
#include "scree/base/math.hpp"

namespace scree {

/// A form neglects less than this share of M^-1, and of the contact's own block N_ii.
inline constexpr double kFormTolerance = 1e-10;

/// The most special form that all bodies allow: spheres have M^-1 = diag(1/m, 1/m, 1/m, 1/I, 1/I,
/// 1/I), contacts at points need it symmetric, without a part that couples moving with turning, and
/// diagonal where it moves.
/// @p inverse_mass: 36 numbers a body. @p masses gets what the bodies have.
PairForm form_of_masses(std::span<const double> inverse_mass, std::vector<BodyMass>& masses);

/// Whether all contacts are of spheres: rows of the frame orthonormal, opposite for the second
/// body, arms along the normal; one row or three, and R alike along both tangents.
bool have_sphere_rows(const PairRows& rows, std::span<const BodyMass> masses);

/// Whether all contacts are at points: rows of the frame orthonormal, opposite for the second body,
/// those of turning r x f with one arm r for all.
bool have_point_rows(const PairRows& rows, std::span<const BodyMass> masses);

/// The arm of a sphere's entry along the normal (SphereContact), m; 0 where its contact has no
/// tangents.
double sphere_arm(const double* block, std::size_t n_rows);

/// The arm r of an entry at a point with the frame that starts at @p frame, m. Along a single row
/// it is zero.
/// @p sign: -1 for the second body.
Vec3 point_arm(const double* block, const double* frame, std::size_t n_rows, double sign);

}  // namespace scree
