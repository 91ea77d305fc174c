#include "scree/joints/joint_frame.hpp"

#include <cmath>

namespace scree {

JointAnchor anchor_at(std::int64_t body, const Pose& pose, const Vec3& point, const Mat3& axes) {
  return {.body = body,
          .point = pose.to_body(point),
          .axes = (pose.orientation.conjugate() * Quat(axes)).normalized()};
}

JointEnd end_of(const JointAnchor& anchor, const Pose& pose) {
  return {.centre = pose.position,
          .point = pose.to_world(anchor.point),
          .axes = (pose.orientation * anchor.axes).toRotationMatrix()};
}

JointEnds ends_of(const JointFrame& frame, const Pose& a, const Pose& b) {
  return {.a = end_of(frame.a, a),
          .b = end_of(frame.b, b),
          .length = frame.length,
          .distance = frame.distance};
}

Mat3 axes_about(const Vec3& axis) {
  Mat3 axes;
  axes.col(0) = axis.normalized();
  axes.col(1) = axes.col(0).unitOrthogonal();
  axes.col(2) = axes.col(0).cross(axes.col(1));
  return axes;
}

}  // namespace scree
