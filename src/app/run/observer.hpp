#pragma once

/// Observers of a run while it goes: tables, snapshots, the log, contact problems, checkpoints.
///
/// To add one: a class in a file of src/app/run/observers, with its options, the files that it may
/// leave and their check as static members, and a row of its list.cpp.

#include <functional>
#include <string>
#include <vector>

#include "scree/app/run/progress.hpp"
#include "scree/app/run/records.hpp"
#include "scree/base/parallel.hpp"
#include "scree/io/run_folder/cut_back.hpp"
#include "scree/io/run_folder/run_folder.hpp"
#include "simulation.hpp"

namespace scree {

inline RunPoint point_of(const Simulation& simulation) {
  const StepCount& done = simulation.state().done;
  return {done.steps, done.share(), simulation.time()};
}

/// The run that observers look at, and where they write.
struct ObservedRun {
  const Simulation& simulation;
  RunFolder folder;
  std::string run_yaml;  ///< the effective configuration, which files carry
  Progress& progress;
  /// Has what all observers wrote so far outlive the machine. Collective.
  std::function<void()> to_disk = {};
  /// Keys of the configuration that are other than they were until here.
  std::vector<std::string> changed_keys = {};

  const RunConfig& config() const { return simulation.config(); }
  MPI_Comm comm() const { return simulation.comm(); }
  /// Whether this rank is the one that writes what is text.
  bool is_speaker() const { return rank_of(comm()) == 0; }
  /// The end of the last whole step, s: until there, what is due after steps is behind a run that
  /// goes on.
  double end_of_last_step() const {
    return StepCount{simulation.n_steps(), 0}.time(config().time.dt);
  }
  /// Whether a key at or under @p section is other than it was until here.
  bool has_changed(std::string_view section) const;
  /// Where the run stands.
  RunPoint point() const { return point_of(simulation); }
};

/// A step that was taken, or a part of one that was cut, and what its end means for the run. The
/// same on all ranks but for what the result says is a rank's.
struct ObservedStep {
  const StepResult& result;
  const StepRecord& record;
  bool last = false;     ///< the run is at its end
  bool stop = false;     ///< it is to be stopped here
  double elapsed = 0.0;  ///< wall seconds since it was started
};

/// Does nothing by itself. All members but the static ones are collective.
///
/// A class of observers has a type Options, default-made where a file says nothing, and a static
/// member function declare(Declaration&, Options&), which declares their key, one or more. Where it
/// has static member functions by the names of those below, the list takes these.
class Observer {
 public:
  /// Requires, through @p d, what concerns the options and other parts of the configuration.
  static void require(Declaration& /*d*/, const RunConfig& /*config*/) {}
  /// Adds the files that it may leave in @p folder.
  static void add_files(const RunFolder& /*folder*/, RunFiles& /*files*/) {}
  /// Reads what it would go on with at the point. @throws InputError where that is damaged.
  static void check_files(const RunFolder& /*folder*/, const RunConfig& /*config*/,
                          const RunPoint& /*point*/) {}
  /// Looks at the bodies that a run begins with, anew or from a checkpoint, before anything is
  /// written. Collective. @throws InputError, on all ranks, where they are not what is asked about.
  static void check_bodies(const Simulation& /*simulation*/) {}
  /// Its tables, as far as their columns are the same in every run.
  static std::vector<TableHelp> tables() { return {}; }

  /// @param run outlives this
  explicit Observer(const ObservedRun& run) : run_(run) {}
  virtual ~Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  /// Before the first step, in a folder that is new.
  virtual void start() {}
  /// Before the first step, in a folder that holds the run until here, and perhaps later things:
  /// those are cut off.
  virtual void go_on() {}
  virtual void after_part(const ObservedStep& /*part*/) {}
  /// After the last part of a step, and after_part() of it.
  virtual void after_step(const ObservedStep& /*step*/) {}
  /// The step that was tried was not taken. @returns what is to be told of it besides why; empty:
  /// nothing
  virtual std::string after_refusal() { return {}; }
  /// The run is to be stopped where it stands, @p elapsed wall seconds after its start: the step
  /// that was tried was given up.
  virtual void after_giving_up(double /*elapsed*/) {}
  /// See ObservedRun::to_disk.
  virtual void to_disk() {}
  /// After the last step of this start of the program.
  virtual void finish() {}

 protected:
  const ObservedRun& run_;
};

}  // namespace scree
