#include "face_overlap.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/pairs/convex/deepest.hpp"

namespace scree {
namespace {

/// Numbers of a face's features: its corners, the sides that begin there, and all of it; 0 is no
/// feature of a face.
std::int32_t corner_number(const SupportingFace::Corner& corner) {
  return 1 + corner.number;
}
std::int32_t side_number(const SupportingFace::Corner& corner) {
  return (1 << 28) + corner.number;
}
constexpr std::int32_t kWholeFace = 1 << 29;

bool is_flat(const SupportingFace& face) {
  return face.corners.size() >= 3;
}

/// A corner of the clipped face, with what meets there and the feature of the side that leaves it.
struct ClippedCorner {
  Vec3 point;
  std::int32_t of_reference;
  std::int32_t of_incident;
  bool leaves_along_reference;  ///< whether the side that leaves is one of the reference's
  std::int32_t leaves;
};

/// The plane through a side of the reference face: outside is where height > 0.
struct Border {
  Vec3 out;
  double offset;
  std::int32_t side;        ///< feature
  std::int32_t start, end;  ///< features of the corners that it goes between

  double height(const Vec3& p) const { return out.dot(p) - offset; }
};

using Clipped = std::vector<ClippedCorner>;

/// The corner where a side of the clipped face crosses @p border.
ClippedCorner crossing(const ClippedCorner& here, const ClippedCorner& next, const Border& border,
                       bool leaves_inside) {
  const double h = border.height(here.point);
  const double share = std::clamp(h / (h - border.height(next.point)), 0.0, 1.0);
  const Vec3 point = here.point + share * (next.point - here.point);
  // two sides of the reference meet at a corner of it, which is over the incident face, whose sides
  // go round the other way
  const bool is_corner = here.leaves_along_reference;
  const std::int32_t corner = leaves_inside ? border.end : border.start;
  return {point, is_corner ? corner : border.side, is_corner ? kWholeFace : here.leaves,
          leaves_inside || here.leaves_along_reference, leaves_inside ? border.side : here.leaves};
}

Clipped clip_to(const Clipped& face, const Border& border, double rounding) {
  Clipped kept;
  for (std::size_t i = 0; i < face.size(); ++i) {
    const ClippedCorner& here = face[i];
    const ClippedCorner& next = face[(i + 1) % face.size()];
    const bool is_in = border.height(here.point) <= rounding;
    const bool goes_in = border.height(next.point) <= rounding;
    if (is_in) kept.push_back(here);
    if (is_in == goes_in) continue;
    kept.push_back(crossing(here, next, border, is_in));
  }
  return kept;
}

Clipped corners_of(const SupportingFace& face) {
  Clipped corners;
  for (const SupportingFace::Corner& c : face.corners) {
    corners.push_back({c.point, kWholeFace, corner_number(c), false, side_number(c)});
  }
  return corners;
}

Vec3 normal_of(const SupportingFace& face) {
  const Vec3& start = face.corners[0].point;
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 2; k < face.corners.size(); ++k) {
    sum += (face.corners[k - 1].point - start).cross(face.corners[k].point - start);
  }
  return sum.normalized();
}

/// Twice the same feature is one corner, where two sides are parallel to rounding.
void add_once(std::vector<ContactPoint>& points, const ContactPoint& point) {
  const bool known = std::any_of(points.begin(), points.end(),
                                 [&](const auto& p) { return p.feature == point.feature; });
  if (!known) points.push_back(point);
}

/// The corners of @p incident over the flat @p reference, which looks along @p out.
std::vector<ContactPoint> over_flat(const SupportingFace& reference, const Vec3& out,
                                    const SupportingFace& incident, bool reference_is_a,
                                    double rounding) {
  Clipped clipped = corners_of(incident);
  const std::size_t n = reference.corners.size();
  for (std::size_t k = 0; k < n; ++k) {
    const Vec3& start = reference.corners[k].point;
    const Vec3 side = (reference.corners[(k + 1) % n].point - start).cross(out).normalized();
    clipped = clip_to(
        clipped,
        {side, side.dot(start), side_number(reference.corners[k]),
         corner_number(reference.corners[k]), corner_number(reference.corners[(k + 1) % n])},
        rounding);
  }
  std::vector<ContactPoint> points;
  for (const ClippedCorner& c : clipped) {
    const double gap = out.dot(c.point - reference.corners[0].point);
    const Vec3 on_flat = c.point - gap * out;
    add_once(points, reference_is_a ? ContactPoint{gap, -out, on_flat, c.point,
                                                   pair_feature(c.of_reference, c.of_incident)}
                                    : ContactPoint{gap, out, c.point, on_flat,
                                                   pair_feature(c.of_incident, c.of_reference)});
  }
  return points;
}

/// The ends of what two segments have in common, seen along @p normal.
std::vector<ContactPoint> beside_segment(const SupportingFace& a, const SupportingFace& b,
                                         const Vec3& normal) {
  constexpr double kParallel = 0.01;  // sine of the angle
  const Vec3& start = a.corners[0].point;
  const Vec3 along_a = a.corners[1].point - start;
  const Vec3 along_b = b.corners[1].point - b.corners[0].point;
  const double length = along_a.norm();
  if (along_a.cross(along_b).norm() > kParallel * length * along_b.norm()) return {};
  const Vec3 unit = along_a / length;
  const double slope = along_b.dot(unit);
  std::vector<ContactPoint> points;
  const auto add = [&](double place, std::int32_t of_a, std::int32_t of_b) {
    const Vec3 on_a = start + place * unit;
    const Vec3 on_b =
        b.corners[0].point + (place - (b.corners[0].point - start).dot(unit)) / slope * along_b;
    const double gap = normal.dot(on_a - on_b);
    const Vec3 middle = 0.5 * (on_a + on_b);
    add_once(points, {gap, normal, middle + 0.5 * gap * normal, middle - 0.5 * gap * normal,
                      pair_feature(of_a, of_b)});
  };
  for (std::size_t k = 0; k < 2; ++k) {
    const double place = (b.corners[k].point - start).dot(unit);
    if (place >= 0.0 && place <= length) {
      add(place, side_number(a.corners[0]), corner_number(b.corners[k]));
    }
    const double of_b = ((a.corners[k].point - b.corners[0].point).dot(unit)) / slope;
    if (of_b >= 0.0 && of_b <= 1.0) {
      add(k == 0 ? 0.0 : length, corner_number(a.corners[k]), side_number(b.corners[0]));
    }
  }
  return points;
}

}  // namespace

std::vector<ContactPoint> face_overlap(const SupportingFace& a, const SupportingFace& b,
                                       const Vec3& normal, double size) {
  if (std::min(a.corners.size(), b.corners.size()) < 2) return {};
  if (!is_flat(a) && !is_flat(b)) return beside_segment(a, b, normal);
  const Vec3 out_a = is_flat(a) ? normal_of(a) : Vec3(Vec3::Zero());
  const Vec3 out_b = is_flat(b) ? normal_of(b) : Vec3(Vec3::Zero());
  const double rounding = 1e-13 * size;
  if (-out_a.dot(normal) >= out_b.dot(normal)) return over_flat(a, out_a, b, true, rounding);
  return over_flat(b, out_b, a, false, rounding);
}

}  // namespace scree
