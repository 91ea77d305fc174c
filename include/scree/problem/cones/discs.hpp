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
/// Projection. With x_n' the normal of the image, disc j is shrunk to mu_j x_n' where |x_j| is larger, so
/// that x_n' minimises (x_n' - x_n)^2 + sum_j max(|x_j| - mu_j x_n', 0)^2 over x_n' >= 0. The function is
/// convex, and quadratic between the ratios |x_j| / mu_j: the discs are taken up from the largest ratio down
/// until the minimum of those taken lies above the next.
///
/// The shift is that of exact friction (De Saxce): u~ = u + (sum_j mu_j |u_j|, 0, ..), with which the law of
/// the contact, sticking where |l_j| < mu_j l_n and else sliding against u_j, is K in l _|_ u~ in K*.
///
/// References: De Saxce, Feng, The bipotential method (1998); Acary, Bourrier, Coulomb friction with rolling
/// resistance as a cone complementarity problem, Eur. J. Mech. A 85 (2021).

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "scree/problem/cones/alart_curnier.hpp"
#include "scree/problem/cones/rows.hpp"

namespace scree::cones {

template <int... kSizes>
struct Discs {
  static constexpr int kDiscs = sizeof...(kSizes);
  static constexpr int kDim = 1 + (0 + ... + kSizes);
  static constexpr int kParameters = kDiscs;
  static constexpr std::array<int, kDiscs> kSize{kSizes...};

  std::array<double, kDiscs> mu{};  ///< limit of each disc, per unit of the normal

  static Discs from(const double* parameters) {
    Discs cone;
    std::copy_n(parameters, kDiscs, cone.mu.begin());
    return cone;
  }

  /// Calls `visit(j, x_j)` with the rows of each disc, their number a constant.
  template <class X, class Visit>
  static void for_each_disc(X&& x, Visit&& visit) {
    std::size_t j = 0;
    int first = 1;
    ((visit(j++, x.template segment<kSizes>(first)), first += kSizes), ...);
  }

  static std::array<double, kDiscs> sizes(const Rows<kDim>& x) {
    std::array<double, kDiscs> size{};
    for_each_disc(x, [&size](std::size_t j, const auto& part) { size[j] = part.norm(); });
    return size;
  }

  /// P_K(x), the nearest point of the cone.
  Rows<kDim> project(const Rows<kDim>& x) const {
    const std::array<double, kDiscs> size = sizes(x);
    const double normal = projected_normal(x[0], size);
    Rows<kDim> image = x;
    image[0] = normal;
    for_each_disc(image, [&](std::size_t j, auto&& part) {
      if (size[j] > mu[j] * normal) part *= mu[j] * normal / size[j];
    });
    return image;
  }

  /// What exact friction adds to the normal velocity, m/s.
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
    std::array<bool, kDiscs> taken{};
    double sum = normal;
    double weight = 1.0;
    double image = normal;
    for (int count = 0; count < kDiscs; ++count) {
      std::size_t next = kDiscs;  // of the largest ratio |x_j| / mu_j among those left
      for (std::size_t j = 0; j < size.size(); ++j) {
        if (taken[j]) continue;
        if (next == kDiscs || size[j] * mu[next] > size[next] * mu[j]) next = j;
      }
      if (size[next] <= mu[next] * image) break;
      taken[next] = true;
      sum += mu[next] * size[next];
      weight += mu[next] * mu[next];
      image = sum / weight;
    }
    return std::max(image, 0.0);
  }
};

}  // namespace scree::cones
