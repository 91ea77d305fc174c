#include "scree/sweep/observable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "scree/app/run/followed.hpp"
#include "scree/app/run/records.hpp"
#include "scree/app/run/snapshot_options.hpp"
#include "scree/config/declaration.hpp"
#include "scree/config/suggest.hpp"
#include "scree/io/paraview/snapshot_grains.hpp"
#include "series.hpp"
#include "snapshot_figures.hpp"

namespace scree {
namespace {

constexpr std::array<std::string_view, 4> kOf = {"last", "mean", "max", "min"};

/// Adds the columns of numbers of a table to @p names: those that say something of any row. Texts
/// have no default, and the worst contact is empty in steps that were solved.
template <class Record>
void add_names(std::vector<std::string_view>& names, std::span<const Column<Record>> columns) {
  for (const Column<Record>& column : columns) {
    const bool is_number = !column.text(Record{}).empty();
    if (is_number && std::ranges::find(names, column.name) == names.end())
      names.push_back(column.name);
  }
}

template <class Record>
bool has(std::span<const Column<Record>> columns, std::string_view name) {
  return std::ranges::find(columns, name, &Column<Record>::name) != columns.end();
}

template <class Record>
std::string unit_in(std::span<const Column<Record>> columns, std::string_view name) {
  const auto found = std::ranges::find(columns, name, &Column<Record>::name);
  if (found == columns.end()) return {};
  // `as above`: the components of a vector have the unit of the first.
  return found->unit == "1" ? "" : std::string(found->unit);
}

std::string fault_of_window(const Window& window, const RunConfig& config) {
  if (window.from < config.time.end) return {};
  return fmt::format("from: {} s is not before the end of the run at {} s", window.from,
                     config.time.end);
}

/// Why the table of @p o has not its column; empty where it has.
std::string fault_of_table(const ColumnObservable& o) {
  const bool in_steps = has(step_columns(), o.column);
  const bool in_tools = has(tool_columns(), o.column);
  const bool is_there = !o.tool.empty()    ? in_tools
                        : !o.grain.empty() ? has(followed_columns(), o.column)
                                           : in_steps;
  if (is_there) return {};
  if (in_steps) {
    return fmt::format("{} is a column of steps.csv; allowed: without a `{}`", o.column,
                       o.tool.empty() ? "grain" : "tool");
  }
  if (in_tools) {
    return fmt::format("{} is a column of tools.csv; allowed: with the name of a `tool`", o.column);
  }
  return fmt::format("{} is a column of followed.csv; allowed: with a `grain`", o.column);
}

/// Why followed.csv has no rows of @p grain; empty where it has, or may have.
std::string fault_of_grain(const std::string& grain, const RunConfig& config) {
  const FollowedGrains followed = followed_grains(config);
  if (followed.empty()) {
    return "grain: the run follows no grains; name them in output.follow";
  }
  const std::vector<std::string> populations = config.population_names();
  std::vector<std::string> names;
  for (const std::int32_t one : followed.populations) {
    names.push_back(populations[static_cast<std::size_t>(one)]);
  }
  // an id may be one of a population's
  if (is_grain_id(grain) && !names.empty()) return {};
  for (const std::int64_t id : followed.ids) names.push_back(std::to_string(id));
  if (std::ranges::find(names, grain) != names.end()) return {};
  const std::vector<std::string_view> known(names.begin(), names.end());
  return fmt::format("grain: \"{}\" is none of those that output.follow names; {}", grain,
                     suggestion_and_list(grain, known));
}

struct Fault {
  const RunConfig& config;

