#pragma once

/// Which form of pair_rows.hpp bodies and rows have, by their numbers.

#include <span>
#include <vector>

#include "pair_rows.hpp"
#include "scree/base/math.hpp"
#include "scree/problem/inverse_masses.hpp"

namespace scree {

/// A form neglects less than this share of M^-1, and of the contact's own block N_ii.
inline constexpr double kFormTolerance = 1e-10;

/// The bodies in the most special form that all of them allow.
struct MassesInForm {
  PairForm form;
  BodyMasses masses;
};

/// Spheres have M^-1 = diag(1/m, 1/m, 1/m, 1/I, 1/I, 1/I), contacts at points need it symmetric,
/// without a part that couples moving with turning, and diagonal where it moves.
/// @param inverse  must outlive the result, as @p storage must
/// @param storage  gets numbers of all bodies where some are no balls, else none
MassesInForm masses_in_form(const InverseMasses& inverse, std::vector<BodyMass>& storage);

/// The frames and arms of contacts that are given as block rows: the first body's rows of the force
/// are the frame; an arm r is that of all of these, as far as they have one, and zero along a
/// single row. They are those of the rows where have_point_rows() says so.
std::vector<PairFrame> frames_of(const PairRows& rows);

/// Whether all contacts are of spheres: rows of the frame orthonormal, opposite for the second
/// body, arms along the normal; one row, three, or those and the moments', and R alike along both
/// tangents of a disc. @p rows has blocks, and @p frames are those of frames_of().
bool have_sphere_rows(const PairRows& rows, std::span<const PairFrame> frames,
                      const BodyMasses& masses);

/// Whether all contacts are at points: rows of the frame orthonormal, opposite for the second body,
/// those of turning r x f with one arm r for all. Likewise.
bool have_point_rows(const PairRows& rows, std::span<const PairFrame> frames,
                     const BodyMasses& masses);

/// The arm of a sphere along the normal (SphereContact), m; 0 where its contact has no tangents.
/// @p side: 0 of A, 1 of B.
inline double sphere_arm(const PairFrame& frame, std::int32_t side, std::size_t n_rows) {
  if (n_rows < 2) return 0.0;
  const double along = frame.arm(side).dot(frame.axes.normal);
  return side == 0 ? -along : along;
}

}  // namespace scree
