#include "common_normal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "apart.hpp"
#include "difference.hpp"
#include "facing_direction.hpp"
#include "inner_hull.hpp"
#include "triangle_weights.hpp"

namespace scree {
namespace {

class Search {
 public:
  explicit Search(const Difference& difference)
      : difference_(difference),
        size_(difference_.size()),
        tolerance_(1e-13 * size_),
        hull_(start(), kInPlane * size_) {}

  CommonNormal run() {
    for (int k = 0; k < kMostSteps && step(); ++k) {
    }
    const Vec3 weights = weights_of_best();
    Vec3 point_a = Vec3::Zero();
    Vec3 point_b = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
      point_a += weights[k] * of_a_[place_[k]];
      point_b += weights[k] * of_b_[place_[k]];
    }
    const double gap = -least_;
    const Vec3 normal = -best_;
    // apart there is one minimum; overlapping, others must have been ruled out
    const bool is_known = least_ - bound_ <= kKnown * size_ || (smooth_ && least_ < 0.0);
    const bool solved = std::isfinite(gap) && is_known;
    return CommonNormal::about(0.5 * (point_a + point_b), gap, normal,
                               solved ? SeparationStatus::solved : SeparationStatus::not_converged);
  }

 private:
  static constexpr int kMostSteps = 1200;
  /// The largest error of a gap that counts as solved, over the size.
  static constexpr double kKnown = 1e-8;
  /// Points that are less above the polytope, over the size, are in it: of flats many are in one
  /// plane, and what rounding lifts out of it makes faces of no normal.
  static constexpr double kInPlane = 2e-14;
  /// Vertices after which the search closes in on the best, by half an angle every kHalving.
  static constexpr int kWide = 128;
  static constexpr int kHalving = 16;
  /// Sines of the angles to the best direction within which flats and lines are looked at, one
  /// after the other.
  static constexpr std::array<double, 6> kNear{0.1, 1e-2, 1e-3, 1e-4, 1e-6, 0.0};
  /// A smooth minimum is alone within this part of the angle within which no other flats and lines
  /// are seen.
  static constexpr double kAlone = 0.3;

  /// Takes @p sight as the best where it is.
  void consider(const Sight& sight) {
    if (sight.value >= (smooth_ ? least_ - tolerance_ : least_)) return;
    smooth_ = false;
    least_ = sight.value;
    best_ = sight.direction;
  }

  void keep(const Sight& sight, int vertex) {
    of_a_[vertex] = sight.of_a;
    of_b_[vertex] = sight.of_b;
    directions_[vertex] = sight.direction;
  }

  /// Four points of the difference that are not in a plane, ordered as the hull has them.
  std::array<Vec3, 4> start() {
    std::array<Vec3, 4> corners;
    const Vec3 apart = difference_.apart();
    const Vec3 first = apart.norm() > 1e-9 * size_ ? Vec3(apart.normalized()) : Vec3(Vec3::UnitX());
    const auto put = [&](int k, const Vec3& m) {
      const Sight sight = difference_.look(m);
      consider(sight);
      corners[static_cast<std::size_t>(k)] = sight.point;
      keep(sight, k);
    };
    put(0, first);
    put(1, -first);
    const Vec3 along = (corners[1] - corners[0]).normalized();
    const auto farther = [&](int k, const Vec3& m, const Vec3& from) {
      const double there = (difference_.look(m).point - from).dot(m);
      const double back = (difference_.look(-m).point - from).dot(-m);
      put(k, there >= back ? m : Vec3(-m));
    };
    farther(2, along.unitOrthogonal(), corners[0]);
    const Vec3 across = along.cross(corners[2] - corners[0]).normalized();
    farther(3, across, corners[0]);
    const Vec3 out = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    if (out.dot(corners[3] - corners[0]) > 0.0) {
      std::swap(corners[1], corners[2]);
      std::swap(of_a_[1], of_a_[2]);
      std::swap(of_b_[1], of_b_[2]);
      std::swap(directions_[1], directions_[2]);
    }
    return corners;
  }

