#pragma once

/// The contacts of a problem in ranges that one kernel sweeps.

#include <cstddef>
#include <span>
#include <vector>

#include "pair_rows.hpp"

namespace scree {

/// Contacts [first, end) and what is the same of all of them.
struct ConeRange {
  int cone = 0;        ///< place in KernelCones
  int directions = 0;  ///< of faceted discs
  std::size_t first = 0;
  std::size_t end = 0;
  std::span<const ConeBatch> batches = {};  ///< their cones; empty as in PairRows
};

/// Whether a batch has faceted discs of different directions, which no kernel takes.
bool has_many_directions(const ConeBatch& batch);

/// @p ranges become those of @p rows, in order.
void split_by_cone(const PairRows& rows, std::vector<ConeRange>& ranges);

}  // namespace scree
