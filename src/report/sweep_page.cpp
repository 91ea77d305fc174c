#include "scree/report/sweep_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "page_head.hpp"
#include "scree/base/check.hpp"
#include "scree/config/reader.hpp"
#include "scree/io/tables/markup.hpp"
#include "scree/io/tables/results_table.hpp"
#include "scree/io/version.hpp"
#include "scree/report/report_page.hpp"
#include "svg.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;
using Numbers = std::vector<double>;
using Columns = std::vector<const ResultsColumn*>;

constexpr std::size_t kMostCurves = 8;
constexpr std::size_t kMostRows = 500;
constexpr double kLogarithmicFrom =
    30.0;  ///< largest over least value, from which an axis of positive numbers is so

Columns columns_of(const ResultsTable& table, std::string_view group) {
  Columns columns;
  for (const ResultsColumn& column : table.columns) {
    if (column.group == group) columns.push_back(&column);
  }
  return columns;
}

const ResultsColumn& column_named(const ResultsTable& table, std::string_view name) {
  const auto found = std::ranges::find(table.columns, name, &ResultsColumn::name);
  if (found == table.columns.end())
    throw InputError(fmt::format("results.h5: there is no column {}", name));
  return *found;
}

std::string cell(const ResultsColumn& column, std::size_t row) {
  if (const Numbers* numbers = std::get_if<Numbers>(&column.values)) {
    return std::isnan((*numbers)[row]) ? "" : fmt::format("{:.5g}", (*numbers)[row]);
  }
  return std::get<std::vector<std::string>>(column.values)[row];
}

/// Several numbers?
bool varies(const ResultsColumn& column) {
  const Numbers* numbers = std::get_if<Numbers>(&column.values);
  return numbers != nullptr &&
         std::ranges::any_of(*numbers, [&](double v) { return v != numbers->front(); });
}

/// The other parameters of a row in words, after which its curve is named.
std::string name_of_curve(const Columns& parameters, const ResultsColumn* along, std::size_t row) {
  std::string name;
  for (const ResultsColumn* each : parameters) {
    if (each != along)
      name += fmt::format("{}{} {}", name.empty() ? "" : ", ", each->name, cell(*each, row));
  }
  return name;
}

/// The values of a curve at each place.
using Curve = std::map<double, Numbers>;

svg::Series series_of(const Curve& curve) {
  svg::Series series{.name = "", .x = {}, .y = {}, .dots = true};
  for (const auto& [x, values] : curve) {
    double sum = 0.0;
    for (const double value : values) sum += value;
    series.x.push_back(x);
    series.y.push_back(sum / static_cast<double>(values.size()));
    series.low.push_back(std::ranges::min(values));
    series.high.push_back(std::ranges::max(values));
  }
  return series;
}

std::string with_unit(const ResultsColumn& column) {
  return column.unit.empty() ? column.name : fmt::format("{}, {}", column.name, column.unit);
}

bool is_wide(const Numbers& values) {
  const auto [least, largest] = std::ranges::minmax(values);
  return least > 0.0 && largest >= kLogarithmicFrom * least;
}

/// Curves by their names, in the order in which rows name them first.
std::vector<std::pair<std::string, Curve>> curves(const Columns& parameters,
                                                  const ResultsColumn& along,
                                                  const ResultsColumn& observable) {
  const Numbers& x = std::get<Numbers>(along.values);
  const Numbers& y = std::get<Numbers>(observable.values);
  std::vector<std::pair<std::string, Curve>> result;
  for (std::size_t row = 0; row < x.size(); ++row) {
    if (!std::isfinite(y[row])) continue;
    const std::string name = name_of_curve(parameters, &along, row);
    auto found = std::ranges::find(result, name, &std::pair<std::string, Curve>::first);
    if (found == result.end()) found = result.insert(result.end(), {name, {}});
    found->second[x[row]].push_back(y[row]);
  }
  return result;
}

