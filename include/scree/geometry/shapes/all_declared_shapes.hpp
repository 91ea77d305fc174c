#pragma once

/// Every shape as a configuration says it, by the list of shapes.

#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "scree/geometry/shapes/all_shapes.hpp"
#include "scree/geometry/shapes/declared_shape.hpp"

namespace scree {

/// The struct that a configuration fills for a shape S: S itself, unless its geometry is from
/// elsewhere.
template <class S>
struct DeclaredAs {
  using Type = S;
};
template <class S>
requires requires {
  typename S::Declared;
}
struct DeclaredAs<S> {
  using Type = typename S::Declared;
};

/// A shape that a configuration can tell of: a cluster is made by a program only.
template <class S>
concept Declarable = requires(typename DeclaredAs<S>::Type& shape, Declaration& d) {
  shape.declare(d);
};

/// The variant of the types of tuples, one after the other: `VariantOf<std::tuple<A>, std::tuple<>,
/// ...>`.
template <class... T>
std::variant<T...> variant_of(std::tuple<T...>);
template <class... Tuples>
using VariantOf = decltype(variant_of(std::tuple_cat(std::declval<Tuples>()...)));

template <class S>
using IfDeclarable =
    std::conditional_t<Declarable<S>, std::tuple<typename DeclaredAs<S>::Type>, std::tuple<>>;

template <class List>
struct DeclaredList;
template <class... S>
struct DeclaredList<std::tuple<S...>> {
  using Type = VariantOf<IfDeclarable<S>...>;
};

struct AnyDeclaredShape : DeclaredList<ShapeTypes>::Type {
  using Variant = DeclaredList<ShapeTypes>::Type;
  using Variant::Variant;
};

/// The place of the body's frame in the one in which a configuration tells of @p shape, m.
template <class S>
Pose declared_frame(const S& shape) {
  if constexpr (requires { shape.frame(); }) {
    return shape.frame();
  } else {
    return {};
  }
}

}  // namespace scree
