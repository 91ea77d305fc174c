#include "scree/app/run_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "scree/app/config_hulls.hpp"
#include "scree/base/parallel.hpp"
#include "scree/geometry/contacts_between.hpp"
#include "scree/geometry/shape_queries.hpp"
#include "scree/solver/registry.hpp"

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

/// What is wrong with the table of friction; empty when nothing is.
std::string fault_of_friction(const RunConfig& config) {
  std::set<NamePair> given;
  for (const FrictionPair& pair : config.friction) {
    if (pair.between.size() != 2) continue;
    const NamePair names = ordered(pair.between[0], pair.between[1]);
    if (!given.insert(names).second) {
      return in_words(names) + " stands twice; allowed: one entry for two materials";
    }
  }
  std::vector<std::string> missing;
  for (const NamePair& pair : pairs_that_meet(config)) {
    if (!given.contains(pair)) missing.push_back(in_words(pair));
  }
  if (missing.empty()) return {};
  return fmt::format(
      "no entry for {}; allowed: an entry for each two materials that can meet, as in "
      "{{between: [a, b], mu: 0.5}}",
      fmt::join(missing, ", "));
}

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

/// What is wrong with the damping of one of the pairs; empty when nothing is.
std::string fault_of_damping(const RunConfig& config) {
  const bool damped = config.dynamics == Dynamics::overdamped;
  for (const FrictionPair& pair : config.friction) {
    if (damped && pair.damping > 0.0) {
      return fmt::format(
          "[{}] has a damping, which is a ratio to masses that count for nothing here; allowed: "
          "damping 0, or `dynamics: inertial`",
          fmt::join(pair.between, ", "));
    }
    const std::string fault = fault_of_damping(pair, config.materials);
    if (!fault.empty()) return fault;
  }
  return {};
}

/// The first pair of materials that can meet and have such friction; null when there is none.
const FrictionPair* pair_with(const RunConfig& config, double FrictionPair::*friction) {
  const std::set<NamePair> meet = pairs_that_meet(config);
  for (const FrictionPair& pair : config.friction) {
    if (pair.between.size() == 2 && pair.*friction > 0.0 &&
        meet.contains(ordered(pair.between[0], pair.between[1]))) {
      return &pair;
    }
  }
  return nullptr;
}

std::string in_brackets(const FrictionPair& pair) {
  return fmt::format("[{}]", fmt::join(pair.between, ", "));
}

/// What is wrong with rolling or spinning friction under the law of the run; empty when nothing is.
std::string fault_of_rolling(const RunConfig& config) {
  if (config.solver.friction != FrictionLaw::box) return {};
  const FrictionPair* rolls = pair_with(config, &FrictionPair::rolling);
  const FrictionPair* spins = pair_with(config, &FrictionPair::spinning);
  if (rolls == nullptr && spins == nullptr) return {};
  return fmt::format(
      "{} has {} friction, which the law box, of each tangent by itself, does not know; allowed: "
      "rolling and spinning 0, or `friction: coulomb` or `associated` under `solver`",
      in_brackets(rolls != nullptr ? *rolls : *spins), rolls != nullptr ? "rolling" : "spinning");
}

/// Why the method is not one for contacts that resist rolling or spinning; empty when it is, and where none
/// does.
std::string fault_of_rolling_method(const RunConfig& config) {
  const FrictionPair* spins = pair_with(config, &FrictionPair::spinning);
  const FrictionPair* rolls = spins != nullptr ? spins : pair_with(config, &FrictionPair::rolling);
  if (rolls == nullptr) return {};
  ProblemTraits traits = traits_of(config.solver.friction);
  traits.cones = spins != nullptr ? kSetOf<cones::Spinning> : kSetOf<cones::Rolling>;
  const std::string fault = fault_of_method(config.solver.method, traits);
  if (fault.empty()) return {};
  return fmt::format("{} has {} friction; {}", in_brackets(*rolls),
                     spins != nullptr ? "spinning" : "rolling", fault);
}

/// Why the contact problems that are to be written cannot be; empty when they can.
std::string fault_of_dump(const RunConfig& config) {
  const FrictionPair* spins = pair_with(config, &FrictionPair::spinning);
  if (config.debug.fclib.every == 0 || spins == nullptr) return {};
  return fmt::format(
      "fclib.every: {} asks for FCLIB files, which have no cone for the spinning friction of {}; "
      "allowed: every 0, or spinning 0",
      config.debug.fclib.every, in_brackets(*spins));
}

void declare_dynamics(Declaration& d, Dynamics& dynamics) {
  static constexpr std::array<std::string_view, 2> kWords = {"inertial", "overdamped"};
  std::string word(kWords[dynamics == Dynamics::overdamped ? 1 : 0]);
  d.word(
      "dynamics", word, kWords,
      {.help = "inertial: forces accelerate; overdamped: forces move balls against the drag of a "
               "fluid, without inertia"});
  dynamics = word == "overdamped" ? Dynamics::overdamped : Dynamics::inertial;
}

