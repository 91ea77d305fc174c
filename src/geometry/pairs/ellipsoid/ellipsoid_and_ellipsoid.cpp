#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>

#include "ellipsoid_contacts.hpp"
#include "ellipsoid_features.hpp"
#include "ellipsoid_point.hpp"
#include "geometry/pairs/across.hpp"

namespace scree {
namespace {

constexpr int kMaxIterations = 100;
constexpr int kMaxHalvings = 40;
constexpr double kRounding = std::numeric_limits<double>::epsilon();

/// The separation G(m) of two ellipsoids along m, in A's principal frame, and its derivatives.
struct PairOfEllipsoids {
  Vec3 axes_a;
  Mat3 axes_b;  ///< B's semi-axes as columns
  Vec3 p;       ///< B's centre

  struct Value {
    double separation;  ///< G
    Vec3 slope;         ///< dG/dm, G taken as homogeneous in m: from A's nearest point to B's
    Vec3 support_a;     ///< A's point farthest along m: its nearest one
    Vec3 support_b;     ///< from B's centre; B's nearest point is on the other side of it
    double h_a;
    double h_b;
  };

  Value at(const Vec3& m) const {
    Value v;
    const Vec3 s_a = axes_a.cwiseProduct(m);
    const Vec3 s_b = axes_b.transpose() * m;
    v.h_a = s_a.norm();
    v.h_b = s_b.norm();
    v.support_a = axes_a.cwiseProduct(s_a) / v.h_a;
    v.support_b = axes_b * s_b / v.h_b;
    v.slope = p - v.support_a - v.support_b;
    v.separation = m.dot(p) - v.h_a - v.h_b;
    return v;
  }

