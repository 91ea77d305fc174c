#pragma once

/// The rows of a contact's impulse as vectors in the world frame, and back.
///
/// Rows are: normal, two tangents, then moments over the length l about the tangents and the normal
/// (problem/assemble.hpp); a cone has the first so many of them.

#include <span>

#include "scree/contact/contact.hpp"
#include "scree/problem/contact_span.hpp"

namespace scree {

/// The impulse on body A, world frame, N s. Dimensions that the cone lacks are zero.
Vec3 world_impulse(const Contact& contact, std::span<const double> rows);

/// The impulse of the moment on body A, world frame, N m s.
Vec3 world_moment(const Contact& contact, std::span<const double> rows, double length);

/// An impulse on body A, world frame.
struct ContactImpulse {
  double normal = 0.0;          ///< lambda_n, N s
  Vec3 linear = Vec3::Zero();   ///< N s
  Vec3 angular = Vec3::Zero();  ///< of rolling and spinning, N m s
};

/// That of @p contact, the @p i-th of @p rows, among @p lambda, this rank's rows.
ContactImpulse impulse_of(const ContactSpan& rows, const Contact& contact, std::size_t i,
                          std::span<const double> lambda);

/// Writes those of @p rows that are of moments: of the impulse of a @p moment on body A.
void write_moment(const Contact& contact, const Vec3& moment, double length,
                  std::span<double> rows);

}  // namespace scree
