#include "snapshot_figures.hpp"

#include <fmt/format.h>

#include "scree/base/check.hpp"
#include "scree/geometry/pairs/convex/ball_in_box.hpp"
#include "scree/io/paraview/snapshot_grains.hpp"

namespace scree::sweep {
namespace {

std::vector<SnapshotGrain> last_grains(const RunFolder& folder) {
  const std::vector<StepFile> files = step_files(folder.snapshot_files());
  if (files.empty())
    throw InputError(fmt::format("{}: there is no snapshot", folder.snapshots().string()));
  return read_snapshot_grains(files.back().path);
}

}  // namespace

double packing_fraction(const RunFolder& folder, const PeriodicCell& cell, const Box3& box) {
  double volume = 0.0;
  for (const SnapshotGrain& grain : last_grains(folder)) {
    const Vec3 reach = Vec3::Constant(grain.radius);
    cell.for_each_image(
        {grain.position - reach, grain.position + reach}, box, [&](const Vec3i& image) {
          volume += volume_of_ball_in_box(grain.position + cell.shift(image), grain.radius, box);
        });
  }
  return volume / (box.high - box.low).prod();
}

std::vector<SurfaceGrain> free_grains(const RunFolder& folder) {
  std::vector<SurfaceGrain> grains;
  for (const SnapshotGrain& grain : last_grains(folder)) {
    if (!grain.held) grains.push_back({grain.position, grain.radius});
  }
  return grains;
}

}  // namespace scree::sweep
