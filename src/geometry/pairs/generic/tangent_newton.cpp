#include "tangent_newton.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "geometry/pairs/across.hpp"

namespace scree {
namespace {

constexpr int kMostIterations = 8;
constexpr double kDifference = 1e-5;   ///< rad, of central differences
constexpr double kFarthestTurn = 0.3;  ///< rad, in an iteration

/// A segment from its first end to its second, in an order that directions do not change.
struct Line {
  Vec3 first, second;
};
Line line_of(const SupportingFace& face) {
  const bool in_order = face.corners[0].number < face.corners[1].number;
  return {face.corners[in_order ? 0 : 1].point, face.corners[in_order ? 1 : 0].point};
}

/// The differences at the ends of a segment of one body and the other's point, or of two parallel
/// segments.
std::optional<std::array<Vec3, 2>> ends_along(const Difference& d, const Vec3& m, double near) {
  const Facing facing = d.facing(m, near);
  const std::size_t n_a = facing.a.corners.size();
  const std::size_t n_b = facing.b.corners.size();
  if (std::min(n_a, n_b) < 1 || std::max(n_a, n_b) != 2) return std::nullopt;
  const Vec3& point_a = facing.a.corners[0].point;
  const Vec3& point_b = facing.b.corners[0].point;
  Line a{point_a, point_a};
  Line b{point_b, point_b};
  if (n_a == 2) a = line_of(facing.a);
  if (n_b == 2) b = line_of(facing.b);
  const bool is_along = n_a == 1 || (b.second - b.first).dot(a.second - a.first) >= 0.0;
  if (!is_along) std::swap(b.first, b.second);
  return std::array{Vec3(a.first - b.second), Vec3(a.second - b.first)};
}

/// The slope of the three equations of a line and a point; none where the line ends beside m.
std::optional<Mat3> slope_on_line(const Difference& d, const Vec3& m, const Across& basis,
                                  const std::array<Vec3, 2>& ends, double lambda, double near) {
  const auto& [p, q] = ends;
  Mat3 slope;
  for (int column = 0; column < 2; ++column) {
    const Vec3 step = kDifference * basis.col(column);
    const auto ahead = ends_along(d, (m + step).normalized(), near);
    const auto back = ends_along(d, (m - step).normalized(), near);
    if (!ahead || !back) return std::nullopt;
    const Vec3 dp = ((*ahead)[0] - (*back)[0]) / (2.0 * kDifference);
    const Vec3 dq = ((*ahead)[1] - (*back)[1]) / (2.0 * kDifference);
    slope.col(column) << basis.transpose() * (lambda * dp + (1.0 - lambda) * dq),
        basis.col(column).dot(p - q) + m.dot(dp - dq);
    slope(column, column) -= m.dot(lambda * p + (1.0 - lambda) * q);
  }
  slope.col(2) << basis.transpose() * (p - q), 0.0;
  return slope;
}

}  // namespace

std::optional<Vec3> minimum_of_points(const Difference& d, Vec3 m, double tolerance) {
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kMostIterations; ++k) {
    const Sight here = d.look(m);
    const Across basis = basis_across(m);
    const Eigen::Vector2d rest = basis.transpose() * here.point;
    const bool is_root = rest.norm() <= tolerance;
    if (!is_root && !(rest.norm() < 0.5 * last)) return std::nullopt;
    last = rest.norm();
    Eigen::Matrix2d slope;
    for (int column = 0; column < 2; ++column) {
      const Vec3 step = kDifference * basis.col(column);
      const Vec3 change =
          d.look((m + step).normalized()).point - d.look((m - step).normalized()).point;
      slope.col(column) = basis.transpose() * change / (2.0 * kDifference);
    }
    slope(0, 1) = slope(1, 0) = 0.5 * (slope(0, 1) + slope(1, 0));
    slope.diagonal().array() -= here.value;
    const bool is_minimum = slope.determinant() > 0.0 && slope(0, 0) > 0.0;
    if (!is_minimum) return std::nullopt;
    if (is_root) return m;
    const Eigen::Vector2d turn = -(slope.inverse() * rest);
    if (!(turn.norm() < kFarthestTurn)) return std::nullopt;
    m = (m + basis * turn).normalized();
  }
  return std::nullopt;
}

std::optional<Vec3> minimum_on_line(const Difference& d, Vec3 m, double near, double tolerance) {
  double last = std::numeric_limits<double>::infinity();
  double lambda = -1.0;
  for (int k = 0; k < kMostIterations; ++k) {
    const auto ends = ends_along(d, m, near);
    if (!ends) return std::nullopt;
    const auto& [p, q] = *ends;
    const Across basis = basis_across(m);
    const Eigen::Vector2d along = basis.transpose() * (p - q);
    const Eigen::Vector2d from = basis.transpose() * q;
    if (k == 0) lambda = std::clamp(-along.dot(from) / along.squaredNorm(), 0.0, 1.0);
    Vec3 rest;
    rest << lambda * along + from, m.dot(p - q);
    const bool is_root = rest.norm() <= tolerance;
    if (!is_root && !(rest.norm() < 0.5 * last)) return std::nullopt;
    last = rest.norm();
    const auto slope = slope_on_line(d, m, basis, *ends, lambda, near);
    if (!slope) return std::nullopt;
    if (is_root) {
      const Eigen::Vector2d aside(-along.y(), along.x());
      const bool is_minimum = aside.dot(slope->topLeftCorner<2, 2>() * aside) > 0.0;
      return is_minimum && lambda >= 0.0 && lambda <= 1.0 ? std::optional(m) : std::nullopt;
    }
    const Vec3 change = -slope->partialPivLu().solve(rest);
    if (!(change.head<2>().norm() < kFarthestTurn)) return std::nullopt;
    m = (m + basis * change.head<2>()).normalized();
    lambda += change[2];
  }
  return std::nullopt;
}

std::optional<Vec3> across_lines(const Difference& d, Vec3 m, double near) {
  constexpr double kParallel = 1e-9;
  for (int k = 0; k < kMostIterations; ++k) {
    const Facing facing = d.facing(m, near);
    if (facing.a.corners.size() != 2 || facing.b.corners.size() != 2) return m;
    const Vec3 along_a = (facing.a.corners[1].point - facing.a.corners[0].point).normalized();
    const Vec3 along_b = (facing.b.corners[1].point - facing.b.corners[0].point).normalized();
    const Vec3 across = along_a.cross(along_b);
    if (across.norm() < kParallel) return std::nullopt;
    const Vec3 next = std::copysign(1.0, across.dot(m)) * across.normalized();
    const double change = (next - m).norm();
    m = next;
    if (change < 1e-15) return m;
  }
  return m;
}

}  // namespace scree
