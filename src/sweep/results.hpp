#pragma once

/// The table of results of a sweep: a row a case, as far as cases have come.

#include <map>
#include <string>
#include <vector>

#include "case_record.hpp"
#include "cases.hpp"
#include "scree/io/tables/results_table.hpp"
#include "scree/sweep/sweep_config.hpp"
#include "sweep_folder.hpp"

namespace scree::sweep {

class Results {
 public:
  /// Takes what the folder holds of each case. All must outlive this. Not collective.
  Results(const SweepConfig& sweep, const SweepFolder& folder, const std::vector<Case>& cases);

  /// Takes how a case went, and the observables of one that is done. One that cannot be had is nan,
  /// and the error of the case says why.
  void take(const Case& one, const CaseRecord& record);
  const CaseRecord& record_of(const Case& one) const { return rows_.at(one.name).record; }

  /// Writes results.csv and results.h5. @throws Failure.
  void write() const;
  ResultsTable table() const;

 private:
  struct Row {
    CaseRecord record;
    std::vector<double> observables;
    std::string configuration;  ///< run.yaml of a run that was begun
  };

  const SweepConfig& sweep_;
  const SweepFolder& folder_;
  const std::vector<Case>& cases_;
  std::map<std::string, Row> rows_;
};

}  // namespace scree::sweep
