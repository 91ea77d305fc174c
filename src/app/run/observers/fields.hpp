#pragma once

#include <optional>

#include "app/run/observer.hpp"
#include "app/run/schedule.hpp"
#include "scree/fields/options.hpp"
#include "scree/fields/sums.hpp"
#include "scree/io/paraview/field_image.hpp"
#include "scree/io/tables/csv.hpp"
#include "scree/step/contact_forces.hpp"

namespace scree {

/// The entries under `output.fields`.
struct FieldsOptions {
  std::vector<FieldOptions> grids;
};

/// The files of the fields @p name.
struct FieldFiles {
  FieldFiles(const RunFolder& folder, const std::string& name);
  StepFileNames images;  ///< each the mean that ends with the step, or that part of it
  std::filesystem::path index;
  std::filesystem::path table;
};

/// The images until @p point. Not collective: rank 0. @throws InputError for one that is damaged.
std::vector<FieldImageInfo> kept_field_images(const FieldFiles& files, const RunPoint& point);

/// The fields of one grid, and the mean that is being made of them.
struct RunningMean {
  const FieldOptions& options;
  FieldFiles files;
  FieldSums sums;  ///< of this rank
  Schedule schedule;
  double from = 0.0;     ///< where its first step began, s
  double seconds = 0.0;  ///< of all that count
  std::int64_t samples = 0;
  XdmfIndex index;  ///< on rank 0
  LineFile table;   ///< on rank 0
};

/// Means of fields as `output.fields` asks. A mean ends where it is due, at the end of its time,
/// and where the run is stopped; the next begins there. What a run that was killed had since its
/// checkpoint is not in the mean that it goes on with: each says when it began.
class Fields final : public Observer {
 public:
  using Options = FieldsOptions;
  static void declare(Declaration& d, Options& options);
  /// Refuses means in which no step may count, and grids of which an image of itself would count
  /// twice.
  static void require(Declaration& d, const RunConfig& config);
  static void add_files(const RunFolder& folder, RunFiles& files);
  static void check_files(const RunFolder& folder, const RunConfig& config, const RunPoint& point);

  explicit Fields(const ObservedRun& run);
  void start() override;
  void go_on() override;
  void after_part(const ObservedStep& part) override;
  void after_step(const ObservedStep& step) override;
  /// Checkpoints come after: what they go on behind is in the means.
  void after_giving_up(double elapsed) override;
  void to_disk() override;

 private:
  void open(bool append);
  void add(RunningMean& mean, const std::vector<GrainState>& grains,
           const std::vector<ContactForce>& contacts, const StepClock& clock);
  void write(RunningMean& mean, const StepClock& clock);
  FieldImage image_of(const RunningMean& mean, const SumsOfCells& sums,
                      const StepClock& clock) const;
  bool is_due(RunningMean& mean, const ObservedStep& step);

  std::vector<RunningMean> means_;
  std::optional<StepClock> last_;  ///< of the last part that was taken
};

}  // namespace scree
