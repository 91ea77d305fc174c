#pragma once

/// The numbers that the kernels hold of contacts with moments, and of those whose friction is no
/// round disc (disc_contact.hpp), from their frames.

#include <array>
#include <cstddef>

#include "contact_numbers.hpp"
#include "disc_contact.hpp"

namespace scree {

using RollingSphereNumbers = std::array<double, RollingSphereContact::kNumbers>;
template <class Cone>
using DiscPointNumbers =
    std::array<double, DiscPointContact<typename KernelConeOf<Cone>::Type>::kNumbers>;

/// @p cone: Rolling or Spinning.
template <class Cone>
RollingSphereNumbers rolling_sphere_numbers(const NumberedRows& of, std::size_t contact,
                                            const Cone& cone);
/// @p cone: any that kernels know but those of one round disc.
template <class Cone>
DiscPointNumbers<Cone> disc_point_numbers(const NumberedRows& of, std::size_t contact,
                                          const Cone& cone);

}  // namespace scree
