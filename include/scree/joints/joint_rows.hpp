#pragma once

/// Equations of joints, one row each, by which the types of joints (joints/joint_types.hpp) are put
/// together.
///
/// A joint has a point and axes on each of its two bodies, which coincide where it is placed: the
/// axis of the joint, and two across it. With d from the second point to the first, and e_k axes of
/// the second body:
///
/// | row       | value                         | holds                         |
/// | ---       | ---                           | ---                           |
/// | along k   | e_k . d                       | the points together along e_k |
/// | square jk | l (axis j of A . axis k of B) | two axes at right angles      |
/// | apart     | |d| - distance                | the points at a distance      |
/// | turned    | l (angle about the axis)      | no turn                       |
/// | swung     | l (angle between the axes)    | one axis along the other      |
///
/// Values are lengths, m: those of angles are taken times the length l of the joint, so that rows
/// of a joint are of one unit. Their rates are a . v_A + b . v_B with velocities linear, then
/// angular, world frame. The derivatives are exact wherever the bodies are; that of a turn is where
/// the axes of the two bodies agree; `swung` has no direction where they agree, or are opposite,
/// and takes one across them; `apart` has no direction where its points meet: it then takes the
/// axis of the second body.

#include <array>

#include "scree/base/math.hpp"

namespace scree {

/// A joint on one of its bodies, world frame.
struct JointEnd {
  Vec3 centre = Vec3::Zero();    ///< of the body's mass, m
  Vec3 point = Vec3::Zero();     ///< of the joint, m
  Mat3 axes = Mat3::Identity();  ///< columns: the axis of the joint, and two across it
};

struct JointEnds {
  JointEnd a;
  JointEnd b;
  double length = 1.0;    ///< by which angles are taken, m
  double distance = 0.0;  ///< of the two points as placed, m

  Vec3 between() const { return a.point - b.point; }
};

/// One equation, value = 0.
struct JointRow {
  double value = 0.0;     ///< m
  Vec6 a = Vec6::Zero();  ///< d(rate)/d(velocity of the first body): 1, and m
  Vec6 b = Vec6::Zero();  ///< of the second

  double rate(const Vec6& velocity_a, const Vec6& velocity_b) const {
    return a.dot(velocity_a) + b.dot(velocity_b);
  }
};

template <std::size_t kRows>
using JointRows = std::array<JointRow, kRows>;

JointRow along(const JointEnds& ends, int k);
JointRow square(const JointEnds& ends, int j, int k);
JointRow apart(const JointEnds& ends);
/// The angle by which the first body is turned about the axis against the second, in (-pi, pi],
/// times the length.
JointRow turned(const JointEnds& ends);
/// The angle between the axes of the two bodies, in [0, pi], times the length.
JointRow swung(const JointEnds& ends);

}  // namespace scree
