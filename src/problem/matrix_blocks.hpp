#pragma once

/// Matrices (MATAIJ) whose columns are those of rigid bodies, kBodyDofs each, read as blocks.

#include <vector>

#include "scree/problem/body_rows.hpp"

namespace scree {

/// The rows of @p matrix, those of @p cones, as a block for each body that a cone has numbers of:
/// this rank's bodies first, each part by their global numbers. Not collective.
BodyRows rows_by_bodies(Mat matrix, const Cones& cones);

/// The diagonal blocks of @p matrix, whose rows are bodies, too: kBodyDofs x kBodyDofs numbers,
/// row-major, for each body of this rank. Not collective.
std::vector<double> blocks_of_bodies(Mat matrix);

}  // namespace scree
