#include "series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "line_fit.hpp"
#include "scree/app/run/followed.hpp"
#include "scree/base/check.hpp"
#include "scree/config/csv_table.hpp"

namespace scree::sweep {

namespace {

/// The table of an observable, and the rows that it takes of it.
struct RowsOf {
  std::filesystem::path file;
  std::string name_column;  ///< of what the rows are of; empty: all are taken
  std::string name;
};

RowsOf rows_of(const RunFolder& folder, const ColumnObservable& which) {
  if (!which.tool.empty()) return {folder.tools(), "tool", which.tool};
  if (which.grain.empty()) return {folder.steps(), "", ""};
  return {followed_table(folder), is_grain_id(which.grain) ? "id" : "group", which.grain};
}

}  // namespace

TimeSeries column_of(const RunFolder& folder, const ColumnObservable& which) {
  const RowsOf rows = rows_of(folder, which);
  TimeSeries series;
  std::vector<std::string> columns{"time", "dt", which.column};
  if (!rows.name_column.empty()) columns.push_back(rows.name_column);
  visit_csv_table(rows.file, columns, [&](const CsvCells& row) {
    if (!rows.name.empty() && row.text(3) != rows.name) return;
    const double time = row.number(0);
    const double dt = row.number(1);
    if (!which.holds(time, dt)) return;
    if (!which.grain.empty() && !series.time.empty() && time == series.time.back()) {
      throw InputError(
          fmt::format("{}: there are several rows of {} at {} s; name one grain by its "
                      "id",
                      rows.file.string(), rows.name, time));
    }
    series.time.push_back(time);
    series.dt.push_back(dt);
    series.value.push_back(row.number(2));
  });
  if (series.value.empty()) {
    throw InputError(fmt::format(
        "{}: there is no row{} after {} s and until {} s", rows.file.string(),
        rows.name.empty() ? "" : fmt::format(" of {}", rows.name), which.from, which.to));
  }
  return series;
}

double figure_of(const TimeSeries& series, std::string_view of) {
  if (of == "max") return std::ranges::max(series.value);
  if (of == "min") return std::ranges::min(series.value);
  if (of == "last") return series.value.back();
  const double time = std::accumulate(series.dt.begin(), series.dt.end(), 0.0);
  return std::inner_product(series.value.begin(), series.value.end(), series.dt.begin(), 0.0) /
         time;
}

double slope_of(const TimeSeries& series) {
  if (series.value.size() < 2) throw InputError("a slope needs two rows or more in the window");
  return slope_of_line(series.time, series.value);
}

}  // namespace scree::sweep
