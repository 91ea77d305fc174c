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
  d.real("friction", friction,
         {.help = "largest force of dry friction, or torque", .unit = unit.force, .min = 0.0});
  d.require("limits", limits.empty() || are_limits(limits),
            "are no two numbers, rising, with 0 between them, which is where the joint is placed");
}

}  // namespace scree