bool all_balls(const RunConfig& config) {
  for (const GrainKind* kind : config.grain_kinds()) {
    for (const Population& one : kind->all_populations()) {
      if (!std::holds_alternative<Ball>(one.shape)) return false;
    }
  }
  return true;
}

/// Why grains of these shapes cannot meet @p tool; empty when they can.
std::string fault_of_shapes(const RunConfig& config, const ToolSpec& tool) {
  for (const GrainKind* kind : config.grain_kinds()) {
    for (const Population& one : kind->all_populations()) {
      const Shape shape = of_size(one.shape, 1.0);
      if (can_meet(shape, as_shape(tool.shape))) continue;
      return fmt::format(
          "{}: a {} meets no {}, of which \"{}\" has grains; allowed: planes and boxes, or grains "
          "of another shape",
          tool.name, type_of(as_shape(tool.shape)), type_of(shape), kind->name);
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

/// In the directions that repeat.
bool lies_in_cell(const Box3& region, const PeriodicCell& cell) {
  const Box3 box = cell.box();
  return (region.low.array() >= box.low.array()).all() &&
         (region.high.array() <= box.high.array()).all();
}

/// The files that rank 0 has read with a configuration, and their bytes.
using NamedFiles = std::map<std::filesystem::path, std::string>;

/// Reads from the disk what is not in @p files yet, and keeps it there.
ReadFile recorded(NamedFiles& files) {
  return [&files](const std::filesystem::path& file) -> std::string {
    const auto known = files.find(file);
    if (known != files.end()) return known->second;
    return files[file] = read_named_file(file);
  };
}

ReadFile from(const NamedFiles& files) {
  return [&files](const std::filesystem::path& file) -> std::string {
    const auto known = files.find(file);
    if (known != files.end()) return known->second;
    throw InputError(
        fmt::format("\"{}\" is not what rank 0 read; give an absolute path, or start all "
                    "ranks in one folder",
                    file.string()));
  };
}

/// Gives every rank those of rank 0. Collective.
NamedFiles broadcast(MPI_Comm comm, NamedFiles files) {
  const auto count = max_over_ranks(comm, static_cast<std::int64_t>(files.size()));
  NamedFiles all;
  for (std::int64_t i = 0; i < count; ++i) {
    NamedFiles::node_type next;
    if (!files.empty()) next = files.extract(files.begin());
    const std::string name = scree::broadcast(comm, next ? next.key().string() : std::string());
    all[name] = scree::broadcast(comm, next ? std::move(next.mapped()) : std::string());
  }
  return all;
}

/// What @p act throws as InputError; empty when nothing.
template <class Act>
std::string fault_of(const Act& act) {
  try {
    act();
    return {};
  } catch (const InputError& error) {
    return error.what();
  }
}

bool names_a_folder(const std::string& name) {
  return !name.empty() && name[0] != '.' && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  });
}

}  // namespace

void TimeOptions::declare(Declaration& d) {
  d.real("dt", dt, {.help = "time step", .unit = "s", .above = 0.0});
  d.real("end", end, {.help = "time at which the run ends", .unit = "s", .above = 0.0});
  d.require("end", end >= dt, fmt::format("is shorter than one step of {} s", dt));
  d.require("end", end / dt < 1e15, "means more steps than can be counted");
}

std::int64_t TimeOptions::n_steps() const {
  // A quotient that is whole but for rounding must not cost a step.
  return static_cast<std::int64_t>(std::ceil(end / dt * (1.0 - 1e-12)));
}

void ContactOptions::declare(Declaration& d) {
  stiffness.declare(d);
  d.real("recovery_speed", recovery_speed,
         {.help = "fastest speed at which overlap of rigid contacts, and the overlap with which "
                  "springs were placed, is undone; 0: a tenth of the "
                  "smallest radius "
                  "per step",
          .unit = "m/s",
          .min = 0.0});
}

void RunSolverOptions::declare(Declaration& d) {
  static constexpr std::array<std::string_view, 3> kLaws = {"coulomb", "associated", "box"};
  std::string law(to_string(friction));
  d.word("friction", law, kLaws,
         {.help = "law of friction: exact; relaxed to a convex problem that opens sliding "
                  "contacts; or each tangent by itself, within mu times the normal impulse"});
  for (const FrictionLaw each : {FrictionLaw::coulomb, FrictionLaw::associated, FrictionLaw::box}) {
    if (law == to_string(each)) friction = each;
  }
  SolverOptions::declare(d);
  d.integer("halvings", halvings,
            {.help = "how often at most a step that does not converge is cut in half, where "
                     "on_not_converged is halve",
             .min = 1,
             .max = 10});
  const std::string fault = fault_of_method(method, friction);
  d.require("method", fault.empty(), fault);
}

void SolveConfig::declare(Declaration& d) {
  d.object("solver", solver, {.help = "how contacts are solved"});
}

void FclibDumpOptions::declare(Declaration& d) {
  d.integer("every", every,
            {.help = "steps from one written contact problem to the next; 0: none", .min = 0});
  d.integer("not_converged", not_converged,
            {.help = "how many contact problems that were not solved are written", .min = 0});
}

