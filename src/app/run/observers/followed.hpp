#pragma once

#include "app/run/observer.hpp"
#include "scree/app/run/followed.hpp"
#include "scree/io/tables/csv.hpp"

namespace scree {

/// followed.csv: a row for each of the grains that `output.follow` names, in the order of their
/// ids, as often as steps.csv has rows. A grain that is removed has no more.
class Followed final : public Observer {
 public:
  using Options = FollowOptions;
  static void declare(Declaration& d, Options& options);
  /// Refuses names of nothing.
  static void require(Declaration& d, const RunConfig& config);
  static void add_files(const RunFolder& folder, RunFiles& files);
  static void check_files(const RunFolder& folder, const RunConfig& config, const RunPoint& point);
  /// Refuses ids that no grain has or, where the run has begun, had.
  static void check_bodies(const Simulation& simulation);
  static std::vector<TableHelp> tables();

  explicit Followed(const ObservedRun& run);
  void start() override;
  void go_on() override;
  void after_part(const ObservedStep& part) override;
  void to_disk() override;

 private:
  void open(bool append);

  FollowedGrains grains_;
  std::vector<std::string> groups_;  ///< names of populations
  CsvWriter<FollowedRecord> table_;
};

}  // namespace scree
