#pragma once

/// An equation whose force has bounds: dry friction of a joint, a motor with a largest force. Not a
/// cone, but a law of the same form:
///
///     l in [least, most],     u >= 0 where l = least,     u <= 0 where l = most,     u = 0 between
///
/// which is l = P(l - rho u) with P the projection onto [least, most], any rho > 0. Bounds are
/// finite impulses, N s, so that the law does not stay the same when impulses are scaled: scaled()
/// is then that of the scaled ones.

#include <algorithm>
#include <array>
#include <limits>

#include "scree/problem/cones/alart_curnier.hpp"
#include "scree/problem/cones/rows.hpp"

namespace scree::cones {

struct Interval {
  static constexpr int kDim = 1;
  static constexpr int kParameters = 2;

  double least = 0.0;  ///< N s
  double most = 0.0;   ///< N s

  static Interval from(const double* parameters) { return {parameters[0], parameters[1]}; }
  std::array<double, kParameters> parameters() const { return {least, most}; }

  Interval scaled(double factor) const { return {factor * least, factor * most}; }
  Rows<kDim> project(const Rows<kDim>& x) const {
    return Rows<kDim>::Constant(std::min(std::max(x[0], least), most));
  }
  double shift(const Rows<kDim>& /*u*/) const { return 0.0; }
  double violation(const Rows<kDim>& l) const { return std::max(least - l[0], l[0] - most); }
  /// No velocity is forbidden where a force has bounds.
  double dual_violation(const Rows<kDim>& /*y*/) const { return 0.0; }
  ContactMap<kDim> alart_curnier(const Rows<kDim>& z) const {
    const bool inside = least < z[0] && z[0] < most;
    return {inside ? Piece::stick : Piece::slide, project(z),
            Square<kDim>::Constant(inside ? 1.0 : 0.0)};
  }
};

}  // namespace scree::cones
