#include "scree/contact/ball_twins.hpp"

#include <fmt/format.h>

#include "scree/base/check.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree {

std::optional<BallCluster> balls_of(const Shape& shape, int n) {
  if (shape.is<Sphere>()) return std::nullopt;
  if (const auto* ellipsoid = shape.get_if<Ellipsoid>()) return cluster_of(*ellipsoid, n);
  if (const auto* capsule = shape.get_if<Capsule>()) return cluster_of(*capsule, n);
  if (const auto* ring = shape.get_if<Ring>()) return cluster_of(*ring, n);
  throw InputError(
      fmt::format("a cluster of {} balls for a {}; allowed: ellipsoids that are longer than wide, "
                  "capsules and rings",
                  n, type_of(shape)));
}

std::string fault_of_balls(const Shape& shape, int n) {
  try {
    balls_of(shape, n);
    return {};
  } catch (const InputError& error) {
    return error.what();
  }
}

BallTwins::BallTwins(const Store& store, int n) : shapes_(store.shape), library_(*store.shapes) {
  for (std::int32_t slot = 0; slot < store.size(); ++slot) {
    if (store.is_tool(slot)) continue;
    std::optional<BallCluster> balls = balls_of(shapes_[slot], n);
    if (balls) shapes_[slot] = Cluster{library_.add(std::move(*balls)), 1.0};
  }
}

}  // namespace scree
