#pragma once

/// The direction across what two bodies turn to each other: across a flat, a line and a point, two
/// lines, or two points of curved surfaces (tangent_newton.hpp).

#include <optional>

#include "difference.hpp"

namespace scree {

struct FacingDirection {
  Vec3 m;
  bool is_smooth;  ///< h has a minimum there, of such parts of the bodies
  double near;     ///< sine of the angle within which the parts look along m
};

/// Whether these are the same parts of both bodies.
bool are_same_parts(const Facing& one, const Facing& other);

/// The direction near @p m that is across @p facing, what looks along m within the sine @p near: of
/// two flats across that along which h is less. None where Newton's iteration finds none, or of
/// corners without area; lines that end beside m are such. @param tolerance of points, m
std::optional<FacingDirection> facing_direction(const Difference& d, const Vec3& m,
                                                const Facing& facing, double near,
                                                double tolerance);

}  // namespace scree
