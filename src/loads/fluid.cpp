#include "scree/loads/fluid.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <variant>

#include "scree/base/check.hpp"
#include "scree/geometry/shape_queries.hpp"

namespace scree {
namespace {

constexpr std::array<std::string_view, 4> kVariables = {"x", "y", "z", "t"};

double radius_of_ball(const Store& store, std::int32_t slot) {
  if (std::holds_alternative<Sphere>(store.shape[slot])) return bounding_radius(store, slot);
  throw InputError(
      fmt::format("fluid: body {} is a {}, and drag is known for spheres only; leave out the "
                  "fluid, or give the "
                  "drag as a force by formula",
                  store.id[slot], type_of(store.shape[slot])));
}

}  // namespace

void FluidSpec::declare(Declaration& d) {
  d.real("viscosity", viscosity,
         {.help = "of the fluid: balls feel Stokes drag",
          .unit = "Pa s",
          .above = 0.0,
          .required = true});
  d.real("density", density, {.help = "of the fluid: buoyancy", .unit = "kg/m^3", .min = 0.0});
  declare_formulas(d, "velocity", velocity, kVariables,
                   {.help = "of the flow without balls: formulas of x, y, z, t", .unit = "m/s"});
}

DragCoefficients drag_coefficients(const Store& store, std::int32_t slot, const Medium& medium) {
  if (medium.viscosity == 0.0) return {};
  const double r = radius_of_ball(store, slot);
  const double one = std::numbers::pi * medium.viscosity * r;
  return {6.0 * one, 8.0 * one * r * r};
}

double buoyant_mass(const Store& store, std::int32_t slot, double fluid_density) {
  return fluid_density == 0.0
             ? store.mass[slot]
             : store.mass[slot] - fluid_density * volume(store.shape[slot], *store.shapes);
}

Flow::Flow(const FluidSpec& spec) {
  if (spec.velocity == FluidSpec().velocity) return;
  for (const std::string& text : spec.velocity) velocity_.emplace_back(text, kVariables);
}

Velocities Flow::around(const Store& store, std::int32_t slot, double t) const {
  Velocities flow{Vec3::Zero(), Vec3::Zero()};
  if (at_rest()) return flow;
  const double radius = radius_of_ball(store, slot);
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 arm = radius * Vec3::Unit(axis);
    const Vec3 ahead = at(store.position[slot] + arm, t, store.id[slot]);
    const Vec3 behind = at(store.position[slot] - arm, t, store.id[slot]);
    flow.linear += (ahead + behind) / 6.0;
    flow.angular += 0.5 * Vec3::Unit(axis).cross(ahead - behind) / (2.0 * radius);
  }
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
