#pragma once

/// The surfaces that bodies touch with.

#include <span>

#include "scree/bodies/store.hpp"

namespace scree {

/// The surfaces of bodies: a shape for each slot, and the library of their handles. Valid as long
/// as both.
struct Surfaces {
  std::span<const Shape> shapes;
  const ShapeLibrary& library;
};

/// Their own shapes.
inline Surfaces surfaces_of(const Store& store) {
  return {store.shape, *store.shapes};
}

}  // namespace scree
