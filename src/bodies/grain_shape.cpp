#include "scree/bodies/grain_shape.hpp"

#include <cmath>

#include "scree/geometry/shape_queries.hpp"

namespace scree {
namespace {

const ShapeLibrary kNoHulls;  // none of these shapes is from a file

Shape as_it_stands(const GrainShape& shape) {
  return std::visit(
      []<class S>(const S& s) -> Shape {
        if constexpr (std::is_same_v<S, Ball>) {
          return Sphere{1.0};
        } else {
          return s;
        }
      },
      shape);
}

}  // namespace

double own_radius(const GrainShape& shape) {
  if (std::holds_alternative<Ball>(shape)) return 0.0;
  const double radius = equal_volume_radius(as_it_stands(shape), kNoHulls);
  return std::isfinite(radius) ? radius : 0.0;
}

Shape of_size(const GrainShape& shape, double radius) {
  return std::visit(
      [radius]<class S>(const S& s) -> Shape {
        if constexpr (std::is_same_v<S, Ball>) {
          return Sphere{radius};
        } else {
          return s.scaled(radius / equal_volume_radius(s, kNoHulls));
        }
      },
      shape);
}

double bounding_ratio(const GrainShape& shape) {
  const Shape own = as_it_stands(shape);
  return bounding_radius(own, kNoHulls) / equal_volume_radius(own, kNoHulls);
}

double inscribed_ratio(const GrainShape& shape) {
  const Shape own = as_it_stands(shape);
  return inscribed_radius(own, kNoHulls) / equal_volume_radius(own, kNoHulls);
}

}  // namespace scree
