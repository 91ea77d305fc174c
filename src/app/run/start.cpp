#include "start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "app/run/observers/problems.hpp"
#include "scree/base/parallel.hpp"
#include "scree/contact/reach.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "scree/step/inertial.hpp"
#include "scree/step/joints.hpp"
#include "scree/step/overdamped.hpp"
#include "starting_grains.hpp"
#include "starting_joints.hpp"

namespace scree {
namespace {

double smallest_radius(MPI_Comm comm, const Store& store) {
  double smallest = std::numeric_limits<double>::infinity();
  for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
    smallest = std::min(smallest, inscribed_radius(store, i));
  }
  return min_over_ranks(comm, smallest);
}

double largest_radius(MPI_Comm comm, const Store& store) {
  double largest = 0.0;
  for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
    largest = std::max(largest, bounding_radius(store, i));
  }
  return max_over_ranks(comm, largest);
}

/// The length that stands for the smallest radius where there are no grains, and none to come: the
/// smallest bounding radius of free tools, m.
double smallest_tool(const Store& bodies) {
  double smallest = 1.0;  // where none has ends
  for (std::int32_t slot = 0; slot < bodies.n_tools; ++slot) {
    if (bodies.is_free_tool(slot)) smallest = std::min(smallest, bounding_radius(bodies, slot));
  }
  return smallest;
}

/// Two grains, up to the radius @p largest, must not meet on both sides of each other.
void refuse_narrow_cell(const PeriodicCell& cell, double largest) {
  const double least = 4.0 * (1.0 + kRestMargin) * largest;
  for (int axis = 0; axis < 3; ++axis) {
    if (!cell.repeats(axis) || cell.period[axis] >= least) continue;
    throw InputError(fmt::format(
        "periodic.{}: its period of {} m is less than two of the largest diameters, so that a "
        "grain "
        "could meet another on both sides at once; allowed: {:.4g} m and more with these grains",
        "xyz"[axis], cell.period[axis], least));
  }
}

/// Where one rank has a grain that cannot be, all refuse it.
void append_grains(MPI_Comm comm, const RunConfig& config, Store& bodies) {
  std::string error;
  const StartingGrains grains = starting_grains(comm, config);
  bodies.shapes = grains.shapes;
  try {
    for (const Body& body : grains.bodies) append_grain(bodies, body);
  } catch (const InputError& fault) {
    error = fault.what();
  }
  refuse_together(comm, error);
}

std::int64_t largest_id(MPI_Comm comm, const Store& bodies) {
  std::int64_t largest = -1;
  for (const std::int64_t id : bodies.id) {
    if (id < kFirstToolId) largest = std::max(largest, id);
  }
  return max_over_ranks(comm, largest);
}

std::vector<Insertion> insertions_of(const RunConfig& config, const MeetingMaterials& meetings) {
  std::vector<Insertion> insertions;
  std::size_t population = 0;
  for (const BodyGroup& group : config.bodies) population += group.population_names().size();
  for (const InsertionSpec& spec : config.insertions) {
    insertions.emplace_back(spec, config.materials, static_cast<std::int32_t>(population),
                            meetings);
    population += spec.population_names().size();
  }
  return insertions;
}

std::shared_ptr<const Stepper> stepper_of(const RunConfig& config) {
  if (config.dynamics == Dynamics::overdamped) {
    return std::make_shared<const Overdamped>(config.gravity, config.medium());
  }
  return std::make_shared<const Inertial>(config.gravity, config.medium());
}

std::optional<StepLength> length_of(const RunConfig& config, const Setup& setup) {
  if (!config.time.is_auto) return std::nullopt;
  const bool strikes = setup.stepper->has_inertia();
  const auto n_materials = static_cast<std::int32_t>(config.materials.size());
  return strikes ? StepLength(config.time.min, setup.laws, n_materials)
                 : StepLength(config.time.min);
}

