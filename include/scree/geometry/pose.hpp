#pragma once

/// Where a rigid body is, and rotations as vectors.
///
/// A rotation vector w (axis times angle, rad) and the unit quaternion q(w) = (cos |w|/2,
/// sin(|w|/2) w/|w|) name the same rotation; |w| <= pi makes the vector unique but at pi.

#include "scree/base/math.hpp"

namespace scree {

/// Position of the centre of mass and orientation (body to world).
struct Pose {
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();

  Vec3 to_world(const Vec3& point) const { return position + orientation * point; }
  Vec3 to_body(const Vec3& point) const { return orientation.conjugate() * (point - position); }
};

/// The rotation by |@p w| about @p w, of unit length to rounding for every w, zero included.
Quat rotation_by(const Vec3& w);

/// The shortest rotation vector w with rotation_by(w) = @p q. @pre q has unit length.
Vec3 rotation_vector(const Quat& q);

/// The rotation of least angle that turns the direction of @p from into that of @p to.
Quat rotation_between(const Vec3& from, const Vec3& to);

/// The pose after moving for the time @p t at constant @p velocity and @p angular_velocity (world
/// frame).
Pose moved(const Pose& pose, const Vec3& velocity, const Vec3& angular_velocity, double t);

}  // namespace scree
