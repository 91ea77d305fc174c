#pragma once

/// Every shape of a grain as a configuration says it: each of the list that can be scaled.

#include <string_view>
#include <tuple>
#include <type_traits>

#include "scree/geometry/shapes/all_declared_shapes.hpp"
#include "scree/geometry/shapes/grain_shape.hpp"

namespace scree {

/// Has no size of its own.
struct Ball {
  static constexpr std::string_view kType = Sphere::kType;
  static constexpr std::string_view kHelp = "a ball";
  void declare(Declaration&) {}
  Sphere geometry() const { return {1.0}; }
  Sphere scaled(double factor) const { return {factor}; }
};

/// The part that the shape S of the list has in a configuration of grains: one type or none, in a
/// tuple.
template <class S>
struct GrainOf {
  using Declared = typename DeclaredAs<S>::Type;
  static constexpr bool kIsGrain = requires(const Declared& d) { d.scaled(1.0); };
  using Type = std::conditional_t<kIsGrain, std::tuple<Declared>, std::tuple<>>;
};
template <>
struct GrainOf<Sphere> {
  using Type = std::tuple<Ball>;
};

template <class List>
struct GrainList;
template <class... S>
struct GrainList<std::tuple<S...>> {
  using Type = VariantOf<typename GrainOf<S>::Type...>;
};

struct AnyGrainShape : GrainList<ShapeTypes>::Type {
  using Variant = GrainList<ShapeTypes>::Type;
  using Variant::Variant;
};

}  // namespace scree
