#pragma once

/// The numbers that the kernels hold of each contact (kernels.hpp) are made of these: block by
/// block (sphere_block.hpp, point_block.hpp, row_block.hpp) or, for other cones than single discs,
/// one by one (disc_numbers.hpp).

#include <span>

#include "kernels.hpp"
#include "pair_rows.hpp"
#include "scree/base/instructions.hpp"

namespace scree {

/// The rows from which the numbers are made.
struct NumberedRows {
  const PairRows& rows;
  std::span<const double> sharers;  ///< k_b of each body
  LocalLaw law = LocalLaw::coulomb;
  double impulse_unit = 1.0;  ///< unit of the kernels' impulses, kg
};

/// 1 / @p x; 0 where that is not positive, as where nothing moves.
SCREE_INLINE double inverse_or_zero(double x) {
  return x > 0.0 ? 1.0 / x : 0.0;
}

/// The mass that a contact moves in the mean: 1/N_nn of their mean, kg.
double mean_mass(const PairRows& rows);

}  // namespace scree
