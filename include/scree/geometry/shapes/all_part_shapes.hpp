#pragma once

/// Every shape of a part of a clump as a configuration says it: each convex one of the list.

#include <tuple>
#include <type_traits>

#include "scree/geometry/shapes/all_declared_shapes.hpp"

namespace scree {

/// The part that the shape S of the list has among those: one type or none, in a tuple.
template <class S>
struct PartOf {
  using Declared = typename DeclaredAs<S>::Type;
  static constexpr bool kIsConvex = requires(const Declared& d, const Vec3& direction) {
    d.support(direction);
  }
  || requires(const Declared& d, const Vec3& direction) { d.geometry().support(direction); };
  using Type = std::conditional_t<kIsConvex, std::tuple<Declared>, std::tuple<>>;
};

template <class List>
struct PartList;
template <class... S>
struct PartList<std::tuple<S...>> {
  using Type = VariantOf<typename PartOf<S>::Type...>;
};

struct AnyPartShape : PartList<ShapeTypes>::Type {
  using Variant = PartList<ShapeTypes>::Type;
  using Variant::Variant;
};

}  // namespace scree
