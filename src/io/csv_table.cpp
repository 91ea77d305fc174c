#include "scree/io/csv_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>

#include "scree/base/check.hpp"

namespace scree {
namespace {

/// The fields of a line, RFC 4180; no field of ours goes over its line.
std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    const char c = line[k];
    if (quoted && c == '"' && k + 1 < line.size() && line[k + 1] == '"') {
      fields.back() += line[++k];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

}  // namespace

CsvTable read_csv_table(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw InputError(fmt::format("{}: no such file, or it cannot be read", path.string()));
  CsvTable table{.path = path, .names = {}, .rows = {}};
  std::string line;
  if (std::getline(file, line)) table.names = fields_of(line);
  while (std::getline(file, line) && !file.eof()) {
    table.rows.push_back(fields_of(line));
    if (table.rows.back().size() != table.names.size()) {
      throw InputError(fmt::format("{}:{}: {} values under {} names", path.string(),
                                   table.rows.size() + 1, table.rows.back().size(),
                                   table.names.size()));
    }
  }
  return table;
}

std::vector<std::string> CsvTable::texts(std::string_view name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw InputError(fmt::format("{}:1: there is no column `{}`", path.string(), name));
  }
  const auto column = static_cast<std::size_t>(found - names.begin());
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
                                   result.size() + 2, name, text));
    }
    result.push_back(value);
  }
  return result;
}

}  // namespace scree
