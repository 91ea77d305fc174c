#pragma once

#include <span>

#include "app/run/observer.hpp"
#include "app/run/schedule.hpp"
#include "scree/app/run/snapshot_options.hpp"
#include "scree/io/paraview/xdmf.hpp"

namespace scree {

/// The snapshots until @p point. Not collective: rank 0. @throws InputError for one that is
/// damaged.
std::vector<SnapshotInfo> kept_snapshots(const RunFolder& folder, const RunPoint& point);

/// Removes later snapshots, from @p index first, which is then of those that are left. Not
/// collective: rank 0.
/// @throws InputError, Failure.
void cut_snapshots(const RunFolder& folder, const RunPoint& point, XdmfIndex& index);

/// Snapshots of all bodies as `output.snapshots` asks, and their index.
class Snapshots final : public Observer {
 public:
  using Options = SnapshotOptions;
  static void declare(Declaration& d, Options& options);
  static void add_files(const RunFolder& folder, RunFiles& files);
  static void check_files(const RunFolder& folder, const RunConfig& config, const RunPoint& point);

  explicit Snapshots(const ObservedRun& run);
  void start() override;
  void go_on() override;
  void after_step(const ObservedStep& step) override;

 private:
  /// @param wrenches on the tools in the step before; empty: none
  void write(std::span<const Wrench> wrenches);

  const SnapshotOptions& options_;
  Schedule schedule_;
  XdmfIndex index_;
};

}  // namespace scree
