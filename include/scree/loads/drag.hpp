#pragma once

/// The resistance of a viscous fluid to a body that moves in it slowly, by shape.
///
/// A body with the velocity v and the angular velocity omega in a fluid that far away flows with U,
/// turns with W and strains with E feels, in the frame of its principal axes,
///
///     force   F_i = eta k_i (U_i - v_i)
///     torque  T_i = eta q_i (W_i + s_i E_jk - omega_i)          (i, j, k) in cyclic order
///
/// For an ellipsoid with the semi-axes a_i (F. Perrin, J. Phys. Radium 5 (1934) 497; G. B. Jeffery,
/// Proc. R. Soc. A 102 (1922) 161), with Delta(x) = sqrt((a_1^2 + x) (a_2^2 + x) (a_3^2 + x)),
///
///     chi = a_1 a_2 a_3 int dx / Delta(x),      alpha_i = a_1 a_2 a_3 int dx / ((a_i^2 + x) Delta(x)),     x from 0 on
///     k_i = 16 pi a_1 a_2 a_3 / (chi + alpha_i a_i^2)
///     q_i = 16 pi a_1 a_2 a_3 (a_j^2 + a_k^2) / (3 (alpha_j a_j^2 + alpha_k a_k^2))
///     s_i = (a_j^2 - a_k^2) / (a_j^2 + a_k^2)
///
/// which for a ball are 6 pi r, 8 pi r^3 and 0 (Stokes).
///
/// The local drag of paper 001, eq. 27, resists each part of a body's length l by xi per length,
/// whatever its shape:
///
///     k_i = l,    q_i = l^3 / 12,     xi in the place of eta
///
/// | symbol | meaning                                    | unit   |
/// | ---    | ---                                        | ---    |
/// | eta    | viscosity                                  | Pa s   |
/// | xi     | local drag                                 | N s/m^2 |
/// | k, q   | resistance over viscosity                  | m, m^3 |
/// | E_jk   | component of the symmetric part of grad U  | 1/s    |
/// | l      | the shape's length along its longest axis  | m      |

#include <array>
#include <optional>

#include "scree/base/enumeration.hpp"
#include "scree/base/math.hpp"
#include "scree/geometry/shapes/shape_list.hpp"

namespace scree {

class ShapeLibrary;

/// Which of the two laws above a fluid drags bodies by.
enum class DragLaw { stokes, local };
template <>
inline constexpr std::array kNamesOf<DragLaw> = names("stokes", "local");

/// Along and about the principal axes of a body.
struct Resistance {
  Vec3 linear = Vec3::Zero();     ///< k, m
  Vec3 angular = Vec3::Zero();    ///< q, m^3
  Vec3 straining = Vec3::Zero();  ///< s
};

/// The resistance of a ball or an ellipsoid; none for other shapes, which have no closed form. Not
/// collective.
std::optional<Resistance> stokes_resistance(const Shape& shape);

/// By paper 001, eq. 27, for any grain's shape. Not collective.
Resistance local_resistance(const Shape& shape, const ShapeLibrary& shapes);

}  // namespace scree
