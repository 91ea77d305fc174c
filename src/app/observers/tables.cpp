#include "tables.hpp"

#include "scree/app/step_records.hpp"
#include "scree/io/whole_file.hpp"

namespace scree {

/// @pre on the rank that speaks
void Tables::open(bool append) {
  steps_ = CsvWriter<StepRecord>(run_.folder.steps(), step_columns(), append);
  tools_ = CsvWriter<ToolRecord>(run_.folder.tools(), tool_columns(), append);
}

void Tables::start() {
  together(run_.comm(), [this] {
    if (run_.is_speaker()) open(false);
  });
}

void Tables::go_on() {
  together(run_.comm(), [this] {
    if (!run_.is_speaker()) return;
    cut_table(run_.folder.steps(), csv_header(step_columns()), run_.point());
    cut_table(run_.folder.tools(), csv_header(tool_columns()), run_.point());
    open(true);
  });
}

void Tables::after_part(const ObservedStep& part) {
  if (!part.last && part.result.clock.step % run_.config().output.csv.every != 0) return;
  together(run_.comm(), [&] {
    if (!run_.is_speaker()) return;
    steps_.write(part.record);
    for (const ToolRecord& tool : tool_records(run_.simulation, part.result)) tools_.write(tool);
  });
}

void Tables::to_disk() {
  together(run_.comm(), [this] {
    steps_.flush_to_disk();
    tools_.flush_to_disk();
  });
}

}  // namespace scree
