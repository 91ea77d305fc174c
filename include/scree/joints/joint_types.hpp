#pragma once

/// The types of joints: what each holds, by rows of joints/joint_rows.hpp, and the motions that it
/// leaves free and that limits, springs, friction and motors act along.
///
/// kForces is the number of the rows, its first ones, that hold points and not directions: their
/// impulses are those of a force, N s.
///
/// To add one: a struct like these, and its place in JointType.

#include <array>
#include <string_view>
#include <variant>
#include <vector>

#include "scree/base/enumeration.hpp"
#include "scree/joints/coordinate_spec.hpp"
#include "scree/joints/joint_rows.hpp"

namespace scree {

class Declaration;

/// One point in which the bodies are joined.
struct JointPoint {
  std::vector<double> position;  ///< m, or none: in the middle between the two centres

  void declare(Declaration& d);
};

/// A point, and the axis of what the joint leaves free.
struct JointAxis {
  JointPoint point;
  Vec3 axis = Vec3::UnitZ();  ///< need not have unit length

  void declare(Declaration& d);
};

/// A point on each body.
struct JointPoints {
  std::vector<Vec3> points;  ///< of the first body and of the second, m, or none: their centres

  void declare(Declaration& d);
};

/// The swing of a ball: the angle between the joint's axis on its first body and on its second.
struct SwingSpec {
  double limit = 0.0;  ///< half the angle of the cone in which the axis stays, rad; 0: it is free

  void declare(Declaration& d);
};

struct FixedJoint {
  static constexpr std::string_view kType = "fixed";
  static constexpr std::string_view kHelp = "holds the bodies as they are to each other";
  static constexpr std::array<Coordinate, 0> kFree{};
  static constexpr int kForces = 3;

  JointPoint place;

  void declare(Declaration& d) { place.declare(d); }
  static JointRows<6> rows(const JointEnds& e) {
    return {along(e, 0),     along(e, 1),     along(e, 2),
            square(e, 0, 1), square(e, 0, 2), square(e, 1, 2)};
  }
};

struct BallJoint {
  static constexpr std::string_view kType = "ball";
  static constexpr std::string_view kHelp =
      "holds the point; leaves all turns free, or those by which its axis swings within a cone";
  static constexpr std::array<Coordinate, 0> kFree{};
  static constexpr int kForces = 3;

  JointAxis place;
  SwingSpec swing;

  void declare(Declaration& d);
  static JointRows<3> rows(const JointEnds& e) { return {along(e, 0), along(e, 1), along(e, 2)}; }
};

struct HingeJoint {
  static constexpr std::string_view kType = "hinge";
  static constexpr std::string_view kHelp =
      "holds the point and the axis; leaves the turn about it free";
  static constexpr std::array<Coordinate, 1> kFree{Coordinate::turn};
  static constexpr int kForces = 3;

  JointAxis place;
  CoordinateSpec turn;

  void declare(Declaration& d);
  static JointRows<5> rows(const JointEnds& e) {
    return {along(e, 0), along(e, 1), along(e, 2), square(e, 0, 1), square(e, 0, 2)};
  }
};

struct SliderJoint {
  static constexpr std::string_view kType = "slider";
  static constexpr std::string_view kHelp = "leaves the way along the axis free, and nothing else";
  static constexpr std::array<Coordinate, 1> kFree{Coordinate::slide};
  static constexpr int kForces = 2;

  JointAxis place;
  CoordinateSpec slide;

  void declare(Declaration& d);
  static JointRows<5> rows(const JointEnds& e) {
    return {along(e, 1), along(e, 2), square(e, 0, 1), square(e, 0, 2), square(e, 1, 2)};
  }
};

struct CylinderJoint {
  static constexpr std::string_view kType = "cylinder";
  static constexpr std::string_view kHelp =
      "leaves the way along the axis and the turn about it free";
  static constexpr std::array<Coordinate, 2> kFree{Coordinate::slide, Coordinate::turn};
  static constexpr int kForces = 2;

  JointAxis place;
  CoordinateSpec slide;
  CoordinateSpec turn;

  void declare(Declaration& d);
  static JointRows<4> rows(const JointEnds& e) {
    return {along(e, 1), along(e, 2), square(e, 0, 1), square(e, 0, 2)};
  }
};

struct DistanceJoint {
  static constexpr std::string_view kType = "distance";
  static constexpr std::string_view kHelp = "a rod without mass: holds the distance of two points";
  static constexpr std::array<Coordinate, 0> kFree{};
  static constexpr int kForces = 1;

  JointPoints place;

  void declare(Declaration& d) { place.declare(d); }
  static JointRows<1> rows(const JointEnds& e) { return {apart(e)}; }
};

struct StrutJoint {
  static constexpr std::string_view kType = "strut";
  static constexpr std::string_view kHelp =
      "holds nothing: limits, a spring, friction and motors act along the line between two points, "
      "as of a rope, a shock absorber, a hydraulic cylinder";
  static constexpr std::array<Coordinate, 1> kFree{Coordinate::stretch};
  static constexpr int kForces = 0;

  JointPoints place;
  CoordinateSpec stretch;

  void declare(Declaration& d);
  static JointRows<0> rows(const JointEnds& /*ends*/) { return {}; }
};

using JointType = std::variant<HingeJoint, BallJoint, FixedJoint, SliderJoint, CylinderJoint,
                               DistanceJoint, StrutJoint>;

}  // namespace scree
