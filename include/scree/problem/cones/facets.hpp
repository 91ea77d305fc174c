#pragma once

/// Directions that stand for the discs of a cone where friction is asked for in linear form (friction_lcp.hpp):
/// |x_j| <= mu_j x_n becomes x_j = sum_k a_k t_k with a_k >= 0 and sum_k a_k <= mu_j x_n.

#include <cmath>
#include <numbers>
#include <vector>

#include "scree/problem/cones/discs.hpp"

namespace scree::cones {

/// A cone whose friction is discs.
template <class Cone>
concept OfDiscs = requires {
  Cone::kDiscs;
};

/// One disc of a cone.
struct Facets {
  int row = 0;      ///< row of the cone at which the disc begins
  double mu = 0.0;  ///< limit of the disc
  /// t_k, one a column, in the rows of the disc: +1, -1 on a line; (cos, sin)(2 pi k / K) on a circle.
  Eigen::MatrixXd directions = {};
};

/// The discs of @p cone, lines or circles, a circle with @p n directions.
template <OfDiscs Cone>
std::vector<Facets> facets_of(const Cone& cone, int n) {
  std::vector<Facets> facets;
  for (std::size_t j = 0; j < Cone::kSize.size(); ++j) {
    const int size = Cone::kSize[j];
    const int count = size == 1 ? 2 : n;
    Eigen::MatrixXd t(size, count);
    for (int k = 0; k < count; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / count;
      t(0, k) = std::cos(angle);
      if (size > 1) t(1, k) = std::sin(angle);
    }
    facets.push_back({Cone::kFirst[j], cone.mu[j], t});
  }
  return facets;
}

}  // namespace scree::cones
