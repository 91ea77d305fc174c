#pragma once

/// Consecutive contacts of spheres with one round disc at most, side by side: their numbers for the
/// kernels (SphereContact), and their impulses between rows and the world frame. In loops that
/// compilers put into lanes, for the instructions of the processor.

#include <array>
#include <cstddef>
#include <span>

#include "contact_numbers.hpp"
#include "scree/problem/frame_block.hpp"

namespace scree {

using SphereNumbers = std::array<Numbers, SphereContact::kNumbers>;

/// The numbers of @p count contacts from @p first on, kBlock at most.
void sphere_numbers(const NumberedRows& of, std::size_t first, std::size_t count,
                    SphereNumbers& numbers);

/// Their impulses in the world frame. @p lambda: all rows.
void to_world(const PairRows& rows, std::size_t first, std::size_t count,
              std::span<const double> lambda, Triples& impulses);

/// Their rows of @p lambda, in their cones in spite of rounding.
void to_rows(const PairRows& rows, std::size_t first, std::size_t count, const Triples& impulses,
             std::span<double> lambda);

}  // namespace scree
