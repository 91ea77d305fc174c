#pragma once

/// Consecutive contacts of rigid bodies at a point with one round disc at most, side by side: their
/// numbers for the kernels (PointContact). In loops that compilers put into lanes, for the
/// instructions of the processor.

#include <array>

#include "contact_numbers.hpp"
#include "scree/problem/frame_block.hpp"

namespace scree {

using PointNumbers = std::array<BlockNumbers, PointContact::kNumbers>;

/// The numbers of the contacts of @p part, in its lanes.
void point_numbers(const NumberedRows& of, const BlockPart& part, PointNumbers& numbers);

/// The sum of N_nn over all contacts. @pre rows.form is points
double sum_of_point_normals(const PairRows& rows);

}  // namespace scree
