#include "scree/io/paraview/snapshot_content.hpp"

#include <algorithm>

namespace scree {

bool SnapshotContent::has(std::string_view name) const {
  if (name == "position" || name == "id" || name == "radius") return true;
  if (name == "hull" || name == "clump" || name == "scale") name = "shape";
  return std::ranges::find(arrays, name) != arrays.end();
}

}  // namespace scree
