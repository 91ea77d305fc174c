#include "polygon.hpp"

#include <algorithm>
#include <numeric>

namespace scree {
namespace {

using Corners = std::array<std::int32_t, 3>;

/// Twice the area, along the normal (M. E. Newell's sum).
Vec3 area_vector(std::span<const Vec3> corners) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 0; k < corners.size(); ++k) {
    sum += (corners[k] - corners[0]).cross(corners[(k + 1) % corners.size()] - corners[0]);
  }
  return sum;
}

std::vector<Corners> fan(std::size_t n) {
  std::vector<Corners> triangles;
  for (std::int32_t k = 2; k < static_cast<std::int32_t>(n); ++k)
    triangles.push_back({0, k - 1, k});
  return triangles;
}

/// Twice the area of a triangle of corners, along the polygon's normal: positive where it turns as
/// that.
double turn(std::span<const Vec3> p, const Corners& t, const Vec3& normal) {
  return (p[t[1]] - p[t[0]]).cross(p[t[2]] - p[t[0]]).dot(normal);
}

/// Whether a triangle of three corners that follow each other can be cut off what is left.
bool is_ear(std::span<const Vec3> p, const Corners& t, const std::vector<std::int32_t>& left,
            const Vec3& normal) {
  if (turn(p, t, normal) <= 0.0) return false;
  return std::none_of(left.begin(), left.end(), [&](std::int32_t other) {
    if (std::find(t.begin(), t.end(), other) != t.end()) return false;
    return turn(p, {t[0], t[1], other}, normal) >= 0.0 &&
           turn(p, {t[1], t[2], other}, normal) >= 0.0 &&
           turn(p, {t[2], t[0], other}, normal) >= 0.0;
  });
}

}  // namespace

std::vector<Corners> triangulated(std::span<const Vec3> corners) {
  const Vec3 normal = area_vector(corners);
  std::vector<Corners> as_fan = fan(corners.size());
  const auto turns_alike = [&](const Corners& t) { return turn(corners, t, normal) >= 0.0; };
  if (std::all_of(as_fan.begin(), as_fan.end(), turns_alike)) return as_fan;
  if (corners.size() > kMostEars) return {};
  std::vector<std::int32_t> left(corners.size());
  std::iota(left.begin(), left.end(), 0);
  std::vector<Corners> triangles;
  while (left.size() > 3) {
    const std::size_t n = left.size();
    std::size_t k = 0;
    const auto at = [&](std::size_t i) {
      return Corners{left[i], left[(i + 1) % n], left[(i + 2) % n]};
    };
    while (k < n && !is_ear(corners, at(k), left, normal)) ++k;
    if (k == n) return {};
    triangles.push_back(at(k));
    left.erase(left.begin() + static_cast<std::ptrdiff_t>((k + 1) % n));
  }
  triangles.push_back({left[0], left[1], left[2]});
  return triangles;
}

}  // namespace scree
