#pragma once

/// The cone of an equation u = 0, a joint or a pair that may not part: K is all of R^k, K* is {0}.

#include "scree/problem/cones/alart_curnier.hpp"
#include "scree/problem/cones/rows.hpp"

namespace scree::cones {

template <int kRows>
struct Free {
  static constexpr int kDim = kRows;
  static constexpr int kParameters = 0;

  static Free from(const double* /*parameters*/) { return {}; }

  Free scaled(double /*factor*/) const { return {}; }
  Rows<kDim> project(const Rows<kDim>& x) const { return x; }
  double shift(const Rows<kDim>& /*u*/) const { return 0.0; }
  double violation(const Rows<kDim>& /*l*/) const { return 0.0; }
  double dual_violation(const Rows<kDim>& y) const { return y.norm(); }
  ContactMap<kDim> alart_curnier(const Rows<kDim>& z) const {
    return {Piece::stick, z, Square<kDim>::Identity()};
  }
};

}  // namespace scree::cones
