#pragma once

/// Motions that a joint leaves free, as numbers: zero where it is placed, positive where the first
/// body moves along the axis, or turns about it, against the second, or where two points part.
///
/// | coordinate | number                                             | unit | its force |
/// | ---        | ---                                                | ---  | ---       |
/// | slide      | way along the axis                                 | m    | N         |
/// | turn       | angle about the axis, any number of turns          | rad  | N m       |
/// | stretch    | distance of the two points less that as placed     | m    | N         |

#include <string_view>
#include <vector>

#include "scree/base/enumeration.hpp"
#include "scree/joints/joint_rows.hpp"

namespace scree {

class Declaration;

enum class Coordinate { slide, turn, stretch };
template <>
inline constexpr std::array kNamesOf<Coordinate> = names("slide", "turn", "stretch");

/// The row whose value is @p coordinate, that of a turn times the length of the joint.
JointRow coordinate_row(Coordinate coordinate, const JointEnds& ends);

/// The value of the row over the coordinate: the length of the joint for a turn, m, else 1.
double row_per_unit(Coordinate coordinate, const JointEnds& ends);

/// Dry friction along a coordinate: at most a constant, and a share of the size of the force by
/// which the joint held its bodies together in the step before.
struct JointFriction {
  double constant = 0.0;     ///< N or N m
  double coefficient = 0.0;  ///< 1
  double radius = 0.0;       ///< of a turn: at which it acts, m

  void declare(Declaration& d, Coordinate coordinate);
  /// The largest force along @p coordinate, N, or torque, N m. @p held: size of the force, N
  double bound(Coordinate coordinate, double held) const;
};

/// Limits, spring, damper and friction along a coordinate.
struct CoordinateSpec {
  std::vector<double> limits;  ///< lowest and highest, m or rad; none: free
  double stiffness = 0.0;      ///< of a spring, N/m or N m/rad
  double damping = 0.0;        ///< of a damper, N s/m or N m s/rad
  double rest = 0.0;           ///< where the spring has no force, m or rad
  JointFriction friction;

  void declare(Declaration& d, Coordinate coordinate);
  bool has_spring() const { return stiffness > 0.0 || damping > 0.0; }
};

}  // namespace scree
