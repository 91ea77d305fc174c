#include "union_mass.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree {
namespace {

/// Half the diagonal of the smallest cubes, over the inscribed radius of the smallest part.
constexpr double kResolution = 1.0 / 32.0;
/// The most cubes that are looked at; where there would be more they are coarser: thin parts that
/// overlap over a large face.
constexpr std::int64_t kMostCubes = 1'000'000;
/// Depth of an overlap over the lesser inscribed radius, below which two parts only touch.
constexpr double kTouches = 1e-9;

/// Integrals of 1, x and x x^T about the origin.
struct Integrals {
  double volume = 0.0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();

  /// Adds those of a body of the volume @p v about @p centre, with the mean of (x - centre)(x -
  /// centre)^T.
  void add(double v, const Vec3& centre, const Mat3& covariance) {
    volume += v;
    first += v * centre;
    second += v * (covariance + centre * centre.transpose());
  }
  MassProperties total() const {
    const Vec3 centre = first / volume;
    return {volume, centre, second / volume - centre * centre.transpose()};
  }
};

/// The mean of x x^T of a body with the principal moments over mass @p moments, along its axes.
Mat3 covariance_of(const Vec3& moments) {
  return (Vec3::Constant(0.5 * moments.sum()) - moments).asDiagonal();
}

struct Cube {
  Vec3 centre;
  double half;

  double half_diagonal() const { return std::numbers::sqrt3 * half; }
  Cube eighth(int k) const {
    const Vec3 way((k & 1) != 0 ? 0.5 : -0.5, (k & 2) != 0 ? 0.5 : -0.5, (k & 4) != 0 ? 0.5 : -0.5);
    return {centre + half * way, 0.5 * half};
  }
};

/// Whether any two of several parts overlap.
class OverlappingPairs {
 public:
  OverlappingPairs(std::span<const ClumpParts::Part> parts, const ShapeLibrary& library)
      : n_(parts.size()), overlap_(n_ * n_, false) {
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < i; ++j)
        overlap_[i * n_ + j] = do_overlap(parts[i], parts[j], library);
    }
  }
  bool any() const { return std::ranges::find(overlap_, true) != overlap_.end(); }
  bool has(std::size_t i, std::size_t j) const {
    return overlap_[std::max(i, j) * n_ + std::min(i, j)];
  }

 private:
  static bool do_overlap(const ClumpParts::Part& a, const ClumpParts::Part& b,
                         const ShapeLibrary& library) {
    const double apart = (a.pose.position - b.pose.position).norm();
    if (apart >= a.bounding_radius + b.bounding_radius) return false;
    const double gap =
        contacts_between(a.shape, a.pose, b.shape, b.pose, library, 0.0).deepest().gap;
    return gap < -kTouches * std::min(a.inscribed_radius, b.inscribed_radius);
  }

  std::size_t n_;
  std::vector<bool> overlap_;
};

class Overlaps {
 public:
  /// @param coarseness times which the smallest cubes are as large as they should be
  Overlaps(std::span<const ClumpParts::Part> parts, const OverlappingPairs& pairs,
           const ShapeLibrary& library, double coarseness)
      : parts_(parts), pairs_(pairs), library_(library), fineness_(coarseness * kResolution) {}

  /// Whether there were no more cubes than are looked at; else what was taken off is not all.
  bool was_enough() const { return n_cubes_ <= kMostCubes; }

