#include "convex_contact.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "deepest.hpp"
#include "face_contact.hpp"

namespace scree {
namespace {

/// Cosine of the greatest angle at which a face beside the deepest point still counts as facing the
/// other shape: a hundredth.
constexpr double kFacing = 0.99995;

/// Both cores in A's frame, where coordinates are as small as the shapes.
class ConvexContact {
 public:
  ConvexContact(const PlacedShape& a, const PlacedShape& b, double margin)
      : to_world_(a.pose),
        turn_(a.pose.orientation.toRotationMatrix()),
        a_(a.shape, Mat3::Identity(), Vec3::Zero()),
        b_(b.shape, turn_.transpose() * b.pose.orientation.toRotationMatrix(),
           turn_.transpose() * (b.pose.position - a.pose.position)),
        margin_(margin) {}

  Manifold run(double far) {
    const double far_of_cores = far + a_.radius() + b_.radius();
    const DeepestPoint deepest = deepest_point(a_, b_, far_of_cores);
    const bool is_known = deepest.status == SeparationStatus::solved;
    if (is_known && deepest.gap > far_of_cores) return {};
    const bool meets_face = deepest.face_a >= 0 || deepest.face_b >= 0;
    const FaceOf face = deepest.face_a >= 0 ? of_a(deepest.face_a) : of_b(deepest.face_b);
    if (!meets_face || !add_face(face, deepest)) {
      add(deepest.gap, deepest.normal, deepest.point_a, deepest.point_b, deepest.feature);
      add_facing(deepest);
    }
    drop_beyond(margin_, points_);
    return manifold_of(points_, deepest.status);
  }

 private:
  /// A face of one core, and the other core.
  struct FaceOf {
    const Core& core;
    std::int32_t face;
    const Core& incident;
    bool is_of_a;

    Vec3 out() const { return core.normal(face); }
    FaceContact contact() const { return face_contact(core, face, incident); }
  };
  FaceOf of_a(std::int32_t face) const { return {a_, face, b_, true}; }
  FaceOf of_b(std::int32_t face) const { return {b_, face, a_, false}; }

  void add(double gap, const Vec3& normal, const Vec3& point_a, const Vec3& point_b,
           std::int64_t feature) {
    points_.push_back({gap - a_.radius() - b_.radius(), turn_ * normal,
                       to_world(point_a - a_.radius() * normal),
                       to_world(point_b + b_.radius() * normal), feature});
  }

  void add(const FaceOf& face, const FacePoint& p) {
    const Vec3 out = face.out();
    const Vec3 on_face = p.point - p.gap * out;
    if (face.is_of_a) {
      add(p.gap, -out, on_face, p.point, pair_feature(p.of_face, p.incident));
    } else {
      add(p.gap, out, p.point, on_face, pair_feature(p.incident, p.of_face));
    }
  }

  /// The points of the face that meets at the deepest point. False where that is rather at a side
  /// of the face, beside it by rounding, and known by itself.
  bool add_face(const FaceOf& face, const DeepestPoint& deepest) {
    const FaceContact contact = face.contact();
    if (!contact.is_over_face && deepest.feature != 0) return false;
    if (!contact.is_over_face) add(face, contact.lowest);
    for (const FacePoint& p : contact.points) add(face, p);
    return true;
  }

  /// Where the deepest point is not on a face, but one faces the other shape: its points, too. The
  /// deepest one, which is one of them to within the angle, keeps its own normal.
  void add_facing(const DeepestPoint& deepest) {
    const std::int32_t face_a = face_towards(a_, -deepest.normal);
    const std::int32_t face_b = face_towards(b_, deepest.normal);
    const double along_a = face_a < 0 ? 0.0 : -deepest.normal.dot(of_a(face_a).out());
    const double along_b = face_b < 0 ? 0.0 : deepest.normal.dot(of_b(face_b).out());
    if (std::max(along_a, along_b) < kFacing) return;
    const FaceOf face = along_a >= along_b ? of_a(face_a) : of_b(face_b);
    for (const FacePoint& p : face.contact().points) add(face, p);
    const ContactPoint first = points_.front();
    const auto repeated =
        std::remove_if(points_.begin() + 1, points_.end(),
                       [&first](const ContactPoint& p) { return p.feature == first.feature; });
    points_.erase(repeated, points_.end());
    for (ContactPoint& p : points_) raise(p, first.gap);
  }

  /// No point is deeper than the deepest: along a face's normal, which is not the best one, a point
  /// may seem so, by the angle times the size.
  static void raise(ContactPoint& p, double gap) {
    if (p.gap >= gap) return;
    p.point_a += 0.5 * (gap - p.gap) * p.normal;
    p.point_b -= 0.5 * (gap - p.gap) * p.normal;
    p.gap = gap;
  }

  Vec3 to_world(const Vec3& point) const { return to_world_.position + turn_ * point; }

  const Pose& to_world_;
  Mat3 turn_;
  Core a_;
  Core b_;
  double margin_;
  std::vector<ContactPoint> points_;
};

bool is_deeper(const ContactPoint& p, const ContactPoint& q) {
  return p.gap < q.gap;
}

/// The point where @p measure is largest.
template <class Measure>
ContactPoint largest(const std::vector<ContactPoint>& points, const Measure& measure) {
  return *std::max_element(points.begin(), points.end(),
                           [&](const ContactPoint& p, const ContactPoint& q) {
                             return measure(p.point_a) < measure(q.point_a);
                           });
}

}  // namespace

Manifold convex_contact(const PlacedShape& a, const PlacedShape& b, double margin, double far) {
  return ConvexContact(a, b, margin).run(far);
}

std::vector<ContactPoint> four_of(const std::vector<ContactPoint>& points) {
  const ContactPoint deepest = points.front();
  const Vec3& a = deepest.point_a;
  const ContactPoint far = largest(points, [&](const Vec3& p) { return (p - a).norm(); });
  const Vec3 side = (far.point_a - a).cross(deepest.normal);
  const ContactPoint left = largest(points, [&](const Vec3& p) { return side.dot(p - a); });
  const ContactPoint right = largest(points, [&](const Vec3& p) { return -side.dot(p - a); });
  std::vector<ContactPoint> four = {deepest};
  for (const ContactPoint& p : {far, left, right}) {
    const bool known = std::any_of(four.begin(), four.end(), [&p](const ContactPoint& one) {
      return one.feature == p.feature;
    });
    if (!known) four.push_back(p);
  }
  return four;
}

void drop_beyond(double margin, std::vector<ContactPoint>& points) {
  std::iter_swap(points.begin(), std::min_element(points.begin(), points.end(), is_deeper));
  const auto beyond = std::remove_if(points.begin() + 1, points.end(),
                                     [margin](const auto& p) { return p.gap > margin; });
  points.erase(beyond, points.end());
}

Manifold manifold_of(std::vector<ContactPoint>& points, SeparationStatus status) {
  std::stable_sort(points.begin(), points.end(), is_deeper);
  if (points.size() > Manifold::kCapacity) {
    points = four_of(points);
    std::stable_sort(points.begin(), points.end(), is_deeper);
  }
  Manifold manifold;
  manifold.status = status;
  for (const ContactPoint& p : points) manifold.push_back(p);
  return manifold;
}

}  // namespace scree
