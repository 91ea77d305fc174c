#pragma once

/// The rows of a contact's impulse as vectors in the world frame, and back.
///
/// Rows are: normal, two tangents, then moments over the length l about the tangents and the normal
/// (problem/assemble.hpp); a cone has the first so many of them.

#include <span>

#include "scree/base/instructions.hpp"
#include "scree/contact/contact.hpp"
#include "scree/problem/contact_span.hpp"
#include "scree/problem/frames.hpp"

namespace scree {

/// The impulse on body A, world frame, N s. Dimensions that the cone lacks are zero.
SCREE_INLINE Vec3 world_impulse(const Contact& contact, std::span<const double> rows) {
  Vec3 impulse = rows[0] * contact.normal;
  if (rows.size() == 1) return impulse;
  const ContactFrame frame = contact.frame();
  impulse += rows[1] * frame.tangent1;
  if (rows.size() > 2) impulse += rows[2] * frame.tangent2;
  return impulse;
}

/// The impulse of the moment on body A, world frame, N m s.
Vec3 world_moment(const Contact& contact, std::span<const double> rows, double length);

/// An impulse on body A, world frame.
struct ContactImpulse {
  double normal = 0.0;          ///< lambda_n, N s
  Vec3 linear = Vec3::Zero();   ///< N s
  Vec3 angular = Vec3::Zero();  ///< of rolling and spinning, N m s
};

/// That of @p contact, the @p i-th of @p rows, among @p lambda, this rank's rows.
SCREE_INLINE ContactImpulse impulse_of(const ContactSpan& rows, const Contact& contact,
                                       std::size_t i, std::span<const double> lambda) {
  const std::span<const double> own = rows.of(i, lambda);
  ContactImpulse impulse{.normal = own[0], .linear = world_impulse(contact, own)};
  if (own.size() > kForceRows) impulse.angular = world_moment(contact, own, rows.length(i));
  return impulse;
}

/// Writes those of @p rows that are of moments: of the impulse of a @p moment on body A.
void write_moment(const Contact& contact, const Vec3& moment, double length,
                  std::span<double> rows);

}  // namespace scree
