#pragma once

/// The rows of J that frames have (problem/frames.hpp) times what bodies have, block by block.

#include <array>
#include <cstddef>

#include "scree/problem/block_rows.hpp"

namespace scree {

/// Velocities of the bodies A and B of a block's contacts, or what its contacts give to their
/// momenta.
struct ScrewBlock {
  Triples linear;     ///< of A against B; on A
  Triples angular_a;  ///< of A; on A
  Triples angular_b;  ///< of B; on B the other way
};

/// The numbers of a body among @p values, kBodyDofs a body; @p none where it is prescribed.
template <class Value>
SCREE_INLINE Value* numbers_of(std::int32_t body, Value* values, Value* none) {
  return body < 0 ? none : values + kBodyDofs * static_cast<std::ptrdiff_t>(body);
}

SCREE_INLINE Triple triple_at(const double* from) {
  return {from[0], from[1], from[2]};
}
SCREE_INLINE void add_to(double* to, const Triple& x) {
  to[0] += x.x;
  to[1] += x.y;
  to[2] += x.z;
}

/// @p u += J v of the frames of @p part, with cones of @p kDim rows and these @p arms. @p u: the
/// rows of the first of them. @p v: kBodyDofs numbers for each local body.
template <int kDim, class Arms>
SCREE_INLINE void add_velocities_of_frames(const BlockRows& rows, const Arms& arms,
                                           const BlockPart& part, const double* v,
                                           double* __restrict u) {
  static constexpr std::array<double, kBodyDofs> kAtRest{};
  const Triples& normals = rows.frames.blocks()[part.block].normal;
  const FrameBodies& bodies = rows.pattern.frames[part.block];
  FrameTangents tangents;
  ScrewBlock s;
  tangents.take(normals, part);
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const double* a = numbers_of(bodies.a[i], v, kAtRest.data());
    const double* b = numbers_of(bodies.b[i], v, kAtRest.data());
    s.linear.set(i, triple_at(a) - triple_at(b));
    s.angular_a.set(i, triple_at(a + 3));
    s.angular_b.set(i, triple_at(b + 3));
  }
  const double* length =
      kDim > kForceRows ? rows.frame_length.data() + part.block * kBlock : nullptr;
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const Triple linear = s.linear[i] + cross(s.angular_a[i], arm_at(normals, arms.a, i)) -
                          cross(s.angular_b[i], arm_at(normals, arms.b, i));
    const Triple angular = s.angular_a[i] - s.angular_b[i];
    for (int k = 0; k < kDim; ++k) {
      const Triple axis = axis_of(normals, tangents, k)[i];
      u[(i - part.begin) * kDim + k] +=
          k < kForceRows ? dot(axis, linear) : length[i] * dot(axis, angular);
    }
  }
}

/// @p momenta += J^T lambda of the same frames. @p lambda: the rows of the first of them. @p
/// momenta: kBodyDofs numbers for each local body.
template <int kDim, class Arms>
SCREE_INLINE void add_impulses_of_frames(const BlockRows& rows, const Arms& arms,
                                         const BlockPart& part, const double* __restrict lambda,
                                         double* momenta) {
  const Triples& normals = rows.frames.blocks()[part.block].normal;
  const FrameBodies& bodies = rows.pattern.frames[part.block];
  FrameTangents tangents;
  ScrewBlock s;
  tangents.take(normals, part);
  const double* length =
      kDim > kForceRows ? rows.frame_length.data() + part.block * kBlock : nullptr;
  for (std::size_t i = part.begin; i < part.end; ++i) {
    Triple linear{0.0, 0.0, 0.0};
    Triple angular{0.0, 0.0, 0.0};
    for (int k = 0; k < kDim; ++k) {
      const Triple axis = axis_of(normals, tangents, k)[i];
      const double l = lambda[(i - part.begin) * kDim + k];
      if (k < kForceRows) {
        linear = linear + l * axis;
      } else {
        angular = angular + (length[i] * l) * axis;
      }
    }
    s.linear.set(i, linear);
    s.angular_a.set(i, angular + cross(arm_at(normals, arms.a, i), linear));
    s.angular_b.set(i, angular + cross(arm_at(normals, arms.b, i), linear));
  }
  std::array<double, kBodyDofs> nobody{};
  for (std::size_t i = part.begin; i < part.end; ++i) {
    double* a = numbers_of(bodies.a[i], momenta, nobody.data());
    double* b = numbers_of(bodies.b[i], momenta, nobody.data());
    add_to(a, s.linear[i]);
    add_to(a + 3, s.angular_a[i]);
    add_to(b, -1.0 * s.linear[i]);
    add_to(b + 3, -1.0 * s.angular_b[i]);
  }
}

/// Calls `visit(arms)` with the arms of a @p block of frames, of the form that they have.
template <class Visit>
SCREE_INLINE void with_arms(const BlockRows& rows, std::size_t block, const Visit& visit) {
  rows.frames.are_of_balls() ? visit(rows.frames.ball_arms()[block])
                             : visit(rows.frames.arms()[block]);
}

}  // namespace scree
