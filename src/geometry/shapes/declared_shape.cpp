#include "scree/geometry/shapes/declared_shape.hpp"

#include <type_traits>

namespace scree {

Shape as_shape(const DeclaredShape& shape) {
  return std::visit(
      []<class S>(const S& s) -> Shape {
        if constexpr (std::is_constructible_v<Shape, S>) {
          return s;
        } else {
          return s.scaled(1.0);
        }
      },
      shape);
}

Pose frame_of(const DeclaredShape& shape) {
  return std::visit([](const auto& s) { return declared_frame(s); }, shape);
}

}  // namespace scree
