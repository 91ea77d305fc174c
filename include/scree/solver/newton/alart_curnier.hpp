#pragma once

/// Exact Coulomb friction at one contact as an equation, after Alart and Curnier:
///
///     z = l - rho u,   P(z) = ( s, projection of z_t onto the disc |.| <= mu s ),   s = max(0, z_n)
///     l solves the contact's law for the velocity u   <=>   l = P(l - rho u),  any rho > 0
///
/// P is semismooth: three smooth pieces with the derivatives
///
/// | piece | where                      | dP/dz                                                    |
/// | ---   | ---                        | ---                                                      |
/// | open  | z_n <= 0                   | 0                                                        |
/// | stick | z_n > 0, |z_t| <= mu z_n   | I                                                        |
/// | slide | z_n > 0, |z_t| > mu z_n    | [ 1, 0; mu t, (mu z_n / |z_t|) (I - t t^T) ], t = z_t / |z_t| |
///
/// Reference: Alart, Curnier, A mixed formulation for frictional contact problems prone to Newton like
/// solution methods, CMAME 92 (1991).

#include "scree/base/math.hpp"

namespace scree {

struct ContactMap {
  enum class Piece { open, stick, slide };
  Piece piece = Piece::open;
  Vec3 value = Vec3::Zero();  ///< P(z)
  Mat3 slope = Mat3::Zero();  ///< dP/dz
};

/// P at @p z = (normal, tangential, tangential), N s. Without friction (@p mu = 0) the tangential part
/// of P and of its derivative are zero, and the piece is open or stick.
ContactMap alart_curnier(const Vec3& z, double mu);

}  // namespace scree
