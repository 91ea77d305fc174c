#include "mesh_points.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "geometry/pairs/convex/convex_contact.hpp"

namespace scree {
namespace {

/// Cosine of the angle, a twentieth, within which normals are one to what is ahead, and to the
/// choice among many points.
constexpr double kAlong = 0.99875;
/// Cosine of the angle, 4e-5, within which points next to each other are one.
constexpr double kOneNormal = 1.0 - 1e-9;

bool is_before(const ContactPoint& p, const ContactPoint& q) {
  return std::tie(p.gap, p.feature) < std::tie(q.gap, q.feature);
}

/// Four of the points along one normal, where they are more than a manifold holds.
Manifold few_along_each_normal(const Manifold& points) {
  std::vector<ContactPoint> left(points.begin(), points.end());
  Manifold chosen;
  while (!left.empty()) {
    const Vec3 normal = left.front().normal;
    const auto others = std::stable_partition(
        left.begin(), left.end(),
        [&normal](const ContactPoint& p) { return p.normal.dot(normal) > kAlong; });
    std::vector<ContactPoint> alike(left.begin(), others);
    left.erase(left.begin(), others);
    if (alike.size() > Manifold::kCapacity) alike = four_of(alike);
    for (const ContactPoint& point : alike) chosen.push_back(point);
  }
  return chosen;
}

}  // namespace

bool MeshPoints::is_known(const Manifold& kept, const ContactPoint& point) const {
  return std::any_of(kept.begin(), kept.end(), [&](const ContactPoint& known) {
    if (known.feature == point.feature) return true;
    return known.normal.dot(point.normal) > kOneNormal &&
           (known.point_b - point.point_b).squaredNorm() < near_ * near_;
  });
}

Manifold MeshPoints::taken() {
  std::sort(points_.begin(), points_.end(), is_before);
  Manifold kept;
  for (const ContactPoint& point : points_) {
    if (!is_known(kept, point)) kept.push_back(point);
  }
  std::sort(ahead_.begin(), ahead_.end(), is_before);
  for (const ContactPoint& point : ahead_) {
    const bool held = std::any_of(kept.begin(), kept.end(), [&point](const ContactPoint& known) {
      return known.feature == point.feature || known.normal.dot(point.normal) > kAlong;
    });
    if (!held) kept.push_back(point);
  }
  if (kept.size() > Manifold::kCapacity) kept = few_along_each_normal(kept);
  std::sort(kept.begin(), kept.end(), is_before);
  kept.status = status_;
  return kept;
}

Manifold MeshPoints::deepest() const {
  Manifold manifold = alone(*std::min_element(points_.begin(), points_.end(), is_before));
  manifold.status = status_;
  return manifold;
}

Manifold alone(const ContactPoint& point) {
  Manifold manifold;
  manifold.push_back(point);
  return manifold;
}

}  // namespace scree
