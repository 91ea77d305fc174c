#include "scree/app/config/run_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/checks/run_config_checks.hpp"
#include "config_hulls.hpp"
#include "named_files.hpp"
#include "scree/base/parallel.hpp"
#include "scree/config/declaration.hpp"
#include "scree/solver/registry.hpp"
#include "scree/step/step_clock.hpp"

namespace scree {
namespace {

/// The message that @p act throws as InputError; empty when it throws none.
template <class Act>
std::string fault_of(const Act& act) {
  try {
    act();
    return {};
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace

void TimeOptions::declare(Declaration& d) {
  std::optional<double> given = is_auto ? std::nullopt : std::optional(dt);
  d.real_or("auto", "dt", given,
            {.help = "time step; auto: as long as motions and impacts allow, from `min` to `max`",
             .unit = "s",
             .above = 0.0});
  is_auto = !given;
  d.real(
      "min", min,
      {.help =
           "shortest step where dt is auto, which needs it: at most max, and at least a millionth "
           "of it",
       .unit = "s",
       .min = 0.0});
  d.real(
      "max", max,
      {.help = "longest step where dt is auto, which needs it; what comes by time or after steps "
               "comes at its multiples",
       .unit = "s",
       .min = 0.0});
  require_bounds(d);
  dt = given.value_or(max > 0.0 ? max : dt);
  d.real("end", end, {.help = "time at which the run ends", .unit = "s", .above = 0.0});
  d.require("end", end >= dt, fmt::format("is shorter than one step of {} s", dt));
  d.require("end", end / dt < 1e15, "means more steps than can be counted");
}

void TimeOptions::require_bounds(Declaration& d) const {
  constexpr double kMostTimes = 1e6;
  if (!is_auto) {
    for (const auto& [key, bound] : {std::pair{"min", min}, std::pair{"max", max}}) {
      d.require(key, bound == 0.0, "is of steps whose length is chosen; allowed: with dt: auto");
    }
    return;
  }
  d.require("dt", min > 0.0 && max > 0.0,
            "is auto without a shortest and a longest step; allowed: both, as in {dt: auto, min: "
            "1e-5, max: 1e-3}");
  d.require("min", min <= max || max == 0.0,
            fmt::format("is longer than max, {} s; allowed: a min up to max", max));
  d.require("min", min == 0.0 || max <= kMostTimes * min,
            fmt::format("is shorter than a millionth of max, {} s; allowed: a min from {:.3g} s on",
                        max, max / kMostTimes));
}

std::int64_t TimeOptions::n_steps() const {
  // A quotient that is whole but for rounding must not cost a step.
  return static_cast<std::int64_t>(std::ceil(end / dt * (1.0 - 1e-12)));
}

double TimeOptions::length_within(double longest) const {
  return within(StepCount{}.next(dt), dt, {.longest = longest, .shortest = is_auto ? min : dt}).dt;
}

void ContactOptions::declare(Declaration& d) {
  stiffness.declare(d);
  d.real(
      "recovery_speed", recovery_speed,
      {.help = "largest speed at which the overlap of overdamped and of growing bodies, and that "
               "with which springs were placed, is undone; 0: a tenth of the smallest radius "
               "per step",
       .unit = "m/s",
       .min = 0.0});
  d.real("max_compression", max_compression,
         {.help = "largest compression of a spring at the end of a step, over the inscribed radius "
                  "of the smaller grain; a step that leaves more is not converged",
          .unit = "1",
          .above = 0.0});
  constraints.declare(d);
}

void RunSolverOptions::declare(Declaration& d) {
  d.enumeration(
      "friction", friction,
      {.help = "law of friction: exact; its convex relaxation, which opens sliding contacts; each "
               "tangent by itself, within mu times the normal impulse; or exact "
               "within a pyramid in place of the cone, the linear form of LCPs"});
  d.integer("directions", directions,
            {.help = "of friction pyramid: an even number of directions, evenly about the normal "
                     "from the first tangent, along which friction is that of the cone; between "
                     "them it is less",
             .min = 4,
             .max = 128});
  d.require("directions", directions % 2 == 0,
            "is odd; allowed: an even number of directions, so that each has its opposite");
  SolverOptions::declare(d);
  d.integer("halvings", halvings,
            {.help = "how often at most a step that does not converge is cut in half, where "
                     "on_not_converged is halve",
             .min = 1,
             .max = 10});
  const std::string fault = fault_of_method(method, friction);
  d.require("method", fault.empty(), fault);
  for (const std::string& other : fallback) {
    const std::string refused = fault_of_method(other, friction);
    d.require("fallback", refused.empty(), refused);
  }
}

void SolveConfig::declare(Declaration& d) {
  d.object("solver", solver, {.help = "how contacts are solved"});
}

void OutputOptions::declare(Declaration& d) {
  d.path("directory", directory,
         {.help = "folder of the run, relative to this file; empty: output/NAME in the folder "
                  "where scree is started",
          .must_exist = false});
  d.flag("overwrite", overwrite, {.help = "replace the run that the folder may hold already"});
  ObserverOptions::declare(d);
}

void RunConfig::declare(Declaration& d) {
  d.text("name", name, {.help = "name of the run and of its folder"});
  d.object("time", time, {.help = "steps"});
  d.enumeration(
      "dynamics", dynamics,
      {.help = "inertial: forces accelerate; overdamped: forces move grains against the drag of a "
               "fluid, without inertia"});
  d.vector("gravity", gravity, {.help = "acceleration of free bodies", .unit = "m/s^2"});
  d.optional_object("fluid", fluid, {.help = "viscous fluid: drag on grains, and their buoyancy"});
  d.optional_object("keep_inside", keep_inside,
                    {.help = "grains whose centre leaves this box are removed and counted"});
  d.named("removal_boxes", removal_boxes,
          {.help = "grains whose centre comes into one of these boxes are removed and counted"});
  d.object("periodic", periodic, {.help = "directions in which space repeats itself"});
  d.named("materials", materials, {.help = "materials by name", .required = true});
  d.list("friction", friction, {.help = "friction, and more, of each two materials that can meet"});
  d.named("bodies", bodies, {.help = "groups of grains by name, there at the start"});
  d.named("insertions", insertions, {.help = "grains that come in during the run, by name"});
  d.named("growth", growth, {.help = "capsules that lengthen and divide, by name"});
  d.named("tools", tools, {.help = "walls and tools by name"});
  d.named("joints", joints, {.help = "what joins two bodies, or a body and the world, by name"});
  d.named("motors", motors, {.help = "what drives joints, by name"});
  d.named("forces", forces, {.help = "external forces on grains by name; they add up"});
  d.object("contact", contact, {.help = "constraints and stiffness of contacts"});
  d.object("impact", impact, {.help = "law of impacts"});
  d.object("solver", solver, {.help = "how contacts are solved"});
  d.object("balance", balance, {.help = "how space is shared among ranks"});
  d.list("stages", stages,
         {.help = "stages of the run, in their order: each changes keys, and lasts until a "
                  "condition holds"});
  d.object("output", output, {.help = "what is written"});
  d.object("debug", debug, {.help = "files for the diagnosis of a run"});

  require_consistent(d, *this);
}

Medium RunConfig::medium() const {
  Medium medium;
  if (fluid) {
    medium.viscosity = fluid->viscosity;
    medium.density = fluid->density;
    medium.drag = fluid->drag;
  }
  return medium;
}

std::vector<const GrainKind*> RunConfig::grain_kinds() const {
  std::vector<const GrainKind*> kinds;
  for (const BodyGroup& group : bodies) kinds.push_back(&group);
  for (const InsertionSpec& insertion : insertions) kinds.push_back(&insertion);
  return kinds;
}

std::vector<std::string> RunConfig::population_names() const {
  std::vector<std::string> names;
  for (const GrainKind* kind : grain_kinds()) {
    for (const std::string& one : kind->population_names()) names.push_back(one);
  }
  return names;
}

std::vector<std::int32_t> RunConfig::growing_populations(const GrowthSpec& spec) const {
  std::vector<std::int32_t> growing;
  std::int32_t population = 0;
  for (const GrainKind* kind : grain_kinds()) {
    const bool grows = std::ranges::find(spec.groups, kind->name) != spec.groups.end();
    for (std::size_t k = 0; k < kind->population_names().size(); ++k, ++population) {
      if (grows) growing.push_back(population);
    }
  }
  return growing;
}

void RunConfig::load_files() {
  load_motions(tools);
  for (MotorSpec& motor : motors) motor.load();
}

RunConfig read_run_config(std::string_view text, const std::filesystem::path& file,
                          const Overrides& overrides, const ReadFile& read_file) {
  const auto read = [&](const Overrides& with) {
    RunConfig config;
    read_yaml(text, file, with, config, read_file);
    number_shapes(config);
    return config;
  };
  RunConfig config = read(overrides);
  read_stages(config, overrides, read);
  return config;
}

RunConfig load_run_config(MPI_Comm comm, const std::filesystem::path& file,
                          const Overrides& overrides) {
  std::string text;
  NamedFiles files;
  RunConfig config;
  const bool first = rank_of(comm) == 0;
  refuse_together(comm, fault_of([&] {
                    if (!first) return;
                    text = read_text_file(file);
                    config = read_run_config(text, file, overrides, recorded(files));
                  }));
  if (size_of(comm) == 1) return config;
  text = broadcast(comm, std::move(text));
  config = {};  // surfaces that this rank alone holds
  files = over_ranks(comm, std::move(files));
  refuse_together(comm,
                  fault_of([&] { config = read_run_config(text, file, overrides, from(files)); }));
  return config;
}

}  // namespace scree
