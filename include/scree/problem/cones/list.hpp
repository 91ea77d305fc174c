#pragma once

/// The list of cones: one line each. What a cone is, its type says (problem/cones/*.hpp):
///
///     kDim, kParameters                  rows, and numbers that tell one cone of the type from another
///     from(parameters), parameters()     the cone, and the reverse
///     project(x)                         P_K(x)
///     shift(u)                           what exact friction adds to the normal velocity
///     violation(l), dual_violation(y)    how far outside K and K*
///     alart_curnier(z)                   the law as an equation, with its slope
///     scaled(factor)                     the law of impulses times a factor: of a cone, itself
///
/// Nothing else knows how many rows a cone has: kernels are templates over a batch of one type.

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

#include "scree/problem/cones/discs.hpp"
#include "scree/problem/cones/faceted.hpp"
#include "scree/problem/cones/free.hpp"
#include "scree/problem/cones/interval.hpp"
#include "scree/problem/cones/rows.hpp"

namespace scree::cones {

using HalfLine = Discs<>;
using Planar = Discs<1>;
using Circular = Discs<2>;
using Pyramid = Discs<1, 1>;
using Rolling = Discs<2, 2>;
using Spinning = Discs<2, 2, 1>;
using Equation = Free<1>;
using Joint = Free<3>;
using Joint4 = Free<4>;
using Joint5 = Free<5>;
using Joint6 = Free<6>;

using FacetedCircular = Faceted<Circular>;
using FacetedRolling = Faceted<Rolling>;
using FacetedSpinning = Faceted<Spinning>;

using List =
    std::tuple<HalfLine, Planar, Circular, Pyramid, Rolling, Spinning, Equation, Joint,
               FacetedCircular, FacetedRolling, FacetedSpinning, Joint4, Joint5, Joint6, Interval>;
inline constexpr std::size_t kTypes = std::tuple_size_v<List>;

/// Names of the types for messages, in the order of List.
inline constexpr std::array<std::string_view, kTypes> kNames = {
    "half lines",
    "planar friction cones",
    "friction cones",
    "friction pyramids",
    "rolling cones",
    "cones with spinning",
    "equations",
    "joints",
    "faceted friction cones",
    "faceted rolling cones",
    "faceted cones with spinning",
    "joints of four rows",
    "joints of five rows",
    "joints of six rows",
    "equations with bounds",
};

namespace detail {
template <class Cone, std::size_t kAt = 0>
constexpr int index_of() {
  static_assert(kAt < kTypes, "the cone is not in cones::List");
  if constexpr (std::is_same_v<Cone, std::tuple_element_t<kAt, List>>) {
    return static_cast<int>(kAt);
  } else {
    return index_of<Cone, kAt + 1>();
  }
}
}  // namespace detail

/// The place of a cone's type in the list.
template <class Cone>
inline constexpr int kTypeOf = detail::index_of<Cone>();

/// Whether a cone is a half line or second-order cone: symmetric up to the scale mu, as interior
/// point methods need them (problem/cones/jordan.hpp).
template <class Cone>
inline constexpr bool kSecondOrder = false;
template <>
inline constexpr bool kSecondOrder<HalfLine> = true;
template <>
inline constexpr bool kSecondOrder<Planar> = true;
template <>
inline constexpr bool kSecondOrder<Circular> = true;

/// Whether a law is that of a cone, so that impulses do no work at a solution.
template <class Cone>
inline constexpr bool kIsCone = !std::is_same_v<Cone, Interval>;

/// Calls `visit.template operator()<Cone>()` with the type at @p index of the list.
template <class Visit>
decltype(auto) with_type(int index, Visit&& visit) {
  return [&]<std::size_t... kAt>(std::index_sequence<kAt...>)->decltype(auto) {
    using Result = decltype(visit.template operator()<std::tuple_element_t<0, List>>());
    if constexpr (std::is_void_v<Result>) {
      static_cast<void>(((static_cast<int>(kAt) == index &&
                          (visit.template operator()<std::tuple_element_t<kAt, List>>(), true)) ||
                         ...));
    } else {
      Result result{};
      static_cast<void>(
          ((static_cast<int>(kAt) == index &&
            (result = visit.template operator()<std::tuple_element_t<kAt, List>>(), true)) ||
           ...));
      return result;
    }
  }
  (std::make_index_sequence<kTypes>());
}

/// The rows of the types, in the order of List.
inline constexpr auto kRowsOf = []<class... Known>(const std::tuple<Known...>* /*list*/) {
  return std::array<int, kTypes>{Known::kDim...};
}(static_cast<const List*>(nullptr));

static_assert(std::ranges::all_of(kRowsOf, [](int rows) { return rows <= kMostRows; }));

/// Calls `visit.template operator()<kDim>()` with the rows of the type at @p index of the list:
/// what asks no more of a cone is compiled once for each number of rows, not for each type.
template <class Visit>
void with_rows(int index, Visit&& visit) {
  [&]<std::size_t... kAt>(std::index_sequence<kAt...>) {
    static_cast<void>(((kRowsOf[index] == kAt + 1 &&
                        (visit.template operator()<static_cast<int>(kAt) + 1>(), true)) ||
                       ...));
  }
  (std::make_index_sequence<kMostRows>());
}

}  // namespace scree::cones
