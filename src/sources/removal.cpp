#include "scree/sources/removal.hpp"

#include <algorithm>

namespace scree {

std::vector<bool> staying(const Store& store, const std::optional<BoxRegion>& keep_inside,
                          std::span<const RemovalBox> boxes, Removed& removed) {
  std::vector<bool> stays(store.n_owned, true);
  for (std::size_t k = 0; k < stays.size(); ++k) {
    const std::size_t i = store.first_owned() + k;
    const Vec3& centre = store.position[i];
    const auto has_it = [&centre](const BoxRegion& box) { return box.bounds().contains(centre); };
    if (keep_inside && !has_it(*keep_inside)) {
      stays[k] = false;
      ++removed.left;
    } else if (std::any_of(boxes.begin(), boxes.end(), has_it)) {
      stays[k] = false;
      ++removed.discharged;
      removed.discharged_mass += store.mass[i];
    }
  }
  return stays;
}

}  // namespace scree
