#include "scree/joints/joint_types.hpp"

#include <numbers>

#include "scree/config/declaration.hpp"

namespace scree {

void JointPoint::declare(Declaration& d) {
  d.reals(
      "position", position,
      {.help = "the point in which the bodies are joined, where they are placed; none: the middle "
               "between their centres",
       .unit = "m"});
  d.require("position", position.empty() || position.size() == 3,
            "is no point; allowed: three coordinates, or none");
}

void JointAxis::declare(Declaration& d) {
  point.declare(d);
  d.vector("axis", axis, {.help = "direction of the axis, where the bodies are placed"});
  d.require("axis", axis.norm() > 0.0, "has no direction; allowed: a vector other than zero");
}

void JointPoints::declare(Declaration& d) {
  d.vectors(
      "points", points,
      {.help = "a point of the first body and one of the second, where they are placed; none: "
               "their centres",
       .unit = "m"});
  d.require("points", points.empty() || points.size() == 2,
            "are no two points; allowed: two, or none");
  d.require("points", points.size() != 2 || points[0] != points[1],
            "are one point, which has no direction to the other; allowed: two, or a ball joint");
}

void SwingSpec::declare(Declaration& d) {
  d.real("limit", limit,
         {.help = "largest angle between the axis of the first body and that of the second, which "
                  "agree where the joint is placed; 0: any",
          .unit = "rad",
          .min = 0.0,
          .below = std::numbers::pi});
}

namespace {

/// Declares what acts along @p coordinate, under its name.
void declare_along(Declaration& d, Coordinate coordinate, CoordinateSpec& spec) {
  struct Named {
    CoordinateSpec& spec;
    Coordinate coordinate;
    void declare(Declaration& inner) { spec.declare(inner, coordinate); }
  } named{spec, coordinate};
  d.object(to_string(coordinate), named, {.help = "limits, spring, damper and friction of it"});
}

}  // namespace

void BallJoint::declare(Declaration& d) {
  place.declare(d);
  d.object("swing", swing, {.help = "the cone in which the axis stays"});
}

void HingeJoint::declare(Declaration& d) {
  place.declare(d);
  declare_along(d, Coordinate::turn, turn);
}

void SliderJoint::declare(Declaration& d) {
  place.declare(d);
  declare_along(d, Coordinate::slide, slide);
}

void CylinderJoint::declare(Declaration& d) {
  place.declare(d);
  declare_along(d, Coordinate::slide, slide);
  declare_along(d, Coordinate::turn, turn);
}

void StrutJoint::declare(Declaration& d) {
  place.declare(d);
  declare_along(d, Coordinate::stretch, stretch);
}

}  // namespace scree
