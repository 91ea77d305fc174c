#pragma once

/// Frames of consecutive contacts side by side (contact/contact_list.hpp), as products with J,
/// measures and kernels of spheres read them. Loops over them have no branches, so that compilers
/// put contacts into lanes, and are inline, so that each caller compiles them for its own
/// instructions (base/instructions.hpp).

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "scree/base/instructions.hpp"
#include "scree/base/triples.hpp"
#include "scree/contact/contact_list.hpp"

namespace scree {

SCREE_INLINE Triple arm_at(const Triples& /*normals*/, const Triples& arms, std::size_t i) {
  return arms[i];
}
SCREE_INLINE Triple arm_at(const Triples& normals, const BlockNumbers& arms, std::size_t i) {
  return arms[i] * normals[i];
}

/// Consecutive contacts of one block: its lanes from @p begin to @p end.
struct BlockPart {
  std::size_t block;
  std::size_t begin;
  std::size_t end;

  SCREE_INLINE std::size_t contact(std::size_t lane) const { return block * kBlock + lane; }
};

/// Calls `visit(part)` for @p count contacts from contact @p first on, a block each.
template <class Visit>
SCREE_INLINE void for_each_part(std::size_t first, std::size_t count, Visit&& visit) {
  const std::size_t end = first + count;
  for (std::size_t at = first; at < end;) {
    const std::size_t begin = at % kBlock;
    const std::size_t next = std::min(end, at - begin + kBlock);
    visit(BlockPart{at / kBlock, begin, begin + next - at});
    at = next;
  }
}

/// The tangents of a part of a block.
struct FrameTangents {
  Triples first;
  Triples second;

  SCREE_INLINE void take(const Triples& normals, const BlockPart& part) {
    for (std::size_t i = part.begin; i < part.end; ++i) {
      const Tangents t = tangents_of(normals.x[i], normals.y[i], normals.z[i]);
      first.set(i, Triple{t.x1, t.y1, t.z1});
      second.set(i, Triple{t.x2, t.y2, t.z2});
    }
  }
};

/// The axis of row @p k of a cone: of a force, then of a moment (axis_of).
SCREE_INLINE const Triples& axis_of(const Triples& normals, const FrameTangents& tangents, int k) {
  return k == 0 || k == 5 ? normals : (k == 1 || k == 3 ? tangents.first : tangents.second);
}

}  // namespace scree
