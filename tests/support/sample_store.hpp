#pragma once

/// Grains whose every field follows from their id, so that a reader can tell whether it has the
/// right ones, and two tools.

#include <cmath>
#include <cstdint>

#include "scree/bodies/store.hpp"
#include "scree/geometry/shapes/box.hpp"
#include "scree/geometry/shapes/plane.hpp"
#include "scree/geometry/shapes/sphere.hpp"

namespace scree::test {

inline Body sample_grain(std::int64_t id) {
  const auto x = static_cast<double>(id);
  Body body;
  body.id = id;
  body.position = {0.1 * std::fmod(x, 7.0), 0.1 * std::fmod(std::floor(x / 7.0), 5.0),
                   0.05 + 0.1 * std::floor(x / 35.0)};
  body.orientation = Quat(Eigen::AngleAxisd(0.1 * x, Vec3(1, 2, 3).normalized()));
  body.velocity = {x, -x, 0.5 * x};
  body.angular_velocity = {0.0, x, 1.0};
  body.shape = Sphere{.radius = 0.03 + 0.0001 * x};
  body.density = 2600.0;
  body.material = static_cast<std::int32_t>(id % 2);
  body.group = static_cast<std::int32_t>(id % 3);
  body.fixed = id % 4 == 0 ? kFixRotation : 0;
  return body;
}

inline void append_sample_tools(Store& store) {
  Body floor;
  floor.id = kFirstToolId;
  floor.shape = Plane{};
  append_tool(store, floor);
  Body blade;
  blade.id = kFirstToolId + 1;
  blade.shape = Box{.half_size = {0.01, 0.15, 0.1}};
  blade.position = {0.35, 0.2, 0.3};
  blade.orientation = Quat(Eigen::AngleAxisd(0.3, Vec3::UnitY()));
  blade.velocity = {0.2, 0, 0};
  blade.group = 1;
  append_tool(store, blade);
}

/// The tools, and the grains @p first, @p first + @p stride, ... below @p end.
inline Store sample_store(std::int64_t first, std::int64_t end, std::int64_t stride) {
  Store store;
  append_sample_tools(store);
  for (std::int64_t id = first; id < end; id += stride) append_grain(store, sample_grain(id));
  return store;
}

}  // namespace scree::test
