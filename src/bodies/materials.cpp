#include "scree/bodies/materials.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>
#include <set>

#include "scree/base/check.hpp"
#include "scree/config/suggest.hpp"

namespace scree {

void Material::declare(Declaration& d) {
  d.real("density", density,
         {.help = "mass per volume", .unit = "kg/m^3", .above = 0.0, .required = true});
}

void FrictionPair::declare(Declaration& d) {
  d.names_of("materials", "between", between,
             {.help = "the two materials; the same twice for grains among themselves",
              .required = true,
              .count = 2});
  d.real("mu", mu, {.help = "friction coefficient", .min = 0.0, .required = true});
  d.real("restitution", restitution,
         {.help = "speed at which an impact parts the two over that of their approach",
          .min = 0.0,
          .max = 1.0});
}

std::int32_t material_index(std::span<const Material> materials, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Material& material : materials) {
    if (material.name == name) return static_cast<std::int32_t>(names.size());
    names.push_back(material.name);
  }
  throw InputError(
      fmt::format("material \"{}\" is unknown; {}", name, suggestion_and_list(name, names)));
}

FrictionTable::FrictionTable(std::span<const Material> materials,
                             std::span<const FrictionPair> pairs) {
  for (const Material& material : materials) names_.push_back(material.name);
  mu_.assign(names_.size() * names_.size(), std::numeric_limits<double>::quiet_NaN());
  restitution_.assign(mu_.size(), 0.0);
  for (const FrictionPair& pair : pairs) {
    if (pair.between.size() != 2) {
      throw InputError(
          fmt::format("friction: between: two materials are needed, not {}", pair.between.size()));
    }
    const std::int32_t a = material_index(materials, pair.between[0]);
    const std::int32_t b = material_index(materials, pair.between[1]);
    if (has(a, b)) {
      throw InputError(fmt::format("friction: the pair [{}, {}] is named twice", pair.between[0],
                                   pair.between[1]));
    }
    for (const std::size_t i : {index(a, b), index(b, a)}) {
      mu_[i] = pair.mu;
      restitution_[i] = pair.restitution;
    }
  }
}

bool FrictionTable::has(std::int32_t a, std::int32_t b) const {
  return !std::isnan(mu_[index(a, b)]);
}

void FrictionTable::require_pairs(std::span<const std::int32_t> of_grains,
                                  std::span<const std::int32_t> of_tools) const {
  std::set<std::pair<std::int32_t, std::int32_t>> missing;
  const auto need = [&](std::int32_t a, std::int32_t b) {
    if (!has(a, b)) missing.insert(std::minmax(a, b));
  };
  for (const std::int32_t grain : of_grains) {
    for (const std::int32_t other : of_grains) need(grain, other);
    for (const std::int32_t tool : of_tools) need(grain, tool);
  }
  if (missing.empty()) return;
  std::vector<std::string> rows;
  for (const auto& [a, b] : missing) {
    rows.push_back(fmt::format("{{between: [{}, {}], mu: ...}}",
                               names_[static_cast<std::size_t>(a)],
                               names_[static_cast<std::size_t>(b)]));
  }
  throw InputError(fmt::format("friction: materials that can meet are not in the table; add {}",
                               fmt::join(rows, " and ")));
}

}  // namespace scree
