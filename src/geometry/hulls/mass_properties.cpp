#include "mass_properties.hpp"

#include <Eigen/Eigenvalues>
#include <numeric>

namespace scree {
namespace {

Vec3 mean_of(std::span<const Vec3> points) {
  return std::accumulate(points.begin(), points.end(), Vec3(Vec3::Zero())) /
         static_cast<double>(points.size());
}

/// Sums over triangles, or over tetrahedra whose fourth corner is the middle. The moments of one
/// with n corners, of which a, b and c are not the middle, are its size times (a + b + c) / n and
/// (a a^T + b b^T + c c^T + (a + b + c)(a + b + c)^T) / (n (n + 1)).
class Moments {
 public:
  Moments(const Vec3& middle, double corners) : middle_(middle), corners_(corners) {}

  void add(double size, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 sum = a + b + c;
    size_ += size;
    first_ += size / corners_ * sum;
    second_ += size / (corners_ * (corners_ + 1.0)) *
               (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
  }

  /// Adds the tetrahedron of the middle and a face.
  void add_cone(const Vec3& a, const Vec3& b, const Vec3& c) {
    add(a.dot(b.cross(c)) / 6.0, a, b, c);
  }

  MassProperties total() const {
    const Vec3 centre = first_ / size_;
    return {size_, middle_ + centre, second_ / size_ - centre * centre.transpose()};
  }

 private:
  Vec3 middle_;
  double corners_;
  double size_ = 0.0;
  Vec3 first_ = Vec3::Zero();
  Mat3 second_ = Mat3::Zero();
};

}  // namespace

MassProperties mass_properties(std::span<const Vec3> vertices,
                               std::span<const std::vector<std::int32_t>> loops) {
  const Vec3 middle = mean_of(vertices);
  Moments moments(middle, 4.0);
  for (const std::vector<std::int32_t>& loop : loops) {
    const Vec3 a = vertices[loop[0]] - middle;
    for (std::size_t k = 2; k < loop.size(); ++k) {
      moments.add_cone(a, vertices[loop[k - 1]] - middle, vertices[loop[k]] - middle);
    }
  }
  return moments.total();
}

MassProperties mass_of_solid(std::span<const Vec3> vertices,
                             std::span<const std::array<std::int32_t, 3>> triangles) {
  const Vec3 middle = mean_of(vertices);
  Moments moments(middle, 4.0);
  for (const auto& [i, j, k] : triangles) {
    moments.add_cone(vertices[i] - middle, vertices[j] - middle, vertices[k] - middle);
  }
  return moments.total();
}

MassProperties mass_of_shell(std::span<const Vec3> vertices,
                             std::span<const std::array<std::int32_t, 3>> triangles) {
  const Vec3 middle = mean_of(vertices);
  Moments moments(middle, 3.0);
  for (const auto& [i, j, k] : triangles) {
    const Vec3 a = vertices[i] - middle;
    const Vec3 b = vertices[j] - middle;
    const Vec3 c = vertices[k] - middle;
    moments.add(0.5 * (b - a).cross(c - a).norm(), a, b, c);
  }
  return moments.total();
}

Mat3 principal_axes(const Mat3& covariance) {
  Mat3 off = covariance;
  off.diagonal().setZero();
  if (off.cwiseAbs().maxCoeff() <= 1e-13 * covariance.trace()) return Mat3::Identity();
  Mat3 axes = Eigen::SelfAdjointEigenSolver<Mat3>(covariance).eigenvectors();
  if (axes.determinant() < 0.0) axes.col(2) = -axes.col(2);
  return axes;
}

}  // namespace scree