  /// Takes what is in several parts off @p sums but once.
  void take_off(Integrals& sums) {
    Box3 box{Vec3::Constant(std::numeric_limits<double>::infinity()),
             Vec3::Constant(-std::numeric_limits<double>::infinity())};
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      near_.push_back({.part = i});
      const Box3 own = box_of(parts_[i].shape, parts_[i].pose, library_);
      box = {box.low.cwiseMin(own.low), box.high.cwiseMax(own.high)};
    }
    const Cube all{0.5 * (box.low + box.high), 0.5 * (box.high - box.low).maxCoeff()};
    descend(all, 0, near_.size(), sums);
  }

 private:
  /// A part beside a cube: the plane of its surface next to the cube's centre.
  struct Near {
    std::size_t part;
    double distance = 0.0;  ///< of the centre, m; negative within the part
    Vec3 normal = Vec3::Zero();
    double share = 0.0;  ///< of the cube on the inner side of the plane
  };

  /// Looks at a cube beside which may be those of the stack from @p begin to @p end.
  void descend(const Cube& cube, std::size_t begin, std::size_t end, Integrals& sums) {
    if (++n_cubes_ > kMostCubes) return;
    const double reach = cube.half_diagonal();
    double finest = std::numeric_limits<double>::infinity();
    bool is_inside = true;
    for (std::size_t k = begin; k < end; ++k) {
      const std::size_t i = near_[k].part;
      const ClumpParts::Part& part = parts_[i];
      const double most = reach + part.bounding_radius;
      if ((cube.centre - part.pose.position).squaredNorm() >= most * most) continue;
      const SurfacePoint found = nearest_of(part.shape, part.pose.to_body(cube.centre), library_);
      if (found.distance >= reach) continue;
      near_.push_back({i, found.distance, part.pose.orientation * found.normal});
      finest = std::min(finest, fineness_ * part.inscribed_radius);
      is_inside = is_inside && found.distance <= -reach;
    }
    const auto near = std::span(near_).subspan(end);
    if (any_overlap(near) && (is_inside || reach <= finest)) {
      const double volume = 8.0 * cube.half * cube.half * cube.half;
      const Mat3 covariance = cube.half * cube.half / 3.0 * Mat3::Identity();
      const double further =
          is_inside ? static_cast<double>(near.size()) - 1.0 : further_parts(near, cube.half);
      sums.add(-volume * further, cube.centre, covariance);
    } else if (any_overlap(near)) {
      const std::size_t top = near_.size();
      for (int k = 0; k < 8; ++k) descend(cube.eighth(k), end, top, sums);
    }
    near_.erase(near_.begin() + static_cast<std::ptrdiff_t>(end), near_.end());
  }

  bool any_overlap(std::span<const Near> near) const {
    for (std::size_t i = 0; i < near.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (pairs_.has(near[i].part, near[j].part)) return true;
      }
    }
    return false;
  }

  /// The mean over the cube of the number of parts there are beyond the first: of each the share
  /// that is in one before it, too.
  double further_parts(std::span<Near> near, double half) const {
    double further = 0.0;
    for (std::size_t i = 0; i < near.size(); ++i) {
      near[i].share = share_below(near[i].normal, near[i].distance, half);
      double shared = 0.0;
      for (std::size_t j = 0; j < i; ++j) {
        if (pairs_.has(near[i].part, near[j].part)) {
          shared = std::max(shared, shared_by(near[i], near[j]));
        }
      }
      further += shared;
    }
    return further;
  }

  /// The share of the cube in both: where surfaces lie on each other that is known; where they
  /// cross each is cut as if it knew nothing of the other.
  static double shared_by(const Near& a, const Near& b) {
    constexpr double kAlong = 0.9;
    const double cosine = a.normal.dot(b.normal);
    if (cosine > kAlong) return std::min(a.share, b.share);
    if (cosine < -kAlong) return std::max(0.0, a.share + b.share - 1.0);
    return a.share * b.share;
  }

  /// The share of a cube with edges of twice @p half that is below the plane with the unit normal
  /// @p n under which its centre is by @p distance: exactly along the axis nearest to the normal,
  /// by four columns each way across it.
  static double share_below(const Vec3& n, double distance, double half) {
    Eigen::Index axis = 0;
    n.cwiseAbs().maxCoeff(&axis);
    const double u = half * n[(axis + 1) % 3];
    const double v = half * n[(axis + 2) % 3];
    const double along = half * std::abs(n[axis]);
    double share = 0.0;
    for (const double a : {-0.75, -0.25, 0.25, 0.75}) {
      for (const double b : {-0.75, -0.25, 0.25, 0.75}) {
        share += std::clamp(0.5 - 0.5 * (distance + a * u + b * v) / along, 0.0, 1.0);
      }
    }
    return share / 16.0;
  }

  std::span<const ClumpParts::Part> parts_;
  const OverlappingPairs& pairs_;
  const ShapeLibrary& library_;
  double fineness_;
  std::vector<Near> near_;  ///< a stack: of each cube that is looked at those beside it
  std::int64_t n_cubes_ = 0;
};

}  // namespace

MassProperties mass_of_union(std::span<const ClumpParts::Part> parts, const ShapeLibrary& library) {
  Integrals sums;
  for (const ClumpParts::Part& part : parts) {
    const Mat3 turn = part.pose.orientation.toRotationMatrix();
    const Mat3 own = covariance_of(inertia_per_mass(part.shape, library));
    sums.add(volume(part.shape, library), part.pose.position, turn * own * turn.transpose());
  }
  const OverlappingPairs pairs(parts, library);
  if (!pairs.any()) return sums.total();
  for (double coarseness = 1.0;; coarseness *= 2.0) {
    Integrals of_union = sums;
    Overlaps overlaps(parts, pairs, library, coarseness);
    overlaps.take_off(of_union);
    if (overlaps.was_enough()) return of_union.total();
  }
}

}  // namespace scree
