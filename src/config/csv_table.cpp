#include "scree/config/csv_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "csv_lines.hpp"
#include "scree/base/check.hpp"

namespace scree {

CsvTable read_csv_table(const std::filesystem::path& path) {
  CsvLines lines(path);
  CsvTable table{.path = path, .names = {}, .rows = {}, .lines = {}};
  if (lines.next()) table.names = lines.cells();
  while (lines.next() && lines.ended()) {
    table.rows.push_back(lines.cells());
    table.lines.push_back(lines.number());
    if (table.rows.back().size() != table.names.size()) {
      throw InputError(fmt::format("{}:{}: {} values under {} names", path.string(), lines.number(),
                                   table.rows.back().size(), table.names.size()));
    }
  }
  return table;
}

std::vector<std::string> CsvTable::texts(std::string_view name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw InputError(fmt::format("{}:1: there is no column `{}`", path.string(), name));
  }
  const std::size_t column = found - names.begin();
  std::vector<std::string> result;
  result.reserve(rows.size());
  for (const auto& row : rows) result.push_back(row[column]);
  return result;
}

std::vector<double> CsvTable::numbers(std::string_view name) const {
  std::vector<double> result;
  for (const std::string& text : texts(name)) {
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
      throw InputError(fmt::format("{}:{}: {}: \"{}\" is no number", path.string(),
                                   lines[result.size()], name, text));
    }
    result.push_back(value);
  }
  return result;
}

}  // namespace scree
