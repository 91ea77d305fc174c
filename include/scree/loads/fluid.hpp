#pragma once

/// The viscous fluid that balls may move in: Stokes drag in a given flow, and buoyancy.
///
/// A ball of radius r in a flow u(x, t) feels (G. K. Batchelor, An Introduction to Fluid Dynamics, 1967,
/// section 4.9; corrections for a flow that is not uniform: H. Faxen, Ark. Mat. Astron. Fys. 18, 1924)
///
///     force    6 pi eta r (U - v),          U = u + r^2/6 laplace u
///     torque   8 pi eta r^3 (W - omega),    W = curl u / 2
///
/// U and W are taken from u at the six points x +- r e_i: their mean and their central differences are
/// exact for flows of third and second degree (near a side of a periodic cell they lie up to r outside). Balls do not change the flow: neither each other's drag nor
/// lubrication is there.
///
/// | symbol   | meaning                         | unit  |
/// | ---      | ---                             | ---   |
/// | eta      | viscosity                       | Pa s  |
/// | u, U     | velocity of the flow            | m/s   |
/// | W        | half its vorticity              | rad/s |
/// | v, omega | velocities of the ball          | m/s, rad/s |

#include <vector>

#include "scree/base/math.hpp"
#include "scree/bodies/store.hpp"
#include "scree/config/declaration.hpp"
#include "scree/config/formula.hpp"
#include "scree/tools/motion.hpp"

namespace scree {

/// The keys under `fluid:`.
struct FluidSpec {
  double viscosity = 0.0;                ///< Pa s
  double density = 0.0;                  ///< kg/m^3
  FormulaTexts velocity{"0", "0", "0"};  ///< velocity of the fluid, formulas of x, y, z, t, m/s

  void declare(Declaration& d);
};

/// What bodies move in; vacuum unless told.
struct Medium {
  double viscosity = 0.0;  ///< Pa s
  double density = 0.0;    ///< kg/m^3
};

/// Drag of a ball over its velocity and its angular velocity: N s/m and N m s.
struct DragCoefficients {
  double linear = 0.0;
  double angular = 0.0;
};

/// Drag coefficients of the grain in @p slot; zero in vacuum. @throws InputError when it is no ball and the fluid has a
/// viscosity. Not collective, as all here.
DragCoefficients drag_coefficients(const Store& store, std::int32_t slot, const Medium& medium);

/// Mass less that of the fluid that the grain displaces, kg.
double buoyant_mass(const Store& store, std::int32_t slot, double fluid_density);

/// The flow of a fluid where balls are.
class Flow {
 public:
  /// At rest.
  Flow() = default;
  /// @throws InputError for a formula that is none.
  explicit Flow(const FluidSpec& spec);

  bool at_rest() const { return velocity_.empty(); }
  /// U and W for the grain in @p slot at the time @p t. @throws InputError when it is no ball, or a formula
  /// has no finite value.
  Velocities around(const Store& store, std::int32_t slot, double t) const;

 private:
  Vec3 at(const Vec3& place, double t, std::int64_t body) const;

  std::vector<Formula> velocity_;  ///< three; none: at rest
};

}  // namespace scree
