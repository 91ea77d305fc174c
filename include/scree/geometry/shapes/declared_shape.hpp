#pragma once

/// Shapes as a configuration says them: most are what a body holds (shape_list.hpp), some come from
/// a file.

#include <string_view>
#include <tuple>
#include <variant>

#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/shape_list.hpp"

namespace scree {

class Declaration;

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

template <class List>
struct DeclaredList;
template <class... S>
struct DeclaredList<std::variant<S...>> {
  template <class One>
  static auto if_declarable() {
    if constexpr (Declarable<One>) {
      return std::tuple<typename DeclaredAs<One>::Type>();
    } else {
      return std::tuple<>();
    }
  }
  template <class... D>
  static std::variant<D...> variant_of(std::tuple<D...>);
  using Type = decltype(variant_of(std::tuple_cat(if_declarable<S>()...)));
};

/// Any shape as a configuration says it.
using DeclaredShape = DeclaredList<Shape>::Type;

/// The body's hold of @p shape. @pre what is from files is in a shape library.
Shape as_shape(const DeclaredShape& shape);

/// The place of the body's frame in the one in which a configuration tells of @p shape, m.
template <class S>
Pose declared_frame(const S& shape) {
  if constexpr (requires { shape.frame(); }) {
    return shape.frame();
  } else {
    return {};
  }
}
Pose frame_of(const DeclaredShape& shape);

}  // namespace scree
