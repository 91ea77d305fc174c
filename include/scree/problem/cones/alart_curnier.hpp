#pragma once

/// The exact law of one contact as an equation, after Alart and Curnier:
///
///     z = l - rho u,   P(z) = ( s, projections of z_j onto the discs |.| <= mu_j s ),   s = max(0, z_n)
///     l solves the contact's law for the velocity u   <=>   l = P(l - rho u),  any rho > 0
///
/// P is semismooth; its smooth pieces, with the derivatives of each disc's part:
///
/// | piece | where                      | dP/dz                                                    |
/// | ---   | ---                        | ---                                                      |
/// | open  | z_n <= 0                   | 0                                                        |
/// | stick | z_n > 0, |z_j| <= mu_j z_n | I                                                        |
/// | slide | z_n > 0, |z_j| > mu_j z_n  | [ 1, 0; mu_j t, (mu_j z_n / |z_j|) (I - t t^T) ], t = z_j / |z_j| |
///
/// Reference: Alart, Curnier, A mixed formulation for frictional contact problems prone to Newton like
/// solution methods, CMAME 92 (1991).

#include "scree/problem/cones/rows.hpp"

namespace scree::cones {

/// `slide` where one disc at least slides.
enum class Piece { open, stick, slide };

template <int kDim>
struct ContactMap {
  Piece piece = Piece::open;
  Rows<kDim> value = Rows<kDim>::Zero();      ///< P(z)
  Square<kDim> slope = Square<kDim>::Zero();  ///< dP/dz
};

}  // namespace scree::cones
