#include "capsule_contact.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "convex_contact.hpp"
#include "deepest.hpp"

namespace scree {
namespace {

/// Sine of the greatest angle between segments that may lie side by side.
constexpr double kSideBySide = 0.1;

/// The segment centre + s direction, |s| <= half.
struct Segment {
  Vec3 centre;
  Vec3 direction;
  double half;

  Vec3 at(double s) const { return centre + s * direction; }
  double nearest(const Vec3& p) const {
    return std::clamp((p - centre).dot(direction), -half, half);
  }
};

class CapsuleContact {
 public:
  CapsuleContact(const Capsule& a, const Pose& pose_a, const Capsule& b, const Pose& pose_b)
      : a_{Vec3::Zero(), pose_a.orientation * Vec3::UnitZ(), 0.5 * a.length},
        b_{pose_b.position - pose_a.position, pose_b.orientation * Vec3::UnitZ(), 0.5 * b.length},
        origin_(pose_a.position),
        radius_a_(a.radius),
        radius_b_(b.radius) {}

  Manifold run(double margin) {
    const Vec3 cross = a_.direction.cross(b_.direction);
    // Lines this parallel have no nearest points of their own.
    const double sine = cross.norm();
    const bool parallel = sine < 1e-9;
    across_ = parallel ? a_.direction.unitOrthogonal() : Vec3(cross / sine);
    if (!parallel) add_crossing(sine);
    add(a_.half, b_.nearest(a_.at(a_.half)));
    add(-a_.half, b_.nearest(a_.at(-a_.half)));
    add(a_.nearest(b_.at(b_.half)), b_.half);
    add(a_.nearest(b_.at(-b_.half)), -b_.half);
    drop_beyond(margin, points_);
    const bool beside = sine <= kSideBySide;
    const auto dropped = std::remove_if(points_.begin() + 1, points_.end(), [&](const auto& p) {
      return !beside || !is_side_by_side(p);
    });
    points_.erase(dropped, points_.end());
    drop_repeated();
    return manifold_of(points_, SeparationStatus::solved);
  }

 private:
  /// Nearest points of the lines, where both are within the segments. @p sine of their angle.
  void add_crossing(double sine) {
    const Vec3 d = b_.centre - a_.centre;
    const double s = d.cross(b_.direction).dot(across_) / sine;
    const double t = d.cross(a_.direction).dot(across_) / sine;
    if (std::abs(s) < a_.half && std::abs(t) < b_.half) add(s, t);
  }

  /// The points at @p s on A's segment and @p t on B's. Where these are one point to rounding, the
  /// way out is across both segments.
  void add(double s, double t) {
    const Vec3 apart = a_.at(s) - b_.at(t);
    const double distance = apart.norm();
    const bool meet = distance <= 1e-14 * (a_.half + b_.half);
    const Vec3 normal = meet ? across_ : Vec3(apart / distance);
    points_.push_back({distance - radius_a_ - radius_b_, normal,
                       origin_ + a_.at(s) - radius_a_ * normal,
                       origin_ + b_.at(t) + radius_b_ * normal,
                       pair_feature(feature(s, a_.half), feature(t, b_.half))});
  }

  /// The ends are 0 and 1, the stretch between them 2.
  static std::int32_t feature(double s, double half) {
    if (s <= -half) return 0;
    return s >= half ? 1 : 2;
  }

  /// Whether the normal is across both segments, so that the point is not one of end on end.
  bool is_side_by_side(const ContactPoint& p) const {
    return std::abs(p.normal.dot(a_.direction)) < 2.0 * kSideBySide &&
           std::abs(p.normal.dot(b_.direction)) < 2.0 * kSideBySide;
  }

  /// An end of each segment may be nearest to the other: that pair is found twice.
  void drop_repeated() {
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const std::int64_t feature = points_[i].feature;
      const auto repeated =
          std::remove_if(points_.begin() + static_cast<std::ptrdiff_t>(i) + 1, points_.end(),
                         [feature](const ContactPoint& p) { return p.feature == feature; });
      points_.erase(repeated, points_.end());
    }
  }

  Segment a_;
  Segment b_;
  Vec3 origin_;
  double radius_a_;
  double radius_b_;
  Vec3 across_ = Vec3::Zero();  ///< unit, across both segments
  std::vector<ContactPoint> points_;
};

}  // namespace

Manifold capsule_contact(const Capsule& a, const Pose& pose_a, const Capsule& b, const Pose& pose_b,
                         double margin) {
  return CapsuleContact(a, pose_a, b, pose_b).run(margin);
}

}  // namespace scree
