#pragma once

/// The files of a run that look at its steps: tables, snapshots and their index, problems.

#include <cstdint>
#include <filesystem>
#include <string>

#include "scree/app/simulation.hpp"
#include "scree/io/csv.hpp"
#include "scree/io/output_options.hpp"
#include "scree/io/run_folder.hpp"
#include "scree/io/xdmf.hpp"

namespace scree {

class Observers {
 public:
  /// @param run_yaml the effective configuration, which every snapshot carries. Collective.
  Observers(const Simulation& simulation, RunFolder folder, std::string run_yaml);

  /// Before the first step. Collective.
  void start(const Simulation& simulation);
  /// Collective. @p record is the step's row. @p last: no other step follows.
  void after_step(const Simulation& simulation, const StepResult& result, const StepRecord& record,
                  bool last);
  /// Writes the problem of a step that was refused or did not converge, when fewer of them than
  /// `debug.fclib.not_converged` were written. Returns its file; empty: none. Collective.
  /// @throws Failure, on every rank, when it cannot be written.
  std::filesystem::path keep_unsolved(const Simulation& simulation);
  /// Wall seconds spent here since the last call of this function. Not collective.
  double take_seconds();

 private:
  void write_tables(const Simulation& simulation, const StepResult& result,
                    const StepRecord& record);
  void write_snapshot(const Simulation& simulation);
  std::filesystem::path write_problem(const Simulation& simulation);

  RunFolder folder_;
  std::string run_yaml_;
  bool speaker_;  ///< rank 0, which writes what is text
  SnapshotSchedule schedule_;
  CsvWriter<StepRecord> steps_;
  CsvWriter<ToolRecord> tools_;
  XdmfIndex xdmf_;
  std::int64_t n_unsolved_kept_ = 0;
  double seconds_ = 0.0;
};

}  // namespace scree
