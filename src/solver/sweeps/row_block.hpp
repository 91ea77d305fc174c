#pragma once

/// Consecutive contacts of any two bodies, with one round disc at most: their numbers for the
/// kernels (RowContact).

#include <array>

#include "contact_numbers.hpp"
#include "scree/problem/frame_block.hpp"

namespace scree {

using RowNumbers = std::array<BlockNumbers, RowContact::kNumbers>;

/// The numbers of the contacts of @p part, in its lanes. Rows B have the root of the unit.
void row_numbers(const NumberedRows& of, const BlockPart& part, RowNumbers& numbers);

}  // namespace scree
