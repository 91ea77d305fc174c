#pragma once

/// The scales S_i of pgs.hpp: one for the normal and one for each disc of a cone, the least with
/// D_ii <= S_i^2 for their ratios.

#include <algorithm>
#include <array>
#include <cmath>

#include "scree/problem/cones/list.hpp"
#include "scree/problem/cones/small_matrix.hpp"

namespace scree {

/// The parts of the rows that share a scale: the normal, then each disc; for an equation all rows.
template <class Cone>
struct ConeParts {
  static constexpr std::array<int, 1> kSize{Cone::kDim};
};
template <int... kSizes>
struct ConeParts<cones::Discs<kSizes...>> {
  static constexpr std::array<int, 1 + sizeof...(kSizes)> kSize{1, kSizes...};
};
template <class Round>
struct ConeParts<cones::Faceted<Round>> : ConeParts<Round> {};

template <class Cone>
struct ProjectedScales {
  cones::Rows<Cone::kDim> scale;  ///< diagonal of S; zero where nothing can move
  Cone scaled;                    ///< S K: the limits of its discs are mu_j s_j / s_n
};

/// @p block: D_ii.
template <class Cone>
ProjectedScales<Cone> projected_scales(const cones::Square<Cone::kDim>& block, const Cone& cone) {
  constexpr double kLeastTangent = 1e-12;  // of the normal scale: tangents that nothing moves
  constexpr auto kSize = ConeParts<Cone>::kSize;
  const cones::Square<Cone::kDim> d = 0.5 * (block + block.transpose());
  std::array<double, kSize.size()> part{};
  cones::Rows<Cone::kDim> root;
  int first = 0;
  for (std::size_t j = 0; j < part.size(); ++j) {
    double largest = cones::largest_eigenvalue(d.block(first, first, kSize[j], kSize[j]));
    if (j == 0 && !(largest > 0.0)) return {cones::Rows<Cone::kDim>::Zero(), cone};
    if (j > 0) largest = std::max(largest, kLeastTangent * part[0] * part[0]);
    part[j] = std::sqrt(largest);
    for (int k = first; k < first + kSize[j]; ++k) root[k] = part[j];
    first += kSize[j];
  }
  const cones::Rows<Cone::kDim> inverse = root.cwiseInverse();
  const double bound = cones::largest_eigenvalue(inverse.asDiagonal() * d * inverse.asDiagonal());
  ProjectedScales<Cone> result{std::sqrt(bound) * root, cone};
  if constexpr (requires { cone.mu; }) {
    for (std::size_t j = 0; j < cone.mu.size(); ++j) result.scaled.mu[j] *= part[j + 1] / part[0];
  } else {
    result.scaled = cone.scaled(result.scale[0]);
  }
  return result;
}

}  // namespace scree
