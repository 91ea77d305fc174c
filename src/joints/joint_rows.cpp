#include "scree/joints/joint_rows.hpp"

#include <cmath>

namespace scree {
namespace {

/// A row whose rate is that of @p direction . (velocities of a point at @p arm_a on the first body,
/// less that at @p arm_b on the second).
JointRow point_row(double value, const Vec3& direction, const Vec3& arm_a, const Vec3& arm_b) {
  JointRow row{.value = value};
  row.a << direction, arm_a.cross(direction);
  row.b << -direction, direction.cross(arm_b);
  return row;
}

/// A row whose rate is that of @p direction . (spin of the first body less that of the second).
JointRow spin_row(double value, const Vec3& direction) {
  JointRow row{.value = value};
  row.a.tail<3>() = direction;
  row.b.tail<3>() = -direction;
  return row;
}

}  // namespace

JointRow along(const JointEnds& ends, int k) {
  // the direction turns with the second body, on which the first one's point is felt
  const Vec3 direction = ends.b.axes.col(k);
  return point_row(direction.dot(ends.between()), direction, ends.a.point - ends.a.centre,
                   ends.a.point - ends.b.centre);
}

JointRow square(const JointEnds& ends, int j, int k) {
  const Vec3 of_a = ends.a.axes.col(j);
  const Vec3 of_b = ends.b.axes.col(k);
  return spin_row(ends.length * of_a.dot(of_b), ends.length * of_a.cross(of_b));
}

JointRow apart(const JointEnds& ends) {
  const Vec3 between = ends.between();
  const double distance = between.norm();
  // two points that meet are parted along the axis of the second body, which is any direction
  const Vec3 direction = distance > 0.0 ? Vec3(between / distance) : Vec3(ends.b.axes.col(0));
  return point_row(distance - ends.distance, direction, ends.a.point - ends.a.centre,
                   ends.b.point - ends.b.centre);
}

JointRow swung(const JointEnds& ends) {
  const Vec3 across = ends.b.axes.col(0).cross(ends.a.axes.col(0));
  const double sine = across.norm();
  const Vec3 direction = sine > 0.0 ? Vec3(across / sine) : Vec3(ends.b.axes.col(1));
  const double angle = std::atan2(sine, ends.a.axes.col(0).dot(ends.b.axes.col(0)));
  return spin_row(ends.length * angle, ends.length * direction);
}

JointRow turned(const JointEnds& ends) {
  const Vec3 across = ends.a.axes.col(1);
  const double angle = std::atan2(across.dot(ends.b.axes.col(2)), across.dot(ends.b.axes.col(1)));
  return spin_row(ends.length * angle, ends.length * ends.b.axes.col(0));
}

}  // namespace scree
