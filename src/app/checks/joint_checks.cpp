#include "joint_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/run/observers/problems.hpp"
#include "scree/config/declaration.hpp"
#include "scree/config/suggest.hpp"
#include "scree/solver/needs.hpp"
#include "scree/solver/registry.hpp"
#include "scree/step/joints.hpp"

namespace scree {
namespace {

constexpr std::string_view kNewton = "newton";

template <class Named>
const Named* find_named(const std::vector<Named>& list, std::string_view name) {
  const auto found = std::ranges::find(list, name, &Named::name);
  return found == list.end() ? nullptr : &*found;
}

/// Why @p name is no body that a joint may be of; empty where it is one.
std::string fault_of_body(const RunConfig& config, const std::string& name) {
  if (name == kWorldName || find_named(config.tools, name) != nullptr) return {};
  const std::optional<GrainName> grain = grain_name(name);
  if (grain && find_named(config.bodies, grain->group) != nullptr) return {};
  std::vector<std::string_view> known{kWorldName};
  for (const ToolSpec& tool : config.tools) known.push_back(tool.name);
  for (const BodyGroup& group : config.bodies) known.push_back(group.name);
  const std::string hint = suggestion(grain ? grain->group : name, known);
  return fmt::format(
      "\"{}\" is no body{}; allowed: a tool, a grain of a group of `bodies`, as in "
      "`stones[0]`, or world",
      name, hint.empty() ? hint : "; " + hint);
}

/// Whether nothing moves what @p name names but its own path.
bool is_prescribed(const RunConfig& config, const std::string& name) {
  if (name == kWorldName) return true;
  const ToolSpec* const tool = find_named(config.tools, name);
  return tool != nullptr && tool->load() == nullptr;
}

/// How many bodies of each joint of @p joint are grains.
std::int64_t n_grains(const RunConfig& config, const JointSpec& joint) {
  if (!joint.chain.empty()) return 2;
  return std::ranges::count_if(joint.between, [&](const std::string& name) {
    return name != kWorldName && find_named(config.tools, name) == nullptr;
  });
}

std::string fault_of_bodies(const RunConfig& config, const JointSpec& joint) {
  for (const std::string& name : joint.between) {
    const std::string fault = fault_of_body(config, name);
    if (!fault.empty()) return fault;
  }
  if (!joint.between.empty() && std::ranges::all_of(joint.between, [&](const auto& name) {
        return is_prescribed(config, name);
      })) {
    return fmt::format(
        "neither {} nor {} can give way; allowed: a grain, or a tool with `motion: "
        "{{type: load}}`, for one of them",
        joint.between[0], joint.between[1]);
  }
  if (n_grains(config, joint) > 0 && !config.growth.empty()) {
    return "is of grains, and grains grow and divide in this run; allowed: joints of tools";
  }
  return {};
}

std::string fault_of_place(const RunConfig& config, const JointSpec& joint) {
  const bool has_world = std::ranges::find(joint.between, kWorldName) != joint.between.end();
  const bool has_points = std::holds_alternative<DistanceJoint>(joint.type) ||
                          std::holds_alternative<StrutJoint>(joint.type);
  const std::string_view key = has_points ? "points" : "position";
  if (has_world && is_placed_by_centres(joint)) {
    return fmt::format("has no `{}`, and the world has no centre from which it would follow", key);
  }
  if (!joint.chain.empty() && !is_placed_by_centres(joint)) {
    return fmt::format(
        "is a chain, whose joints are between the centres of its grains; leave `{}` out", key);
  }
  if (n_grains(config, joint) == 2 && std::isinf(reach_of(joint, {}))) {
    return fmt::format(
        "leaves a way of a {} joint between two grains free without end: to know each other, the "
        "grains' ranks need `limits` of it",
        joint.type_name());
  }
  return {};
}

/// Why the force of @p motor, which drives @p driven, must have a bound; empty where it need not or
/// has one.
std::string fault_of_force(const RunConfig& config, const MotorSpec& motor, const JointSpec& joint,
                           Coordinate driven) {
  if (motor.is_bounded()) return {};
  if (!joint.along(driven).limits.empty()) {
    return fmt::format(
        "drives {} with any force, and its {} has limits: where it meets these, no step has a "
        "solution; allowed: a `largest` force",
        joint.name, to_string(driven));
  }
  for (const MotorSpec& other : config.motors) {
    if (other.name == motor.name || other.joint != joint.name || other.is_bounded()) continue;
    if (driven_by(other, joint) != driven) continue;
    return fmt::format(
        "drives {} with any force, and so does {}; allowed: one of them, or a `largest` "
        "force",
        joint.name, other.name);
  }
  return {};
}

std::string fault_of_motor(const RunConfig& config, const MotorSpec& motor) {
  const JointSpec* const joint = find_named(config.joints, motor.joint);
  if (joint == nullptr) return {};  // told by its key
  if (!joint->chain.empty()) {
    return fmt::format("drives {}, a chain of joints; allowed: a joint `between` two bodies",
                       motor.joint);
  }
  if (const std::optional<Coordinate> driven = driven_by(motor, *joint)) {
    return fault_of_force(config, motor, *joint, *driven);
  }
  std::vector<std::string_view> free;
  for (const Coordinate one : joint->free()) free.push_back(to_string(one));
  if (free.empty()) {
    return fmt::format("drives {}, a {} joint, which leaves no axis to drive", motor.joint,
                       joint->type_name());
  }
  return fmt::format("drives {}, a {} joint; its `along` is to be {}", motor.joint,
                     joint->type_name(), fmt::join(free, " or "));
}

/// Why the methods of the run do not take joints; empty where they do.
std::string fault_of_methods(const RunConfig& config) {
  ProblemTraits traits = traits_of(config.solver.friction);
  traits.cones |= kSetOf<cones::Equation, cones::Joint, cones::Joint4, cones::Joint5, cones::Joint6,
                         cones::Interval, cones::HalfLine>;
  std::string fault = fault_of_method(config.solver.method, traits);
  for (const std::string& other : config.solver.fallback) {
    if (fault.empty()) fault = fault_of_method(other, traits);
  }
  return fault;
}

}  // namespace

void require_joints(Declaration& d, const RunConfig& config) {
  d.require(
      "tools", find_named(config.tools, kWorldName) == nullptr,
      "has a tool called world, the name of what does not move in joints; allowed: another name");
  const bool damped = config.dynamics == Dynamics::overdamped;
  d.require("joints", !damped || config.joints.empty(),
            "hold what has inertia, and dynamics is overdamped; allowed: no joints, or `dynamics: "
            "inertial`");
  d.require(
      "joints", config.joints.empty() || config.impact.law == kNewton,
      fmt::format(
          "are no part of impacts by the law `{}`; allowed: `impact: {{law: {}}}`, or no joints",
          config.impact.law, kNewton));
  const std::string methods = config.joints.empty() ? std::string() : fault_of_methods(config);
  d.require("solver", methods.empty(), methods);
  d.require("debug", config.joints.empty() || config.debug.of<ProblemOptions>().every == 0,
            "writes contact problems, whose files hold no joints; allowed: `fclib: {every: 0}`");
  for (const JointSpec& joint : config.joints) {
    std::string fault = fault_of_bodies(config, joint);
    if (fault.empty()) fault = fault_of_place(config, joint);
    d.require("joints", fault.empty(), fmt::format("{}: {}", joint.name, fault));
  }
  for (const MotorSpec& motor : config.motors) {
    const std::string fault = fault_of_motor(config, motor);
    d.require("motors", fault.empty(), fmt::format("{}: {}", motor.name, fault));
  }
}

}  // namespace scree