/// Why the grain in @p slot cannot grow as it is to; empty when it can, or is not to.
std::string fault_of_growth_of(const Store& bodies, std::int32_t slot, const Setup& setup) {
  for (const Growth& growth : setup.growths) {
    if (!growth.has(bodies.group[slot])) continue;
    const std::string fault = fault_of_growth(growth.spec(), bodies.shape[slot], setup.dt);
    if (fault.empty()) continue;
    return fmt::format("growth.{}: body {}: {}", growth.spec().name, bodies.id[slot], fault);
  }
  return {};
}

/// Half the length of the longest grain that grows in @p config, m; 0 where none does.
double largest_of_growth(const RunConfig& config) {
  double largest = 0.0;
  for (const GrowthSpec& spec : config.growth) {
    largest = std::max(largest, 0.5 * spec.longest(config.time.dt));
  }
  return largest;
}

}  // namespace

void refuse_narrow_growth(const RunConfig& config) {
  refuse_narrow_cell(config.periodic.cell(), largest_of_growth(config));
}

void refuse_faulty_growth(MPI_Comm comm, const Store& bodies, const Setup& setup) {
  std::string fault;
  for (std::int32_t slot = bodies.first_owned(); slot < bodies.end_owned() && fault.empty();
       ++slot) {
    fault = fault_of_growth_of(bodies, slot, setup);
  }
  refuse_together(comm, fault);
}

Setup setup_of(const RunConfig& config) {
  Setup setup;
  setup.dt = config.time.dt;
  setup.gravity = config.gravity;
  setup.medium = config.medium();
  setup.stepper = stepper_of(config);
  if (config.fluid) setup.flow = Flow(*config.fluid);
  for (const ForceFieldSpec& spec : config.forces)
    setup.fields.emplace_back(spec, config.materials);
  setup.cell = config.periodic.cell();
  setup.laws = ContactLaws(config.materials, config.friction, config.contact.stiffness);
  setup.length = length_of(config, setup);
  setup.friction = config.solver.law();
  setup.impact_law = make_impact_law(config.impact, config.gravity.norm());
  setup.recovery_speed = config.contact.recovery_speed;
  setup.max_compression = config.contact.max_compression;
  setup.constraints = make_constraints(config.contact.constraints);
  setup.tools = config.tools;
  if (!config.joints.empty()) {
    setup.joints = std::make_shared<const JointSource>(config.joints, config.motors);
    setup.sources.push_back(setup.joints);
  }
  setup.insertions = insertions_of(config, setup.laws.meetings());
  for (const GrowthSpec& spec : config.growth) {
    setup.growths.emplace_back(spec, config.materials, config.growing_populations(spec));
  }
  setup.keep_inside = config.keep_inside;
  setup.removal_boxes = config.removal_boxes;
  setup.balance = config.balance;
  setup.on_not_converged = config.solver.on_not_converged;
  setup.halvings = static_cast<int>(config.solver.halvings);
  const auto& problems = config.debug.of<ProblemOptions>();
  setup.keeps_starts = problems.every > 0 || setup.constraints->finds_within_step();
  setup.keeps_starts_of_unsolved = problems.not_converged > 0;
  return setup;
}

State starting_state(MPI_Comm comm, const RunConfig& config, const Setup& setup) {
  State state;
  place_tools(config.tools, config.materials, state.bodies);
  for (const ToolSpec& tool : config.tools) {
    state.motions.push_back(span_of(tool.motion, 0.0, std::nullopt));
  }
  append_grains(comm, config, state.bodies);
  state.next_id = 1 + largest_id(comm, state.bodies);
  state.smallest_radius = smallest_radius(comm, state.bodies);
  double largest = largest_radius(comm, state.bodies);
  for (const InsertionSpec& spec : config.insertions) {
    state.smallest_radius = std::min(state.smallest_radius, spec.smallest_inscribed());
    largest = std::max(largest, spec.largest());
  }
  largest = std::max(largest, largest_of_growth(config));
  if (std::isinf(state.smallest_radius)) state.smallest_radius = smallest_tool(state.bodies);
  refuse_narrow_cell(setup.cell, largest);
  state.insertions.resize(setup.insertions.size());
  wrap_into(state.bodies, setup.cell);
  state.joints = starting_joints(comm, config, state.bodies);
  return state;
}

}  // namespace scree
