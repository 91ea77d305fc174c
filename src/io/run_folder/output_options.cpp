#include "scree/io/run_folder/output_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "scree/config/declaration.hpp"

namespace scree {

namespace {

std::int64_t n_cells_of(const std::vector<FieldOptions>& fields) {
  std::int64_t n = 0;
  for (const FieldOptions& one : fields) n += one.grid.n_cells();
  return n;
}

}  // namespace

void SnapshotOptions::declare(Declaration& d) {
  d.real("every", every,
         {.help = "simulated time from one snapshot to the next; 0: only at start and end",
          .unit = "s",
          .min = 0.0});
  d.flag("start", start, {.help = "write a snapshot before the first step"});
  d.flag("end", end, {.help = "write a snapshot after the last step"});
  d.words("arrays", content.arrays, kSnapshotArrays,
          {.help = "arrays of grains besides position, id and radius"});
  d.enumeration(
      "precision", content.precision,
      {.help =
           "numbers of grains but for positions, which are double; checkpoints are always exact"});
}

void ContactFileOptions::declare(Declaration& d) {
  d.real("every", every,
         {.help = "simulated time from one file of loaded contacts to the next; 0: never",
          .unit = "s",
          .min = 0.0});
}

void CheckpointOptions::declare(Declaration& d) {
  d.real("every", every,
         {.help = "simulated time from one checkpoint to the next; 0: not by it",
          .unit = "s",
          .min = 0.0});
  d.real("wall_every", wall_every,
         {.help = "wall-clock time from one checkpoint to the next; 0: not by it",
          .unit = "s",
          .min = 0.0});
  d.flag("end", end, {.help = "write a checkpoint after the last step"});
  d.integer("keep", keep, {.help = "how many are kept: the newest", .min = 1});
}

void CsvOptions::declare(Declaration& d) {
  d.integer("every", every,
            {.help = "steps from one row of steps.csv and tools.csv to the next", .min = 1});
}

void OutputOptions::declare(Declaration& d) {
  d.path("directory", directory,
         {.help = "folder of the run, relative to this file; empty: output/NAME in the folder "
                  "where scree is started",
          .must_exist = false});
  d.flag("overwrite", overwrite, {.help = "replace the run that the folder may hold already"});
  d.object("snapshots", snapshots, {.help = "snapshots of all bodies, which ParaView opens"});
  d.object("contacts", contacts,
           {.help = "loaded contacts as lines with their forces, which ParaView opens"});
  d.object("checkpoints", checkpoints, {.help = "states from which a run can be continued"});
  d.object("csv", csv, {.help = "the tables steps.csv and tools.csv"});
  d.named(
      "fields", fields,
      {.help = "coarse-grained fields by name: density, velocity, stress on a grid, averaged in "
               "time"});
  d.require("fields", n_cells_of(fields) <= FieldGridOptions::kMostCells,
            fmt::format("have {} cells together; allowed: at most {}, which each rank keeps",
                        n_cells_of(fields), FieldGridOptions::kMostCells));
  d.real("log_interval", log_interval,
         {.help = "wall-clock time from one line of the log to the next; 0: every step",
          .unit = "s",
          .min = 0.0});
}

std::int64_t Schedule::multiples(double time, double dt) const {
  if (every_ <= 0.0) return 0;
  return static_cast<std::int64_t>(std::floor((time + 0.5 * dt) / every_));
}

bool Schedule::due(double time, double dt) {
  const std::int64_t behind = std::max(behind_, multiples(time, dt));
  return std::exchange(behind_, behind) < behind;
}

}  // namespace scree
