#pragma once

/// The shape that a body holds: any one of one list, as bytes. Who holds, sends or copies shapes
/// needs this alone; who asks for one type includes that type's header; who asks for any,
/// all_shapes.hpp.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <tuple>
#include <type_traits>

#include "scree/base/check.hpp"

namespace scree {

/// The list of shapes: one line each, and one in all_shapes.hpp. A shape is a plain struct in
/// geometry/shapes/; its place here is its number in checkpoints and snapshots.
using ShapeTypes = std::tuple<struct Sphere,          //
                              struct Plane,           //
                              struct Box,             //
                              struct HollowCylinder,  //
                              struct HollowCone,      //
                              struct Orifice,         //
                              struct Capsule,         //
                              struct Ellipsoid,       //
                              struct Polyhedron,      //
                              struct Ring,            //
                              struct Cluster,         //
                              struct Mesh,            //
                              struct Clump,           //
                              struct Cylinder,        //
                              struct Cone,            //
                              struct Superellipsoid>;

inline constexpr std::size_t kShapeTypes = std::tuple_size_v<ShapeTypes>;

/// The number of the type S in the list; kShapeTypes where it is not there.
template <class S>
inline constexpr std::size_t kNumberOf = []<class... T>(std::type_identity<std::tuple<T...>>) {
  std::size_t number = 0;
  const bool found = ((std::is_same_v<S, T> || (++number, false)) || ...);
  return found ? number : kShapeTypes;
}(std::type_identity<ShapeTypes>());

template <class S>
concept ListedShape = kNumberOf<S> < kShapeTypes;

/// One of the shapes of the list. Trivially copyable, so that it travels between ranks as bytes.
class Shape {
 public:
  /// The first of the list, a ball, of radius 0.
  Shape() = default;

  template <ListedShape S>
  Shape(const S& shape) : number_(kNumberOf<S>) {
    static_assert(std::is_trivially_copyable_v<S> && sizeof(S) <= kBytes &&
                  alignof(S) <= alignof(double));
    std::memcpy(bytes_.data(), static_cast<const void*>(&shape), sizeof(S));
  }

  /// The number of its type in the list.
  std::size_t number() const { return static_cast<std::size_t>(number_); }

  template <ListedShape S>
  bool is() const {
    return number() == kNumberOf<S>;
  }
  /// The shape where it is of the type S, else nullptr. Valid as long as this.
  template <ListedShape S>
  const S* get_if() const {
    return is<S>() ? std::launder(reinterpret_cast<const S*>(bytes_.data())) : nullptr;
  }
  /// @pre it is of the type S. Valid as long as this.
  template <ListedShape S>
  const S& get() const {
    SCREE_ASSERT(is<S>());
    return *get_if<S>();
  }
  template <ListedShape S>
  S& get() {
    SCREE_ASSERT(is<S>());
    return *std::launder(reinterpret_cast<S*>(bytes_.data()));
  }

 private:
  static constexpr std::size_t kBytes = 5 * sizeof(double);

  alignas(double) std::array<std::byte, kBytes> bytes_{};
  std::int64_t number_ = 0;
};

}  // namespace scree
