#pragma once

/// What grains look like: a shape of any size, which is taken as it stands or scaled to a radius, that of the ball of
/// the same volume. To add a shape: a line in the list.

#include <string_view>
#include <variant>

#include "scree/config/declaration.hpp"
#include "scree/geometry/shape_list.hpp"

namespace scree {

/// Has no size of its own.
struct Ball {
  static constexpr std::string_view kType = Sphere::kType;
  static constexpr std::string_view kHelp = "a ball";
  void declare(Declaration&) {}
};

using GrainShape = std::variant<Ball, Ellipsoid, Capsule, Box>;

/// The radius of the ball of the volume that @p shape has as it stands, m; 0 for one without a size, or a faulty one.
double own_radius(const GrainShape& shape);

/// @p shape with the volume of a ball of @p radius, m.
Shape of_size(const GrainShape& shape, double radius);

/// The radii of the least ball that holds @p shape and of the largest inside it, over that of the ball of its volume.
double bounding_ratio(const GrainShape& shape);
double inscribed_ratio(const GrainShape& shape);

}  // namespace scree
