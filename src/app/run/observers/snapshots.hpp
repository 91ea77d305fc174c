#pragma once

#include <span>

#include "app/run/observer.hpp"
#include "scree/io/paraview/xdmf.hpp"
#include "scree/io/run_folder/output_options.hpp"

namespace scree {

/// Snapshots of all bodies as `output.snapshots` asks, and their index.
class Snapshots final : public Observer {
 public:
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
