#pragma once

/// Runs cases, some at once, until all have ended or a signal asks to stop.

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "case_run.hpp"
#include "results.hpp"
#include "signals.hpp"
#include "sweep_progress.hpp"

namespace scree::sweep {

struct ScheduleOptions {
  std::size_t jobs = 1;  ///< cases at once
  Launch launch;
  bool writes_results = true;  ///< whether the table of results is renewed as cases end
};

class Schedule {
 public:
  /// All that is given by reference must outlive this. @param waiting cases to be run, in this
  /// order
  Schedule(const SweepFolder& folder, Results& results, const std::vector<const Case*>& waiting,
           Tally tally, ScheduleOptions options, SweepProgress& progress);

  /// Runs them. A case that another process runs is waited for, and run here if it still has to be.
  /// After a signal no case is begun and those that run are asked to stop; after a second one, or a
  /// minute, they are killed. Returns the signal; 0 when all have ended. @throws Failure when a
  /// case cannot be started.
  int run();

 private:
  struct Stop {
    int signal = 0;
    std::chrono::steady_clock::time_point kill_at;
    bool killed = false;
  };

  void start_what_fits();
  /// Starts @p one, or takes how it went elsewhere; false while another process has it.
  bool begin(const Case& one);
  void reap();
  void ask_to_stop(int signal);
  void kill_late();
  void take(const Case& one, const CaseRecord& record);
  void write_results(bool at_once);
  void say_who_holds();
  Tally tally() const;

  const SweepFolder& folder_;
  Results& results_;
  std::deque<const Case*> waiting_;
  std::vector<CaseRun> running_;
  Tally tally_;
  ScheduleOptions options_;
  SweepProgress& progress_;
  Stop stop_;
  bool told_of_holder_ = false;
  std::chrono::steady_clock::time_point written_{};
};

}  // namespace scree::sweep
