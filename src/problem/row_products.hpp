#pragma once

/// Products of the rows of consecutive cones of one type, which have kDim of them, with the bodies'
/// numbers, inline, so that each caller compiles them for its own instructions
/// (base/instructions.hpp).

#include <algorithm>
#include <cstddef>

#include "frame_products.hpp"
#include "scree/problem/block_rows.hpp"

namespace scree {

/// How many of @p count cones from cone @p first on are frames: they come first.
SCREE_INLINE std::size_t frames_among(const BlockRows& rows, std::size_t first, std::size_t count) {
  const std::size_t n_frames = rows.pattern.n_frames;
  return first < n_frames ? std::min(count, n_frames - first) : 0;
}

/// @p u += J v of @p count cones of @p kDim rows from cone @p first on. @p u: the rows of the first
/// of them. @p v: kBodyDofs numbers for each local body.
template <int kDim>
SCREE_INLINE void add_velocities(const BlockRows& rows, std::size_t first, std::size_t count,
                                 const double* v, double* u) {
  const std::size_t n_frames = frames_among(rows, first, count);
  for_each_part(first, n_frames, [&](const BlockPart& part) {
    const std::size_t done = part.contact(part.begin) - first;
    with_arms(rows, part.block, [&](const auto& arms) {
      add_velocities_of_frames<kDim>(rows, arms, part, v, u + done * kDim);
    });
  });
  for (std::size_t i = n_frames; i < count; ++i) {
    Eigen::Map<cones::Rows<kDim>> own(u + i * kDim);
    for_each_entry<kDim>(
        rows.pattern, rows.jacobian, first + i, [&](const auto& block, std::int32_t body) {
          own += block * Eigen::Map<const Vec6>(v + kBodyDofs * static_cast<std::size_t>(body));
        });
  }
}

/// @p momenta += J^T lambda of the same cones. @p lambda: the rows of the first of them. @p momenta
/// likewise.
template <int kDim>
SCREE_INLINE void add_impulses(const BlockRows& rows, std::size_t first, std::size_t count,
                               const double* lambda, double* momenta) {
  const std::size_t n_frames = frames_among(rows, first, count);
  for_each_part(first, n_frames, [&](const BlockPart& part) {
    const std::size_t done = part.contact(part.begin) - first;
    with_arms(rows, part.block, [&](const auto& arms) {
      add_impulses_of_frames<kDim>(rows, arms, part, lambda + done * kDim, momenta);
    });
  });
  for (std::size_t i = n_frames; i < count; ++i) {
    const Eigen::Map<const cones::Rows<kDim>> own(lambda + i * kDim);
    for_each_entry<kDim>(rows.pattern, rows.jacobian, first + i,
                         [&](const auto& block, std::int32_t body) {
                           Eigen::Map<Vec6>(momenta + kBodyDofs * static_cast<std::size_t>(body)) +=
                               block.transpose() * own;
                         });
  }
}

}  // namespace scree
