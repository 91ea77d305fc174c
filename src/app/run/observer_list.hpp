#pragma once

/// The list of observers (src/app/run/observers/list.cpp), and what a run asks of all of them
/// before it has any: their options, the files that they may leave, and whether those are sound.

#include <mpi.h>

#include <memory>
#include <span>
#include <vector>

#include "scree/app/config/run_config.hpp"
#include "scree/io/run_folder/cut_back.hpp"
#include "scree/io/run_folder/run_folder.hpp"
#include "scree/io/tables/columns.hpp"

namespace scree {

class Observer;
class Simulation;
struct ObservedRun;

/// When an observer looks at a step. The rows of tables stand before files of the step do, since a
/// run may be begun anew only where its tables tell of all its files (begin_anew.hpp); checkpoints
/// are last, since what they continue stands in the files before they do.
enum class Turn { rows, files, log, checkpoints };

/// A row of the list. The functions are static members of the observer's class, or of Observer
/// where it has none.
struct ObserverEntry {
  ObserverSection section;
  Turn turn;
  void (*add_options)(OptionSet& all);
  void (*declare)(Declaration& d, OptionSet& all);
  void (*require)(Declaration& d, const RunConfig& config);
  void (*add_files)(const RunFolder& folder, RunFiles& files);
  void (*check_files)(const RunFolder& folder, const RunConfig& config, const RunPoint& point);
  void (*check_bodies)(const Simulation& simulation);
  std::vector<TableHelp> (*tables)();
  std::unique_ptr<Observer> (*make)(const ObservedRun& run);
};

/// In the order of their keys.
std::span<const ObserverEntry> observer_list();

/// Requires of @p config, through @p d, what observers need of its other parts. Not collective.
void require_observed(Declaration& d, const RunConfig& config);

/// The files that observers may leave in @p folder. Not collective.
RunFiles files_of_observers(const RunFolder& folder);

/// Reads what observers would go on with at @p point, before anything is written. Collective.
/// @throws InputError, on all ranks, for the first that is damaged.
void refuse_damaged_files(MPI_Comm comm, const RunFolder& folder, const RunConfig& config,
                          const RunPoint& point);

/// Looks whether the bodies that @p simulation begins with are those that observers are asked
/// about. Collective. @throws InputError, on all ranks, where they are not.
void refuse_unfit_bodies(const Simulation& simulation);

/// The tables of a run whose columns are the same in every run. Not collective.
std::vector<TableHelp> tables_of_runs();

}  // namespace scree
