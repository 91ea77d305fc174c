#include "run_config_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/run/observer_list.hpp"
#include "joint_checks.hpp"
#include "scree/config/declaration.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "scree/tools/pressure.hpp"

namespace scree {
namespace {

/// The first name of @p list that also stands for one of the bodies, or of @p more; empty when none
/// does.
template <class Named>
std::string taken_name(const RunConfig& config, const std::vector<Named>& list,
                       const std::vector<InsertionSpec>& more = {}) {
  std::set<std::string> taken;
  for (const BodyGroup& group : config.bodies) taken.insert(group.name);
  for (const InsertionSpec& insertion : more) taken.insert(insertion.name);
  for (const Named& one : list) {
    if (taken.contains(one.name)) return one.name;
  }
  return {};
}

bool bounces(const RunConfig& config) {
  return std::any_of(config.friction.begin(), config.friction.end(),
                     [](const FrictionPair& pair) { return pair.restitution > 0.0; });
}

/// Why the fluid, if any, does not drag the grains; empty when it does.
std::string fault_of_drag(const RunConfig& config) {
  if (!config.fluid || config.fluid->drag == DragLaw::local) return {};
  for (const GrainKind* kind : config.grain_kinds()) {
    for (const Population& one : kind->all_populations()) {
      const Shape shape = of_size(one.shape, 1.0);
      if (stokes_resistance(shape)) continue;
      return fmt::format(
          "has the drag of Stokes, which is known for balls and ellipsoids only, and \"{}\" has "
          "grains of type {}; allowed: `drag: local`, grains of those shapes, or no fluid",
          kind->name, type_of(shape));
    }
  }
  return {};
}

/// Whether all grains of @p kind are heavier than the fluid, if any, that they displace.
bool sinks(const GrainKind& kind, const RunConfig& config) {
  const double fluid = config.fluid ? config.fluid->density : 0.0;
  const std::vector<std::string> names = kind.materials();
  return std::all_of(config.materials.begin(), config.materials.end(), [&](const Material& m) {
    return m.density > fluid || std::find(names.begin(), names.end(), m.name) == names.end();
  });
}

bool falls(const RunConfig& config) {
  return std::all_of(config.insertions.begin(), config.insertions.end(),
                     [&](const InsertionSpec& insertion) {
                       return insertion.height == kNever ||
                              (config.gravity.norm() > 0.0 && sinks(insertion, config));
                     });
}

/// The first tool that a load moves, which without inertia nothing would hold back; null: none.
const ToolSpec* first_free_tool(const RunConfig& config) {
  const auto found =
      std::ranges::find_if(config.tools, [](const ToolSpec& t) { return t.load() != nullptr; });
  return found == config.tools.end() ? nullptr : &*found;
}

/// Whether @p region lies between the ends of @p cell in the directions that repeat.
bool lies_in_cell(const Box3& region, const PeriodicCell& cell) {
  const Box3 box = cell.box();
  return (region.low.array() >= box.low.array()).all() &&
         (region.high.array() <= box.high.array()).all();
}

bool names_a_folder(const std::string& name) {
  constexpr std::size_t kLongest = 200;  // what is named after a run has endings
  return !name.empty() && name.size() <= kLongest && name[0] != '.' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_' || c == '-' || c == '.';
         });
}

void require_drives(Declaration& d, const RunConfig& config) {
  const bool damped = config.dynamics == Dynamics::overdamped;
  const std::string fault = fault_of_drag(config);
  d.require("fluid", fault.empty(), fault);
  d.require("dynamics", !damped || config.fluid,
            "is overdamped, and nothing damps; allowed: a fluid, as in `fluid: {viscosity: 1e-3}`");
  d.require("friction", !damped || !bounces(config),
            "has a restitution, but without inertia nothing bounces; allowed: restitution 0, or "
            "`dynamics: inertial`");
  const ToolSpec* const free_tool = first_free_tool(config);
  d.require("tools", !damped || free_tool == nullptr,
            free_tool == nullptr
                ? std::string()
                : fmt::format("{}: a load moves it against its mass, and dynamics is overdamped, "
                              "where masses oppose nothing; allowed: a path, as `motion: {{type: "
                              "velocity}}`, or `dynamics: inertial`",
                              free_tool->name));
  d.require("insertions", falls(config),
            "have a height, at which nothing rests without gravity, or in a fluid that is "
            "not lighter than the grains");
}

void require_places(Declaration& d, const RunConfig& config) {
  const PeriodicCell cell = config.periodic.cell();
  for (const ToolSpec& tool : config.tools) {
    const std::string fault = fault_in_cell(tool, cell);
    d.require("tools", fault.empty(), fault);
    const std::string pressed = fault_of_pressure(tool, config.tools);
    d.require("tools", pressed.empty(), pressed);
  }
  for (const InsertionSpec& one : config.insertions) {
    d.require(
        "insertions", lies_in_cell(bounds_of(one.region), cell),
        fmt::format("{}: its region leaves the periodic cell; allowed: one within it", one.name));
  }
}

void require_names(Declaration& d, const RunConfig& config) {
  const auto say = [](const std::string& taken) {
    return fmt::format(
        "\"{}\" is also the name of a group of bodies or an insertion; allowed: another name",
        taken);
  };
  const std::string insertion = taken_name(config, config.insertions);
  d.require("insertions", insertion.empty(), say(insertion));
  const std::string tool = taken_name(config, config.tools, config.insertions);
  d.require("tools", tool.empty(), say(tool));
}

}  // namespace

void require_consistent(Declaration& d, const RunConfig& config) {
  constexpr std::size_t kMostMaterials = 1000;  // each two of them have a law
  if (config.materials.size() > kMostMaterials) {
    d.require("materials", false,
              fmt::format("are {}; allowed: up to {}", config.materials.size(), kMostMaterials));
    return;
  }
  d.require("name", names_a_folder(config.name),
            fmt::format("\"{}\" cannot name a folder; allowed: letters, digits, _, - and ., up to "
                        "200",
                        config.name));
  d.require(
      "bodies", !config.bodies.empty() || !config.insertions.empty() || first_free_tool(config),
      "has no group, there are no insertions, and no tool is moved by a load; allowed: one or "
      "more of these");
  require_drives(d, config);
  const bool has_inertia = config.dynamics == Dynamics::inertial;
  for (const std::string& fault : config.impact.faults(has_inertia)) {
    d.require("impact", false, fault);
  }
  require_friction(d, config);
  require_growth(d, config);
  require_places(d, config);
  require_joints(d, config);
  require_observed(d, config);
  require_names(d, config);
  require_stages(d, config.stages);
}

}  // namespace scree
