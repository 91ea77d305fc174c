#pragma once

/// The cases of a sweep: which keys take which values in each, under which name, and the
/// configuration that comes of it.
///
/// A sweep is a product of axes. An axis is a set of keys and rows of values for them: each
/// parameter is one (all of them together are one where they are zipped), the table is one, and the
/// seeds of the repeats are the last, which varies fastest.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "scree/config/key_values.hpp"
#include "scree/geometry/periodic.hpp"
#include "scree/sweep/sweep_config.hpp"

namespace scree {

/// The settings of a case, before its configuration is read.
struct CaseSettings {
  std::string name;
  std::vector<Setting> settings;  ///< the same keys, in the same order, in every case
};

/// A case that can be run.
struct Case {
  std::string name;
  std::vector<Setting> settings;
  std::string yaml;         ///< the full configuration, as `scree run` takes it
  std::string fingerprint;  ///< tells the configuration and the files that it names from others:
                            ///< changes when the run would
  double end = 0.0;         ///< end of the simulated time, s
  PeriodicCell cell = {};   ///< cell in which the run repeats itself
};

/// All cases, by names. Not collective. @param file of the sweep, for messages
/// @throws InputError for a table that cannot be read, a key that two axes set, a case that stands
/// twice, and more than 20,000 cases.
std::vector<CaseSettings> expand(const SweepConfig& sweep, const std::filesystem::path& file);

/// The configuration of each case, with runs in @p runs/NAME. Not collective.
/// @throws InputError with the faults of all cases, each once, with the names of cases that have
/// it.
std::vector<Case> prepare(const SweepConfig& sweep, const std::filesystem::path& file,
                          const std::filesystem::path& runs);

/// The last words of keys that tell them apart: `friction[a,b].mu` and `time.dt` are `mu` and `dt`.
std::vector<std::string> short_keys(const std::vector<std::string>& keys);

/// `dt_0.001-mu_0.5`: short keys and values. Of letters, digits, `_`, `-` and `.`, at most 80
/// characters; what would be longer is cut and ends in a fingerprint of the settings.
std::string case_name(const std::vector<std::string>& keys, const std::vector<Setting>& settings);

/// A YAML value as a name and a table hold it: texts without quotes.
std::string bare(std::string_view value);

}  // namespace scree
