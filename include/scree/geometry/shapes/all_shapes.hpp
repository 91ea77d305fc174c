#pragma once

/// Every shape of the list (shape_list.hpp), and the call of a function with whichever one a body
/// holds.

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "scree/geometry/shapes/box.hpp"
#include "scree/geometry/shapes/capsule.hpp"
#include "scree/geometry/shapes/clump.hpp"
#include "scree/geometry/shapes/cluster.hpp"
#include "scree/geometry/shapes/cone.hpp"
#include "scree/geometry/shapes/cylinder.hpp"
#include "scree/geometry/shapes/ellipsoid.hpp"
#include "scree/geometry/shapes/mesh.hpp"
#include "scree/geometry/shapes/plane.hpp"
#include "scree/geometry/shapes/polyhedron.hpp"
#include "scree/geometry/shapes/ring.hpp"
#include "scree/geometry/shapes/round_hole.hpp"
#include "scree/geometry/shapes/shape_list.hpp"
#include "scree/geometry/shapes/sphere.hpp"
#include "scree/geometry/shapes/superellipsoid.hpp"

namespace scree {

/// `function(s)` of what @p shape is, a const reference to a struct of the list. All of them give
/// the same type.
template <class Function>
auto visit(const Function& function, const Shape& shape) {
  using Result = std::invoke_result_t<const Function&, const Sphere&>;
  using Call = Result (*)(const Function&, const Shape&);
  static constexpr auto kCalls = []<class... S>(std::type_identity<std::tuple<S...>>) {
    return std::array<Call, sizeof...(S)>{
        [](const Function& f, const Shape& s) -> Result { return f(*s.get_if<S>()); }...};
  }(std::type_identity<ShapeTypes>());
  return kCalls[shape.number()](function, shape);
}

}  // namespace scree
