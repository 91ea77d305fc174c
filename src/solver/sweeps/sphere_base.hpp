#pragma once

/// Bases of consecutive contacts of spheres (SphereBase), side by side, for impulses and velocities
/// of bodies that are known in double. In loops that compilers put into lanes, for the instructions
/// of the processor.

#include <array>
#include <span>

#include "kernels.hpp"
#include "pair_rows.hpp"
#include "scree/problem/frame_block.hpp"

namespace scree {

/// The numbers from which bases are made.
struct RefinedRows {
  const PairRows& rows;
  LocalLaw law;
  double impulse_unit;             ///< unit of the kernels' impulses, kg
  std::span<const double> lambda;  ///< of all rows
  std::span<const double> w;       ///< M^-1 J^T lambda of all bodies, six numbers each
};

struct SphereBases {
  std::array<BlockNumbers, SphereBase::kNumbers> numbers;
  Triples change;    ///< of the impulses over b, in the kernels' unit
  Triples velocity;  ///< at SphereContact::kVelocity
};

/// @tparam T the kernels' numbers
template <class T>
void sphere_bases(const RefinedRows& of, const BlockPart& part, SphereBases& bases);

extern template void sphere_bases<float>(const RefinedRows&, const BlockPart&, SphereBases&);
extern template void sphere_bases<double>(const RefinedRows&, const BlockPart&, SphereBases&);

}  // namespace scree
