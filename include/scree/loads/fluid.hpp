#pragma once

/// The viscous fluid that grains may move in: drag (loads/drag.hpp) in a given flow, and buoyancy.
///
/// A ball of radius r in a flow u(x, t) feels (G. K. Batchelor, An Introduction to Fluid Dynamics,
/// 1967, section 4.9; corrections for a flow that is not uniform: H. Faxen, Ark. Mat. Astron. Fys.
/// 18, 1924)
///
///     force    6 pi eta r (U - v),          U = u + r^2/6 laplace u
///     torque   8 pi eta r^3 (W - omega),    W = curl u / 2
///
/// and an ellipsoid with the semi-axes a_i along e_i (H. Brenner, Chem. Eng. Sci. 19 (1964) 703),
/// by components along them, (i, j, k) in cyclic order,
///
///     force    eta k_i (U_i - v_i),         U = u + sum_i a_i^2/6 d^2u/dx_i^2
///     torque   eta q_i (W_i - omega_i),     W_i = (curl u)_i / 2 + s_i (d_j u_k + d_k u_j) / 2
///
/// U and W are taken from u at the six points x +- a_i e_i: their mean and their central
/// differences are exact for flows of third and second degree (near a side of a periodic cell they
/// lie up to a_i outside). Grains do not change the flow: neither each other's drag nor lubrication
/// is there. Under the local drag the fluid is at rest.
///
/// | symbol   | meaning                                                        | unit       |
/// | ---      | ---                                                            | ---        |
/// | eta      | viscosity                                                      | Pa s       |
/// | u, U     | velocity of the flow, and of a grain that no force holds in it | m/s        |
/// | W        | angular velocity of a grain that no torque holds in it         | rad/s      |
/// | v, omega | velocities of the grain                                        | m/s, rad/s |

#include <vector>

#include "scree/base/math.hpp"
#include "scree/bodies/store.hpp"
#include "scree/config/formula.hpp"
#include "scree/loads/drag.hpp"
#include "scree/tools/motion.hpp"

namespace scree {

class Declaration;

/// The keys under `fluid:`.
struct FluidSpec {
  DragLaw drag = DragLaw::stokes;
  double viscosity = 0.0;                ///< eta, or xi of the local drag, Pa s
  double density = 0.0;                  ///< kg/m^3
  FormulaTexts velocity{"0", "0", "0"};  ///< velocity of the fluid, formulas of x, y, z, t, m/s

  void declare(Declaration& d);
};

/// The medium that bodies move in; vacuum by default.
struct Medium {
  double viscosity = 0.0;  ///< eta, or xi of the local drag, Pa s
  double density = 0.0;    ///< kg/m^3
  DragLaw drag = DragLaw::stokes;
};

/// Drag of a grain over its velocity and its angular velocity, along and about its principal axes:
/// N s/m and N m s.
struct DragCoefficients {
  Vec3 linear = Vec3::Zero();
  Vec3 angular = Vec3::Zero();

  bool is_zero() const { return linear.isZero(0.0) && angular.isZero(0.0); }
};

/// Drag coefficients of the grain in @p slot; zero in vacuum, and of tools. @throws InputError when
/// the medium's drag of its shape is not known. Not collective, as all here.
DragCoefficients drag_coefficients(const Store& store, std::int32_t slot, const Medium& medium);

/// Force and torque of the drag on the grain in @p slot, world frame, N and N m, where the fluid
/// passes it by with
/// @p slip (linear, then angular): the fluid's velocities less its own.
Vec6 drag_force(const Store& store, std::int32_t slot, const DragCoefficients& drag,
                const Vec6& slip);

/// Mass less that of the fluid that the body displaces, kg; what has no volume displaces none.
double buoyant_mass(const Store& store, std::int32_t slot, double fluid_density);

/// The flow of a fluid where grains are.
class Flow {
 public:
  /// At rest.
  Flow() = default;
  /// @throws InputError for a formula that is none.
  explicit Flow(const FluidSpec& spec);

  bool at_rest() const { return velocity_.empty(); }
  /// U and W for the grain in @p slot at the time @p t. @throws InputError when it is neither a
  /// ball nor an ellipsoid, or a formula has no finite value.
  Velocities around(const Store& store, std::int32_t slot, double t) const;

 private:
  Vec3 at(const Vec3& place, double t, std::int64_t body) const;

  std::vector<Formula> velocity_;  ///< three; none: at rest
};

}  // namespace scree
