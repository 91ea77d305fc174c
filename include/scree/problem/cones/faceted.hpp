#pragma once

/// Cones of contacts whose discs are regular polygons of K corners, K even: friction in the linear
/// form of LCPs.
///
///     K  = { x : x_j in mu_j x_n P, j = 1 .. m },   P = hull of t_k = (cos, sin)(2 pi k / K)
///     K* = { y : sum_j mu_j h(y_j) <= y_n },        h(y) = max_k t_k . y
///
/// Corners lie on the circle, so that friction along them is that of the disc, and between them
/// less by up to 1 - cos(pi/K). With K even P is symmetric, so that h(-y) = h(y). A disc of one
/// row, as that of spinning, stays a line.
///
/// Projection. In the frame (c, d) of the side next to x_j, c across the side and d >= 0 along it
/// to its nearer corner,
///
///     P = { c <= cos(pi/K), d <= sin(pi/K) }
///
/// as far as x_j's own sector goes, and no nearest point leaves the sector. So that in these frames
/// the cone is one of lines alone, with the limits mu_j cos(pi/K) and mu_j sin(pi/K): the
/// projection, h and the map of Alart and Curnier are those of Discs<1, 1, ..> there.
///
/// The shift of exact friction is sum_j mu_j h(u_j): then K in l _|_ u~ in K* says that friction
/// dissipates most among the impulses of the polygon, as eq. 27 does of its directions.
/// Reference: Erleben (paper 002), section 4.1; Stewart, Trinkle (1996).

#include <cmath>
#include <numbers>
#include <utility>

#include "scree/problem/cones/discs.hpp"

namespace scree::cones {

/// @p Round: the cone with discs.
template <class Round>
struct Faceted;

template <int... kSizes>
struct Faceted<Discs<kSizes...>> {
  using Round = Discs<kSizes...>;
  static constexpr int kDiscs = Round::kDiscs;
  static constexpr int kDim = Round::kDim;
  static constexpr int kParameters = kDiscs + 1;
  static constexpr auto kSize = Round::kSize;
  static constexpr auto kFirst = Round::kFirst;

  std::array<double, kDiscs>
      mu{};            ///< limit of each disc along its directions, per unit of the normal
  int directions = 4;  ///< K

  static Faceted from(const double* parameters) {
    return {Round::from(parameters).mu, static_cast<int>(parameters[kDiscs])};
  }
  std::array<double, kParameters> parameters() const {
    std::array<double, kParameters> all{};
    std::copy(mu.begin(), mu.end(), all.begin());
    all[kDiscs] = directions;
    return all;
  }

  Faceted scaled(double /*factor*/) const { return *this; }

  /// P_K(x), the nearest point of the cone.
  Rows<kDim> project(const Rows<kDim>& x) const {
    const Square<kDim> frame = frame_of(x);
    return frame.transpose() * lines().project(Rows<kDim>(frame * x));
  }

  /// The term that exact friction adds to the normal velocity, m/s.
  double shift(const Rows<kDim>& u) const { return lines().shift(Rows<kDim>(frame_of(u) * u)); }

  /// How far @p l lies outside K: the largest excess over a side, N s; at most 0 inside.
  double violation(const Rows<kDim>& l) const {
    return lines().violation(Rows<kDim>(frame_of(l) * l));
  }

  /// How far @p y lies outside K*, m/s; at most 0 inside.
  double dual_violation(const Rows<kDim>& y) const { return shift(y) - y[0]; }

  /// The map of Alart and Curnier (cones/alart_curnier.hpp) at @p z, and its slope.
  ContactMap<kDim> alart_curnier(const Rows<kDim>& z) const {
    const Square<kDim> frame = frame_of(z);
    ContactMap<kDim> map = lines().alart_curnier(Rows<kDim>(frame * z));
    map.value = (frame.transpose() * map.value).eval();
    map.slope = (frame.transpose() * map.slope * frame).eval();
    return map;
  }

 private:
  /// A cone of the same rows, each tangent by itself.
  template <int... kRow>
  static Discs<(1 + 0 * kRow)...> lines_for(std::integer_sequence<int, kRow...>);
  using Lines = decltype(lines_for(std::make_integer_sequence<int, kDim - 1>()));

  double half_sector() const { return std::numbers::pi / directions; }

  /// The cone in the frames of its sides.
  Lines lines() const {
    Lines cone;
    Round::for_each_disc([&]<std::size_t kAt>() {
      double* limit = &cone.mu[kFirst[kAt] - 1];
      limit[0] = mu[kAt];
      if constexpr (kSize[kAt] == 2) {
        limit[0] = mu[kAt] * std::cos(half_sector());
        limit[1] = mu[kAt] * std::sin(half_sector());
      }
    });
    return cone;
  }

  /// The rotation, or reflection, of each disc's rows into the frame of the side next to those of
  /// @p x.
  Square<kDim> frame_of(const Rows<kDim>& x) const {
    Square<kDim> frame = Square<kDim>::Identity();
    Round::for_each_disc([&]<std::size_t kAt>() {
      if constexpr (kSize[kAt] == 2) {
        constexpr int kRow = kFirst[kAt];
        const double sector = 2.0 * half_sector();
        const double angle = std::atan2(x[kRow + 1], x[kRow]);
        const double middle = (std::floor(angle / sector) + 0.5) * sector;
        const double c = std::cos(middle);
        const double s = std::sin(middle);
        const double side = c * x[kRow + 1] < s * x[kRow] ? -1.0 : 1.0;
        frame.template block<2, 2>(kRow, kRow) << c, s, -side * s, side * c;
      }
    });
    return frame;
  }
};

/// The cone with discs of @p Cone: itself where it has no sides.
template <class Cone>
struct RoundOf {
  using Type = Cone;
};
template <class Round>
struct RoundOf<Faceted<Round>> {
  using Type = Round;
};

/// Whether a cone has a circle, so that its faceted form is another.
template <class Cone>
inline constexpr bool kHasCircle = false;
template <int... kSizes>
inline constexpr bool kHasCircle<Discs<kSizes...>> = ((kSizes == 2) || ...);

}  // namespace scree::cones
