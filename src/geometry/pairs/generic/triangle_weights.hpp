#pragma once

#include <algorithm>
#include <array>
#include <limits>

#include "scree/base/math.hpp"

namespace scree {

/// Weights of a triangle's corners at the point of its plane nearest to the origin.
inline Vec3 weights_in_plane(const std::array<Vec3, 3>& corners) {
  const Vec3 u = corners[1] - corners[0];
  const Vec3 v = corners[2] - corners[0];
  const Vec3 across = u.cross(v);
  const double square = across.squaredNorm();
  const double second = v.cross(corners[0]).dot(across) / square;
  const double third = corners[0].cross(u).dot(across) / square;
  return {1.0 - second - third, second, third};
}

/// Those at the point of the triangle itself that is nearest to the origin.
inline Vec3 nearest_weights(const std::array<Vec3, 3>& corners) {
  const Vec3 inside = weights_in_plane(corners);
  if (inside.minCoeff() >= 0.0) return inside;
  Vec3 best = Vec3::UnitX();
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t next = (k + 1) % 3;
    const Vec3 along = corners[next] - corners[k];
    const double square = along.squaredNorm();
    const double share = square > 0.0 ? std::clamp(-corners[k].dot(along) / square, 0.0, 1.0) : 0.0;
    const double distance = (corners[k] + share * along).squaredNorm();
    if (distance >= least) continue;
    least = distance;
    best = Vec3::Zero();
    best[static_cast<Eigen::Index>(k)] = 1.0 - share;
    best[static_cast<Eigen::Index>(next)] = share;
  }
  return best;
}

}  // namespace scree
