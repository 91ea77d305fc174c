#pragma once

#include <limits>
#include <string_view>

#include "scree/config/declaration.hpp"
#include "scree/geometry/shape.hpp"

namespace scree {

/// Half space z <= 0 of its frame; the side z > 0 is free. Only for walls: it has no finite mass.
struct Plane {
  static constexpr std::string_view kType = "plane";
  static constexpr std::string_view kHelp = "half space below its local z = 0";

  void declare(Declaration&) {}

  SurfacePoint nearest(const Vec3& p) const {
    return {Vec3(p.x(), p.y(), 0.0), Vec3::UnitZ(), p.z()};
  }
  /// Infinite; a box along an axis would be smaller, which the broad phase does not need.
  Vec3 half_extents(const Mat3& /*rotation*/) const {
    return Vec3::Constant(std::numeric_limits<double>::infinity());
  }
  Vec3 centre_of_box(const Mat3& /*rotation*/) const { return Vec3::Zero(); }
  double volume() const { return std::numeric_limits<double>::infinity(); }
  Vec3 inertia_per_mass() const { return Vec3::Constant(std::numeric_limits<double>::infinity()); }
};

}  // namespace scree
