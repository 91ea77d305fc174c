#include "cone_ranges.hpp"

#include <type_traits>

#include "kernel_cones.hpp"

namespace scree {
namespace {

/// The directions of the first cone of a batch; 0 of round ones.
int directions_of(const ConeBatch& batch) {
  return cones::with_type(batch.type, [&]<class Cone>() -> int {
    if constexpr (std::is_same_v<typename cones::RoundOf<Cone>::Type, Cone>) {
      return 0;
    } else {
      return batch.template cone<Cone>(0).directions;
    }
  });
}

}  // namespace

bool has_many_directions(const ConeBatch& batch) {
  if (batch.alike) return false;
  return cones::with_type(batch.type, [&]<class Cone>() -> bool {
    for (std::int32_t k = 1; k < batch.count; ++k) {
      if constexpr (!std::is_same_v<typename cones::RoundOf<Cone>::Type, Cone>) {
        const int first = batch.template cone<Cone>(0).directions;
        if (batch.template cone<Cone>(k).directions != first) return true;
      }
    }
    return false;
  });
}

void split_by_cone(const PairRows& rows, std::vector<ConeRange>& ranges) {
  ranges.clear();
  if (rows.batches.empty()) {
    ranges.push_back({.cone = kKernelCone<cones::Circular>, .end = rows.n_contacts()});
    return;
  }
  for (std::size_t k = 0; k < rows.batches.size(); ++k) {
    const ConeBatch& batch = rows.batches[k];
    const std::size_t first = batch.first;
    const ConeRange range{.cone = kernel_cone_of(batch.type),
                          .directions = directions_of(batch),
                          .first = first,
                          .end = first + batch.count,
                          .batches = rows.batches.subspan(k, 1)};
    if (!ranges.empty() && ranges.back().cone == range.cone &&
        ranges.back().directions == range.directions) {
      ConeRange& last = ranges.back();
      last.end = range.end;
      last.batches = {last.batches.data(), last.batches.size() + 1};
    } else {
      ranges.push_back(range);
    }
  }
}

}  // namespace scree
