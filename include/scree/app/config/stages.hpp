#pragma once

/// The keys under `stages:`: a run whose configuration changes while it runs.
///
/// A stage sets keys of the configuration; what it sets holds until a later stage sets it anew. So
/// each stage has a configuration of its own, which is read and checked as a whole with the run's,
/// before the run begins. A stage may set what a restart may change (app/config/changes.hpp).

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scree/config/compare.hpp"
#include "scree/config/key_values.hpp"
#include "scree/config/reader.hpp"
#include "scree/events/condition.hpp"

namespace scree {

class Declaration;
struct RunConfig;

struct StageSpec {
  std::string name;
  std::optional<Condition> until;  ///< duration: since the stage began; none: until time.end
  std::vector<Setting> set;

  /// The configuration that holds in the stage, filled in by the reading.
  std::shared_ptr<const RunConfig> config;
  /// Against the stage before, or the run's own keys; filled in by the reading.
  std::vector<Difference> changes;

  void declare(Declaration& d);
  /// Whether the stage gives @p tool another motion than it had.
  bool moves(const std::string& tool) const;
};

/// Requires of @p stages what concerns them together.
void require_stages(Declaration& d, const std::vector<StageSpec>& stages);

/// Reads a configuration with @p overrides.
using ReadWith = std::function<RunConfig(const Overrides& overrides)>;

/// Gives the stages of @p config, which was read with @p overrides, their configurations, and
/// their settings the values in force, so that they no longer depend on where they were written.
/// Not collective. @throws InputError with the faults of the first stage that has any.
void read_stages(RunConfig& config, Overrides overrides, const ReadWith& read);

}  // namespace scree
