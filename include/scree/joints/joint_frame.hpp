#pragma once

/// Joints where they are placed: on which bodies, and where on them. State of a run, alike on all
/// ranks: a checkpoint holds it, so that a run that goes on does not place them anew.

#include <cstdint>
#include <vector>

#include "scree/geometry/pose.hpp"
#include "scree/joints/joint_rows.hpp"

namespace scree {

/// The id of what does not move.
inline constexpr std::int64_t kWorldId = -1;

/// The point and the axes of a joint on a body, in the body's frame.
struct JointAnchor {
  std::int64_t body = kWorldId;  ///< id
  Vec3 point = Vec3::Zero();     ///< from its centre of mass, m
  Quat axes = Quat::Identity();  ///< turns the joint's axes into the body's frame
};

struct JointFrame {
  std::int64_t number = 0;  ///< rising among the joints of a run, also when some have gone
  std::int64_t spec = 0;    ///< place of its JointSpec in the configuration
  std::int64_t link = 0;    ///< place in the chain that the spec may be of
  bool contact = false;     ///< whether its bodies meet
  JointAnchor a;
  JointAnchor b;
  double length = 1.0;    ///< by which angles are taken, m
  double distance = 0.0;  ///< of the two points as placed, m
  double turn = 0.0;      ///< angle about the axis as the last step began, turns included, rad
};

/// The anchor on @p body, which stands at @p pose, of a joint at @p point with @p axes, world
/// frame.
JointAnchor anchor_at(std::int64_t body, const Pose& pose, const Vec3& point, const Mat3& axes);

JointEnd end_of(const JointAnchor& anchor, const Pose& pose);

/// The joint while its bodies stand there.
JointEnds ends_of(const JointFrame& frame, const Pose& a, const Pose& b);

/// Orthonormal axes, right-handed, of which the first has the direction of @p axis.
Mat3 axes_about(const Vec3& axis);

}  // namespace scree
