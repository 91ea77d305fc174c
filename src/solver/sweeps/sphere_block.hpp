#pragma once

/// Consecutive contacts of spheres with one round disc at most, side by side: their numbers for the
/// kernels (SphereContact), and their impulses between rows and the world frame. In loops that
/// compilers put into lanes, for the instructions of the processor.

#include <array>
#include <span>

#include "contact_numbers.hpp"
#include "scree/problem/frame_block.hpp"

namespace scree {

using SphereNumbers = std::array<BlockNumbers, SphereContact::kMostNumbers>;

/// The numbers of the contacts of @p part, in its lanes.
void sphere_numbers(const NumberedRows& of, const BlockPart& part, SphereNumbers& numbers);

/// Their impulses in the world frame. @p lambda: all rows.
void to_world(const PairRows& rows, const BlockPart& part, std::span<const double> lambda,
              Triples& impulses);

/// Their rows of @p lambda, in their cones in spite of rounding.
void to_rows(const PairRows& rows, const BlockPart& part, const Triples& impulses,
             std::span<double> lambda);

}  // namespace scree