  /// One more point of the polytope. False when there is no more to find.
  bool step() {
    if (hull_.n_vertices() >= next_newton_) {
      next_newton_ += next_newton_ / 2;
      settle();
    }
    return least_ < 0.0 ? step_apart() : step_overlapping();
  }

  bool is_open(int f) const {
    const InnerHull::Face& face = hull_.face(f);
    if (!face.is_there || face.is_closed) return false;
    if (hull_.n_vertices() > kWide) {
      const double angle = 0.5 * std::exp2(-(hull_.n_vertices() - kWide) / kHalving);
      if (face.normal.dot(best_) < 0.0 || face.normal.cross(best_).norm() > angle) return false;
    }
    if (!smooth_ || is_beside_best(face.normal, alone_)) return true;
    return std::any_of(face.vertices.begin(), face.vertices.end(), [this](std::int16_t v) {
      return is_beside_best(directions_[v], 2.0 * alone_);
    });
  }

  /// Whether the angle to the best direction is larger than that of a sine.
  bool is_beside_best(const Vec3& m, double sine) const {
    return m.dot(best_) <= 0.0 || m.cross(best_).squaredNorm() > sine * sine;
  }

  bool step_overlapping() {
    int nearest = -1;
    bound_ = std::numeric_limits<double>::infinity();
    for (int f = 0; f < hull_.n_faces(); ++f) {
      if (hull_.face(f).offset >= bound_ || !is_open(f)) continue;
      bound_ = hull_.face(f).offset;
      nearest = f;
    }
    if (nearest < 0 || bound_ >= least_ - tolerance_) {
      bound_ = least_;
      return false;
    }
    const Sight sight = difference_.look(hull_.face(nearest).normal);
    consider(sight);
    if (sight.value <= bound_ + tolerance_ || !grow(sight, nearest)) hull_.close(nearest);
    return hull_.n_vertices() < InnerHull::kVertices;
  }

  bool step_apart() {
    Vec3 nearest = Vec3::Zero();
    double least = std::numeric_limits<double>::infinity();
    bool is_inside = false;
    for (int f = 0; f < hull_.n_faces(); ++f) {
      const InnerHull::Face& face = hull_.face(f);
      if (!face.is_there || face.offset >= 0.0 || -face.offset >= least) continue;
      const std::array<Vec3, 3> corners{hull_.corner(f, 0), hull_.corner(f, 1), hull_.corner(f, 2)};
      const Vec3 weights = nearest_weights(corners);
      const Vec3 p = weights[0] * corners[0] + weights[1] * corners[1] + weights[2] * corners[2];
      if (p.norm() >= least) continue;
      least = p.norm();
      nearest = p;
      is_inside = weights.minCoeff() > 0.0;
      if (is_inside) nearest = face.offset * face.normal;
      apart_ = {face.vertices, weights};
    }
    bound_ = std::isfinite(least) ? -least : least_;  // none where they touch to rounding
    if (least_ - bound_ <= tolerance_) return false;
    const Sight sight = difference_.look(-nearest.normalized());
    consider(sight);
    if (least_ - bound_ <= tolerance_) return false;
    const int seed = hull_.face_below(sight.point);
    return seed >= 0 && grow(sight, seed);
  }

  bool grow(const Sight& sight, int seed) {
    if (!hull_.grow(sight.point, seed)) return false;
    keep(sight, hull_.n_vertices() - 1);
    return true;
  }

  /// Looks at what of both bodies looks along the best direction, within less and less, until the
  /// direction across that is the best one, and puts it into the polytope.
  void settle() {
    Facing last;
    for (const double near : kNear) {
      const Facing facing = difference_.facing(best_, near);
      if (are_same_parts(facing, last)) continue;
      last = facing;
      const auto found = facing_direction(difference_, best_, facing, near, tolerance_);
      if (!found || !(found->is_smooth ? take(found->m) : is_best(found->m))) continue;
      if (found->is_smooth) alone_ = alone_as(facing);
      put_in(difference_.facing(found->m, found->near), found->m);
      return;
    }
  }

