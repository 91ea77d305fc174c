#include "scree/geometry/shape_library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "scree/base/check.hpp"
#include "scree/geometry/mesh_points.hpp"

namespace scree {

Polyhedron ShapeLibrary::polyhedron(const std::filesystem::path& file, double scale) {
  if (!(scale > 0.0) || !std::isfinite(scale)) {
    throw InputError(
        fmt::format("{}: the scale {} of the polyhedron; allowed: above 0", file.string(), scale));
  }
  const auto known = std::find_if(files_.begin(), files_.end(),
                                  [&file](const FromFile& one) { return one.path == file; });
  if (known != files_.end()) return {known->handle, scale};
  const std::int32_t handle = add(hull_of(mesh_points(file), file.string()));
  files_.push_back({file, handle});
  return {handle, scale};
}

std::int32_t ShapeLibrary::add(Hull hull) {
  hulls_.push_back(std::move(hull));
  return static_cast<std::int32_t>(hulls_.size()) - 1;
}

}  // namespace scree
