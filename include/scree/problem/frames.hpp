#pragma once

/// The rows of J that a contact of two bodies gives, by its frame and arms, without storing them:
///
///     u_k = f_k . (v_A + w_A x r_A - v_B - w_B x r_B)     rows of forces,  f = n, t1, t2
///     u_k = l m_k . (w_A - w_B)                           rows of moments, m = t1, t2, n
///
/// | symbol     | meaning                                               | member                  |
/// | ---        | ---                                                   | ---                     |
/// | n, t1, t2  | frame of the contact, world frame                     | frame()                 |
/// | r_A, r_B   | from the bodies' centres to the contact point, m      | arm_a, arm_b            |
/// | l          | brings moments to the unit of forces, m               | ContactProblem::rolling_length |
///
/// A body is six numbers, linear, then angular, world frame. One that is prescribed has none: its
/// motion is in the bias.

#include <algorithm>
#include <array>

#include "scree/contact/contact.hpp"
#include "scree/problem/cones.hpp"

namespace scree {

/// Rows of forces come first: normal, tangents. Those of moments follow: about the tangents, about
/// the normal.
inline constexpr int kForceRows = 3;

/// The axis of row @p k: of a force, or of a moment.
inline const Vec3& axis_of(const ContactFrame& frame, int k) {
  using Frame = ContactFrame;
  static constexpr std::array<const Vec3 Frame::*, 6> kAxes{&Frame::normal,   &Frame::tangent1,
                                                            &Frame::tangent2, &Frame::tangent1,
                                                            &Frame::tangent2, &Frame::normal};
  return frame.*kAxes[k];
}

/// How one body moves against the other at their contact, or what acts between them there.
struct Screw {
  Vec3 linear = Vec3::Zero();   ///< m/s, or N s
  Vec3 angular = Vec3::Zero();  ///< rad/s, or N m s
};

/// The velocity at a contact of A against B. @p a, @p b: null where the body is prescribed.
inline Screw relative_motion(const Contact& contact, const double* a, const double* b) {
  Screw motion;
  if (a != nullptr) {
    motion.angular = Vec3::Map(a + 3);
    motion.linear = Vec3::Map(a) + motion.angular.cross(contact.arm_a);
  }
  if (b != nullptr) {
    const Vec3 spin = Vec3::Map(b + 3);
    motion.linear -= Vec3::Map(b) + spin.cross(contact.arm_b);
    motion.angular -= spin;
  }
  return motion;
}

/// u of a cone of @p kDim rows.
template <int kDim>
cones::Rows<kDim> in_frame(const ContactFrame& frame, const Screw& motion, double length) {
  cones::Rows<kDim> u;
  u[0] = frame.normal.dot(motion.linear);
  if constexpr (kDim > 1) u[1] = frame.tangent1.dot(motion.linear);
  if constexpr (kDim > 2) u[2] = frame.tangent2.dot(motion.linear);
  for (int k = kForceRows; k < kDim; ++k) u[k] = length * axis_of(frame, k).dot(motion.angular);
  return u;
}

/// The impulse and the moment on A of a cone of @p kDim rows.
template <int kDim, class Rows>
Screw in_world(const ContactFrame& frame, const Rows& lambda, double length) {
  Screw impulse;
  impulse.linear = lambda[0] * frame.normal;
  if constexpr (kDim > 1) impulse.linear += lambda[1] * frame.tangent1;
  if constexpr (kDim > 2) impulse.linear += lambda[2] * frame.tangent2;
  for (int k = kForceRows; k < kDim; ++k) {
    impulse.angular += length * lambda[k] * axis_of(frame, k);
  }
  return impulse;
}

}  // namespace scree
