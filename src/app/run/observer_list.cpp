#include "observer_list.hpp"

#include "scree/base/parallel.hpp"

namespace scree {

ObserverOptions::ObserverOptions(ObserverSection section) : section_(section) {
  for (const ObserverEntry& entry : observer_list()) {
    if (entry.section == section) entry.add_options(all_);
  }
}

void ObserverOptions::declare(Declaration& d) {
  for (const ObserverEntry& entry : observer_list()) {
    if (entry.section == section_) entry.declare(d, all_);
  }
}

void require_observed(Declaration& d, const RunConfig& config) {
  for (const ObserverEntry& entry : observer_list()) entry.require(d, config);
}

RunFiles files_of_observers(const RunFolder& folder) {
  RunFiles files;
  for (const ObserverEntry& entry : observer_list()) entry.add_files(folder, files);
  return files;
}

void refuse_damaged_files(MPI_Comm comm, const RunFolder& folder, const RunConfig& config,
                          const RunPoint& point) {
  std::string fault;
  try {
    if (rank_of(comm) == 0) {
      for (const ObserverEntry& entry : observer_list()) entry.check_files(folder, config, point);
    }
  } catch (const std::exception& error) {
    fault = error.what();
  }
  refuse_together(comm, fault);
}

void refuse_unfit_bodies(const Simulation& simulation) {
  for (const ObserverEntry& entry : observer_list()) entry.check_bodies(simulation);
}

std::vector<TableHelp> tables_of_runs() {
  std::vector<TableHelp> tables;
  for (const ObserverEntry& entry : observer_list()) {
    for (TableHelp& table : entry.tables()) tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace scree
