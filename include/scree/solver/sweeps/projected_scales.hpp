#pragma once

/// The scales S_i of pgs.hpp.

#include <array>

namespace scree {

/// s_n, s_t, mu and mu s_t / s_n of one contact; s_n = 0 where nothing can move.
struct ProjectedScales {
  double normal = 0.0;
  double tangent = 1.0;
  double mu = 0.0;
  double scaled_mu = 0.0;
};

/// @p block: D_ii, row-major 3 x 3, padded with zeros.
ProjectedScales projected_scales(const std::array<double, 9>& block, double mu);

}  // namespace scree
