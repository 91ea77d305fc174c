#pragma once

/// The oracle of the kernels: one contact after another.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "pair_bed.hpp"
#include "scree/problem/cones/circular_contact.hpp"
#include "solver/sweeps/kernels.hpp"
#include "solver/sweeps/projected_scales.hpp"

namespace scree::test {

/// Sweeps one contact after another in double precision with full rows B, by CircularContact or by
/// the step of pgs.hpp: the oracle of the kernels.
class PlainSweep {
 public:
  PlainSweep(const PairBed& bed, LocalLaw law)
      : bed_(bed),
        law_(law),
        b_(bed.factored()),
        rows_(bed.rows(b_)),
        lambda(bed.velocity.size(), 0.0),
        w(6 * bed.n_bodies(), 0.0) {
    for (std::size_t i = 0; i < rows_.n_contacts(); ++i) {
      std::array<double, 9> d{};
      const std::size_t n = rows_.n_rows(i);
      for (std::size_t k = 0; k < n; ++k) d[4 * k] = rows_.compliance_of(rows_.row(i) + k);
      for_each_block(rows_, i, [&](const double* x, std::size_t body) {
        for (std::size_t k = 0; k < n; ++k) {
          for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t c = 0; c < 6; ++c) {
              d[3 * k + j] += bed.sharers[body] * x[6 * k + c] * x[6 * j + c];
            }
          }
        }
      });
      contacts_.emplace_back(d, bed.friction[i]);
      const cones::Square<3> block = Eigen::Map<const cones::Square<3>>(d.data());
      scales_.push_back(projected_scales(block, cones::Circular{{bed.friction[i]}}));
    }
  }

  void run(double step = 1.0, double relaxation = 1.0) {
    for (std::size_t i = 0; i < rows_.n_contacts(); ++i) {
      const std::size_t n = rows_.n_rows(i);
      const std::size_t row = rows_.row(i);
      std::array<double, 3> u{};
      std::array<double, 3> l{};
      for (std::size_t k = 0; k < n; ++k) {
        l[k] = lambda[row + k];
        u[k] = rows_.velocity[row + k] + rows_.compliance_of(row + k) * l[k];
      }
      for_each_block(rows_, i, [&](const double* x, std::size_t body) {
        for (std::size_t k = 0; k < n; ++k) {
          for (std::size_t c = 0; c < 6; ++c) u[k] += x[6 * k + c] * w[6 * body + c];
        }
      });
      std::array<double, 3> next = moved(i, u, l, step);
      for (std::size_t k = 0; k < 3; ++k) next[k] = l[k] + relaxation * (next[k] - l[k]);
      project(next, rows_.friction[i]);
      for (std::size_t k = 0; k < n; ++k) lambda[row + k] = next[k];
      for_each_block(rows_, i, [&](const double* x, std::size_t body) {
        for (std::size_t k = 0; k < n; ++k) {
          for (std::size_t c = 0; c < 6; ++c) {
            w[6 * body + c] += bed_.sharers[body] * x[6 * k + c] * (next[k] - l[k]);
          }
        }
      });
    }
  }

 private:
  static void project(std::array<double, 3>& x, double mu) {
    const double t = std::hypot(x[1], x[2]);
    if (x[0] >= 0.0 && t <= mu * x[0]) return;
    const double normal = std::max(0.0, x[0] + mu * t) / (1.0 + mu * mu);
    const double scale = t > 0.0 ? mu * normal / t : 0.0;
    x = {normal, scale * x[1], scale * x[2]};
  }

  std::array<double, 3> moved(std::size_t i, const std::array<double, 3>& u,
                              const std::array<double, 3>& l, double step) {
    std::array<double, 3> next;
    if (law_ != LocalLaw::projected) {
      std::array<double, 3> q;
      contacts_[i].without_own(u.data(), l.data(), q.data());
      contacts_[i].solve(law_ == LocalLaw::coulomb, q.data(), next.data());
      return next;
    }
    const auto& [scale, scaled] = scales_[i];
    const double shift = rows_.friction[i] * std::hypot(u[1], u[2]);
    for (int k = 0; k < 3; ++k) {
      next[k] = scale[k] * l[k] - step * (u[k] + (k == 0 ? shift : 0.0)) / scale[k];
    }
    project(next, scaled.mu[0]);
    for (int k = 0; k < 3; ++k) next[k] /= scale[k];
    return next;
  }

  const PairBed& bed_;
  LocalLaw law_;
  std::vector<double> b_;
  PairRows rows_;
  std::vector<cones::CircularContact> contacts_;
  std::vector<ProjectedScales<cones::Circular>> scales_;

 public:
  std::vector<double> lambda;
  std::vector<double> w;
};

inline double largest(const std::vector<double>& x) {
  double result = 0.0;
  for (const double v : x) result = std::max(result, std::abs(v));
  return result;
}
inline double difference(std::span<const double> x, std::span<const double> y) {
  double result = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) result = std::max(result, std::abs(x[i] - y[i]));
  return result;
}

}  // namespace scree::test
