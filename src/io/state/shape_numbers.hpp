#pragma once

/// Any shape as numbers: its number in the list of shapes, and its parameters. Those of shapes
/// whose geometry is shared name it by its handle.

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "scree/geometry/shapes/all_shapes.hpp"

namespace scree {

/// A shape as its parameters, which are numbers of type double; a struct that holds others says
/// here how these become such numbers.
template <class S>
struct AsDoubles {
  static_assert(std::is_empty_v<S> ||
                    (std::is_trivially_copyable_v<S> && sizeof(S) % sizeof(double) == 0),
                "a shape's parameters are numbers of type double");
  static constexpr int kCount = std::is_empty_v<S> ? 0 : sizeof(S) / sizeof(double);
  static void write(const S& s, double* to) {
    if constexpr (kCount > 0) std::memcpy(to, static_cast<const void*>(&s), sizeof(S));
  }
  static S read(const double* from) {
    S s;
    if constexpr (kCount > 0) std::memcpy(static_cast<void*>(&s), from, sizeof(S));
    return s;
  }
};
/// A struct of a handle and another number.
template <class S, auto kOther>
struct HandleAsDoubles {
  static constexpr int kCount = 2;
  static void write(const S& s, double* to) {
    to[0] = s.handle;
    to[1] = s.*kOther;
  }
  static S read(const double* from) {
    S s;
    s.handle = static_cast<std::int32_t>(from[0]);
    s.*kOther = static_cast<std::remove_cvref_t<decltype(s.*kOther)>>(from[1]);
    return s;
  }
};
template <>
struct AsDoubles<Polyhedron> : HandleAsDoubles<Polyhedron, &Polyhedron::scale> {};
template <>
struct AsDoubles<Clump> : HandleAsDoubles<Clump, &Clump::scale> {};
template <>
struct AsDoubles<Mesh> : HandleAsDoubles<Mesh, &Mesh::is_sheet> {};

template <std::size_t... I>
constexpr int most_parameters(std::index_sequence<I...>) {
  return std::max({AsDoubles<std::tuple_element_t<I, ShapeTypes>>::kCount...});
}

template <std::size_t I>
void read_shape_as(const double* from, Shape& shape) {
  using S = std::tuple_element_t<I, ShapeTypes>;
  if (from[0] == static_cast<double>(I)) shape = AsDoubles<S>::read(from + 1);
}

/// How many numbers stand for a shape.
inline constexpr int kShapeNumbers = 1 + most_parameters(std::make_index_sequence<kShapeTypes>());

inline void write_shape(const Shape& shape, double* to) {
  std::fill_n(to, kShapeNumbers, 0.0);
  to[0] = static_cast<double>(shape.number());
  visit([to]<class S>(const S& s) { AsDoubles<S>::write(s, to + 1); }, shape);
}

inline Shape read_shape(const double* from) {
  Shape shape;
  const auto read_all = [&]<std::size_t... I>(std::index_sequence<I...>) {
    (read_shape_as<I>(from, shape), ...);
  };
  read_all(std::make_index_sequence<kShapeTypes>());
  return shape;
}

}  // namespace scree
