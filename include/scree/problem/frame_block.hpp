#pragma once

/// Frames of consecutive contacts side by side, as products with J, measures and kernels of spheres
/// read them: written once a step, from the records of the narrow phase, which stay for those who
/// take contacts one by one. Loops over them have no branches, so that
/// compilers put contacts into lanes, and are inline, so that each caller compiles them for its own
/// instructions (base/instructions.hpp).

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "scree/base/instructions.hpp"
#include "scree/base/triples.hpp"
#include "scree/contact/contact.hpp"

namespace scree {

struct FrameBlock {
  Triples normal;                      ///< from B to A, world frame
  std::array<std::int32_t, kBlock> a;  ///< local body; -1 where it is prescribed
  std::array<std::int32_t, kBlock> b;  ///< likewise
};

/// The arms of the contacts of a block: from the bodies' centres to the contact point, m.
struct ArmBlock {
  Triples a;
  Triples b;
};

/// The arms of balls, which are along the normal: these are their numbers along it, m.
struct BallArmBlock {
  BlockNumbers a;
  BlockNumbers b;
};

SCREE_INLINE Triple arm_at(const FrameBlock& /*frames*/, const Triples& arms, std::size_t i) {
  return arms[i];
}
SCREE_INLINE Triple arm_at(const FrameBlock& frames, const BlockNumbers& arms, std::size_t i) {
  return arms[i] * frames.normal[i];
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

  SCREE_INLINE void take(const FrameBlock& frames, const BlockPart& part) {
    for (std::size_t i = part.begin; i < part.end; ++i) {
      const Tangents t = tangents_of(frames.normal.x[i], frames.normal.y[i], frames.normal.z[i]);
      first.set(i, Triple{t.x1, t.y1, t.z1});
      second.set(i, Triple{t.x2, t.y2, t.z2});
    }
  }
};

/// The axis of row @p k of a cone: of a force, then of a moment (axis_of).
SCREE_INLINE const Triples& axis_of(const FrameBlock& frames, const FrameTangents& tangents,
                                    int k) {
  return k == 0 || k == 5 ? frames.normal : (k == 1 || k == 3 ? tangents.first : tangents.second);
}

}  // namespace scree
