#include "scree/app/run/records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "scree/io/tables/csv.hpp"
#include "scree/step/constraints.hpp"
#include "scree/step/impact.hpp"

namespace scree {
namespace {

using Step = StepRecord;
using Tool = ToolRecord;

/// The figure of the worst contact by @p get; empty where there is none.
template <class Get>
std::string of_worst(const Step& record, Get&& get) {
  return record.worst ? csv_text(get(*record.worst)) : std::string();
}

/// The figure of the worst where that is a contact; empty where it is a joint.
template <class Get>
std::string of_worst_contact(const Step& record, Get&& get) {
  return record.worst && record.worst->is_contact ? of_worst(record, get) : std::string();
}

using StepColumns = std::vector<Column<Step>>;

StepColumns columns_until_iterations() {
  return {
      {"time", "s", "simulated time at the end of the step",
       [](const Step& r) { return csv_text(r.time); }},
      {"step", "1", "number of the step, from 1", [](const Step& r) { return csv_text(r.step); }},
      {"dt", "s", "length of the step, or of the part where it was cut",
       [](const Step& r) { return csv_text(r.dt); }},
      {"stage", "1", "stage of the run in which it was taken, from 1; 1 where there are none",
       [](const Step& r) { return csv_text(r.stage); }},
      {"bodies", "1", "grains", [](const Step& r) { return csv_text(r.bodies); }},
      {"contacts", "1", "potential contacts: cones of the problem, one a point of a pair",
       [](const Step& r) { return csv_text(r.contacts); }},
      {"active_contacts", "1",
       "pairs of bodies whose normal impulse, of all points, exceeds 1e-3 of the mean one",
       [](const Step& r) { return csv_text(r.active_contacts); }},
      {"solver", "", "method that gave the impulses",
       [](const Step& r) { return csv_text(r.solver); }},
      {"iterations", "1", "iterations of the method",
       [](const Step& r) { return csv_text(r.iterations); }},
      {"inner_iterations", "1", "Krylov iterations within them",
       [](const Step& r) { return csv_text(r.inner_iterations); }},
  };
}

StepColumns columns_of_solution() {
  return {
      {"status", "", "how the solve ended", [](const Step& r) { return csv_text(r.status); }},
      {"reason", "",
       "methods that ran, in their order, and how each ended: nsgs:stagnated>pac:converged; "
       "run.log has the details of a step that was not solved",
       [](const Step& r) { return csv_text(r.reason); }},
      {"residual", "1", "natural map, relative; solver.tolerance bounds it",
       [](const Step& r) { return csv_text(r.measures.residual); }},
      {"velocity_error", "m/s", "its absolute companion, the largest of all contacts",
       [](const Step& r) { return csv_text(r.measures.velocity_error); }},
      {"dilation", "m/s", "mean normal velocity of loaded contacts: zero for exact friction",
       [](const Step& r) { return csv_text(r.measures.dilation); }},
      {"cost", "J", "size of lambda . u~ over the number of contacts",
       [](const Step& r) { return csv_text(r.measures.cost); }},
      {"feasibility", "SI", "largest violation of either cone",
       [](const Step& r) { return csv_text(r.measures.feasibility); }},
      {"error", "SI", "larger of cost and feasibility",
       [](const Step& r) { return csv_text(r.measures.error); }},
  };
}

StepColumns columns_after_impacts() {
  return {
      {"worst_grain", "1",
       "in a step that was not solved, the id of the grain of the contact that is furthest from "
       "its law, if that is a contact; else empty, as the next four",
       [](const Step& r) { return of_worst_contact(r, [](const auto& w) { return w.grain; }); }},
      {"worst_other", "",
       "the grain, wall or tool that it touches there; `joint NAME` or `motor NAME` where that is "
       "further from its law than any contact",
       [](const Step& r) { return of_worst(r, [](const auto& w) { return w.other; }); }},
      {"worst_x", "m", "where that contact is",
       [](const Step& r) {
         return of_worst_contact(r, [](const auto& w) { return w.where.x(); });
       }},
      {"worst_y", "m", "likewise",
       [](const Step& r) {
         return of_worst_contact(r, [](const auto& w) { return w.where.y(); });
       }},
      {"worst_z", "m", "likewise",
       [](const Step& r) {
         return of_worst_contact(r, [](const auto& w) { return w.where.z(); });
       }},
      {"penetration", "1",
       "largest overlap over the smaller radius of the pair, at the start of the step, less the "
       "compression of its spring",
       [](const Step& r) { return csv_text(r.penetration); }},
      {"compression", "1",
       "largest compression of a spring at the end of the step, over the smaller radius of the "
       "pair",
       [](const Step& r) { return csv_text(r.compression); }},
      {"projected_overlap", "1",
       "deepest overlap of rigid bodies that the step found and moved its grains out of, over the "
       "smaller radius of the pair; 0 where none was beyond 1e-3 of the smallest radius",
       [](const Step& r) { return csv_text(r.projected.overlap); }},
      {"projection_shift", "m", "longest way of a body's centre in that",
       [](const Step& r) { return csv_text(r.projected.shift); }},
      {"projection_work", "J", "work of weight, `forces` and loads along these ways",
       [](const Step& r) { return csv_text(r.projected.work); }},
      {"kinetic_energy", "J",
       "of all grains and free tools; in overdamped runs of their speeds alone, and no part of a "
       "balance",
       [](const Step& r) { return csv_text(r.kinetic_energy); }},
      {"potential_energy", "J",
       "of all grains and free tools in gravity, less buoyancy, from the origin",
       [](const Step& r) { return csv_text(r.potential_energy); }},
      {"field_power", "W",
       "of `forces` on the grains and of tools' loads, at the mean velocity of the step "
       "(overdamped: at its velocity)",
       [](const Step& r) { return csv_text(r.field_power); }},
      {"drag_power", "W", "of the fluid on the grains, likewise: negative where it dissipates",
       [](const Step& r) { return csv_text(r.drag_power); }},
      {"inserted", "1", "grains that came in by insertions, since the start",
       [](const Step& r) { return csv_text(r.inserted); }},
      {"inserted_mass", "kg", "of those", [](const Step& r) { return csv_text(r.inserted_mass); }},
      {"waiting_mass", "kg",
       "mass that is due to come in, and has no room or is not yet a whole grain",
       [](const Step& r) { return csv_text(r.waiting_mass); }},
      {"removed", "1", "grains that left keep_inside, since the start",
       [](const Step& r) { return csv_text(r.removed.left); }},
      {"discharged", "1", "grains that came into a removal box, since the start",
       [](const Step& r) { return csv_text(r.removed.discharged); }},
      {"discharged_mass", "kg", "of those",
       [](const Step& r) { return csv_text(r.removed.discharged_mass); }},
      {"seconds_domain", "s",
       "wall clock of partition, migration, prediction, ghosts and numbering",
       [](const Step& r) { return csv_text(r.seconds.domain); }},
      {"seconds_contacts", "s", "wall clock of contact detection",
       [](const Step& r) { return csv_text(r.seconds.contacts); }},
      {"seconds_assemble", "s", "wall clock of assembling the problem",
       [](const Step& r) { return csv_text(r.seconds.assemble); }},
      {"seconds_solve", "s", "wall clock of the solver",
       [](const Step& r) { return csv_text(r.seconds.solve); }},
      {"seconds_advance", "s", "wall clock of new positions",
       [](const Step& r) { return csv_text(r.seconds.advance); }},
      {"seconds_output", "s", "wall clock of files, of the step before",
       [](const Step& r) { return csv_text(r.seconds.output); }},
      {"seconds_step", "s", "wall clock of the step",
       [](const Step& r) { return csv_text(r.seconds.step); }},
      {"imbalance", "1", "heaviest rank's load over the mean",
       [](const Step& r) { return csv_text(r.imbalance); }},
      {"ghosts", "1", "copies of grains on other ranks",
       [](const Step& r) { return csv_text(r.ghosts); }},
      {"migrated", "1", "grains that changed their rank",
       [](const Step& r) { return csv_text(r.migrated); }},
      {"messages", "1", "messages that moved bodies and ghosts between ranks in the step",
       [](const Step& r) { return csv_text(r.messages); }},
      {"bytes", "B", "bytes of those messages", [](const Step& r) { return csv_text(r.bytes); }},
  };
}

/// The columns of figures, which a record has by their names.
StepColumns of_figures(const std::vector<FigureColumn>& figures) {
  StepColumns columns;
  for (const FigureColumn& one : figures) {
    columns.push_back({one.name, one.unit, one.help,
                       [name = one.name](const Step& r) { return csv_text(r.figures.of(name)); }});
  }
  return columns;
}

StepColumns all_step_columns() {
  StepColumns all;
  for (StepColumns& part :
       std::array{columns_until_iterations(), of_figures(constraint_columns()),
                  columns_of_solution(), of_figures(impact_columns()), columns_after_impacts()}) {
    std::ranges::move(part, std::back_inserter(all));
  }
  return all;
}

std::vector<Column<Tool>> all_tool_columns() {
  return {
      {"time", "s", "simulated time at the end of the step",
       [](const Tool& r) { return csv_text(r.time); }},
      {"step", "1", "number of the step, from 1", [](const Tool& r) { return csv_text(r.step); }},
      {"dt", "s", "length of the step, or of the part where it was cut",
       [](const Tool& r) { return csv_text(r.dt); }},
      {"tool", "", "name of the tool or wall", [](const Tool& r) { return csv_text(r.tool); }},
      {"force_x", "N", "force of the grains on the tool: impulse of the step over dt, world frame",
       [](const Tool& r) { return csv_text(r.force.x()); }},
      {"force_y", "N", "", [](const Tool& r) { return csv_text(r.force.y()); }},
      {"force_z", "N", "", [](const Tool& r) { return csv_text(r.force.z()); }},
      {"torque_x", "N m", "torque of the grains on the tool about its position, world frame",
       [](const Tool& r) { return csv_text(r.torque.x()); }},
      {"torque_y", "N m", "", [](const Tool& r) { return csv_text(r.torque.y()); }},
      {"torque_z", "N m", "", [](const Tool& r) { return csv_text(r.torque.z()); }},
      {"position_x", "m", "the tool's position",
       [](const Tool& r) { return csv_text(r.position.x()); }},
      {"position_y", "m", "", [](const Tool& r) { return csv_text(r.position.y()); }},
      {"position_z", "m", "", [](const Tool& r) { return csv_text(r.position.z()); }},
      {"velocity_x", "m/s", "the tool's velocity",
       [](const Tool& r) { return csv_text(r.velocity.x()); }},
      {"velocity_y", "m/s", "", [](const Tool& r) { return csv_text(r.velocity.y()); }},
      {"velocity_z", "m/s", "", [](const Tool& r) { return csv_text(r.velocity.z()); }},
      {"contacts", "1", "potential contacts of the tool",
       [](const Tool& r) { return csv_text(r.contacts); }},
  };
}

}  // namespace

std::string worst_in_words(const StepRecord& record) {
  if (!record.worst) return {};
  const WorstRecord& worst = *record.worst;
  if (!worst.is_contact) return ", worst " + worst.other;
  return fmt::format(", worst between grain {} and {} at ({:.4g}, {:.4g}, {:.4g}) m", worst.grain,
                     worst.other, worst.where.x(), worst.where.y(), worst.where.z());
}

std::span<const Column<StepRecord>> step_columns() {
  static const StepColumns columns = all_step_columns();
  return columns;
}

std::span<const Column<ToolRecord>> tool_columns() {
  static const std::vector<Column<Tool>> columns = all_tool_columns();
  return columns;
}

}  // namespace scree
