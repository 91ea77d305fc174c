#pragma once

#include "scree/base/math.hpp"

namespace scree {

/// Box3::meets without branches, which candidates would mispredict.
inline bool meet(const Box3& a, const Box3& b) {
  bool result = true;
  for (int axis = 0; axis < 3; ++axis) {
    result &= a.low[axis] <= b.high[axis];
    result &= b.low[axis] <= a.high[axis];
  }
  return result;
}

}  // namespace scree
