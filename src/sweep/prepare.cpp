#include <fmt/format.h>

#include <fstream>
#include <map>
#include <sstream>

#include "cases.hpp"
#include "file_contents.hpp"
#include "scree/base/fingerprint.hpp"
#include "scree/config/emit.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// Faults of the cases: each once, with the cases that have it.
class FaultsOfCases {
 public:
  /// Adds each line of @p text.
  void add(const std::string& text, const std::string& name) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const auto [entry, fresh] = cases_.emplace(line, std::vector<std::string>{});
      if (fresh) order_.push_back(line);
      entry->second.push_back(name);
    }
  }
  /// @throws InputError. @param n_cases of the sweep: what all of them have needs no names
  void throw_if_any(std::size_t n_cases) const {
    if (order_.empty()) return;
    std::vector<std::string> lines;
    for (const std::string& fault : order_) {
      const std::vector<std::string>& names = cases_.at(fault);
      std::string where = fmt::format(" (case {}", names.front());
      if (names.size() > 1) where += fmt::format(" and {} more", names.size() - 1);
      lines.push_back(fault + (names.size() == n_cases ? "" : where + ")"));
    }
    throw InputError(fmt::format("{}", fmt::join(lines, "\n")));
  }

 private:
  std::map<std::string, std::vector<std::string>> cases_;
  std::vector<std::string> order_;
};

Overrides overrides_of(const std::vector<Setting>& settings, const fs::path& folder) {
  Overrides overrides;
  for (const Setting& each : settings) {
    overrides.emplace_back(fmt::format("{}={}", each.key, each.value), each.place, folder);
  }
  return overrides;
}

/// The name of the run's folder does not enter.
std::string fingerprint_of(RunConfig config, FileContents& files) {
  config.output.directory.clear();
  const std::string text = emit_yaml(config) + files.lines_of(config);
  return fmt::format("{:016x}", fingerprint(text));
}

Case case_of(const CaseSettings& settings, RunConfig config, const fs::path& runs,
             FileContents& files) {
  config.name = settings.name;
  config.output.directory = runs / settings.name;
  config.output.overwrite = true;
  return {.name = settings.name,
          .settings = settings.settings,
          .yaml = emit_yaml(config),
          .fingerprint = fingerprint_of(config, files),
          .end = config.time.end,
          .cell = config.periodic.cell()};
}

std::string fault_of_observables(const SweepConfig& sweep, const RunConfig& config,
                                 const fs::path& file) {
  std::string faults;
  for (const ObservableSpec& spec : sweep.observables) {
    const std::string fault = fault_of_observable(spec, config);
    if (!fault.empty()) faults += fmt::format("{}: {}\n", file.string(), fault);
  }
  return faults;
}

}  // namespace

std::vector<Case> prepare(const SweepConfig& sweep, const fs::path& file, const fs::path& runs) {
  const std::string base = read_text_file(sweep.base);
  const fs::path folder = fs::absolute(file).parent_path();
  const std::vector<CaseSettings> all = expand(sweep, file);
  FaultsOfCases faults;
  FileContents files;
  std::vector<Case> cases;
  for (const CaseSettings& each : all) {
    try {
      RunConfig config = read_run_config(base, sweep.base, overrides_of(each.settings, folder));
      faults.add(fault_of_observables(sweep, config, file), each.name);
      cases.push_back(case_of(each, std::move(config), fs::absolute(runs), files));
    } catch (const InputError& error) {
      faults.add(error.what(), each.name);
    }
  }
  faults.throw_if_any(all.size());
  return cases;
}

}  // namespace scree
