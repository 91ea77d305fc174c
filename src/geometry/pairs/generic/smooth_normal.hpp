#pragma once

/// The common normal of smooth bodies that are apart, from a direction near it.
///
/// u = m + T theta, T a basis across m, is the direction sought where
///
///     F(theta) = T^T S(u) - (u . S(u) / |u|^2) theta = 0,
///
/// |u| times the gradient of h(u) / |u|, S(u) being the difference's point farthest along u. Apart,
/// h < 0, there is one root, and where S is smooth the slope at the middle and at the root is
/// symmetric and positive definite. It is taken by differences once, which costs two looks; the
/// symmetric update of rank one (Nocedal and Wright, Numerical Optimization, section 6.2) mends it
/// by what each further look tells. (minimum_of_points() of tangent_newton.hpp takes it anew in
/// each iteration, by four: it serves bodies that overlap, where a root need not be a minimum.)

#include <optional>

#include "difference.hpp"

namespace scree {

/// What is seen along the common normal, T^T S being @p tolerance (m) at most. @param start: a
/// direction along which the bodies are seen to be apart. None where the error does not become
/// less with each look, as where a surface is flat to its second derivative.
std::optional<Sight> smooth_normal(const Difference& d, const Sight& start, double tolerance);

}  // namespace scree
