#pragma once

/// The list of shapes: one line each. A shape is a plain struct in geometry/shapes/.

#include <tuple>
#include <type_traits>
#include <variant>

#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/box.hpp"
#include "scree/geometry/shapes/capsule.hpp"
#include "scree/geometry/shapes/cluster.hpp"
#include "scree/geometry/shapes/ellipsoid.hpp"
#include "scree/geometry/shapes/plane.hpp"
#include "scree/geometry/shapes/polyhedron.hpp"
#include "scree/geometry/shapes/ring.hpp"
#include "scree/geometry/shapes/round_hole.hpp"
#include "scree/geometry/shapes/sphere.hpp"

namespace scree {

/// Trivially copyable, so that it travels between ranks as bytes.
using Shape = std::variant<Sphere, Plane, Box, HollowCylinder, HollowCone, Orifice, Capsule,
                           Ellipsoid, Polyhedron, Ring, Cluster>;

/// What a configuration says of a shape S: S itself, unless its geometry is from elsewhere.
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

/// What a body holds of @p shape. @pre what is from files is in a shape library.
inline Shape as_shape(const DeclaredShape& shape) {
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

/// Where the body's frame is in the one in which a configuration tells of @p shape, m.
template <class... S>
Pose frame_of(const std::variant<S...>& shape) {
  return std::visit(
      []<class One>(const One& s) {
        if constexpr (requires { s.frame(); }) {
          return s.frame();
        } else {
          return Pose{};
        }
      },
      shape);
}

}  // namespace scree
