#include "scree/joints/coordinate_spec.hpp"

#include <string>

#include "scree/config/declaration.hpp"

namespace scree {
namespace {

struct CoordinateUnits {
  std::string_view place;
  std::string_view force;
  std::string_view stiffness;
  std::string_view damping;
};

CoordinateUnits units_of(Coordinate coordinate) {
  if (coordinate == Coordinate::turn) return {"rad", "N m", "N m/rad", "N m s/rad"};
  return {"m", "N", "N/m", "N s/m"};
}

/// The key of a friction that is a number.
constexpr std::string_view kConstant = "constant";

struct CoordinateFriction {
  JointFriction& friction;
  Coordinate coordinate;
  void declare(Declaration& d) { friction.declare(d, coordinate); }
};

/// Whether two limits are those of an interval that holds the place where the joint is made.
bool are_limits(const std::vector<double>& limits) {
  return limits.size() == 2 && limits[0] < limits[1] && limits[0] <= 0.0 && limits[1] >= 0.0;
}

}  // namespace

JointRow coordinate_row(Coordinate coordinate, const JointEnds& ends) {
  switch (coordinate) {
    case Coordinate::slide:
      return along(ends, 0);
    case Coordinate::turn:
      return turned(ends);
    case Coordinate::stretch:
      return apart(ends);
  }
  return {};
}

double row_per_unit(Coordinate coordinate, const JointEnds& ends) {
  return coordinate == Coordinate::turn ? ends.length : 1.0;
}

void JointFriction::declare(Declaration& d, Coordinate coordinate) {
  d.real(kConstant, constant,
         {.help = "largest force of dry friction, or torque, whatever the joint bears",
          .unit = units_of(coordinate).force,
          .min = 0.0});
  if (coordinate == Coordinate::stretch) return;  // nothing is held across it
  d.real("coefficient", coefficient,
         {.help = "largest force of dry friction over the force by which the joint holds its "
                  "bodies together, that of the step before",
          .min = 0.0});
  if (coordinate != Coordinate::turn) return;
  d.real("radius", radius,
         {.help = "radius of the bearing, at which the friction of the coefficient acts",
          .unit = "m",
          .min = 0.0});
  d.require("radius", coefficient == 0.0 || radius > 0.0,
            "is 0, at which a coefficient makes no torque; allowed: above 0, or no coefficient");
}

double JointFriction::bound(Coordinate coordinate, double held) const {
  return constant + (coordinate == Coordinate::turn ? radius : 1.0) * coefficient * held;
}

void CoordinateSpec::declare(Declaration& d, Coordinate coordinate) {
  const CoordinateUnits unit = units_of(coordinate);
  d.reals(
      "limits", limits,
      {.help = "lowest and highest place, from that where the joint is placed; none: it is free",
       .unit = unit.place});
  d.real("stiffness", stiffness,
         {.help = "stiffness of a spring", .unit = unit.stiffness, .min = 0.0});
  d.real("damping", damping, {.help = "of a damper", .unit = unit.damping, .min = 0.0});
  d.real("rest", rest, {.help = "place at which the spring has no force", .unit = unit.place});
  CoordinateFriction along{friction, coordinate};
  d.object("friction", along,
           {.help = "dry friction: its largest force, or torque, is the sum of what its keys say",
            .number_for = kConstant});
  d.require("limits", limits.empty() || are_limits(limits),
            "are no two numbers, rising, with 0 between them, which is where the joint is placed");
}

}  // namespace scree
