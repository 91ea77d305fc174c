#include "series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "line_fit.hpp"
#include "scree/base/check.hpp"
#include "scree/config/csv_table.hpp"

namespace scree::sweep {

TimeSeries column_of(const RunFolder& folder, const ColumnObservable& which) {
  const bool of_tool = !which.tool.empty();
  const std::filesystem::path file = of_tool ? folder.tools() : folder.steps();
  TimeSeries series;
  const auto take = [&](double time, double dt, double value) {
    if (!which.holds(time, dt)) return;
    series.time.push_back(time);
    series.dt.push_back(dt);
    series.value.push_back(value);
  };
  std::vector<std::string> columns{"time", "dt", which.column};
  if (of_tool) columns.emplace_back("tool");
  visit_csv_table(file, columns, [&](const CsvCells& row) {
    if (!of_tool || row.text(3) == which.tool) take(row.number(0), row.number(1), row.number(2));
  });
  if (series.value.empty()) {
    throw InputError(fmt::format("{}: there is no row{} after {} s and until {} s", file.string(),
                                 of_tool ? fmt::format(" of {}", which.tool) : "", which.from,
                                 which.to));
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