void DebugOptions::declare(Declaration& d) {
  d.object("fclib", fclib, {.help = "contact problems as FCLIB files, for `scree solve`"});
}

void RunConfig::declare(Declaration& d) {
  d.text("name", name, {.help = "name of the run and of its folder"});
  d.object("time", time, {.help = "steps"});
  declare_dynamics(d, dynamics);
  d.vector("gravity", gravity, {.help = "acceleration of free bodies", .unit = "m/s^2"});
  d.optional_object("fluid", fluid, {.help = "viscous fluid that drags and bears balls"});
  d.optional_object("keep_inside", keep_inside,
                    {.help = "grains whose centre leaves this box are removed and counted"});
  d.named("removal_boxes", removal_boxes,
          {.help = "grains whose centre comes into one of these boxes are removed and counted"});
  d.object("periodic", periodic, {.help = "directions in which space repeats itself"});
  d.named("materials", materials, {.help = "materials by name", .required = true});
  d.list("friction", friction, {.help = "friction, and more, of each two materials that can meet"});
  d.named("bodies", bodies, {.help = "groups of grains by name, there at the start"});
  d.named("insertions", insertions, {.help = "grains that come in during the run, by name"});
  d.named("tools", tools, {.help = "walls and tools by name"});
  d.named("forces", forces, {.help = "external forces on grains by name; they add up"});
  d.object("contact", contact, {.help = "how contacts are posed"});
  d.object("solver", solver, {.help = "how contacts are solved"});
  d.object("balance", balance, {.help = "how space is shared among ranks"});
  d.object("output", output, {.help = "what is written"});
  d.object("debug", debug, {.help = "what is written to look into a run"});

  d.require("name", names_a_folder(name),
            fmt::format("\"{}\" cannot name a folder; allowed: letters, digits, _, - and .", name));
  d.require("bodies", !bodies.empty() || !insertions.empty(),
            "has no group, and there are no insertions; allowed: one or more of either");
  const bool damped = dynamics == Dynamics::overdamped;
  d.require("fluid", !fluid || all_balls(*this),
            "drags balls only, and there are grains of other shapes; allowed: balls, or no fluid");
  d.require("dynamics", !damped || fluid,
            "is overdamped, and nothing damps; allowed: a fluid, as in `fluid: {viscosity: 1e-3}`");
  d.require("friction", !damped || !bounces(*this),
            "has a restitution, but without inertia nothing bounces; allowed: restitution 0, or "
            "`dynamics: inertial`");
  d.require("insertions", falls(*this),
            "have a height, at which nothing rests without gravity, or in a fluid that is "
            "not lighter than the grains");
  const std::string friction_fault = fault_of_friction(*this);
  d.require("friction", friction_fault.empty(), friction_fault);
  const std::string damping_fault = fault_of_damping(*this);
  d.require("friction", damping_fault.empty(), damping_fault);
  const std::string rolling_fault = fault_of_rolling(*this);
  d.require("friction", rolling_fault.empty(), rolling_fault);
  const std::string method_fault = fault_of_rolling_method(*this);
  d.require("solver", !rolling_fault.empty() || method_fault.empty(), method_fault);
  const std::string dump_fault = fault_of_dump(*this);
  d.require("debug", dump_fault.empty(), dump_fault);
  for (const ToolSpec& tool : tools) {
    const std::string fault = fault_in_cell(tool, periodic.cell());
    d.require("tools", fault.empty(), fault);
    const std::string fault_of_pair = fault_of_shapes(*this, tool);
    d.require("tools", fault_of_pair.empty(), fault_of_pair);
  }
  for (const InsertionSpec& one : insertions) {
    d.require(
        "insertions", lies_in_cell(bounds_of(one.region), periodic.cell()),
        fmt::format("{}: its region leaves the periodic cell; allowed: one within it", one.name));
  }
  const auto say = [](const std::string& taken) {
    return fmt::format(
        "\"{}\" is also the name of a group of bodies or an insertion; allowed: another name",
        taken);
  };
  const std::string insertion = taken_name(*this, insertions);
  d.require("insertions", insertion.empty(), say(insertion));
  const std::string tool = taken_name(*this, tools, insertions);
  d.require("tools", tool.empty(), say(tool));
}

Medium RunConfig::medium() const {
  Medium medium{.inertia = dynamics == Dynamics::inertial};
  if (fluid) {
    medium.viscosity = fluid->viscosity;
    medium.density = fluid->density;
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

void RunConfig::load_files() {
  load_motions(tools);
}

RunConfig read_run_config(std::string_view text, const std::filesystem::path& file,
                          const Overrides& overrides, const ReadFile& read_file) {
  RunConfig config;
  read_yaml(text, file, overrides, config, read_file);
  number_hulls(config);
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
  text = broadcast(comm, std::move(text));
  files = broadcast(comm, std::move(files));
  refuse_together(comm, fault_of([&] {
                    if (!first) config = read_run_config(text, file, overrides, from(files));
                  }));
  return config;
}

}  // namespace scree
