#pragma once

/// Directions that stand for the discs of a cone where friction is asked for in linear form
/// (friction_lcp.hpp):
/// |x_j| <= mu_j x_n becomes x_j = sum_k a_k t_k with a_k >= 0 and sum_k a_k <= mu_j x_n.

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "scree/problem/cones/discs.hpp"
#include "scree/problem/cones/faceted.hpp"

namespace scree::cones {

/// One disc of a cone.
struct Facets {
  int row = 0;      ///< row of the cone at which the disc begins
  double mu = 0.0;  ///< limit of the disc
  /// t_k, one a column, in the rows of the disc: +1, -1 on a line; (cos, sin)(2 pi k / K) on a
  /// circle.
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
    facets.push_back({Cone::kFirst[j], cone.mu[j], std::move(t)});
  }
  return facets;
}

/// A faceted cone with the directions that it has.
template <class Round>
std::vector<Facets> facets_of(const Faceted<Round>& cone, int /*n*/) {
  return facets_of(Round{cone.mu}, cone.directions);
}

/// Rows of the friction LCP that stand for a cone: the normal, and of each disc its directions and
/// the slack. @pre its circles have sides
template <OfDiscs Cone>
int lcp_rows_of(const Cone& cone) {
  int circle = 0;
  if constexpr (requires { cone.directions; }) circle = cone.directions;
  int rows = 1;
  for (const int size : Cone::kSize) rows += (size == 1 ? 2 : circle) + 1;
  return rows;
}

/// The impulses along the directions of @p disc, none negative, that add up to @p x: two at most,
/// those on its sides.
inline Eigen::VectorXd along_facets(const Facets& disc, const Eigen::VectorXd& x) {
  const Eigen::Index count = disc.directions.cols();
  Eigen::VectorXd along = Eigen::VectorXd::Zero(count);
  if (x.size() == 1) {
    along[x[0] < 0.0 ? 1 : 0] = std::abs(x[0]);
    return along;
  }
  const double sector = 2.0 * std::numbers::pi / static_cast<double>(count);
  const double turn = std::atan2(x[1], x[0]) / sector;
  const auto before = static_cast<Eigen::Index>(std::floor(turn));
  const double angle = (turn - static_cast<double>(before)) * sector;
  along[(before + count) % count] = x.norm() * std::sin(sector - angle) / std::sin(sector);
  along[(before + 1 + count) % count] = x.norm() * std::sin(angle) / std::sin(sector);
  return along;
}

}  // namespace scree::cones
