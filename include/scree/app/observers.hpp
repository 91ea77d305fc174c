#pragma once

/// The files of a run that look at its steps: tables, snapshots and their index, problems,
/// checkpoints.

#include <cstdint>
#include <filesystem>
#include <string>

#include "scree/app/checkpoints.hpp"
#include "scree/app/simulation.hpp"
#include "scree/io/csv.hpp"
#include "scree/io/output_options.hpp"
#include "scree/io/run_folder.hpp"
#include "scree/io/xdmf.hpp"

namespace scree {

/// What the end of a step means for the run. The same on all ranks.
struct StepEnd {
  bool last = false;     ///< the run is at its end
  bool stop = false;     ///< it is to be stopped here
  double elapsed = 0.0;  ///< wall seconds since it was started
};

class Observers {
 public:
  /// @param run_yaml the effective configuration, which snapshots and checkpoints carry
  /// @param goes_on the folder holds the run until here, and perhaps later things, which are cut
  /// off. Collective.
  Observers(const Simulation& simulation, RunFolder folder, const std::string& run_yaml,
            bool goes_on);

  /// Before the first step of a folder that is new. Collective.
  void start(const Simulation& simulation);
  /// @p record is the step's row. Collective.
  void after_step(const Simulation& simulation, const StepResult& result, const StepRecord& record,
                  const StepEnd& end);
  /// Writes the problem of a step that was refused or did not converge, when fewer of them than
  /// `debug.fclib.not_converged` were written. Returns its file; empty: none. Collective.
  /// @throws Failure, on every rank, when it cannot be written.
  std::filesystem::path keep_unsolved(const Simulation& simulation);
  /// Wall seconds spent here since the last call of this function. Not collective.
  double take_seconds();

 private:
  void write_tables(const Simulation& simulation, const StepResult& result,
                    const StepRecord& record);
  /// What is due at the end of a whole step.
  void write_states(const Simulation& simulation, const StepResult& result, const StepEnd& end);
  void write_snapshot(const Simulation& simulation);
  std::filesystem::path write_problem(const Simulation& simulation);
  void write_checkpoint(const Simulation& simulation, double elapsed);

  RunFolder folder_;
  std::string run_yaml_;
  bool speaker_;  ///< rank 0, which writes what is text
  Schedule snapshots_;
  Checkpoints checkpoints_;
  CsvWriter<StepRecord> steps_;
  CsvWriter<ToolRecord> tools_;
  XdmfIndex xdmf_;
  std::int64_t n_unsolved_kept_ = 0;
  double seconds_ = 0.0;
};

}  // namespace scree
