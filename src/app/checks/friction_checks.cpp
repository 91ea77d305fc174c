#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "app/run/observers/problems.hpp"
#include "run_config_checks.hpp"
#include "scree/config/declaration.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "scree/solver/registry.hpp"
#include "scree/step/constraints.hpp"

namespace scree {
namespace {

using NamePair = std::pair<std::string, std::string>;

NamePair ordered(const std::string& a, const std::string& b) {
  return a < b ? NamePair{a, b} : NamePair{b, a};
}

std::string in_words(const NamePair& pair) {
  return fmt::format("\"{}\" with \"{}\"", pair.first, pair.second);
}

/// Every two materials that can meet: grains with grains and with tools. A name that is no
/// material is a fault of its own, so it is passed over.
std::set<NamePair> pairs_that_meet(const RunConfig& config) {
  std::set<std::string> known;
  for (const Material& material : config.materials) known.insert(material.name);
  std::set<std::string> of_grains;
  std::set<std::string> of_any;
  for (const GrainKind* kind : config.grain_kinds()) {
    for (const std::string& material : kind->materials()) {
      if (known.contains(material)) of_grains.insert(material);
    }
  }
  of_any = of_grains;
  for (const ToolSpec& tool : config.tools) {
    if (known.contains(tool.material)) of_any.insert(tool.material);
  }
  std::set<NamePair> pairs;
  for (const std::string& grain : of_grains) {
    for (const std::string& other : of_any) pairs.insert(ordered(grain, other));
  }
  return pairs;
}

/// The pairs with an entry of their own. An entry with a fault in `between` is passed over.
std::set<NamePair> named_pairs(const RunConfig& config) {
  std::set<NamePair> named;
  for (const FrictionPair& pair : config.friction) {
    if (pair.between.size() == 2) named.insert(ordered(pair.between[0], pair.between[1]));
  }
  return named;
}

/// The fault of the table of friction; empty when there is none.
std::string fault_of_friction(const RunConfig& config) {
  std::set<NamePair> given;
  bool has_default = false;
  for (const FrictionPair& pair : config.friction) {
    if (pair.is_default()) {
      if (has_default) return "default stands twice; allowed: one default";
      has_default = true;
    }
    if (pair.between.size() != 2) continue;
    const NamePair names = ordered(pair.between[0], pair.between[1]);
    if (!given.insert(names).second) {
      return in_words(names) + " stands twice; allowed: one entry for two materials";
    }
  }
  if (has_default) return {};
  std::vector<std::string> missing;
  for (const NamePair& pair : pairs_that_meet(config)) {
    if (!given.contains(pair)) missing.push_back(in_words(pair));
  }
  if (missing.empty()) return {};
  return fmt::format(
      "no entry for {}; allowed: an entry for each two materials that can meet, as in "
      "{{between: [a, b], mu: 0.5}}, or one for all without their own, {{between: default, mu: "
      "0.5}}",
      fmt::join(missing, ", "));
}

/// Why the constraints are not for the grains; empty when they are.
std::string fault_of_constraints(const RunConfig& config) {
  const ConstraintOptions& options = config.contact.constraints;
  const std::shared_ptr<const Constraints> constraints = make_constraints(options);
  for (const GrainKind* kind : config.grain_kinds()) {
    for (const Population& one : kind->all_populations()) {
      const std::string fault = constraints->fault_of_grain(of_size(one.shape, 1.0));
      if (fault.empty()) continue;
      return fmt::format("constraints: {}: \"{}\" has {}", options.way, kind->name, fault);
    }
  }
  return {};
}

/// The fault of the damping of one of the pairs; empty when there is none.
std::string fault_of_damping(const RunConfig& config) {
  const bool damped = config.dynamics == Dynamics::overdamped;
  for (const FrictionPair& pair : config.friction) {
    if (damped && pair.damping > 0.0) {
      return fmt::format(
          "[{}] has a damping, which is relative to masses, and overdamped grains have none; "
          "allowed: "
          "damping 0, or `dynamics: inertial`",
          fmt::join(pair.between, ", "));
    }
    const std::string fault = fault_of_damping(pair, config.materials);
    if (!fault.empty()) return fault;
  }
  return {};
}

/// The first entry with such friction that is the law of two materials that can meet; null when
/// there is none.
const FrictionPair* pair_with(const RunConfig& config, double FrictionPair::*friction) {
  const std::set<NamePair> meet = pairs_that_meet(config);
  const std::set<NamePair> named = named_pairs(config);
  const auto is_law = [&](const FrictionPair& pair) {
    if (pair.is_default()) return !std::ranges::includes(named, meet);
    return pair.between.size() == 2 && meet.contains(ordered(pair.between[0], pair.between[1]));
  };
  const auto found = std::ranges::find_if(config.friction, [&](const FrictionPair& pair) {
    return pair.*friction > 0.0 && is_law(pair);
  });
  return found == config.friction.end() ? nullptr : &*found;
}

std::string in_brackets(const FrictionPair& pair) {
  return fmt::format("[{}]", fmt::join(pair.between, ", "));
}

/// The fault of rolling or spinning friction under the law of the run; empty when there is none.
std::string fault_of_rolling(const RunConfig& config) {
  if (config.solver.friction != FrictionLaw::box) return {};
  const FrictionPair* rolls = pair_with(config, &FrictionPair::rolling);
  const FrictionPair* spins = pair_with(config, &FrictionPair::spinning);
  if (rolls == nullptr && spins == nullptr) return {};
  return fmt::format(
      "{} has {} friction, and the law box has none; allowed: "
      "rolling and spinning 0, or `friction: coulomb`, `associated` or `pyramid` under `solver`",
      in_brackets(rolls != nullptr ? *rolls : *spins), rolls != nullptr ? "rolling" : "spinning");
}

/// Why @p method is not one for the cones that contacts with friction have; empty when it is, and
/// where none has friction.
std::string fault_of_method_for_cones(std::string_view method, const RunConfig& config) {
  // A method for the other law alone is refused by its own key.
  if (!fault_of_method(method, config.solver.friction).empty()) return {};
  const ProblemTraits plain = traits_of(config.solver.friction);
  const bool faceted = config.solver.friction == FrictionLaw::pyramid;
  const struct {
    double FrictionPair::*friction;
    std::string_view name;
    ConeSet cones;
  } kinds[] = {{&FrictionPair::spinning, "spinning friction",
                faceted ? kSetOf<cones::FacetedSpinning> : kSetOf<cones::Spinning>},
               {&FrictionPair::rolling, "rolling friction",
                faceted ? kSetOf<cones::FacetedRolling> : kSetOf<cones::Rolling>},
               {&FrictionPair::mu, "friction", plain.cones}};
  for (const auto& [friction, name, cones] : kinds) {
    const FrictionPair* pair = pair_with(config, friction);
    if (pair == nullptr) continue;
    ProblemTraits traits = plain;
    traits.cones = cones;
    const std::string fault = fault_of_method(method, traits);
    return fault.empty() ? fault : fmt::format("{} has {}; {}", in_brackets(*pair), name, fault);
  }
  return {};
}

/// Why the contact problems that are to be written cannot be; empty when they can.
std::string fault_of_dump(const RunConfig& config) {
  const FrictionPair* spins = pair_with(config, &FrictionPair::spinning);
  const std::int64_t every = config.debug.of<ProblemOptions>().every;
  if (every == 0 || spins == nullptr) return {};
  return fmt::format(
      "fclib.every: {} asks for FCLIB files, which have no cone for the spinning friction of {}; "
      "allowed: every 0, or spinning 0",
      every, in_brackets(*spins));
}

}  // namespace

void require_friction(Declaration& d, const RunConfig& config) {
  const std::string friction = fault_of_friction(config);
  d.require("friction", friction.empty(), friction);
  const std::string damping = fault_of_damping(config);
  d.require("friction", damping.empty(), damping);
  const std::string constraints = fault_of_constraints(config);
  d.require("contact", constraints.empty(), constraints);
  const std::string rolling = fault_of_rolling(config);
  d.require("friction", rolling.empty(), rolling);
  std::vector<std::string> methods = config.solver.fallback;
  methods.insert(methods.begin(), config.solver.method);
  for (const std::string& one : methods) {
    const std::string method = fault_of_method_for_cones(one, config);
    d.require("solver", !rolling.empty() || method.empty(), method);
  }
  const std::string dump = fault_of_dump(config);
  d.require("debug", dump.empty(), dump);
}

}  // namespace scree
