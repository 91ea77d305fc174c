#include <fmt/format.h>

#include <map>
#include <set>

#include "cases.hpp"
#include "scree/base/check.hpp"
#include "scree/base/fingerprint.hpp"
#include "scree/config/csv_table.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostCases = 20'000;

/// Settings that vary together: one of the rows is taken in each case.
using Axis = std::vector<std::vector<Setting>>;

Axis axis_of(const KeyValues& parameter, const std::string& place) {
  Axis axis;
  for (const std::string& value : parameter.values) axis.push_back({{parameter.key, value, place}});
  return axis;
}

/// Each parameter by itself, or all of them together.
std::vector<Axis> axes_of_parameters(const SweepConfig& sweep, const fs::path& file) {
  std::vector<Axis> axes;
  for (const KeyValues& parameter : sweep.parameters) {
    axes.push_back(axis_of(parameter, fmt::format("{}:{}", file.string(), parameter.line)));
  }
  if (sweep.combine == "all" || axes.empty()) return axes;
  Axis together = axes.front();
  for (std::size_t k = 1; k < axes.size(); ++k) {
    for (std::size_t row = 0; row < together.size(); ++row)
      together[row].push_back(axes[k][row].front());
  }
  return {together};
}

Axis axis_of_table(const fs::path& path) {
  const CsvTable table = read_whole_csv_table(path);
  if (table.rows.empty()) {
    throw InputError(
        fmt::format("{}: has no row; allowed: a header of keys, then a row of values for each case",
                    path.string()));
  }
  Axis axis;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    axis.emplace_back();
    for (std::size_t k = 0; k < table.names.size(); ++k) {
      axis.back().push_back({table.names[k], table.rows[row][k],
                             fmt::format("{}:{}", path.string(), table.lines[row])});
    }
  }
  return axis;
}

Axis axis_of_repeats(const RepeatOptions& repeat, const fs::path& file) {
  Axis axis;
  for (std::int64_t k = 0; k < repeat.times; ++k) {
    axis.emplace_back();
    for (const std::string& key : repeat.keys) {
      axis.back().push_back({key, fmt::format("{}", repeat.first + k),
                             fmt::format("{}: repeat.keys", file.string())});
    }
  }
  return axis;
}

/// @throws InputError when there are more than can be.
std::vector<std::vector<Setting>> product(const std::vector<Axis>& axes, const fs::path& file) {
  std::vector<std::vector<Setting>> rows(1);
  for (const Axis& axis : axes) {
    if (rows.size() * axis.size() > kMostCases) {
      throw InputError(
          fmt::format("{}: has more than {} cases; allowed: several sweeps, or fewer values",
                      file.string(), kMostCases));
    }
    std::vector<std::vector<Setting>> longer;
    for (const std::vector<Setting>& row : rows) {
      for (const std::vector<Setting>& more : axis) {
        longer.push_back(row);
        longer.back().insert(longer.back().end(), more.begin(), more.end());
      }
    }
    rows = std::move(longer);
  }
  return rows;
}

/// @throws InputError when two axes, or two columns, set one key.
std::vector<std::string> keys_of(const std::vector<Setting>& settings) {
  std::vector<std::string> keys;
  std::set<std::string> seen;
  for (const Setting& setting : settings) {
    if (!seen.insert(setting.key).second) {
      throw InputError(
          fmt::format("{}: {} is set twice; allowed: once among parameters, table and repeat.keys",
                      setting.place, setting.key));
    }
    keys.push_back(setting.key);
  }
  return keys;
}

std::string in_words(const std::vector<Setting>& settings) {
  std::string text;
  for (const Setting& setting : settings)
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", setting.key, setting.value);
  return text;
}

}  // namespace

std::vector<CaseSettings> expand(const SweepConfig& sweep, const fs::path& file) {
  std::vector<Axis> axes = axes_of_parameters(sweep, file);
  if (!sweep.table.empty()) axes.push_back(axis_of_table(sweep.table));
  axes.push_back(axis_of_repeats(sweep.repeat, file));
  std::vector<CaseSettings> cases;
  std::map<std::string, std::string> settings_of;  // what the case of a name is
  std::vector<std::string> keys;
  for (std::vector<Setting>& row : product(axes, file)) {
    if (keys.empty()) keys = short_keys(keys_of(row));
    const std::string words = in_words(row);
    std::string name = case_name(keys, row);
    if (settings_of.contains(name) && settings_of[name] != words)
      name += fmt::format("-{:08x}", fingerprint(words) & 0xffffffffU);
    if (!settings_of.emplace(name, words).second) {
      throw InputError(fmt::format("{}: the case {} stands twice; allowed: different values",
                                   row.front().place, words));
    }
    cases.push_back({std::move(name), std::move(row)});
  }
  return cases;
}

}  // namespace scree
