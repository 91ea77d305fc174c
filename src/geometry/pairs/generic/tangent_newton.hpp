#pragma once

/// Newton's iteration for the direction m that is across what two bodies turn to each other, from
/// one near it. S(m) is the point of the difference farthest along m, T a basis across m:
///
///     two points          T^T S(m) = 0, with the slope T^T S'(m) T - h I
///     a line and a point  T^T (lambda p + (1 - lambda) q) = 0,  m . (p - q) = 0, p and q the
///                         differences at the line's ends and lambda the place on it
///     two lines           across both, which turn with m on the sides of cones
///
/// S', p' and q' by central differences. Each is left where an iteration does not halve the error.

#include <optional>

#include "difference.hpp"

namespace scree {

/// The minimum of h near @p m where the two turn points of curved surfaces to each other; none
/// where they do not, or it is none. @param tolerance of T^T S, m
std::optional<Vec3> minimum_of_points(const Difference& d, Vec3 m, double tolerance);

/// That of a straight line of one body and a point of the other, or of two parallel lines. @param
/// near sine of the angle within which a line is looked at
std::optional<Vec3> minimum_on_line(const Difference& d, Vec3 m, double near, double tolerance);

/// The direction across the straight lines that both have near @p m, by the sine @p near; none
/// where they are parallel.
std::optional<Vec3> across_lines(const Difference& d, Vec3 m, double near);

}  // namespace scree
