#include "copies.hpp"

#include <algorithm>
#include <limits>

#include "scree/base/parallel.hpp"

namespace scree {

Box3 box_of_skins(const PeriodicCell& cell, MPI_Comm comm, const Store& store, const Store& among) {
  if (!cell.repeats()) return cell.box();
  Vec6 reach = Vec6::Constant(-std::numeric_limits<double>::infinity());
  for (const Store* bodies : {&store, &among}) {
    for (std::int32_t slot = bodies->first_owned(); slot < bodies->end_owned(); ++slot) {
      const Box3& box = bodies->skin[slot];
      reach.head<3>() = reach.head<3>().cwiseMax(-box.low);
      reach.tail<3>() = reach.tail<3>().cwiseMax(box.high);
    }
  }
  Vec6 all;
  SCREE_MPI(MPI_Allreduce(reach.data(), all.data(), 6, MPI_DOUBLE, MPI_MAX, comm));
  Box3 box = cell.box();
  for (int axis = 0; axis < 3; ++axis) {
    if (!cell.repeats(axis)) continue;
    box.low[axis] = -all[axis];
    box.high[axis] = all[3 + axis];
  }
  return box;
}

Copies copies_for_ranks(Store& store, const CopyRule& rule) {
  Copies copies;
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    const Box3 skin = store.skin[slot];  // images are appended to the field
    rule.for_each_copy(skin, [&](const Vec3i& image, const std::vector<int>& ranks) {
      const std::int32_t packed = image.isZero() ? slot : store.size();
      if (!image.isZero()) append_image(store, rule.cell, slot, image);
      for (const int rank : ranks) {
        copies.owned[rank].push_back(slot);
        copies.packed[rank].push_back(packed);
      }
    });
  }
  return copies;
}

std::vector<Copy> copies_of(const Box3& skin, const CopyRule& rule) {
  std::vector<Copy> copies;
  rule.for_each_copy(skin, [&](const Vec3i& image, const std::vector<int>& ranks) {
    for (const int rank : ranks) copies.push_back({image.x(), image.y(), image.z(), rank});
  });
  std::ranges::sort(copies);
  return copies;
}

}  // namespace scree
