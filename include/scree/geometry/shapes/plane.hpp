#pragma once

#include <cmath>
#include <limits>
#include <string_view>

#include "scree/geometry/shapes/shape.hpp"

namespace scree {

class Declaration;

/// Half space z <= 0 of its frame; the side z > 0 is free. Only for walls: it has no finite mass.
struct Plane {
  static constexpr std::string_view kType = "plane";
  static constexpr std::string_view kHelp = "half space below its local z = 0";

  void declare(Declaration&) {}

  SurfacePoint nearest(const Vec3& p) const {
    return {Vec3(p.x(), p.y(), 0.0), Vec3::UnitZ(), p.z()};
  }
  /// All of space, or half of it when the normal is along an axis of the world (to rounding, which
  /// at a thousand kilometres is a hundredth of a micrometre).
  Box3 bounds(const Mat3& rotation) const {
    const Vec3 normal = rotation.col(2);
    Box3 box{Vec3::Constant(-std::numeric_limits<double>::infinity()),
             Vec3::Constant(std::numeric_limits<double>::infinity())};
    Eigen::Index axis = 0;
    normal.cwiseAbs().maxCoeff(&axis);
    if (normal.cwiseAbs().sum() - std::abs(normal[axis]) > 1e-14) return box;
    (normal[axis] > 0.0 ? box.high : box.low)[axis] = 0.0;
    return box;
  }
  double volume() const { return std::numeric_limits<double>::infinity(); }
  Vec3 inertia_per_mass() const { return Vec3::Constant(std::numeric_limits<double>::infinity()); }
};

}  // namespace scree
