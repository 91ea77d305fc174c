#pragma once

/// Joints as a configuration says them, between two bodies or a body and the world, or along a
/// chain of grains.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/joints/joint_frame.hpp"
#include "scree/joints/joint_types.hpp"

namespace scree {

class Declaration;

/// The name of what does not move, among those that a joint may be between.
inline constexpr std::string_view kWorldName = "world";

struct JointSpec {
  std::string name;
  /// Two of: the name of a tool, `GROUP[I]` for the I-th grain of a group, from 0, `world`.
  std::vector<std::string> between;
  std::string chain;     ///< instead: a group, whose grains are joined one to the next
  bool contact = false;  ///< whether the joined bodies meet, too
  JointType type;

  void declare(Declaration& d);
  std::string_view type_name() const;
  /// The coordinates that it leaves free.
  std::span<const Coordinate> free() const;
  /// The largest angle of its swing, rad; infinite where nothing bounds it.
  double largest_swing() const;
  /// What acts along @p coordinate. @pre it is one of free()
  const CoordinateSpec& along(Coordinate coordinate) const;
};

/// The name of a joint of @p spec; of the link @p link of a chain `NAME[I]`.
std::string name_of(const JointSpec& spec, std::int64_t link);

/// Where a joint is to be, world frame.
struct JointPlace {
  Vec3 point_a = Vec3::Zero();  ///< on the first body, m
  Vec3 point_b = Vec3::Zero();  ///< on the second
  Mat3 axes = Mat3::Identity();
};

/// The place of @p joint between bodies whose centres are at @p centre_a and @p centre_b.
JointPlace place_of(const JointSpec& joint, const Vec3& centre_a, const Vec3& centre_b);

/// The largest distance of the two points of @p joint while it holds, m: infinite where nothing
/// bounds it. A step that is not solved may leave some more.
double reach_of(const JointSpec& joint, const JointFrame& frame);

/// Along @p coordinate of the joint, whose turn may be any number of turns.
struct CoordinatePlace {
  JointRow row;           ///< that of its value
  double per_unit = 1.0;  ///< value of the row, m, over the coordinate
  double place = 0.0;     ///< m or rad
};
CoordinatePlace place_along(Coordinate coordinate, const JointEnds& ends, double turn_before);

/// The largest value of what @p joint holds, m: how far it is from being held.
double misfit_of(const JointSpec& joint, const JointEnds& ends);

/// Whether the place of @p joint follows from the centres of the bodies.
bool is_placed_by_centres(const JointSpec& joint);

/// A grain as `between` names it.
struct GrainName {
  std::string group;
  std::int64_t index = 0;  ///< in the order of ids, from 0
};

/// The grain that @p name names; none where it is not of the form `GROUP[I]`.
std::optional<GrainName> grain_name(std::string_view name);

}  // namespace scree
