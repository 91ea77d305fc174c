#include "scree/bodies/materials.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "scree/base/check.hpp"
#include "scree/config/declaration.hpp"
#include "scree/config/suggest.hpp"

namespace scree {
namespace {

/// Nothing slides by far smaller ones; the normal velocity is lost among velocities times larger
/// ones.
constexpr double kLargestFriction = 1e6;
constexpr double kLargestLength = 1e3;  ///< m

PairLaw law_of(const FrictionPair& pair, const Elastic& a, const Elastic& b,
               const StiffnessOptions& options) {
  const double modulus = a.rigid() && b.rigid() ? 0.0 : effective_modulus(a, b);
  const double force = options.reference_force;
  const bool is_compliant = modulus > 0.0 || pair.stiffness > 0.0;
  const bool is_sprung = is_compliant && pair.restitution > 0.0;
  const double damping = is_sprung ? damping_ratio_of(pair.restitution) : pair.damping;
  return {.mu = pair.mu,
          .restitution = pair.restitution,
          .rolling = pair.rolling,
          .spinning = pair.spinning,
          .cohesion = pair.cohesion,
          .rupture_distance = pair.rupture_distance,
          .elasticity = {.a = a,
                         .b = b,
                         .options = options,
                         .stiffness = pair.stiffness,
                         .effective_modulus = modulus,
                         .reference_stiffness =
                             modulus > 0.0 ? force / hertz_overlap(modulus, 1.0, force) : 0.0,
                         .tangential_ratio = tangential_ratio(a, b),
                         .damping = is_compliant ? damping : 0.0,
                         .has_restitution = is_sprung}};
}

/// Whether a number of a contact is other than 0.
bool has_numbers(const FrictionPair& pair) {
  if (!pair.mu_times.empty() || !pair.mu_values.empty()) return true;
  return std::ranges::any_of(
      std::array{pair.mu, pair.restitution, pair.rolling, pair.spinning, pair.cohesion,
                 pair.rupture_distance, pair.stiffness, pair.damping},
      [](double value) { return value != 0.0; });
}

}  // namespace

void Material::declare(Declaration& d) {
  d.real("density", density,
         {.help = "mass per volume", .unit = "kg/m^3", .above = 0.0, .required = true});
  d.real("young_modulus", elastic.young_modulus,
         {.help = "stiffness of the material, which makes contacts compliant; 0: rigid",
          .unit = "Pa",
          .min = 0.0});
  d.real(
      "poisson_ratio", elastic.poisson_ratio,
      {.help = "Poisson's ratio: narrowing over stretching; used where the material is not rigid",
       .max = 0.5,
       .above = -1.0});
}

void FrictionPair::declare(Declaration& d) {
  d.names_of("materials", "between", between,
             {.help = "the two materials, the same twice for grains among themselves; default: "
                      "every two that can meet and have no entry of their own",
              .required = true,
              .count = 2,
              .instead = kDefault});
  d.enumeration("contact", contact,
                {.help = "unilateral: the two keep out of each other; none: they do not meet, and "
                         "pass through each other"});
  d.real("mu", mu,
         {.help = "friction coefficient",
          .min = 0.0,
          .max = kLargestFriction,
          .required = true,
          .unless = {"contact", to_string(PairContact::none)}});
  d.reals("mu_times", mu_times,
          {.help = "times between which mu goes by straight lines through mu_values; before the "
                   "first it is mu, after the last the last value; in rising order",
           .unit = "s"});
  d.reals("mu_values", mu_values,
          {.help = "friction coefficient at mu_times", .min = 0.0, .max = kLargestFriction});
  d.require(
      "mu_values", mu_values.size() == mu_times.size(),
      fmt::format("are {}, and mu_times {}; give as many", mu_values.size(), mu_times.size()));
  d.require("mu_times", std::ranges::is_sorted(mu_times, std::less_equal<>()),
            "do not rise; give each later than the one before it");
  d.real("restitution", restitution,
         {.help = "speed at which an impact parts the two over that of their approach; of a "
                  "compliant pair it sets the damping, and 0 leaves it to the key damping",
          .min = 0.0,
          .max = 1.0});
  d.real("rolling", rolling,
         {.help = "length of rolling friction: largest rolling moment over the normal force",
          .unit = "m",
          .min = 0.0,
          .max = kLargestLength});
  d.real(
      "spinning", spinning,
      {.help = "length of spinning friction: largest moment about the normal over the normal force",
       .unit = "m",
       .min = 0.0,
       .max = kLargestLength});
  d.real("cohesion", cohesion,
         {.help = "largest pull between two that have touched", .unit = "N", .min = 0.0});
  d.real("rupture_distance", rupture_distance,
         {.help = "gap beyond which two that have touched no longer pull; above 0 where there is "
                  "cohesion",
          .unit = "m",
          .min = 0.0});
  d.real("stiffness", stiffness,
         {.help = "normal stiffness of a contact, instead of that of the materials; 0: theirs",
          .unit = "N/m",
          .min = 0.0});
  d.real(
      "damping", damping,
      {.help = "damping ratio zeta of a compliant contact, whose dashpot is c = 2 zeta sqrt(k m) "
               "with the mass m of the two bodies taken in series; 1 is critical",
       .min = 0.0});
  d.require("cohesion", cohesion == 0.0 || rupture_distance > 0.0,
            "needs the gap at which it ends; give a rupture_distance above 0 m");
  d.require("rupture_distance", rupture_distance == 0.0 || cohesion > 0.0,
            "is that of a cohesion, and there is none; give a cohesion above 0 N, or leave it out");
  d.require("contact", contact != PairContact::none || !has_numbers(*this),
            "is none, and numbers of a contact are given; leave out all keys but between and "
            "contact, or let the two meet: `contact: unilateral`");
}

void StiffnessOptions::declare(Declaration& d) {
  d.enumeration(
      "law", law,
      {.help = "how Young's moduli make a stiffness: linear: that of Hertz at the reference force; "
               "hertz: his secant through the step, linear up to the reference "
               "force; rod: that of an elastic rod between the centres"});
  d.real(
      "reference_force", reference_force,
      {.help = "force of a typical contact, at which laws linear and hertz take Hertz's stiffness",
       .unit = "N",
       .above = 0.0});
}

bool is_compliant(const FrictionPair& pair, std::span<const Material> materials) {
  return pair.stiffness > 0.0 || std::ranges::any_of(materials, [&pair](const Material& material) {
           const bool is_named =
               pair.is_default() ||
               std::ranges::find(pair.between, material.name) != pair.between.end();
           return is_named && !material.elastic.rigid();
         });
}

std::string fault_of_damping(const FrictionPair& pair, std::span<const Material> materials) {
  if (pair.damping == 0.0) return {};
  const std::string names = fmt::format("[{}]", fmt::join(pair.between, ", "));
  if (!is_compliant(pair, materials)) {
    return fmt::format(
        "{} has a damping, but is rigid; give a stiffness, or a young_modulus to one of {}", names,
        pair.is_default() ? "the materials" : "the two");
  }
  if (pair.restitution == 0.0) return {};
  return names +
         " has a damping and a restitution, which sets the damping of a compliant pair; "
         "leave out one of the two";
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

ContactLaws::ContactLaws(std::span<const Material> materials, std::span<const FrictionPair> pairs,
                         const StiffnessOptions& options)
    : n_materials_(materials.size()),
      laws_(n_materials_ * n_materials_,
            {.mu = std::numeric_limits<double>::quiet_NaN(), .elasticity = {}}),
      meetings_(n_materials_) {
  std::vector<bool> is_named(laws_.size(), false);
  const FrictionPair* standard = nullptr;
  for (const FrictionPair& pair : pairs) {
    const std::string fault = fault_of_damping(pair, materials);
    if (!fault.empty()) throw InputError("friction: " + fault);
    if (pair.is_default()) {
      if (standard != nullptr) throw InputError("friction: the default is given twice");
      standard = &pair;
      continue;
    }
    if (pair.between.size() != 2) {
      throw InputError(
          fmt::format("friction: between: two materials are needed, not {}", pair.between.size()));
    }
    const std::int32_t a = material_index(materials, pair.between[0]);
    const std::int32_t b = material_index(materials, pair.between[1]);
    if (is_named[index(a, b)]) {
      throw InputError(fmt::format("friction: the pair [{}, {}] is named twice", pair.between[0],
                                   pair.between[1]));
    }
    is_named[index(a, b)] = is_named[index(b, a)] = true;
    set(materials, a, b, pair, options);
  }
  if (standard == nullptr) return;
  const auto n = static_cast<std::int32_t>(n_materials_);
  for (std::int32_t a = 0; a < n; ++a) {
    for (std::int32_t b = a; b < n; ++b) {
      if (!is_named[index(a, b)]) set(materials, a, b, *standard, options);
    }
  }
}

void ContactLaws::set(std::span<const Material> materials, std::int32_t a, std::int32_t b,
                      const FrictionPair& pair, const StiffnessOptions& options) {
  if (pair.contact == PairContact::none) {
    meetings_.part(a, b);
    return;
  }
  laws_[index(a, b)] = law_of(pair, materials[a].elastic, materials[b].elastic, options);
  laws_[index(b, a)] = law_of(pair, materials[b].elastic, materials[a].elastic, options);
  if (pair.mu_times.empty()) return;
  tables_.push_back({{index(a, b), index(b, a)}, pair.mu_times, pair.mu_values});
}

bool ContactLaws::has(std::int32_t a, std::int32_t b) const {
  return !std::isnan(mu(a, b));
}

double ContactLaws::FrictionTable::at(double t, double before) const {
  const auto next = std::ranges::upper_bound(times, t);
  if (next == times.begin()) return before;
  const auto i = static_cast<std::size_t>(next - times.begin());
  if (next == times.end()) return values.back();
  const double share = (t - times[i - 1]) / (times[i] - times[i - 1]);
  return std::lerp(values[i - 1], values[i], share);
}

ContactLaws ContactLaws::at(double t) const {
  ContactLaws now = *this;
  now.tables_.clear();
  for (const FrictionTable& table : tables_) {
    for (const std::size_t place : table.places) {
      now.laws_[place].mu = table.at(t, laws_[place].mu);
    }
  }
  return now;
}

ContactLaws ContactLaws::smooth() const {
  ContactLaws smooth = *this;
  smooth.tables_.clear();
  for (PairLaw& law : smooth.laws_) law = {.mu = std::isnan(law.mu) ? law.mu : 0.0};
  return smooth;
}

bool ContactLaws::any_compliant() const {
  return std::ranges::any_of(laws_, [](const PairLaw& law) { return law.elasticity.compliant(); });
}

bool ContactLaws::any_restitution() const {
  return std::ranges::any_of(laws_, [](const PairLaw& law) {
    return law.restitution > 0.0 && !law.elasticity.compliant();
  });
}

bool ContactLaws::resist_alike() const {
  const auto is_named = [](const PairLaw& law) { return !std::isnan(law.mu); };
  const auto first = std::ranges::find_if(laws_, is_named);
  return std::all_of(first, laws_.end(), [&](const PairLaw& law) {
    return !is_named(law) || law.resists() == first->resists();
  });
}

double ContactLaws::largest_rupture_distance() const {
  double largest = 0.0;
  for (const PairLaw& law : laws_) largest = std::max(largest, law.rupture_distance);
  return largest;
}

}  // namespace scree
