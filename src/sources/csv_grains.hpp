#pragma once

#include <vector>

#include "scree/sources/generators.hpp"

namespace scree {

/// First pass: counts, and refuses a wrong row, whosever it is. Ids that stand twice are found by
/// the rank in whose share of all ids they are, so that no rank holds them all.
GrainExtent scan_csv_grains(const std::filesystem::path& file, const Share& share);

/// Second pass: appends the rows of the share, with positions, shapes, ids of the file (or row
/// numbers) plus @p first_id, and velocities where the file has them; the rest is @p prototype's.
void append_csv_grains(const std::filesystem::path& file, const GrainExtent& extent,
                       const Share& share, std::int64_t first_id, const Mixture& grains,
                       std::vector<Body>& bodies);

}  // namespace scree
