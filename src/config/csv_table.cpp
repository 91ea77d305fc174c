#include "scree/config/csv_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "csv_lines.hpp"
#include "quoted.hpp"
#include "scree/base/check.hpp"

namespace scree {
namespace {

/// Where the column @p name stands. @throws InputError when there is none.
std::size_t place_of(std::string_view name, const std::vector<std::string>& names,
                     const std::filesystem::path& path) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return found - names.begin();
  throw InputError(fmt::format("{}:1: there is no column `{}`", path.string(), name));
}

double number_in(const std::string& text, std::string_view name, const std::filesystem::path& path,
                 std::int64_t line) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value;
  throw InputError(config::printable(
      fmt::format("{}:{}: {}: \"{}\" is no number", path.string(), line, name, text)));
}

void check_width(const CsvLines& lines, std::size_t width, const std::filesystem::path& path) {
  if (lines.cells().size() == width) return;
  throw InputError(fmt::format("{}:{}: {} values under {} names", path.string(), lines.number(),
                               lines.cells().size(), width));
}

template <class Keep>
CsvTable read_rows(const std::filesystem::path& path, const Keep& keep) {
  CsvLines lines(path);
  CsvTable table{.path = path, .names = {}, .rows = {}, .lines = {}};
  if (lines.next()) table.names = lines.cells();
  while (lines.next() && keep(lines)) {
    check_width(lines, table.names.size(), path);
    table.rows.push_back(lines.cells());
    table.lines.push_back(lines.number());
  }
  return table;
}

}  // namespace

CsvTable read_csv_table(const std::filesystem::path& path) {
  return read_rows(path, [](const CsvLines& lines) { return lines.ended(); });
}

CsvTable read_whole_csv_table(const std::filesystem::path& path) {
  return read_rows(path, [](const CsvLines&) { return true; });
}

double CsvCells::number(std::size_t k) const {
  return number_in(*cells[k], names_[k], file_, line_);
}

void visit_csv_table(const std::filesystem::path& path, std::span<const std::string> columns,
                     const std::function<void(const CsvCells&)>& visit) {
  CsvLines lines(path);
  const std::vector<std::string> names = lines.next() ? lines.cells() : std::vector<std::string>{};
  std::vector<std::size_t> places;
  for (const std::string& column : columns) places.push_back(place_of(column, names, path));
  while (lines.next() && lines.ended()) {
    check_width(lines, names.size(), path);
    CsvCells row(path, lines.number(), columns);
    for (const std::size_t place : places) row.cells.push_back(&lines.cells()[place]);
    visit(row);
  }
}

std::vector<std::string> CsvTable::texts(std::string_view name) const {
  const std::size_t column = place_of(name, names, path);
  std::vector<std::string> result;
  result.reserve(rows.size());
  for (const auto& row : rows) result.push_back(row[column]);
  return result;
}

std::vector<double> CsvTable::numbers(std::string_view name) const {
  std::vector<double> result;
  for (const std::string& text : texts(name)) {
    result.push_back(number_in(text, name, path, lines[result.size()]));
  }
  return result;
}

}  // namespace scree
