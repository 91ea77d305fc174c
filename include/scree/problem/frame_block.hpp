#pragma once

/// Frames of consecutive contacts side by side: their rows of J (problem/frames.hpp) times what
/// bodies have, in loops that compilers put into lanes. All is inline, so that each caller compiles
/// it for its own instructions (base/instructions.hpp).

#include <algorithm>
#include <array>
#include <cstddef>

#include "scree/base/instructions.hpp"
#include "scree/problem/block_rows.hpp"

namespace scree {

/// Numbers of the contacts of a block, and vectors of them.
inline constexpr std::size_t kBlockContacts = 64;
using BlockNumbers = std::array<double, kBlockContacts>;
struct BlockVectors {
  alignas(64) BlockNumbers x;
  alignas(64) BlockNumbers y;
  alignas(64) BlockNumbers z;

  SCREE_INLINE void put(std::size_t i, const double* from) {
    x[i] = from[0];
    y[i] = from[1];
    z[i] = from[2];
  }
};

struct FrameBlock {
  BlockVectors normal;
  BlockVectors tangent1;
  BlockVectors tangent2;
  BlockVectors arm_a;
  BlockVectors arm_b;

  /// @p count contacts at @p contacts, kBlockContacts at most.
  SCREE_INLINE void take(const Contact* contacts, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      normal.put(i, contacts[i].normal.data());
      arm_a.put(i, contacts[i].arm_a.data());
      arm_b.put(i, contacts[i].arm_b.data());
    }
    for (std::size_t i = 0; i < count; ++i) {
      const Tangents t = tangents_of(normal.x[i], normal.y[i], normal.z[i]);
      tangent1.x[i] = t.x1;
      tangent1.y[i] = t.y1;
      tangent1.z[i] = t.z1;
      tangent2.x[i] = t.x2;
      tangent2.y[i] = t.y2;
      tangent2.z[i] = t.z2;
    }
  }

  /// The axes in the order of a cone's rows: forces', then moments' (axis_of).
  SCREE_INLINE const BlockVectors& axis(int k) const {
    return k == 0 || k == 5 ? normal : (k == 1 || k == 3 ? tangent1 : tangent2);
  }
};

/// Velocities of the bodies A and B of a block's contacts, or what its contacts give to their
/// momenta.
struct ScrewBlock {
  BlockVectors linear;     ///< of A against B; on A
  BlockVectors angular_a;  ///< of A; on A
  BlockVectors angular_b;  ///< of B; on B the other way
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
                   s.linear.x[i] = a[0] - b[0];
                   s.linear.y[i] = a[1] - b[1];
                   s.linear.z[i] = a[2] - b[2];
                   s.angular_a.put(i, a + 3);
                   s.angular_b.put(i, b + 3);
                 });
  const double* length = kDim > kForceRows ? rows.frame_length.data() + first : nullptr;
  const BlockVectors& ra = frames.arm_a;
  const BlockVectors& rb = frames.arm_b;
  const BlockVectors& wa = s.angular_a;
  const BlockVectors& wb = s.angular_b;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = s.linear.x[i] + wa.y[i] * ra.z[i] - wa.z[i] * ra.y[i] -
                     (wb.y[i] * rb.z[i] - wb.z[i] * rb.y[i]);
    const double y = s.linear.y[i] + wa.z[i] * ra.x[i] - wa.x[i] * ra.z[i] -
                     (wb.z[i] * rb.x[i] - wb.x[i] * rb.z[i]);
    const double z = s.linear.z[i] + wa.x[i] * ra.y[i] - wa.y[i] * ra.x[i] -
                     (wb.x[i] * rb.y[i] - wb.y[i] * rb.x[i]);
    for (int k = 0; k < std::min(kDim, kForceRows); ++k) {
      const BlockVectors& e = frames.axis(k);
      u[i * kDim + k] += e.x[i] * x + e.y[i] * y + e.z[i] * z;
    }
    for (int k = kForceRows; k < kDim; ++k) {
      const BlockVectors& e = frames.axis(k);
      u[i * kDim + k] += length[i] * (e.x[i] * (wa.x[i] - wb.x[i]) + e.y[i] * (wa.y[i] - wb.y[i]) +
                                      e.z[i] * (wa.z[i] - wb.z[i]));
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
  const BlockVectors& ra = frames.arm_a;
  const BlockVectors& rb = frames.arm_b;
  for (std::size_t i = 0; i < count; ++i) {
    double x = 0.0, y = 0.0, z = 0.0;
    for (int k = 0; k < std::min(kDim, kForceRows); ++k) {
      const BlockVectors& e = frames.axis(k);
      const double l = lambda[i * kDim + k];
      x += l * e.x[i];
      y += l * e.y[i];
      z += l * e.z[i];
    }
    double mx = 0.0, my = 0.0, mz = 0.0;
    for (int k = kForceRows; k < kDim; ++k) {
      const BlockVectors& e = frames.axis(k);
      const double l = length[i] * lambda[i * kDim + k];
      mx += l * e.x[i];
      my += l * e.y[i];
      mz += l * e.z[i];
    }
    s.linear.x[i] = x;
    s.linear.y[i] = y;
    s.linear.z[i] = z;
    s.angular_a.x[i] = mx + ra.y[i] * z - ra.z[i] * y;
    s.angular_a.y[i] = my + ra.z[i] * x - ra.x[i] * z;
    s.angular_a.z[i] = mz + ra.x[i] * y - ra.y[i] * x;
    s.angular_b.x[i] = mx + rb.y[i] * z - rb.z[i] * y;
    s.angular_b.y[i] = my + rb.z[i] * x - rb.x[i] * z;
    s.angular_b.z[i] = mz + rb.x[i] * y - rb.y[i] * x;
  }
  std::array<double, kBodyDofs> nobody{};
  for_each_frame(rows.pattern, first, count, momenta, nobody.data(),
                 [&s](std::size_t i, double* a, double* b) {
                   a[0] += s.linear.x[i];
                   a[1] += s.linear.y[i];
                   a[2] += s.linear.z[i];
                   a[3] += s.angular_a.x[i];
                   a[4] += s.angular_a.y[i];
                   a[5] += s.angular_a.z[i];
                   b[0] -= s.linear.x[i];
                   b[1] -= s.linear.y[i];
                   b[2] -= s.linear.z[i];
                   b[3] -= s.angular_b.x[i];
                   b[4] -= s.angular_b.y[i];
                   b[5] -= s.angular_b.z[i];
                 });
}

/// Calls `visit(done, part)` for the parts of @p count contacts, a block each.
template <class Visit>
SCREE_INLINE void for_each_part(std::size_t count, Visit&& visit) {
  for (std::size_t done = 0; done < count; done += kBlockContacts) {
    visit(done, std::min(count - done, kBlockContacts));
  }
}

}  // namespace scree
