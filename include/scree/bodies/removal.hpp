#pragma once

#include <vector>

#include "scree/bodies/store.hpp"

namespace scree {

/// For each owned grain, whether its centre is in @p region (a centre that is no number is not):
/// what keep_owned takes. Not collective.
std::vector<bool> inside(const Store& store, const Box3& region);

}  // namespace scree