  std::string operator()(const ColumnObservable& o) const {
    std::vector<std::string_view> tools;
    for (const ToolSpec& tool : config.tools) tools.push_back(tool.name);
    if (!o.tool.empty() && std::ranges::find(tools, o.tool) == tools.end()) {
      return fmt::format("tool: \"{}\" is none of the tools; {}", o.tool,
                         suggestion_and_list(o.tool, tools));
    }
    const std::string fault = o.grain.empty() ? std::string() : fault_of_grain(o.grain, config);
    return fault.empty() ? fault_of_window(o, config) : fault;
  }
  std::string operator()(const DischargeRate& o) const {
    if (config.removal_boxes.empty())
      return "the run has no removal_boxes, into which grains are discharged";
    return fault_of_window(o, config);
  }
  template <class OfSnapshot>
  std::string operator()(const OfSnapshot&) const {
    const auto& snapshots = config.output.of<SnapshotOptions>();
    if (!snapshots.end)
      return "the run writes no snapshot at its end: output.snapshots.end is false";
    for (const std::string_view array : kArraysOfGrains) {
      if (snapshots.content.has(array)) continue;
      return fmt::format("needs the array {}; name it in output.snapshots.arrays", array);
    }
    return "";
  }
};

}  // namespace

void Window::declare(Declaration& d) {
  d.real("from", from, {.help = "only rows that end after this time", .unit = "s", .min = 0.0});
  d.real("to", to, {.help = "only rows that end until this time", .unit = "s", .above = 0.0});
  d.require("to", to > from, "is not after from");
}

void ColumnObservable::declare(Declaration& d) {
  static const std::vector<std::string_view> kColumns = [] {
    std::vector<std::string_view> names;
    add_names(names, step_columns());
    add_names(names, tool_columns());
    add_names(names, followed_columns());
    return names;
  }();
  d.text("tool", tool,
         {.help = "name of a tool or wall: the column is one of its rows of tools.csv; empty: of "
                  "steps.csv"});
  d.text("grain", grain,
         {.help = "id of a grain that output.follow names, or the population of the only one "
                  "followed in it: the column is one of its rows of followed.csv; empty: none"});
  d.word("column", column, kColumns, {.help = "name of the column", .required = true});
  d.word("of", of, kOf, {.help = "which number of the rows; mean is that over time"});
  Window::declare(d);
  d.require("grain", tool.empty() || grain.empty(),
            "and tool are given, and a column is of one table; allowed: one of the two");
  const std::string fault = fault_of_table(*this);
  d.require("column", fault.empty(), fault);
}

void AngleOfRepose::declare(Declaration& d) {
  static constexpr std::array<std::string_view, 2> kAxes = {"x", "y"};
  d.word("along", along, kAxes, {.help = "direction of the slope"});
  d.real("from", from, {.help = "where the line begins", .unit = "m", .required = true});
  d.real("to", to, {.help = "where it ends", .unit = "m", .required = true});
  d.real("cell", cell,
         {.help = "edge of the cells of the surface; 0: the largest diameter of a grain",
          .unit = "m",
          .min = 0.0});
  d.require("to", to > from, "is not beyond from");
}

void ObservableSpec::declare(Declaration& d) {
  d.one_of("", what, {.help = "quantity that is taken of each run"});
}

std::string ObservableSpec::unit() const {
  if (const auto* column = std::get_if<ColumnObservable>(&what)) {
    if (!column->grain.empty()) return unit_in(followed_columns(), column->column);
    return column->tool.empty() ? unit_in(step_columns(), column->column)
                                : unit_in(tool_columns(), column->column);
  }
  if (std::holds_alternative<AngleOfRepose>(what)) return "degrees";
  return std::holds_alternative<DischargeRate>(what) ? "kg/s" : "";
}

std::string fault_of_observable(const ObservableSpec& spec, const RunConfig& config) {
  const std::string fault = std::visit(Fault{config}, spec.what);
  return fault.empty() ? "" : fmt::format("observables.{}: {}", spec.name, fault);
}

double observe(const ObservableSpec& spec, const RunFolder& folder, const PeriodicCell& cell) {
  struct Observe {
    const RunFolder& folder;
    const PeriodicCell& cell;
    double operator()(const ColumnObservable& o) const {
      return sweep::figure_of(sweep::column_of(folder, o), o.of);
    }
    double operator()(const DischargeRate& o) const {
      ColumnObservable mass;
      static_cast<Window&>(mass) = o;
      mass.column = "discharged_mass";
      return sweep::slope_of(sweep::column_of(folder, mass));
    }
    double operator()(const PackingFraction& o) const {
      return sweep::packing_fraction(folder, cell, o.bounds());
    }
    double operator()(const AngleOfRepose& o) const {
      return angle_of_surface(sweep::free_grains(folder), o);
    }
  };
  return std::visit(Observe{folder, cell}, spec.what);
}

}  // namespace scree
