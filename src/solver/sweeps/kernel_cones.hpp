#pragma once

/// The cones of contacts that the kernels know, and which of them stands for a cone of the list. A
/// contact whose cone has fewer rows or discs has zeros in place of the others.

#include <cstddef>
#include <tuple>
#include <type_traits>

#include "scree/problem/cones/list.hpp"

namespace scree {

using KernelCones = std::tuple<cones::Circular, cones::Spinning, cones::Pyramid,
                               cones::FacetedCircular, cones::FacetedSpinning>;
inline constexpr std::size_t kKernelCones = std::tuple_size_v<KernelCones>;

template <class Cone>
struct KernelConeOf {
  using Type = Cone;
};
template <>
struct KernelConeOf<cones::HalfLine> {
  using Type = cones::Circular;
};
template <>
struct KernelConeOf<cones::Planar> {
  using Type = cones::Circular;
};
template <>
struct KernelConeOf<cones::Rolling> {
  using Type = cones::Spinning;
};
template <>
struct KernelConeOf<cones::FacetedRolling> {
  using Type = cones::FacetedSpinning;
};

/// Place of a cone among KernelCones; -1 of one that they do not have.
template <class Cone>
inline constexpr int kKernelCone = []<class... Known>(const std::tuple<Known...>* /*list*/) {
  int place = 0;
  int found = -1;
  ((found = std::is_same_v<Cone, Known> ? place : found, ++place), ...);
  return found;
}(static_cast<const KernelCones*>(nullptr));

/// Place among KernelCones of the cone that stands for those of @p type, a place in cones::List; -1
/// where none does.
inline int kernel_cone_of(int type) {
  return cones::with_type(
      type, []<class Cone>() -> int { return kKernelCone<typename KernelConeOf<Cone>::Type>; });
}

/// Calls `visit.operator()<Cone>()` with the cone at @p place of KernelCones.
template <class Visit>
void with_kernel_cone(int place, Visit&& visit) {
  [&]<class... Known>(const std::tuple<Known...>* /*list*/) {
    static_cast<void>(
        ((kKernelCone<Known> == place && (visit.template operator()<Known>(), true)) || ...));
  }(static_cast<const KernelCones*>(nullptr));
}

/// Rows of moments stand behind those of the force.
template <class Cone>
inline constexpr bool kHasMoments = Cone::kDim > cones::Circular::kDim;

/// Whether the law of a cone is the same in whichever frame of the contact: kernels of spheres have
/// no tangents.
template <class Cone>
inline constexpr bool kIsRound = cones::kHasCircle<Cone>;

}  // namespace scree
