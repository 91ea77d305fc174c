#pragma once

/// The fields that users see, of the sums over a time T (fields/sums.hpp):
///
///     <x>     = sum x dt / (T volume of the cell)
///     V       = <p>/<rho>                                         velocity
///     sigma_k = -(<P> - <p> <p>^T/<rho>) = -<sum m v' v'^T phi>,  v' = v - V      kinetic stress
///     pressure = -trace(sigma_k + sigma_c)/3
///
/// The velocity is that of the mean momentum, so that the mean fields obey balances of mass and
/// momentum as they stand; what it fluctuates about V, in time as well as among grains, is kinetic
/// stress.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/fields/grid.hpp"

namespace scree {

/// A row of the list of fields.
struct FieldKind {
  std::string_view name;
  std::string_view unit;
  int width;  ///< numbers a cell: 1, a vector's 3, a tensor's 9, row by row
  std::string_view help;
};

/// All fields, in the order of files.
std::span<const FieldKind> field_kinds();

/// The values of one field, cell after cell.
struct MeanField {
  const FieldKind* kind;
  std::vector<double> values;
};

/// @param sums as sums_over_ranks() gives them, of any cells of @p grid. @param seconds what they
/// lasted; above 0. Where no grain is, the velocity is nan. Not collective.
std::vector<MeanField> mean_fields(std::span<const double> sums, const FieldGrid& grid,
                                   double seconds);

/// The fields as a Markdown table.
std::string field_reference();

}  // namespace scree
