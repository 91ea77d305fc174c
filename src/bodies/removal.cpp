#include "scree/bodies/removal.hpp"

namespace scree {

std::vector<bool> inside(const Store& store, const Box3& region) {
  std::vector<bool> keep(static_cast<std::size_t>(store.n_owned));
  for (std::size_t k = 0; k < keep.size(); ++k) {
    keep[k] = region.contains(store.position[static_cast<std::size_t>(store.first_owned()) + k]);
  }
  return keep;
}

}  // namespace scree
