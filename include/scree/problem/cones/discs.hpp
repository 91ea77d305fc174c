#pragma once

/// Cones of contacts: a normal, shared by discs with a limit each.
///
///     K  = { x : |x_j| <= mu_j x_n, j = 1 .. m }          x = (x_n, x_1, .., x_m), x_j in R^(k_j)
///     K* = { y : sum_j mu_j |y_j| <= y_n }
///
/// | sizes k_j  | cone                                                                   | rows |
/// | ---        | ---                                                                    | ---  |
/// | none       | half line: a contact without friction, a row of an LCP                 | 1    |
/// | 1          | second-order cone in the plane                                         | 2    |
/// | 2          | second-order cone: Coulomb friction                                    | 3    |
/// | 1, 1       | pyramid: each tangent by itself, friction by the box                   | 3    |
/// | 2, 2       | friction and rolling resistance: the rows of rolling are torques over a length | 5 |
/// | 2, 2, 1    | the same with resistance to spinning                                   | 6    |
///
/// Projection. With x_n' the normal of the image, disc j is shrunk to mu_j x_n' where |x_j| is
/// larger, and x_n' is the root of x_n' - x_n - sum_j mu_j max(|x_j| - mu_j x_n', 0), the
/// derivative of the distance: the least of one rising line for each set S of discs, so that its
/// root is the largest of theirs,
///
///     x_n' = max(0, max_S (x_n + sum_S mu_j |x_j|) / (1 + sum_S mu_j^2))
///
/// which has no branches.
///
/// The shift is that of exact friction (De Saxce): u~ = u + (sum_j mu_j |u_j|, 0, ..), with which
/// the law of the contact, sticking where |l_j| < mu_j l_n and else sliding against u_j, is K in l
/// _|_ u~ in K*.
///
/// References: De Saxce, Feng, The bipotential method (1998); Acary, Bourrier, Coulomb friction with rolling
/// resistance as a cone complementarity problem, Eur. J. Mech. A 85 (2021).

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "scree/problem/cones/alart_curnier.hpp"
#include "scree/problem/cones/rows.hpp"

namespace scree::cones {

template <int... kSizes>
struct Discs {
  static constexpr int kDiscs = sizeof...(kSizes);
  static constexpr int kDim = 1 + (0 + ... + kSizes);
  static constexpr int kParameters = kDiscs;
  static constexpr std::array<int, kDiscs> kSize{kSizes...};
  static constexpr std::array<int, kDiscs> kFirst = [] {  ///< row of each disc
    std::array<int, kDiscs> first{};
    int row = 1;
    for (std::size_t j = 0; j < first.size(); ++j) {
      first[j] = row;
      row += kSize[j];
    }
    return first;
  }();

  std::array<double, kDiscs> mu{};  ///< limit of each disc, per unit of the normal

  static Discs from(const double* parameters) {
    Discs cone;
    for (std::size_t j = 0; j < kDiscs; ++j) cone.mu[j] = parameters[j];
    return cone;
  }

  std::array<double, kParameters> parameters() const { return mu; }
  Discs scaled(double /*factor*/) const { return *this; }

  /// Calls `visit.operator()<j>()` for each disc.
  template <class Visit>
  static void for_each_disc(Visit&& visit) {
    [&]<std::size_t... kAt>(std::index_sequence<kAt...>) {
      (visit.template operator()<kAt>(), ...);
    }
    (std::make_index_sequence<kDiscs>());
  }

  /// |x_j| of each disc. Here and in the projection rows are taken one by one: compilers then put the cones of a
  /// batch side by side (problem/measure.cpp).
  static std::array<double, kDiscs> sizes(const Rows<kDim>& x) {
    std::array<double, kDiscs> size{};
    for_each_disc([&]<std::size_t kAt>() {
      double square = 0.0;
      for (int k = kFirst[kAt]; k < kFirst[kAt] + kSize[kAt]; ++k) square += x[k] * x[k];
      size[kAt] = std::sqrt(square);
    });
    return size;
  }

  /// P_K(x), the nearest point of the cone.
  Rows<kDim> project(const Rows<kDim>& x) const {
    const std::array<double, kDiscs> size = sizes(x);
    Rows<kDim> image;
    image[0] = projected_normal(x[0], size);
    for_each_disc([&]<std::size_t kAt>() {
      const double limit = mu[kAt] * image[0];
      const double factor = size[kAt] > limit ? limit / size[kAt] : 1.0;
      for (int k = kFirst[kAt]; k < kFirst[kAt] + kSize[kAt]; ++k) image[k] = factor * x[k];
    });
    return image;
  }

  /// The term that exact friction adds to the normal velocity, m/s.
  double shift(const Rows<kDim>& u) const {
    const std::array<double, kDiscs> size = sizes(u);
    double sum = 0.0;
    for (std::size_t j = 0; j < size.size(); ++j) sum += mu[j] * size[j];
    return sum;
  }

  /// How far @p l lies outside K: the largest excess over a limit, N s; at most 0 inside.
  double violation(const Rows<kDim>& l) const {
    const std::array<double, kDiscs> size = sizes(l);
    double largest = -l[0];
    for (std::size_t j = 0; j < size.size(); ++j) {
      const double excess = size[j] - mu[j] * l[0];
      largest = j == 0 && mu[j] > 0.0 ? excess : std::max(largest, excess);
    }
    return largest;
  }

  /// How far @p y lies outside K*, m/s; at most 0 inside.
  double dual_violation(const Rows<kDim>& y) const { return shift(y) - y[0]; }

  /// The map of Alart and Curnier (cones/alart_curnier.hpp) at @p z, and its slope.
  ContactMap<kDim> alart_curnier(const Rows<kDim>& z) const {
    ContactMap<kDim> map;
    const double normal = z[0];
    if (!(normal > 0.0)) return map;
    map.piece = Piece::stick;
    map.value[0] = normal;
    map.slope(0, 0) = 1.0;
    int first = 1;
    std::size_t j = 0;
    [[maybe_unused]] const auto add = [&]<int kSize>(std::integral_constant<int, kSize>) {
      const auto part = z.template segment<kSize>(first);
      const double size = part.norm();
      const double limit = mu[j] * normal;
      if (size <= limit) {
        map.value.template segment<kSize>(first) = part;
        map.slope.template block<kSize, kSize>(first, first).setIdentity();
      } else {
        map.piece = Piece::slide;
        const Rows<kSize> direction = part / size;
        map.value.template segment<kSize>(first) = limit * direction;
        map.slope.template block<kSize, 1>(first, 0) = mu[j] * direction;
        map.slope.template block<kSize, kSize>(first, first) =
            limit / size * (Square<kSize>::Identity() - direction * direction.transpose());
      }
      first += kSize;
      ++j;
    };
    (add(std::integral_constant<int, kSizes>()), ...);
    return map;
  }

 private:
  double projected_normal(double normal, const std::array<double, kDiscs>& size) const {
    double image = std::max(normal, 0.0);
    for (unsigned set = 1; set < 1U << kDiscs; ++set) {
      double sum = normal;
      double weight = 1.0;
      for (std::size_t j = 0; j < size.size(); ++j) {
        const double taken = (set >> j & 1U) != 0 ? mu[j] : 0.0;
        sum += taken * size[j];
        weight += taken * taken;
      }
      image = std::max(image, sum / weight);
    }
    return image;
  }
};

/// A cone whose friction is discs, round or not.
template <class Cone>
concept OfDiscs = requires {
  Cone::kDiscs;
};

}  // namespace scree::cones
