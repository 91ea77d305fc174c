#pragma once

/// Regions of space that grains are put into, each a struct with its word in YAML.

#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "scree/base/math.hpp"

namespace scree {

class Declaration;

/// An interval, from its lower to its upper end.
using Interval = std::pair<double, double>;

/// Edges along the axes.
struct BoxRegion {
  static constexpr std::string_view kType = "box";
  static constexpr std::string_view kHelp = "a box with edges along the axes";
  Vec3 low = Vec3::Zero();   ///< m
  Vec3 high = Vec3::Zero();  ///< m
  void declare(Declaration& d);
  Box3 bounds() const { return {low, high}; }
  std::optional<Interval> chord(double y, double z, double clearance) const;
};

/// Upright, lying or askew.
struct CylinderRegion {
  static constexpr std::string_view kType = "cylinder";
  static constexpr std::string_view kHelp = "a circular cylinder";
  Vec3 base = Vec3::Zero();   ///< centre of one end, m
  Vec3 axis = Vec3::UnitZ();  ///< direction from there to the other end; need not have unit length
  double radius = 0.0;        ///< m
  double height = 0.0;        ///< along the axis, m
  void declare(Declaration& d);
  Box3 bounds() const;
  std::optional<Interval> chord(double y, double z, double clearance) const;
};

using Region = std::variant<BoxRegion, CylinderRegion>;

/// The smallest box about @p region.
Box3 bounds_of(const Region& region);

/// The x of the points (x, @p y, @p z) that are in @p region and at least @p clearance from its
/// surface; none: there is no such point. @pre y and z are within its bounds less the clearance.
std::optional<Interval> chord_of(const Region& region, double y, double z, double clearance);

}  // namespace scree
