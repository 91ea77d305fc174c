#include "batches.hpp"

#include <algorithm>
#include <utility>

namespace scree {

/// The first batch from @p batch on with an empty lane: a union-find forest whose paths are halved
/// on the way, so that full batches are passed in nearly constant time.
std::int32_t ContactBatches::with_room(std::int32_t batch) {
  std::size_t at = batch;
  while (at < next_.size() && next_[at] != static_cast<std::int32_t>(at)) {
    const std::size_t following = next_[at];
    if (following < next_.size()) next_[at] = next_[following];
    at = following;
  }
  return static_cast<std::int32_t>(at);
}

void ContactBatches::schedule(int width, std::size_t n_bodies, std::span<const std::int32_t> first,
                              std::span<const std::int32_t> second) {
  slots_.resize(first.size());
  used_.clear();
  next_.clear();
  last_.assign(n_bodies, -1);
  for (std::size_t i = 0; i < first.size(); ++i) {
    std::int32_t behind = -1;
    for (const std::int32_t body : {first[i], second[i]}) {
      if (body >= 0) behind = std::max(behind, last_[body]);
    }
    const std::int32_t batch = with_room(behind + 1);
    if (std::cmp_equal(batch, used_.size())) {
      used_.push_back(0);
      next_.push_back(batch);
    }
    slots_[i] = batch * width + used_[batch];
    if (++used_[batch] == width) next_[batch] = batch + 1;
    for (const std::int32_t body : {first[i], second[i]}) {
      if (body >= 0) last_[body] = batch;
    }
  }
}

}  // namespace scree
