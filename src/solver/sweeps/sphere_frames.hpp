#pragma once

/// Frames of consecutive contacts of spheres side by side, their rows among values, friction and
/// compliance. Inline, so that each caller compiles it for its own instructions
/// (base/instructions.hpp).

#include <cstddef>
#include <cstdint>

#include "pair_rows.hpp"
#include "scree/base/instructions.hpp"
#include "scree/problem/frame_block.hpp"

namespace scree {

/// The frames of a part of a block: those of the problem, or those that were recovered.
class PartFrames {
 public:
  SCREE_INLINE PartFrames(const PairRows& rows, const BlockPart& part) {
    if (rows.recovered.empty()) {
      normals_ = &rows.frame_blocks[part.block].normal;
      bodies_ = &rows.bodies.frames()[part.block];
      arms_ = &rows.ball_arms[part.block];
      tangents.take(*normals_, part);
      return;
    }
    for (std::size_t i = part.begin; i < part.end; ++i) recover(rows, part.contact(i), i);
  }
  SCREE_INLINE const Triples& normals() const { return *normals_; }
  SCREE_INLINE const FrameBodies& bodies() const { return *bodies_; }
  SCREE_INLINE const BallArmBlock& arms() const { return *arms_; }

  FrameTangents tangents;

 private:
  SCREE_INLINE void recover(const PairRows& rows, std::size_t contact, std::size_t i) {
    const PairFrame& frame = rows.recovered[contact];
    own_normals_.set(i, frame.axes.normal);
    own_arms_.a[i] = frame.axes.normal.dot(frame.arm_a);
    own_arms_.b[i] = frame.axes.normal.dot(frame.arm_b);
    // contacts of one row have no tangents of their own
    const Tangents any = tangents_of(own_normals_.x[i], own_normals_.y[i], own_normals_.z[i]);
    const bool rubs = rows.n_rows(contact) > 1;
    tangents.first.set(i, rubs ? triple_of(frame.axes.tangent1) : Triple{any.x1, any.y1, any.z1});
    tangents.second.set(i, rubs ? triple_of(frame.axes.tangent2) : Triple{any.x2, any.y2, any.z2});
    const BodiesOfCone bodies = rows.bodies[contact];
    own_bodies_.a[i] = !bodies.empty() ? bodies[0] : -1;
    own_bodies_.b[i] = bodies.size() > 1 ? bodies[1] : -1;
  }

  Triples own_normals_;
  FrameBodies own_bodies_;
  BallArmBlock own_arms_;
  const Triples* normals_ = &own_normals_;
  const FrameBodies* bodies_ = &own_bodies_;
  const BallArmBlock* arms_ = &own_arms_;
};

/// The rows of the contacts among @p values; zero where a contact has fewer than three.
SCREE_INLINE void take_rows(const PairRows& rows, const BlockPart& part, const double* values,
                            Triples& to) {
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const double* own = values + rows.row(part.contact(i));
    const std::size_t n = rows.n_rows(part.contact(i));
    to.set(i, Triple{own[0], n > 1 ? own[1] : 0.0, n > 2 ? own[2] : 0.0});
  }
}

/// The vectors of the world with the numbers @p own along the axes of @p frames.
SCREE_INLINE void combine(const PartFrames& frames, const BlockPart& part, const Triples& own,
                          Triples& world) {
  for (std::size_t i = part.begin; i < part.end; ++i) {
    world.set(i, own.x[i] * frames.normals()[i] + own.y[i] * frames.tangents.first[i] +
                     own.z[i] * frames.tangents.second[i]);
  }
}

/// Numbers of each contact beside its frame: 1 and mu where it has tangents, and R, over the unit
/// of the kernels' impulses.
struct SphereRows {
  BlockNumbers tangents;
  BlockNumbers friction;
  BlockNumbers softness_n;
  BlockNumbers softness_t;
};

SCREE_INLINE void take_sphere_rows(const PairRows& rows, double impulse_unit, const BlockPart& part,
                                   SphereRows& to) {
  const bool soft = !rows.compliance.empty();
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const std::size_t row = rows.row(part.contact(i));
    const bool rubs = rows.n_rows(part.contact(i)) > 1;
    to.tangents[i] = rubs ? 1.0 : 0.0;
    to.friction[i] = rubs ? rows.friction_of(part.contact(i)) : 0.0;
    to.softness_n[i] = soft ? impulse_unit * rows.compliance[row] : 0.0;
    to.softness_t[i] = soft && rubs ? impulse_unit * rows.compliance[row + 1] : 0.0;
  }
}

}  // namespace scree
