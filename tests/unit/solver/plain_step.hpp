#pragma once

/// The oracle of gradient steps on the kernels: on rows of a bed, in double precision.

#include <cmath>
#include <vector>

#include "pair_bed.hpp"
#include "scree/base/gradient_pace.hpp"
#include "solver/sweeps/projected_scales.hpp"

namespace scree::test {

/// Steps of base/gradient_pace.hpp with full rows B, N = B B^T + R.
class PlainStep {
 public:
  explicit PlainStep(const PairBed& bed) : b_(bed.factored()), rows_(bed.rows(b_)) {
    lambda.assign(bed.velocity.size(), 0.0);
    before_ = lambda;
  }
  /// From @p start, without momentum.
  void set(const std::vector<double>& start) { lambda = before_ = start; }

  GradientSums run(double step, double momentum) {
    std::vector<double> y = lambda;
    for (std::size_t k = 0; k < y.size(); ++k) y[k] += momentum * (lambda[k] - before_[k]);
    const std::vector<double> u = times(y);
    std::vector<double> next(y.size());
    std::vector<double> metric(y.size());
    for (std::size_t i = 0; i < rows_.n_contacts(); ++i) {
      const std::size_t row = rows_.row(i);
      const std::size_t n = rows_.n_rows(i);
      const auto [scale, scaled] = projected_scales(block(i), cones::Circular{{rows_.friction[i]}});
      cones::Rows<3> x = cones::Rows<3>::Zero();
      for (std::size_t k = 0; k < n; ++k) {
        const double velocity = u[row + k] + rows_.velocity[row + k];
        x[static_cast<int>(k)] = scale[k] * y[row + k] - step * velocity / scale[k];
      }
      x = scaled.project(x);
      for (std::size_t k = 0; k < n; ++k) {
        next[row + k] = x[static_cast<int>(k)] / scale[k];
        metric[row + k] = scale[k] * scale[k];
      }
    }
    GradientSums sums;
    std::vector<double> d(y.size());
    for (std::size_t k = 0; k < y.size(); ++k) {
      d[k] = next[k] - y[k];
      sums.moved += metric[k] * d[k] * d[k];
      sums.along += metric[k] * d[k] * (next[k] - lambda[k]);
    }
    const std::vector<double> response = times(d);
    for (std::size_t k = 0; k < y.size(); ++k) sums.curvature += d[k] * response[k];
    before_ = lambda;
    lambda = next;
    return sums;
  }

 private:
  /// N x
  std::vector<double> times(const std::vector<double>& x) const {
    std::vector<double> w(6 * rows_.n_bodies, 0.0);
    for (std::size_t i = 0; i < rows_.n_contacts(); ++i) {
      for_each_block(rows_, i, [&](const double* rows, std::size_t body) {
        for (std::size_t k = 0; k < 6 * rows_.n_rows(i); ++k) {
          w[6 * body + k % 6] += rows[k] * x[rows_.row(i) + k / 6];
        }
      });
    }
    std::vector<double> u(x.size());
    for (std::size_t k = 0; k < x.size(); ++k) u[k] = rows_.compliance_of(k) * x[k];
    for (std::size_t i = 0; i < rows_.n_contacts(); ++i) {
      for_each_block(rows_, i, [&](const double* rows, std::size_t body) {
        for (std::size_t k = 0; k < 6 * rows_.n_rows(i); ++k) {
          u[rows_.row(i) + k / 6] += rows[k] * w[6 * body + k % 6];
        }
      });
    }
    return u;
  }

  /// N_ii
  cones::Square<3> block(std::size_t i) const {
    cones::Square<3> d = cones::Square<3>::Zero();
    const int n = static_cast<int>(rows_.n_rows(i));
    for (int k = 0; k < n; ++k) d(k, k) = rows_.compliance_of(rows_.row(i) + k);
    for_each_block(rows_, i, [&](const double* rows, std::size_t) {
      const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::RowMajor>> b(rows, n,
                                                                                          6);
      d.topLeftCorner(n, n) += b * b.transpose();
    });
    return d;
  }

  std::vector<double> b_;
  PairRows rows_;
  std::vector<double> before_;

 public:
  std::vector<double> lambda;
};

}  // namespace scree::test
