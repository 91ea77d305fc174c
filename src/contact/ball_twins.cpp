#include "scree/contact/ball_twins.hpp"

#include <fmt/format.h>

#include "scree/base/check.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree {

std::optional<BallCluster> balls_of(const Shape& shape, int n) {
  return std::visit(
      [&]<class S>(const S& body) -> std::optional<BallCluster> {
        if constexpr (std::is_same_v<S, Sphere>) {
          return std::nullopt;
        } else if constexpr (requires { cluster_of(body, n); }) {
          return cluster_of(body, n);
        } else {
          throw InputError(fmt::format(
              "a cluster of {} balls for a {}; allowed: ellipsoids that are longer than wide, "
              "capsules and rings",
              n, type_of(shape)));
        }
      },
      shape);
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