  /// Considers @p m. Whether it is as good as the best.
  bool is_best(const Vec3& m) {
    const Sight sight = difference_.look(m);
    consider(sight);
    return sight.value <= least_ + tolerance_;
  }

  /// The sine of the angle within which a smooth minimum of such parts of the bodies is alone.
  double alone_as(const Facing& parts) const {
    const auto sees_them = [&](double near) {
      return are_same_parts(parts, difference_.facing(best_, near));
    };
    const auto* near = std::find_if(kNear.begin(), kNear.end(), sees_them);
    return near == kNear.end() ? 0.0 : kAlone * *near;
  }

  /// Takes a minimum that Newton's iteration has found, where it is no worse than the best.
  bool take(const Vec3& m) {
    const double value = difference_.look(m).value;
    if (value > least_ + tolerance_) return false;
    least_ = std::min(least_, value);
    best_ = m;
    smooth_ = true;
    return true;
  }

  /// Differences of the corners, which are points of the difference of the bodies, farthest along
  /// @p m.
  void put_in(const Facing& facing, const Vec3& m) {
    constexpr std::size_t kMost = 40;
    if (facing.a.corners.size() * facing.b.corners.size() > kMost) return;
    for (const SupportingFace::Corner& a : facing.a.corners) {
      for (const SupportingFace::Corner& b : facing.b.corners) {
        const Vec3 point = a.point - b.point;
        const int seed = hull_.face_below(point);
        if (seed >= 0) grow({m, a.point, b.point, point, m.dot(point)}, seed);
      }
    }
  }

  /// Sets place_ to the polytope's corners around its point nearest to where D's surface is met,
  /// and gives their weights there.
  Vec3 weights_of_best() {
    if (least_ < 0.0 && std::isfinite(bound_) && apart_.weights.sum() > 0.0) {
      place_ = apart_.corners;
      return apart_.weights;
    }
    // of the face that comes nearest to the foot of the origin
    const Vec3 foot = least_ * best_;
    Vec3 best = Vec3::UnitX();
    double least = std::numeric_limits<double>::infinity();
    for (int f = 0; f < hull_.n_faces(); ++f) {
      const InnerHull::Face& face = hull_.face(f);
      if (!face.is_there || face.normal.dot(best_) <= 0.0) continue;
      const std::array<Vec3, 3> corners{hull_.corner(f, 0) - foot, hull_.corner(f, 1) - foot,
                                        hull_.corner(f, 2) - foot};
      const Vec3 weights = nearest_weights(corners);
      const double distance =
          (weights[0] * corners[0] + weights[1] * corners[1] + weights[2] * corners[2]).norm();
      if (distance >= least) continue;
      least = distance;
      best = weights;
      place_ = face.vertices;
    }
    return best;
  }

  struct Apart {
    std::array<std::int16_t, 3> corners{};
    Vec3 weights = Vec3::Zero();
  };

  const Difference& difference_;
  double size_;
  double tolerance_;
  double least_ = std::numeric_limits<double>::infinity();  ///< h along best_, the least so far
  Vec3 best_ = Vec3::UnitZ();
  bool smooth_ = false;  ///< whether best_ is Newton's
  double alone_ = 0.0;   ///< sine of the angle about it within which it is alone
  int next_newton_ = 8;
  double bound_ = -std::numeric_limits<double>::infinity();  ///< of h from below, as far as known
  Apart apart_;
  std::array<std::int16_t, 3> place_{};
  std::array<Vec3, InnerHull::kVertices> of_a_, of_b_, directions_;
  InnerHull hull_;
};

}  // namespace

CommonNormal common_normal(const PlacedConvex& a, const PlacedConvex& b) {
  const Difference difference(a, b);
  const auto apart = normal_of_apart(difference);
  return apart ? *apart : Search(difference).run();
}

}  // namespace scree
