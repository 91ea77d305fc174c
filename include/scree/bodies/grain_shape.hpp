#pragma once

/// Shapes of grains: each of any size, taken as it stands or scaled to a radius, that of the ball
/// of the same volume. Every shape of the list that can be scaled is one.

#include <string_view>
#include <tuple>
#include <variant>

#include "scree/geometry/shapes/declared_shape.hpp"

namespace scree {

/// Has no size of its own.
struct Ball {
  static constexpr std::string_view kType = Sphere::kType;
  static constexpr std::string_view kHelp = "a ball";
  void declare(Declaration&) {}
  Sphere geometry() const { return {1.0}; }
  Sphere scaled(double factor) const { return {factor}; }
};

/// The shapes of grains that the shape S of the list gives: one or none, in a tuple.
template <class S>
struct GrainOf {
  using Declared = typename DeclaredAs<S>::Type;
  static auto type() {
    if constexpr (requires(const Declared& d) { d.scaled(1.0); }) {
      return std::tuple<Declared>();
    } else {
      return std::tuple<>();
    }
  }
};
template <>
struct GrainOf<Sphere> {
  static auto type() { return std::tuple<Ball>(); }
};

template <class List>
struct GrainList;
template <class... S>
struct GrainList<std::variant<S...>> {
  template <class... G>
  static std::variant<G...> variant_of(std::tuple<G...>);
  using Type = decltype(variant_of(std::tuple_cat(GrainOf<S>::type()...)));
};

using GrainShape = GrainList<Shape>::Type;

/// The place of the body's frame in the one in which a configuration tells of @p shape, m.
Pose frame_of(const GrainShape& shape);

/// The radius of the ball of the volume that @p shape has as it stands, m; 0 for one without a
/// size, or a faulty one.
double own_radius(const GrainShape& shape);

/// @p shape with the volume of a ball of @p radius, m.
Shape of_size(const GrainShape& shape, double radius);

/// The radii of the least ball that holds @p shape and of the largest inside it, over that of the
/// ball of its volume.
double bounding_ratio(const GrainShape& shape);
double inscribed_ratio(const GrainShape& shape);

}  // namespace scree