  /// -d^2G/dm^2: the sum of the inverse curvatures of both.
  Mat3 bend(const Value& v) const {
    Mat3 h = (axes_b * axes_b.transpose() - v.support_b * v.support_b.transpose()) / v.h_b;
    h += (Mat3(axes_a.cwiseAbs2().asDiagonal()) - v.support_a * v.support_a.transpose()) / v.h_a;
    return h;
  }
};

/// A step along the tangent plane of the sphere.
struct Step {
  Vec3 step;
  double slope;     ///< slope of G along the sphere, m
  double rounding;  ///< rounding of the slope, m
  bool newton;      ///< the whole of Newton's step: what it leaves is the square of its length
};

/// The Newton step on the sphere at @p m. Where -G is not convex there its curvature is turned
/// positive, so that the step climbs.
Step climbing_step(const PairOfEllipsoids& pair, const PairOfEllipsoids::Value& v, const Vec3& m) {
  const Across basis = basis_across(m);
  const Eigen::Matrix2d bend = basis.transpose() * pair.bend(v) * basis;
  const Eigen::Matrix2d k = bend + v.separation * Eigen::Matrix2d::Identity();
  const Eigen::Vector2d r = basis.transpose() * v.slope;
  const double size = pair.p.norm() + v.h_a + v.h_b;
  Step result{Vec3::Zero(), r.norm(), 4.0 * kRounding * (4.0 * size + bend.trace()), true};
  const double trace = k.trace();
  const double determinant = k(0, 0) * k(1, 1) - k(0, 1) * k(1, 0);
  if (determinant > 1e-12 * trace * trace && trace > 0.0) {
    result.step =
        basis *
        Eigen::Vector2d(k(1, 1) * r.x() - k(0, 1) * r.y(), k(0, 0) * r.y() - k(1, 0) * r.x()) /
        determinant;
    return result;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> eigen(k);
  const Eigen::Vector2d sizes = eigen.eigenvalues().cwiseAbs();
  const double least = std::max(1e-12 * sizes.maxCoeff(), 1e-12 * size);
  const Eigen::Vector2d along = eigen.eigenvectors().transpose() * r;
  result.step = basis * (eigen.eigenvectors() * along.cwiseQuotient(sizes.cwiseMax(least)));
  result.newton = false;
  return result;
}

/// Climbs from the unit @p m to a local maximum of G, or to where G is above @p far, m: Newton's
/// iteration with halved steps, each of which raises G.
FeatureDistance climb(const PairOfEllipsoids& pair, Vec3 m, double far = kNeverFar) {
  PairOfEllipsoids::Value v = pair.at(m);
  const double rounding = 16.0 * kRounding * (pair.p.norm() + v.h_a + v.h_b);
  double gain = 0.0;  // of G by the next step, to first order
  for (int k = 0; k < kMaxIterations; ++k) {
    if (v.separation > far) return {m, v.separation, true};
    Step next = climbing_step(pair, v, m);
    gain = next.step.dot(v.slope);
    if (next.slope <= next.rounding) return {m, v.separation, true};
    if (!next.newton && gain <= rounding) return {m, v.separation, true};
    const double length = next.step.norm();
    if (next.newton && length < 1e-9) {
      m = (m + next.step).normalized();
      return {m, pair.at(m).separation, true};
    }
    if (length > 1.0) next.step /= length;
    int halvings = 0;
    for (; halvings < kMaxHalvings; ++halvings, next.step *= 0.5) {
      const Vec3 tried = (m + next.step).normalized();
      const PairOfEllipsoids::Value at_tried = pair.at(tried);
      if (at_tried.separation < v.separation + 1e-4 * next.step.dot(v.slope) - rounding) continue;
      m = tried;
      v = at_tried;
      break;
    }
    if (halvings == kMaxHalvings) break;
  }
  return {m, v.separation, gain <= rounding};
}

/// The direction along which the two would touch if both were scaled about their centres by the
/// same factor: its G has the sign of the gap, so that from there the climb ends at the only
/// maximum when they are apart. It solves (Q_A + rho Q_B) m ~ p with rho = h_A(m) / h_B(m) (Perram
/// and Wertheim, J. Comput. Phys. 58 (1985) 409).
Vec3 scaled_contact(const PairOfEllipsoids& pair) {
  constexpr int kIterations = 3;
  const Mat3 q_a = pair.axes_a.cwiseAbs2().asDiagonal();
  const Mat3 q_b = pair.axes_b * pair.axes_b.transpose();
  Vec3 m = pair.p.normalized();
  for (int k = 0; k < kIterations; ++k) {
    const double rho = pair.axes_a.cwiseProduct(m).norm() / (pair.axes_b.transpose() * m).norm();
    const Mat3 q = q_a + rho * q_b;
    m = (q.inverse() * pair.p).normalized();
  }
  return m;
}

/// The direction of least distance from B's centre out of the ellipsoid of the matrix (1 + 1/rho)
/// (Q_A + rho Q_B).
Vec3 direction_out_of_hull(const PairOfEllipsoids& pair, const Mat3& q_a, const Mat3& q_b,
                           double rho) {
  const Mat3 q = (1.0 + 1.0 / rho) * (q_a + rho * q_b);
  const double scale = q.trace();
  Eigen::SelfAdjointEigenSolver<Mat3> eigen;
  eigen.computeDirect(q / scale);
  // The closed form of the eigenvalues leaves half of the digits, of which a start needs few.
  const Vec3 axes = (scale * eigen.eigenvalues().cwiseMax(1e-7)).cwiseSqrt();
  const Vec3 centre = eigen.eigenvectors().transpose() * pair.p;
  return (eigen.eigenvectors() * nearest_on_ellipsoid<3>(axes, centre).outward).normalized();
}

/// The global maximum when they overlap deeply. The sum of the two is the intersection of the
/// ellipsoids E_b of the matrices Q_A / b + Q_B / (1 - b), 0 < b < 1, since sqrt(m . Q_b m) is
/// least at b = h_A / (h_A + h_B), where it is h_A + h_B. Hence
///
///     max over m of G(m) = max over b of the separation of B's centre from E_b,
///
/// in one variable, each value exact by itself (nearest_on_ellipsoid). The peaks of G on a grid in
/// log(b / (1 - b)) are climbed from.
FeatureDistance best_of_all(const PairOfEllipsoids& pair) {
  constexpr std::size_t kGrid = 24;
  const Vec3 lengths_b = pair.axes_b.colwise().norm();
  const double low = std::log(pair.axes_a.minCoeff() / lengths_b.maxCoeff());
  const double high = std::log(pair.axes_a.maxCoeff() / lengths_b.minCoeff());
  const Mat3 q_a = pair.axes_a.cwiseAbs2().asDiagonal();
  const Mat3 q_b = pair.axes_b * pair.axes_b.transpose();
  std::array<Vec3, kGrid> starts;
  std::array<double, kGrid> values{};
  for (std::size_t k = 0; k < kGrid; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(kGrid - 1);
    starts[k] = direction_out_of_hull(pair, q_a, q_b, std::exp(low + (high - low) * share));
    values[k] = pair.at(starts[k]).separation;
  }
  FeatureDistance best{starts[0], -std::numeric_limits<double>::infinity(), false};
  for (std::size_t k = 0; k < kGrid; ++k) {
    const bool peak =
        (k == 0 || values[k] > values[k - 1]) && (k + 1 == kGrid || values[k] >= values[k + 1]);
    if (!peak) continue;
    const FeatureDistance found = climb(pair, starts[k]);
    if (found.distance > best.distance) best = found;
  }
  return best;
}

}  // namespace

Manifold ellipsoid_and_ellipsoid(const Ellipsoid& a, const Pose& pose_a, const Ellipsoid& b,
                                 const Pose& pose_b, double far) {
  const Mat3 turn = (pose_a.orientation.conjugate() * pose_b.orientation).toRotationMatrix();
  const PairOfEllipsoids pair{a.axes(), turn * b.axes().asDiagonal(),
                              pose_a.to_body(pose_b.position)};
  const double rolling = a.rolling_radius() + b.rolling_radius();
  // Centres this near overlap deeply, and have no direction.
  if (pair.p.norm() > 1e-6 * rolling) {
    // no direction parts two by more than their gap
    if (pair.at(pair.p.normalized()).separation > far) return {};
    const FeatureDistance found = climb(pair, scaled_contact(pair), far);
    if (found.distance > far) return {};
    const bool shortest = found.distance > 0.0 || -found.distance <= rolling;
    if (found.converged && shortest) return ellipsoid_point(a, pose_a, found, 0.0);
  }
  return ellipsoid_point(a, pose_a, best_of_all(pair), 0.0);
}

}  // namespace scree
