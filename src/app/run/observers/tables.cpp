#include "tables.hpp"

#include <fmt/format.h>

#include "app/run/step_records.hpp"
#include "scree/config/declaration.hpp"
#include "scree/io/run_folder/whole_file.hpp"

namespace scree {

void CsvOptions::declare(Declaration& d) {
  d.integer(
      "every", every,
      {.help = "steps from one row of steps.csv, tools.csv, joints.csv, pairs.csv and followed.csv "
               "to the next",
       .min = 1});
}

bool has_rows(const ObservedRun& run, const ObservedStep& part) {
  return part.last || part.result.clock.step % run.config().output.of<CsvOptions>().every == 0;
}

void go_on_with_table(const ObservedRun& run, const std::filesystem::path& path,
                      const std::string& header, std::int64_t rows, std::string_view section) {
  const RunPoint point = run.point();
  const std::string missing = missing_rows(
      kept_of_table(path, header, point),
      {.steps = point.steps, .every = run.config().output.of<CsvOptions>().every, .rows = rows});
  const bool same_rows = !run.has_changed("output.csv") && !run.has_changed(section);
  if (!missing.empty() && same_rows)
    run.progress.warning(fmt::format("{}: {}", path.string(), missing));
  cut_table(path, header, point);
}

void Tables::declare(Declaration& d, Options& options) {
  d.object("csv", options, {.help = "the tables steps.csv and tools.csv"});
}

void Tables::add_files(const RunFolder& folder, RunFiles& files) {
  files.single.push_back(folder.steps());
  files.single.push_back(folder.tools());
}

void Tables::check_files(const RunFolder& folder, const RunConfig& /*config*/,
                         const RunPoint& point) {
  static_cast<void>(kept_of_table(folder.steps(), csv_header(step_columns()), point));
  static_cast<void>(kept_of_table(folder.tools(), csv_header(tool_columns()), point));
}

std::vector<TableHelp> Tables::tables() {
  return {table_help("steps.csv", "table of steps", step_columns()),
          table_help("tools.csv", "table of forces on tools", tool_columns())};
}

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
    go_on_with_table(run_, run_.folder.steps(), csv_header(step_columns()), 1, "output.csv");
    go_on_with_table(run_, run_.folder.tools(), csv_header(tool_columns()),
                     static_cast<std::int64_t>(run_.config().tools.size()), "output.csv");
    open(true);
  });
}

void Tables::after_part(const ObservedStep& part) {
  if (!has_rows(run_, part)) return;
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
