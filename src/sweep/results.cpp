#include "results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "scree/config/emit.hpp"
#include "scree/config/reader.hpp"

namespace scree::sweep {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::optional<double> as_number(const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Numbers where all values of the key are, else texts.
ResultsColumn column_of_key(const std::vector<Case>& cases, std::size_t k,
                            const RepeatOptions& repeat) {
  std::vector<double> numbers;
  std::vector<std::string> texts;
  for (const Case& one : cases) {
    const std::string& value = one.settings[k].value;
    if (const auto number = as_number(value)) numbers.push_back(*number);
    texts.push_back(bare(value));
  }
  const std::string& key = cases.front().settings[k].key;
  const bool repeats = std::ranges::find(repeat.keys, key) != repeat.keys.end();
  ResultsColumn column{
      .group = repeats ? "repeats" : "parameters", .name = key, .unit = "", .values = texts};
  if (numbers.size() == cases.size()) column.values = numbers;
  return column;
}

/// On one line.
std::string flat(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace

Results::Results(const SweepConfig& sweep, const SweepFolder& folder,
                 const std::vector<Case>& cases)
    : sweep_(sweep), folder_(folder), cases_(cases) {
  for (const Case& one : cases) take(one, sweep::record_of(folder, one));
}

void Results::take(const Case& one, const CaseRecord& record) {
  Row row{.record = record,
          .observables = std::vector<double>(sweep_.observables.size(), kNone),
          .configuration = {}};
  const RunFolder run = folder_.run(one.name);
  const bool begun = record.status != CaseStatus::waiting && std::filesystem::exists(run.config());
  if (begun) row.configuration = read_text_file(run.config());
  for (std::size_t k = 0; k < row.observables.size() && record.status == CaseStatus::done; ++k) {
    const ObservableSpec& spec = sweep_.observables[k];
    try {
      row.observables[k] = observe(spec, run, one.cell);
    } catch (const InputError& error) {
      row.record.error += fmt::format("{}observables.{}: {}", row.record.error.empty() ? "" : "; ",
                                      spec.name, error.what());
    }
  }
  rows_[one.name] = std::move(row);
}

ResultsTable Results::table() const {
  ResultsTable table{.configuration = emit_yaml(sweep_), .columns = {}};
  const auto add = [&](std::string group, std::string name, std::string unit, auto&& value_of) {
    std::vector<std::decay_t<decltype(value_of(cases_.front(), rows_.begin()->second))>> values;
    for (const Case& one : cases_) values.push_back(value_of(one, rows_.at(one.name)));
    table.columns.push_back(
        {std::move(group), std::move(name), std::move(unit), std::move(values)});
  };
  add("cases", "case", "", [](const Case& one, const Row&) { return one.name; });
  add("cases", "status", "",
      [](const Case&, const Row& row) { return std::string(to_string(row.record.status)); });
  for (std::size_t k = 0; k < cases_.front().settings.size(); ++k) {
    table.columns.push_back(column_of_key(cases_, k, sweep_.repeat));
  }
  for (std::size_t k = 0; k < sweep_.observables.size(); ++k) {
    add("observables", sweep_.observables[k].name, sweep_.observables[k].unit(),
        [k](const Case&, const Row& row) { return row.observables[k]; });
  }
  add("provenance", "ranks", "",
      [](const Case&, const Row& row) { return static_cast<double>(row.record.ranks); });
  add("provenance", "seconds", "s", [](const Case&, const Row& row) { return row.record.seconds; });
  add("provenance", "version", "", [](const Case&, const Row& row) { return row.record.version; });
  add("provenance", "commit", "", [](const Case&, const Row& row) { return row.record.commit; });
  add("provenance", "fingerprint", "", [](const Case& one, const Row&) { return one.fingerprint; });
  add("provenance", "run", "", [](const Case& one, const Row&) { return "runs/" + one.name; });
  add("provenance", "configuration", "",
      [](const Case&, const Row& row) { return row.configuration; });
  add("cases", "error", "", [](const Case&, const Row& row) { return flat(row.record.error); });
  return table;
}

void Results::write() const {
  const ResultsTable all = table();
  write_results_csv(folder_.results_csv(), all);
  write_results_hdf5(folder_.results_hdf5(), all);
}

}  // namespace scree::sweep
