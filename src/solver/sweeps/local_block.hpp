#pragma once

/// Consecutive contacts with one round disc at most, of bodies that are no spheres, side by side:
/// the numbers that they have in their frames (LocalContact). Inline, so that each caller compiles
/// it for its own instructions (base/instructions.hpp).

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "contact_numbers.hpp"
#include "scree/base/instructions.hpp"
#include "scree/problem/frame_block.hpp"

namespace scree {

/// D_ii in the kernels' unit: its numbers nn, n1, n2, 11, 12, 22.
using OwnBlocks = std::array<BlockNumbers, 6>;
inline constexpr std::array<std::size_t, 3> kDiagonal{0, 3, 5};

/// The numbers of LocalContact, each for all contacts of a block.
using LocalNumbers = std::span<BlockNumbers, LocalContact::kNumbers>;

/// r, R and mu; @p d gets R.
SCREE_INLINE void put_rows(const NumberedRows& of, const BlockPart& part, const LocalNumbers& local,
                           OwnBlocks& d) {
  const PairRows& rows = of.rows;
  for (BlockNumbers& numbers : d) std::fill_n(&numbers[part.begin], part.end - part.begin, 0.0);
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const std::size_t contact = part.contact(i);
    const std::size_t row = rows.row(contact);
    const std::size_t n_rows = rows.n_rows(contact);
    for (std::size_t k = 0; k < 3; ++k) {
      const bool is_there = k < n_rows;
      const double softness = is_there ? of.impulse_unit * rows.compliance_of(row + k) : 0.0;
      local[LocalContact::kVelocity + k][i] = is_there ? rows.velocity[row + k] : 0.0;
      local[LocalContact::kCompliance + k][i] = softness;
      d[kDiagonal[k]][i] = softness;
    }
    local[LocalContact::kFriction][i] = n_rows > 1 ? rows.friction_of(contact) : 0.0;
  }
}

/// P and C of @p d. S is singular where a row is missing or depends on another one; as in
/// circular_contact.hpp its pivots are then positive by rounding's share.
SCREE_INLINE void put_factors(const BlockPart& part, const OwnBlocks& d,
                              const LocalNumbers& local) {
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const double nn = d[0][i];
    const double n1 = d[1][i];
    const double n2 = d[2][i];
    const double least = 1e-14 * (nn + d[3][i] + d[5][i]);
    const double inverse = inverse_or_zero(nn);
    const double c1 = n1 * inverse;
    const double c2 = n2 * inverse;
    const double s11 = std::max(0.0, d[3][i] - c1 * n1) + least;
    const double s12 = d[4][i] - c2 * n1;
    const double c3 = s12 * inverse_or_zero(s11);
    const double s22 = d[5][i] - c2 * n2;
    local[LocalContact::kPivots][i] = nn;
    local[LocalContact::kPivots + 1][i] = s11;
    local[LocalContact::kPivots + 2][i] = std::max(0.0, s22 - c3 * s12) + least;
    local[LocalContact::kFactors][i] = c1;
    local[LocalContact::kFactors + 1][i] = c2;
    local[LocalContact::kFactors + 2][i] = c3;
    local[LocalContact::kShift][i] = 0.0;
  }
}

/// The numbers of projected steps, in the scales of pgs.hpp.
void put_scales(const BlockPart& part, const OwnBlocks& d, const LocalNumbers& local);

/// The numbers of steps by the law. @pre put_rows()
SCREE_INLINE void put_steps(LocalLaw law, const BlockPart& part, const OwnBlocks& d,
                            const LocalNumbers& local) {
  if (law == LocalLaw::coulomb) return put_factors(part, d, local);
  put_scales(part, d, local);
}

}  // namespace scree
