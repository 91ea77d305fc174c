#include "wall_blocks.hpp"

#include <fmt/format.h>

#include <limits>

#include "scree/base/parallel.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree {
namespace {

/// The box of all grains, and of all tools that have an end; about the origin where there are none.
/// Collective.
Box3 box_of_all(MPI_Comm comm, const Store& store) {
  constexpr double kNone = std::numeric_limits<double>::lowest();
  std::vector<double> ends(6, kNone);  // of the box: high, and low with the other sign
  for (std::int32_t slot = 0; slot < store.end_owned(); ++slot) {
    const Box3 box = box_of(store.shape[slot], pose_of(store, slot), *store.shapes);
    if (!box.low.allFinite() || !box.high.allFinite()) continue;
    for (int k = 0; k < 3; ++k) {
      ends[k] = std::max(ends[k], box.high[k]);
      ends[3 + k] = std::max(ends[3 + k], -box.low[k]);
    }
  }
  max_over_ranks(comm, ends);
  if (ends[0] == kNone) return {-Vec3::Ones(), Vec3::Ones()};
  return {-Vec3(ends.data() + 3), Vec3(ends.data())};
}

WallBlock block_of(std::string name, std::string_view shape, const SurfaceMesh& mesh,
                   const Vec3& force) {
  std::vector<double> points;
  std::vector<std::int32_t> triangles;
  std::vector<double> forces;
  for (const Vec3& p : mesh.points) points.insert(points.end(), p.begin(), p.end());
  for (const auto& corners : mesh.triangles) {
    triangles.insert(triangles.end(), corners.begin(), corners.end());
    forces.insert(forces.end(), force.begin(), force.end());
  }
  return {std::move(name),
          std::string(shape),
          {{"points", "m", 3, std::move(points)},
           {"triangles", "1", 3, std::move(triangles)},
           {"force", "N", 3, std::move(forces)}}};
}

}  // namespace

std::vector<WallBlock> wall_blocks(MPI_Comm comm, const Store& store,
                                   std::span<const std::string> names,
                                   std::span<const Vec3> forces) {
  const Box3 seen = box_of_all(comm, store);
  std::vector<WallBlock> blocks;
  for (std::int32_t slot = 0; slot < store.n_tools; ++slot) {
    const auto k = static_cast<std::size_t>(slot);
    const SurfaceMesh mesh =
        surface_of(store.shape[slot], *store.shapes, pose_of(store, slot), seen);
    if (mesh.triangles.empty()) continue;
    blocks.push_back(block_of(k < names.size() ? names[k] : fmt::format("tool_{}", k),
                              type_of(store.shape[slot]), mesh,
                              k < forces.size() ? forces[k] : Vec3::Zero().eval()));
  }
  return blocks;
}

}  // namespace scree
