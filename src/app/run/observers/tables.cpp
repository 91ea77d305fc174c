#include "tables.hpp"

#include <fmt/format.h>

#include "app/run/step_records.hpp"
#include "scree/io/run_folder/whole_file.hpp"

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

/// @pre on the rank that speaks
template <class Record>
void Tables::go_on(const std::filesystem::path& path, std::span<const Column<Record>> columns,
                   std::int64_t rows) {
  const std::string header = csv_header(columns);
  const std::string missing = missing_rows(
      kept_of_table(path, header, run_.point()),
      {.steps = run_.point().steps, .every = run_.config().output.csv.every, .rows = rows});
  if (!missing.empty() && run_.same_rows)
    run_.progress.warning(fmt::format("{}: {}", path.string(), missing));
  cut_table(path, header, run_.point());
}

void Tables::go_on() {
  together(run_.comm(), [this] {
    if (!run_.is_speaker()) return;
    go_on(run_.folder.steps(), step_columns(), 1);
    go_on(run_.folder.tools(), tool_columns(),
          static_cast<std::int64_t>(run_.config().tools.size()));
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
