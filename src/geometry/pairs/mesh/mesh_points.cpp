#include "mesh_points.hpp"

#include <algorithm>
#include <tuple>

#include "geometry/pairs/convex/convex_contact.hpp"

namespace scree {
namespace {

/// Cosine of the angle, a twentieth, within which normals are one to what is ahead, and to the
/// choice among many points.
constexpr double kAlong = 0.99875;
/// Cosine of the angle, 4e-5, within which points next to each other are one.
constexpr double kOneNormal = 1.0 - 1e-9;

}  // namespace

bool MeshPoints::is_known(const ContactPoint& point) const {
  return std::any_of(kept_.begin(), kept_.end(), [&](const ContactPoint& known) {
    if (known.feature == point.feature) return true;
    return known.normal.dot(point.normal) > kOneNormal &&
           (known.point_b - point.point_b).squaredNorm() < near_ * near_;
  });
}

Manifold MeshPoints::taken() {
  const auto is_before = [](const ContactPoint& p, const ContactPoint& q) {
    return std::tie(p.gap, p.feature) < std::tie(q.gap, q.feature);
  };
  std::sort(points_.begin(), points_.end(), is_before);
  for (const ContactPoint& point : points_) {
    if (!is_known(point)) kept_.push_back(point);
  }
  std::sort(ahead_.begin(), ahead_.end(), is_before);
  for (const ContactPoint& point : ahead_) {
    const bool held = std::any_of(kept_.begin(), kept_.end(), [&point](const ContactPoint& known) {
      return known.feature == point.feature || known.normal.dot(point.normal) > kAlong;
    });
    if (!held) kept_.push_back(point);
  }
  std::vector<ContactPoint> chosen;
  while (!kept_.empty()) {
    const Vec3 normal = kept_.front().normal;
    const auto others = std::stable_partition(
        kept_.begin(), kept_.end(),
        [&normal](const ContactPoint& p) { return p.normal.dot(normal) > kAlong; });
    std::vector<ContactPoint> alike(kept_.begin(), others);
    kept_.erase(kept_.begin(), others);
    if (alike.size() > Manifold::kCapacity) alike = four_of(alike);
    chosen.insert(chosen.end(), alike.begin(), alike.end());
  }
  std::sort(chosen.begin(), chosen.end(), is_before);
  Manifold manifold;
  manifold.status = status_;
  for (const ContactPoint& point : chosen) manifold.push_back(point);
  return manifold;
}

Manifold MeshPoints::deepest() {
  Manifold manifold = taken();
  manifold.truncate(1);
  return manifold;
}

Manifold alone(const ContactPoint& point) {
  Manifold manifold;
  manifold.push_back(point);
  return manifold;
}

}  // namespace scree
