#pragma once

/// Frames of consecutive contacts side by side: their rows of J (problem/frames.hpp) times what
/// bodies have, in loops that compilers put into lanes. All is inline, so that each caller compiles
/// it for its own instructions (base/instructions.hpp).

#include <algorithm>
#include <array>
#include <cstddef>

#include "scree/base/instructions.hpp"
#include "scree/base/triples.hpp"
#include "scree/problem/block_rows.hpp"

namespace scree {

struct FrameBlock {
  Triples normal;
  Triples tangent1;
  Triples tangent2;
  Triples arm_a;
  Triples arm_b;

  /// @p count contacts at @p contacts, kBlock at most.
  SCREE_INLINE void take(const Contact* contacts, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      normal.set(i, contacts[i].normal);
      arm_a.set(i, contacts[i].arm_a);
      arm_b.set(i, contacts[i].arm_b);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const Tangents t = tangents_of(normal.x[i], normal.y[i], normal.z[i]);
      tangent1.set(i, Triple{t.x1, t.y1, t.z1});
      tangent2.set(i, Triple{t.x2, t.y2, t.z2});
    }
  }

  /// The axes in the order of a cone's rows: forces', then moments' (axis_of).
  SCREE_INLINE const Triples& axis(int k) const {
    return k == 0 || k == 5 ? normal : (k == 1 || k == 3 ? tangent1 : tangent2);
  }
};

/// Velocities of the bodies A and B of a block's contacts, or what its contacts give to their
/// momenta.
struct ScrewBlock {
  Triples linear;     ///< of A against B; on A
  Triples angular_a;  ///< of A; on A
  Triples angular_b;  ///< of B; on B the other way
};

/// Calls `visit(i, a, b)` for the @p count frames from @p first on, with the numbers of their
/// bodies among @p values, kBodyDofs a body; @p none stands for those of a prescribed one.
template <class Value, class Visit>
SCREE_INLINE void for_each_frame(const BodyPattern& pattern, std::size_t first, std::size_t count,
                                 Value* values, Value* none, Visit&& visit) {
  const std::int32_t* entry = pattern.first.data() + first;
  const std::int32_t* body = pattern.body.data();
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t n = entry[i + 1] - entry[i];
    const std::int32_t* own = body + entry[i];
    visit(i, n > 0 ? values + kBodyDofs * static_cast<std::ptrdiff_t>(own[0]) : none,
          n > 1 ? values + kBodyDofs * static_cast<std::ptrdiff_t>(own[1]) : none);
  }
}

/// The three numbers at @p from.
SCREE_INLINE Triple triple_at(const double* from) {
  return {from[0], from[1], from[2]};
}
SCREE_INLINE void add_to(double* to, const Triple& x) {
  to[0] += x.x;
  to[1] += x.y;
  to[2] += x.z;
}

/// @p u += J v of @p count frames with cones of @p kDim rows from frame @p first on. @p u: the rows
/// of the first of them. @p v: kBodyDofs numbers for each local body.
template <int kDim>
SCREE_INLINE void add_velocities_of_frames(const BlockRows& rows, std::size_t first,
                                           std::size_t count, const double* v,
                                           double* __restrict u) {
  static constexpr std::array<double, kBodyDofs> kAtRest{};
  FrameBlock frames;
  ScrewBlock s;
  frames.take(rows.frames.data() + first, count);
  for_each_frame(rows.pattern, first, count, v, kAtRest.data(),
                 [&s](std::size_t i, const double* a, const double* b) {
                   s.linear.set(i, triple_at(a) - triple_at(b));
                   s.angular_a.set(i, triple_at(a + 3));
                   s.angular_b.set(i, triple_at(b + 3));
                 });
  const double* length = kDim > kForceRows ? rows.frame_length.data() + first : nullptr;
  for (std::size_t i = 0; i < count; ++i) {
    const Triple linear = s.linear[i] + cross(s.angular_a[i], frames.arm_a[i]) -
                          cross(s.angular_b[i], frames.arm_b[i]);
    const Triple angular = s.angular_a[i] - s.angular_b[i];
    for (int k = 0; k < kDim; ++k) {
      const Triple axis = frames.axis(k)[i];
      u[i * kDim + k] += k < kForceRows ? dot(axis, linear) : length[i] * dot(axis, angular);
    }
  }
}

/// @p momenta += J^T lambda of the same frames. @p lambda: the rows of the first of them. @p
/// momenta: kBodyDofs numbers for each local body.
template <int kDim>
SCREE_INLINE void add_impulses_of_frames(const BlockRows& rows, std::size_t first,
                                         std::size_t count, const double* __restrict lambda,
                                         double* momenta) {
  FrameBlock frames;
  ScrewBlock s;
  frames.take(rows.frames.data() + first, count);
  const double* length = kDim > kForceRows ? rows.frame_length.data() + first : nullptr;
  for (std::size_t i = 0; i < count; ++i) {
    Triple linear{0.0, 0.0, 0.0};
    Triple angular{0.0, 0.0, 0.0};
    for (int k = 0; k < kDim; ++k) {
      const Triple axis = frames.axis(k)[i];
      const double l = lambda[i * kDim + k];
      if (k < kForceRows) {
        linear = linear + l * axis;
      } else {
        angular = angular + (length[i] * l) * axis;
      }
    }
    s.linear.set(i, linear);
    s.angular_a.set(i, angular + cross(frames.arm_a[i], linear));
    s.angular_b.set(i, angular + cross(frames.arm_b[i], linear));
  }
  std::array<double, kBodyDofs> nobody{};
  for_each_frame(rows.pattern, first, count, momenta, nobody.data(),
                 [&s](std::size_t i, double* a, double* b) {
                   add_to(a, s.linear[i]);
                   add_to(a + 3, s.angular_a[i]);
                   add_to(b, -1.0 * s.linear[i]);
                   add_to(b + 3, -1.0 * s.angular_b[i]);
                 });
}

/// Calls `visit(done, part)` for the parts of @p count contacts, a block each.
template <class Visit>
SCREE_INLINE void for_each_part(std::size_t count, Visit&& visit) {
  for (std::size_t done = 0; done < count; done += kBlock) {
    visit(done, std::min(count - done, kBlock));
  }
}

}  // namespace scree
