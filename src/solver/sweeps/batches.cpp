#include "batches.hpp"

#include <algorithm>
#include <bit>
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

void ContactBatches::open_batch(std::size_t n_bodies) {
  next_.push_back(static_cast<std::int32_t>(used_.size()));
  used_.push_back(0);
  const std::size_t names = std::size_t{2} << shift_;
  for (std::size_t k = 0; k < names; ++k) {
    bodies_.push_back(static_cast<std::int32_t>(n_bodies + k));
  }
}

/// Gives the @p contact of the bodies @p own a lane of the first batch that may have it.
void ContactBatches::place(std::size_t contact, const BodiesOfCone& own, std::size_t n_bodies) {
  const std::int32_t width = std::int32_t{1} << shift_;
  std::int32_t behind = -1;
  for (const std::int32_t b : own) behind = std::max(behind, last_[b]);
  const std::int32_t batch = with_room(behind + 1);
  if (std::cmp_equal(batch, used_.size())) open_batch(n_bodies);
  const std::int32_t lane = used_[batch]++;
  if (used_[batch] == width) next_[batch] = batch + 1;
  slots_[contact] = static_cast<std::uint32_t>((batch << shift_) + lane);
  std::int32_t* name = &bodies_[(static_cast<std::size_t>(batch) << (shift_ + 1)) + lane];
  for (const std::int32_t b : own) {
    last_[b] = batch;
    *name = b;
    name += width;
  }
}

void ContactBatches::schedule(int width, std::size_t n_bodies, const BodiesOfCones& bodies,
                              std::size_t first, std::size_t end,
                              std::span<const std::uint8_t> is_shared) {
  shift_ = static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(width)));
  const std::size_t n = end - first;
  slots_.resize(n);
  bodies_.clear();
  bodies_.reserve(2 * (n + n / 64));  // most lanes are full
  used_.clear();
  next_.clear();
  last_.assign(n_bodies, -1);
  const auto touches_shared = [is_shared](const BodiesOfCone& own) {
    return std::any_of(own.begin(), own.end(),
                       [is_shared](std::int32_t b) { return is_shared[b] != 0; });
  };
  if (is_shared.empty()) {
    for (std::size_t i = 0; i < n; ++i) place(i, bodies[first + i], n_bodies);
    n_shared_ = 0;
    return;
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (touches_shared(bodies[first + i])) place(i, bodies[first + i], n_bodies);
  }
  n_shared_ = count();
  for (std::size_t i = 0; i < n; ++i) {
    if (!touches_shared(bodies[first + i])) place(i, bodies[first + i], n_bodies);
  }
}

}  // namespace scree
