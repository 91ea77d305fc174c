#include "scree/app/commands/check_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "app/checks/overlap.hpp"
#include "app/checks/softness.hpp"
#include "app/commands/shape_lines.hpp"
#include "app/run/observer_list.hpp"
#include "app/run/simulation.hpp"
#include "app/run/starting_grains.hpp"
#include "scree/base/parallel.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "scree/io/run_folder/run_folder.hpp"

namespace scree {
namespace {

/// The grains of a population, of all ranks.
struct GroupFigures {
  std::int64_t count = 0;
  double smallest = std::numeric_limits<double>::infinity();  ///< radius, m
  double largest = 0.0;                                       ///< radius, m
  double mass = 0.0;                                          ///< kg
  std::int64_t outside = 0;  ///< number of grains outside keep_inside
};

void add(GroupFigures& figures, const Body& body, const ShapeLibrary& shapes,
         const RunConfig& config) {
  const double radius = equal_volume_radius(body.shape, shapes);
  ++figures.count;
  figures.smallest = std::min(figures.smallest, radius);
  figures.largest = std::max(figures.largest, radius);
  figures.mass += body.density * volume(body.shape, shapes);
  if (config.keep_inside && !config.keep_inside->bounds().contains(body.position))
    ++figures.outside;
}

/// Collective.
GroupFigures over_ranks(MPI_Comm comm, const GroupFigures& local) {
  return {.count = sum_over_ranks(comm, local.count),
          .smallest = min_over_ranks(comm, local.smallest),
          .largest = max_over_ranks(comm, local.largest),
          .mass = sum_over_ranks(comm, local.mass),
          .outside = sum_over_ranks(comm, local.outside)};
}

/// Figures of each population, from each rank's share of the grains. Collective.
std::vector<GroupFigures> figures_of_populations(MPI_Comm comm, const RunConfig& config,
                                                 const StartingGrains& grains) {
  std::vector<GroupFigures> figures(config.population_names().size());
  for (const Body& body : grains.bodies) {
    add(figures[body.group], body, *grains.shapes, config);
  }
  for (GroupFigures& group : figures) group = over_ranks(comm, group);
  return figures;
}

std::string line(std::string_view label, std::string_view text) {
  return fmt::format("  {:<12}{}\n", label, text);
}

template <class... T>
std::string_view type_of(const std::variant<T...>& value) {
  return std::visit([](const auto& one) { return one.kType; }, value);
}

std::string time_in_words(const TimeOptions& time) {
  std::string text = fmt::format("{} s in {} steps of {} s", time.end, time.n_steps(), time.dt);
  if (time.is_auto) {
    text += fmt::format(", and of down to {:.3g} s while motions and impacts ask for it",
                        time.length_within(0.0));
  }
  const double last = static_cast<double>(time.n_steps()) * time.dt;
  if (last - time.end <= 1e-6 * time.dt) return text;
  return fmt::format("{}: the last ends at {:.9g} s, as {} s is no multiple", text, last, time.end);
}

std::string grains_in_words(const GroupFigures& figures) {
  return fmt::format("{} grains, radii {:.4g} to {:.4g} m, {:.4g} kg", figures.count,
                     figures.smallest, figures.largest, figures.mass);
}

std::string lines_of_bodies(const RunConfig& config, const std::vector<GroupFigures>& figures) {
  GroupFigures all;
  std::string lines;
  std::size_t i = 0;
  for (const BodyGroup& group : config.bodies) {
    const std::string held =
        group.fix.empty() ? "" : fmt::format(", held: {}", fmt::join(group.fix, ", "));
    const std::vector<std::string> materials = group.materials();
    const std::vector<std::string> names = group.population_names();
    for (std::size_t k = 0; k < names.size(); ++k, ++i) {
      all.count += figures[i].count;
      all.smallest = std::min(all.smallest, figures[i].smallest);
      all.largest = std::max(all.largest, figures[i].largest);
      all.mass += figures[i].mass;
      lines += line("", fmt::format("{}: {}, {}{}", names[k], grains_in_words(figures[i]),
                                    materials[k], held));
      const GrainShape& shape =
          k < group.populations.size() ? group.populations[k].shape : group.shape;
      for (const std::string& text : lines_of_shape(shape)) lines += line("", "  " + text);
      if (figures[i].outside > 0) {
        lines += line("", fmt::format("  {} of them start outside keep_inside and are removed",
                                      figures[i].outside));
      }
    }
  }
  return line("bodies", all.count > 0 ? grains_in_words(all) : "none at the start") + lines;
}

std::string lines_of_insertions(const RunConfig& config) {
  std::string lines;
  for (const InsertionSpec& insertion : config.insertions) {
    std::vector<std::string> ends;
    if (insertion.stop < kNever) ends.push_back(fmt::format("{} s", insertion.stop));
    if (insertion.count > 0) ends.push_back(fmt::format("{} grains", insertion.count));
    if (insertion.height < kNever) ends.push_back(fmt::format("a bed of {} m", insertion.height));
    lines += line(lines.empty() ? "insertions" : "",
                  fmt::format("{}: {} kg/s of {} from {} s until {}, radii {:.4g} to {:.4g} m",
                              insertion.name, insertion.rate,
                              fmt::join(insertion.materials(), " and "), insertion.start,
                              ends.empty() ? "the end" : fmt::format("{}", fmt::join(ends, " or ")),
                              insertion.smallest(), insertion.largest()));
  }
  return lines;
}

std::string lines_of_drives(const RunConfig& config) {
  std::string lines;
  if (config.dynamics != Dynamics::inertial) lines += line("dynamics", to_string(config.dynamics));
  if (config.fluid) {
    lines +=
        line("fluid", fmt::format("{} Pa s, {} kg/m^3, velocity [{}] m/s", config.fluid->viscosity,
                                  config.fluid->density, fmt::join(config.fluid->velocity, ", ")));
  }
  for (const ForceFieldSpec& field : config.forces) {
    lines += line(
        &field == &config.forces.front() ? "forces" : "",
        fmt::format("{}: force [{}], torque [{}] per {}", field.name, fmt::join(field.force, ", "),
                    fmt::join(field.torque, ", "), to_string(field.per)));
  }
  return lines;
}

std::string lines_of_tools(const RunConfig& config) {
  std::string lines = line("tools", fmt::format("{}", config.tools.size()));
  for (const ToolSpec& tool : config.tools) {
    lines += line("", fmt::format("{}: {}, {}, motion {}", tool.name, type_of(as_shape(tool.shape)),
                                  tool.material, type_of(tool.motion)));
    for (const std::string& text : lines_of_shape(tool.shape)) lines += line("", "  " + text);
  }
  return lines;
}

std::string lines_of_joints(const RunConfig& config) {
  std::string lines;
  for (const JointSpec& joint : config.joints) {
    const std::string of = joint.chain.empty()
                               ? fmt::format("between {}", fmt::join(joint.between, " and "))
                               : fmt::format("along {}", joint.chain);
    lines += line(lines.empty() ? "joints" : "",
                  fmt::format("{}: {} {}", joint.name, joint.type_name(), of));
  }
  for (const MotorSpec& motor : config.motors) {
    lines += line(&motor == &config.motors.front() ? "motors" : "",
                  fmt::format("{}: {} of {}", motor.name, type_of(motor.type), motor.joint));
  }
  return lines;
}

std::string lines_of_stages(const RunConfig& config) {
  std::string lines;
  for (const StageSpec& stage : config.stages) {
    std::vector<std::string> keys;
    for (const Setting& setting : stage.set) keys.push_back(setting.key);
    lines += line(lines.empty() ? "stages" : "",
                  fmt::format("{}: until {}{}", stage.name,
                              stage.until ? stage.until->in_words() : std::string("the end"),
                              keys.empty() ? std::string()
                                           : fmt::format("; sets {}", fmt::join(keys, ", "))));
  }
  return lines;
}

std::string lines_of_periodic(const PeriodicOptions& periodic) {
  std::vector<std::string> directions;
  const auto add = [&directions](char axis, const std::vector<double>& ends) {
    if (!ends.empty()) directions.push_back(fmt::format("{} [{}] m", axis, fmt::join(ends, ", ")));
  };
  add('x', periodic.x);
  add('y', periodic.y);
  add('z', periodic.z);
  if (directions.empty()) return {};
  return line("periodic", fmt::format("{}", fmt::join(directions, ", ")));
}

std::string in_words(const Material& material) {
  const std::string text = fmt::format("{} {} kg/m^3", material.name, material.density);
  if (material.elastic.rigid()) return text;
  return text + fmt::format(" (E {} Pa, nu {})", material.elastic.young_modulus,
                            material.elastic.poisson_ratio);
}

/// `gravel-steel 0.4 (restitution 0.2, rolling 0.001 m)`: what is not 0.
std::string in_words(const FrictionPair& pair) {
  std::vector<std::string> more;
  const auto add = [&more](std::string_view word, double value, std::string_view unit) {
    if (value > 0.0) more.push_back(fmt::format("{} {}{}", word, value, unit));
  };
  add("restitution", pair.restitution, "");
  add("rolling", pair.rolling, " m");
  add("spinning", pair.spinning, " m");
  add("cohesion", pair.cohesion, " N");
  add("to a gap of", pair.rupture_distance, " m");
  add("stiffness", pair.stiffness, " N/m");
  add("damping", pair.damping, "");
  const std::string names = fmt::format("{}", fmt::join(pair.between, "-"));
  if (pair.contact == PairContact::none) return names + " do not meet";
  std::string text = fmt::format("{} {}", names, pair.mu);
  if (!pair.mu_times.empty()) {
    text += fmt::format(", from {} s on by a table to {}", pair.mu_times.front(),
                        pair.mu_values.back());
  }
  return more.empty() ? text : text + fmt::format(" ({})", fmt::join(more, ", "));
}

std::string lines_of_materials(const RunConfig& config) {
  std::vector<std::string> materials;
  for (const Material& material : config.materials) materials.push_back(in_words(material));
  std::vector<std::string> friction;
  for (const FrictionPair& pair : config.friction) friction.push_back(in_words(pair));
  return line("materials", fmt::format("{}", fmt::join(materials, ", "))) +
         line("friction", fmt::format("{}", fmt::join(friction, ", ")));
}

}  // namespace

std::string summarise(MPI_Comm comm, const RunConfig& run) {
  RunConfig config = run.stages.empty() ? run : *run.stages.front().config;
  const StartingGrains grains = starting_grains(comm, config);
  const std::vector<GroupFigures> figures = figures_of_populations(comm, config, grains);
  const std::vector<std::string> softness = describe_softness(comm, config, grains);
  config.load_files();
  if (rank_of(comm) != 0) return {};
  const Vec3& g = config.gravity;
  std::string text;
  text += line("name", config.name);
  text += line("time", time_in_words(config.time));
  text += line("gravity", fmt::format("[{}, {}, {}] m/s^2", g.x(), g.y(), g.z()));
  text += lines_of_drives(config);
  text += lines_of_periodic(config.periodic);
  text += lines_of_materials(config);
  for (const std::string& pair : softness) {
    text += line(&pair == &softness.front() ? "softness" : "", pair);
  }
  text += lines_of_bodies(config, figures);
  text += lines_of_insertions(config);
  text += lines_of_tools(config);
  text += lines_of_joints(config);
  text += lines_of_stages(config);
  text +=
      line("solver", fmt::format("{}, friction {}, tolerance {}", config.solver.method,
                                 to_string(config.solver.friction), config.solver.stop.tolerance));
  // The directory is absolute after reading, so the folder that it was relative to is of no matter.
  const std::filesystem::path here = std::filesystem::current_path();
  text += line("output", run_directory(config.output.directory, config.name, here).string());
  return text;
}

int check_command(MPI_Comm comm, const CheckArguments& arguments) {
  const RunConfig config = load_run_config(comm, arguments.config, arguments.overrides);
  const std::string summary = summarise(comm, config);
  Simulation simulation(comm, config);
  refuse_unfit_bodies(simulation);
  const std::string overlap = overlap_at_start(simulation);
  if (rank_of(comm) != 0) return 0;
  fmt::print("{}: valid\n{}", arguments.config.string(), summary);
  if (!overlap.empty()) fmt::print(stderr, "scree: warning: {}\n", overlap);
  return 0;
}

}  // namespace scree
