#include "generic_contact.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "common_normal.hpp"
#include "face_overlap.hpp"
#include "geometry/pairs/convex/convex_contact.hpp"
#include "geometry/pairs/convex/deepest.hpp"

namespace scree {
namespace {

/// Sine of the greatest angle at which a flat or a line counts as looking along the normal.
constexpr double kFacing = 0.01;

/// The deepest point and those of faces: the deepest goes where one of these is as deep, along the
/// same normal.
Manifold joined(const ContactPoint& deepest, std::vector<ContactPoint> of_faces, double size,
                double margin, SeparationStatus status) {
  const double rounding = 1e-10 * size;
  constexpr double kOneNormal = 1e-6;
  const bool is_known = std::any_of(of_faces.begin(), of_faces.end(), [&](const auto& p) {
    return std::abs(p.gap - deepest.gap) <= rounding &&
           (p.normal - deepest.normal).norm() <= kOneNormal;
  });
  for (ContactPoint& p : of_faces) {
    // along a flat's normal, which is not the best one, a point may seem deeper
    if (p.gap >= deepest.gap) continue;
    p.point_a += 0.5 * (deepest.gap - p.gap) * p.normal;
    p.point_b -= 0.5 * (deepest.gap - p.gap) * p.normal;
    p.gap = deepest.gap;
  }
  if (!is_known) of_faces.insert(of_faces.begin(), deepest);
  drop_beyond(margin, of_faces);
  return manifold_of(of_faces, status);
}

void move(std::vector<ContactPoint>& points, const Vec3& by) {
  for (ContactPoint& p : points) {
    p.point_a += by;
    p.point_b += by;
  }
}

}  // namespace

Manifold generic_contact(const ConvexShape& shape_a, const Pose& pose_a, const ConvexShape& shape_b,
                         const Pose& pose_b, double margin) {
  const Vec3& origin = pose_a.position;
  const PlacedConvex a(shape_a, pose_a, origin);
  const PlacedConvex b(shape_b, pose_b, origin);
  const CommonNormal common = common_normal(a, b);
  const Vec3& n = common.normal;
  const double radius_a = shape_a.rounding_radius();
  const double radius_b = shape_b.rounding_radius();
  const ContactPoint deepest{common.gap - radius_a - radius_b, n,
                             origin + common.point_a - radius_a * n,
                             origin + common.point_b + radius_b * n, pair_feature(0, 0)};
  const double size = shape_a.bounding_radius() + shape_b.bounding_radius();
  std::vector<ContactPoint> of_faces;
  if (deepest.gap <= margin) {
    of_faces = face_overlap(a.supporting_face(-n, kFacing), b.supporting_face(n, kFacing), n, size);
    move(of_faces, origin);
  }
  return joined(deepest, std::move(of_faces), size, margin, common.status);
}

Manifold generic_contact(const ConvexShape& shape_a, const Pose& pose_a, const Plane& /*b*/,
                         const Pose& pose_b, double margin) {
  const Vec3 n = pose_b.orientation * Vec3::UnitZ();
  const PlacedConvex a(shape_a, pose_a, pose_a.position);
  const double height = n.dot(pose_a.position - pose_b.position);
  const auto at = [&](const Vec3& p, std::int64_t feature) -> ContactPoint {
    const double gap = height + n.dot(p);
    const Vec3 point_a = pose_a.position + p;
    return {gap, n, point_a, point_a - gap * n, feature};
  };
  const SupportingFace face = a.supporting_face(-n, kFacing);
  std::vector<ContactPoint> of_face;
  if (face.corners.size() > 1) {
    for (const SupportingFace::Corner& corner : face.corners) {
      of_face.push_back(at(corner.point, pair_feature(1 + corner.number, 0)));
    }
  }
  return joined(at(a.support(-n), pair_feature(0, 0)), std::move(of_face),
                2.0 * shape_a.bounding_radius(), margin, SeparationStatus::solved);
}

}  // namespace scree
