#pragma once

/// Products of the rows of consecutive cones of one type with the bodies' numbers, inline, so that
/// each caller compiles them for its own instructions (base/instructions.hpp).

#include <cstddef>

#include "scree/problem/block_rows.hpp"

namespace scree {

/// @p u += J v of @p count cones of type @p Cone from cone @p first on. @p u: the rows of the first
/// of them. @p v: kBodyDofs numbers for each local body.
template <class Cone>
inline __attribute__((always_inline)) void add_velocities(const BlockRows& rows, std::size_t first,
                                                          std::size_t count, const double* v,
                                                          double* u) {
  using Own = Eigen::Map<cones::Rows<Cone::kDim>>;
  for (std::size_t i = first; i < first + count; ++i, u += Cone::kDim) {
    if (i < rows.pattern.n_frames) {
      const Contact& contact = rows.frames[i];
      const auto [a, b] = bodies_of_frame(rows.pattern, i, v);
      Own(u) +=
          in_frame<Cone::kDim>(contact.frame(), relative_motion(contact, a, b), rows.length_of(i));
    } else {
      for_each_entry<Cone::kDim>(
          rows.pattern, rows.jacobian, i, [&](const auto& block, std::int32_t body) {
            Own(u) +=
                block * Eigen::Map<const Vec6>(v + kBodyDofs * static_cast<std::size_t>(body));
          });
    }
  }
}

}  // namespace scree
