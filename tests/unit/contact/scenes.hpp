#pragma once

/// Random scenes for the tests of detection.

#include <algorithm>
#include <random>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/contact/contact.hpp"
#include "scree/contact/reach.hpp"
#include "scree/geometry/shapes/sphere.hpp"

namespace scree::testing {

using Random = std::mt19937_64;

inline double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

inline Vec3 vector_in(Random& random, const Vec3& low, const Vec3& high) {
  return {uniform(random, low.x(), high.x()), uniform(random, low.y(), high.y()),
          uniform(random, low.z(), high.z())};
}

inline Body ball(std::int64_t id, const Vec3& position, double radius,
                 const Vec3& velocity = Vec3::Zero()) {
  Body body;
  body.id = id;
  body.position = position;
  body.velocity = velocity;
  body.shape = Sphere{radius};
  body.density = 2600.0;
  return body;
}

inline Body tool(std::int64_t number, const Shape& shape, const Vec3& position,
                 const Quat& orientation = Quat::Identity()) {
  Body body;
  body.id = kFirstToolId + number;
  body.position = position;
  body.orientation = orientation;
  body.shape = shape;
  return body;
}

/// Balls with radii in [small, large], each decade as likely, in a cube of edge 2 @p size.
inline void add_balls(Store& store, Random& random, int count, double size, double small,
                      double large, double speed) {
  const std::int64_t first = store.n_owned;
  for (int k = 0; k < count; ++k) {
    const double radius = small * std::pow(large / small, uniform(random, 0.0, 1.0));
    append_grain(store,
                 ball(first + k, vector_in(random, Vec3::Constant(-size), Vec3::Constant(size)),
                      radius, vector_in(random, Vec3::Constant(-speed), Vec3::Constant(speed))));
  }
}

inline std::vector<Pair> sorted(std::vector<Pair> pairs) {
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace scree::testing
