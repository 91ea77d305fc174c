#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/run/observer.hpp"
#include "app/run/schedule.hpp"
#include "scree/geometry/shapes/mesh.hpp"
#include "scree/io/paraview/wear_file.hpp"
#include "scree/step/contact_forces.hpp"
#include "slips.hpp"

namespace scree {

/// The keys under `output.wear`.
struct WearOptions {
  std::vector<std::string> tools;
  double every = 0.0;  ///< s of simulated time; 0: at the end

  void declare(Declaration& d);
};

/// Forces of grains on the triangles of tools that are meshes, and their wear, as `output.wear`
/// asks: means over the time from one file to the next, and the work of friction since the run
/// began. A file is written where it is due and where the run ends or is stopped. A run that was
/// killed goes on with the work of its last file: what there was between that and its checkpoint is
/// told, and not counted.
class Wear final : public Observer {
 public:
  using Options = WearOptions;
  static void declare(Declaration& d, Options& options);
  /// Refuses tools that are no meshes.
  static void require(Declaration& d, const RunConfig& config);
  static void add_files(const RunFolder& folder, RunFiles& files);
  static void check_files(const RunFolder& folder, const RunConfig& config, const RunPoint& point);

  explicit Wear(const ObservedRun& run);
  void start() override;
  void go_on() override;
  void after_part(const ObservedStep& part) override;
  void after_step(const ObservedStep& step) override;
  void after_giving_up(double elapsed) override;

 private:
  /// A tool, and this rank's sums over its triangles in the mesh's frame.
  struct Worn {
    std::int32_t slot;
    std::shared_ptr<const SearchableMesh> surface;
    StepFileNames names;
    XdmfIndex index;
    std::vector<double> sums;  ///< kSums a triangle since the last file
    std::vector<double> work;  ///< on rank 0: until the last file, J/m^2
  };

  void add(const StepResult& result, const std::vector<ContactForce>& forces,
           const std::vector<Slip>& slips, Worn& worn) const;
  void write(const StepClock& clock);
  /// @pre on the rank that speaks
  WearMap map_of(const Worn& worn, const std::vector<double>& sums, const StepClock& clock) const;

  const WearOptions& options_;
  Schedule schedule_;
  std::vector<Worn> worn_;
  double from_ = 0.0;
  double seconds_ = 0.0;
  std::optional<StepClock> last_;  ///< of the last part that was taken
};

}  // namespace scree