/// All curves as one.
std::vector<std::pair<std::string, Curve>> merged(
    const std::vector<std::pair<std::string, Curve>>& many) {
  Curve all;
  for (const auto& [name, curve] : many) {
    for (const auto& [x, values] : curve) all[x].insert(all[x].end(), values.begin(), values.end());
  }
  return {{fmt::format("mean, least and largest over the other parameters, which make {} curves",
                       many.size()),
           all}};
}

std::string plot(const Columns& parameters, const ResultsColumn& along,
                 const ResultsColumn& observable) {
  auto all = curves(parameters, along, observable);
  if (all.size() > kMostCurves) all = merged(all);
  svg::Plot drawing{
      along.name, with_unit(observable), false, {}, is_wide(std::get<Numbers>(along.values))};
  std::string legend;
  for (const auto& [name, curve] : all) {
    legend += fmt::format("<span style=\"color:{}\">{}{}</span> ",
                          svg::colour_of_curve(drawing.series.size()),
                          name.empty() ? "" : "&#9679; ", escaped(name));
    drawing.series.push_back(series_of(curve));
  }
  return svg::draw(drawing) + fmt::format("<p>{}</p>\n", legend);
}

std::string plots(const ResultsTable& table) {
  const Columns parameters = columns_of(table, "parameters");
  std::string text;
  for (const ResultsColumn* observable : columns_of(table, "observables")) {
    text += fmt::format("<h2>{}</h2>\n", escaped(observable->name));
    for (const ResultsColumn* along : parameters) {
      if (varies(*along)) text += plot(parameters, *along, *observable);
    }
  }
  return text;
}

std::string table_of_cases(const ResultsTable& table) {
  Columns columns;
  for (const std::string_view group : {"cases", "parameters", "repeats", "observables"}) {
    const Columns more = columns_of(table, group);
    columns.insert(columns.end(), more.begin(), more.end());
  }
  columns.push_back(&column_named(table, "seconds"));
  std::string text = "<h2>Cases</h2>\n<div style=\"overflow-x:auto\"><table><tr>";
  for (const ResultsColumn* column : columns)
    text += fmt::format("<th>{}</th>", escaped(with_unit(*column)));
  text += "</tr>\n";
  for (std::size_t row = 0; row < std::min(table.rows(), kMostRows); ++row) {
    text += "<tr>";
    for (const ResultsColumn* column : columns)
      text += fmt::format("<td>{}</td>", escaped(cell(*column, row)));
    text += "</tr>\n";
  }
  text += "</table></div>\n";
  if (table.rows() > kMostRows)
    text += fmt::format("<p>and {} more, in results.csv</p>\n", table.rows() - kMostRows);
  return text;
}

std::string counts(const ResultsTable& table) {
  std::map<std::string, std::size_t> count;
  for (const std::string& status :
       std::get<std::vector<std::string>>(column_named(table, "status").values))
    ++count[status];
  std::vector<std::string> words;
  for (const auto& [status, n] : count) words.push_back(fmt::format("{} {}", n, status));
  return fmt::format("<p>{} cases: {}</p>\n", table.rows(), fmt::join(words, ", "));
}

}  // namespace

bool is_sweep_folder(const fs::path& folder) {
  return fs::is_regular_file(folder / "results.h5") && fs::is_regular_file(folder / "sweep.yaml");
}

std::string sweep_page(const fs::path& folder) {
  const ResultsTable table = read_results(folder / "results.h5");
  const std::string name =
      escaped(value_of_key(table.configuration, folder / "results.h5", "name"));
  std::string page = std::string(kPageBegin) + std::string(kPageHead);
  page += fmt::format("<title>{0}</title></head><body>\n<h1>{0}</h1>\n", name);
  page += counts(table) + plots(table) + table_of_cases(table);
  page +=
      fmt::format("<h2>Sweep</h2>\n<details><summary>sweep.yaml</summary><pre>{}</pre></details>\n",
                  escaped(table.configuration));
  return page + fmt::format("<p>scree {}, {}</p>\n</body></html>\n", version(), git_hash());
}

}  // namespace scree
