#include "scree/loads/fluid.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>
#include <variant>

#include "scree/base/check.hpp"
#include "scree/bodies/inertia.hpp"
#include "scree/config/declaration.hpp"
#include "scree/geometry/shapes/ellipsoid.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree {
namespace {

constexpr std::array<std::string_view, 4> kFlowVariables = {"x", "y", "z", "t"};

[[noreturn]] void refuse_shape(const Store& store, std::int32_t slot) {
  throw InputError(
      fmt::format("fluid: body {} is a {}, and the drag of Stokes is known for balls and "
                  "ellipsoids only; set `fluid.drag: local`, leave out the fluid, or give the "
                  "drag as a force by formula",
                  store.id[slot], type_of(store.shape[slot])));
}

Resistance stokes_resistance_of(const Store& store, std::int32_t slot) {
  const std::optional<Resistance> known = stokes_resistance(store.shape[slot]);
  if (!known) refuse_shape(store, slot);
  return *known;
}

/// Semi-axes of a ball or an ellipsoid and their directions: those of the world for a ball.
struct Axes {
  Vec3 lengths;
  Mat3 directions;
};

Axes axes_of(const Store& store, std::int32_t slot) {
  if (const auto* ellipsoid = store.shape[slot].get_if<Ellipsoid>()) {
    return {ellipsoid->axes(), store.orientation[slot].toRotationMatrix()};
  }
  return {Vec3::Constant(bounding_radius(store, slot)), Mat3::Identity()};
}

/// W in the frame of the axes. @param gradient column j: the derivative of the flow along axis j,
/// same frame
Vec3 turning(const Mat3& gradient, const Vec3& straining) {
  Vec3 result;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    result[i] = 0.5 * (gradient(k, j) - gradient(j, k)) +
                straining[i] * 0.5 * (gradient(k, j) + gradient(j, k));
  }
  return result;
}

}  // namespace

void FluidSpec::declare(Declaration& d) {
  d.enumeration(
      "drag", drag,
      {.help = "stokes: that of balls and ellipsoids in a slow flow; local: grains of any "
               "shape feel `viscosity` times their velocity over each part of their "
               "length, in a fluid at rest"});
  d.real("viscosity", viscosity,
         {.help = "of the fluid; of local drag: force over length and velocity",
          .unit = "Pa s",
          .above = 0.0,
          .required = true});
  d.real("density", density, {.help = "of the fluid: buoyancy", .unit = "kg/m^3", .min = 0.0});
  declare_formulas(d, "velocity", velocity, kFlowVariables,
                   {.help = "of the flow without grains: formulas of x, y, z, t", .unit = "m/s"});
  d.require("velocity", drag == DragLaw::stokes || velocity == FluidSpec().velocity,
            "is not for local drag, which is that of a fluid at rest; leave it out");
}

DragCoefficients drag_coefficients(const Store& store, std::int32_t slot, const Medium& medium) {
  if (medium.viscosity == 0.0 || store.is_tool(slot)) return {};
  const Resistance resistance = medium.drag == DragLaw::local
                                    ? local_resistance(store.shape[slot], *store.shapes)
                                    : stokes_resistance_of(store, slot);
  return {medium.viscosity * resistance.linear, medium.viscosity * resistance.angular};
}

Vec6 drag_force(const Store& store, std::int32_t slot, const DragCoefficients& drag,
                const Vec6& slip) {
  const auto resisted = [q = store.orientation[slot]](const Vec3& c, const Vec3& v) -> Vec3 {
    if (is_isotropic(c)) return c.cwiseProduct(v);
    return q * c.cwiseProduct(q.conjugate() * v);
  };
  Vec6 force;
  force << resisted(drag.linear, slip.head<3>()), resisted(drag.angular, slip.tail<3>());
  return force;
}

double buoyant_mass(const Store& store, std::int32_t slot, double fluid_density) {
  if (fluid_density == 0.0) return store.mass[slot];
  const double displaced = volume(store.shape[slot], *store.shapes);
  return store.mass[slot] - (std::isfinite(displaced) ? fluid_density * displaced : 0.0);
}

Flow::Flow(const FluidSpec& spec) {
  if (spec.velocity == FluidSpec().velocity) return;
  for (const std::string& text : spec.velocity) velocity_.emplace_back(text, kFlowVariables);
}

Velocities Flow::around(const Store& store, std::int32_t slot, double t) const {
  Velocities flow{Vec3::Zero(), Vec3::Zero()};
  if (at_rest()) return flow;
  const Vec3 straining = stokes_resistance_of(store, slot).straining;
  const Axes axes = axes_of(store, slot);
  Mat3 gradient;
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 arm = axes.lengths[axis] * axes.directions.col(axis);
    const Vec3 ahead = at(store.position[slot] + arm, t, store.id[slot]);
    const Vec3 behind = at(store.position[slot] - arm, t, store.id[slot]);
    flow.linear += (ahead + behind) / 6.0;
    gradient.col(axis) =
        axes.directions.transpose() * (ahead - behind) / (2.0 * axes.lengths[axis]);
  }
  flow.angular = axes.directions * turning(gradient, straining);
  return flow;
}

Vec3 Flow::at(const Vec3& place, double t, std::int64_t body) const {
  const std::array values{place.x(), place.y(), place.z(), t};
  Vec3 u;
  for (int k = 0; k < 3; ++k) {
    const Formula& formula = velocity_[k];
    u[k] = formula(values);
    if (std::isfinite(u[k])) continue;
    throw InputError(fmt::format(
        "fluid.velocity: \"{}\" is {} at ({:.9g}, {:.9g}, {:.9g}) m, on the surface of body {}, at "
        "{:.9g} s; it must have a finite value wherever bodies come, as \"x > 1e-6 ? 1/x : 0\" has",
        formula.text(), u[k], place.x(), place.y(), place.z(), body, t));
  }
  return u;
}

}  // namespace scree
