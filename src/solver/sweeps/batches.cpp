#include "scree/solver/sweeps/batches.hpp"

#include <algorithm>

namespace scree {

/// The first batch from @p batch on with an empty lane: a union-find forest whose paths are halved on the way, so
/// that full batches are passed in nearly constant time.
std::int32_t ContactBatches::with_room(std::int32_t batch) {
  auto at = static_cast<std::size_t>(batch);
  while (at < next_.size() && next_[at] != static_cast<std::int32_t>(at)) {
    const auto following = static_cast<std::size_t>(next_[at]);
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
      if (body >= 0) behind = std::max(behind, last_[static_cast<std::size_t>(body)]);
    }
    const std::int32_t batch = with_room(behind + 1);
    const auto at = static_cast<std::size_t>(batch);
    if (at == used_.size()) {
      used_.push_back(0);
      next_.push_back(batch);
    }
    slots_[i] = batch * width + used_[at];
    if (++used_[at] == width) next_[at] = batch + 1;
    for (const std::int32_t body : {first[i], second[i]}) {
      if (body >= 0) last_[static_cast<std::size_t>(body)] = batch;
    }
  }
}

}  // namespace scree
