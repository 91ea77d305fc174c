#include "scree/io/output_options.hpp"

#include <cmath>

namespace scree {

void SnapshotOptions::declare(Declaration& d) {
  d.real("every", every,
         {.help = "simulated time from one snapshot to the next; 0: only at start and end",
          .unit = "s",
          .min = 0.0});
  d.flag("start", start, {.help = "write a snapshot before the first step"});
  d.flag("end", end, {.help = "write a snapshot after the last step"});
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
  d.object("csv", csv, {.help = "the tables steps.csv and tools.csv"});
  d.real("log_interval", log_interval,
         {.help = "wall-clock time from one line of the log to the next; 0: every step",
          .unit = "s",
          .min = 0.0});
}

bool SnapshotSchedule::due(double time, double dt, bool last) {
  bool reached = false;
  if (options_.every > 0.0) {
    const auto behind =
        static_cast<std::int64_t>(std::floor((time - start_ + 0.5 * dt) / options_.every));
    reached = behind > written_;
    written_ = std::max(written_, behind);
  }
  return reached || (last && options_.end);
}

}  // namespace scree
