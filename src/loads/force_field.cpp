#include "scree/loads/force_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>

#include "scree/base/check.hpp"
#include "scree/config/declaration.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree {
namespace {

constexpr std::array<std::string_view, 12> kFieldVariables = {
    "x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az", "radius", "mass", "t"};

bool is_zero(const std::string& text) {
  return text == "0";
}

}  // namespace

void ForceFieldSpec::declare(Declaration& d) {
  declare_formulas(
      d, "force", force, kFieldVariables,
      {.help = "components: formulas of x, y, z, vx, vy, vz, ax, ay, az, radius, mass, t",
       .unit = "N, or N/m^3, N/kg"});
  declare_formulas(d, "torque", torque, kFieldVariables,
                   {.help = "components, about the centre: formulas of the same",
                    .unit = "N m, or N m/m^3, N m/kg"});
  d.enumeration("per", per,
                {.help = "force and torque are those on each body, or each m^3 or kg of it"});
  d.names_of("materials", "materials", materials,
             {.help = "materials of the grains that feel it; none: all"});
  const bool acts = !std::all_of(force.begin(), force.end(), is_zero) ||
                    !std::all_of(torque.begin(), torque.end(), is_zero);
  d.require("force", acts, "is missing, and there is no torque; allowed: one of them or both");
}

ForceField::ForceField(const ForceFieldSpec& spec, std::span<const Material> materials)
    : name_(spec.name), per_(spec.per), feels_(materials.size(), spec.materials.empty()) {
  for (const FormulaTexts* texts : {&spec.force, &spec.torque}) {
    for (const std::string& text : *texts) formulas_.emplace_back(text, kFieldVariables);
  }
  for (const std::string& name : spec.materials) {
    feels_[material_index(materials, name)] = true;
  }
}

double ForceField::amount(const Store& store, std::int32_t slot) const {
  if (per_ == ForcePer::body) return 1.0;
  return per_ == ForcePer::mass ? store.mass[slot] : volume(store.shape[slot], *store.shapes);
}

Vec6 ForceField::on(const Store& store, std::int32_t slot, double t) const {
  if (!acts_on(store, slot)) return Vec6::Zero();
  const Vec3& x = store.position[slot];
  const Vec3& v = store.velocity[slot];
  const Vec3 a = store.orientation[slot] * Vec3::UnitZ();
  const std::array values{x.x(),
                          x.y(),
                          x.z(),
                          v.x(),
                          v.y(),
                          v.z(),
                          a.x(),
                          a.y(),
                          a.z(),
                          equal_volume_radius(store, slot),
                          store.mass[slot],
                          t};
  Vec6 force;
  for (int k = 0; k < 6; ++k) {
    const Formula& formula = formulas_[k];
    force[k] = formula(values);
    if (std::isfinite(force[k])) continue;
    throw InputError(fmt::format(
        "forces.{}.{}: \"{}\" is {} for body {} at ({:.9g}, {:.9g}, {:.9g}) m with velocity "
        "({:.9g}, {:.9g}, {:.9g}) m/s, at {:.9g} s; it must have a finite value wherever bodies "
        "come, "
        "as \"x > 1e-6 ? 1/x : 0\" has",
        name_, k < 3 ? "force" : "torque", formula.text(), force[k], store.id[slot], x.x(), x.y(),
        x.z(), v.x(), v.y(), v.z(), t));
  }
  return amount(store, slot) * force;
}

}  // namespace scree
