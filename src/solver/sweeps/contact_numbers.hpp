#pragma once

/// The numbers that the kernels hold of each contact (kernels.hpp), from its rows; those of spheres
/// are made block by block (sphere_block.hpp).

#include <array>
#include <span>

#include "kernels.hpp"
#include "pair_rows.hpp"

namespace scree {

/// The rows from which the numbers are made.
struct NumberedRows {
  const PairRows& rows;
  std::span<const double> sharers;  ///< k_b of each body
  LocalLaw law = LocalLaw::coulomb;
  double impulse_unit = 1.0;  ///< unit of the kernels' impulses, kg
};

/// The mass that a contact moves in the mean: 1/N_nn of their mean, kg.
double mean_mass(const PairRows& rows);

std::array<double, PointContact::kNumbers> point_numbers(const NumberedRows& of,
                                                         std::size_t contact);
/// Rows B have the root of the unit.
std::array<double, RowContact::kNumbers> row_numbers(const NumberedRows& of, std::size_t contact);

}  // namespace scree
