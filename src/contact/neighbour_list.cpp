#include "scree/contact/neighbour_list.hpp"

#include <algorithm>
#include <tuple>

#include "scree/contact/broadphase.hpp"

namespace scree {
namespace {

/// A list that served for fewer steps has cost more than it saved.
constexpr std::int64_t kLeastUses = 3;
/// Steps without a skin until one is tried again.
constexpr std::int64_t kBareSteps = 20;
/// Steps for which the skin should hold at a body's present velocity.
constexpr double kStepsAhead = 8.0;
/// The most that is added for them, over the skin.
constexpr double kMostAhead = 4.0;

bool contains(const Box3& outer, const Box3& inner) {
  bool result = true;
  for (int axis = 0; axis < 3; ++axis) {
    result &= outer.low[axis] <= inner.low[axis];
    result &= inner.high[axis] <= outer.high[axis];
  }
  return result;
}

void sort_by_ids(const std::vector<std::int64_t>& ids, std::vector<Pair>& pairs) {
  using Named = std::tuple<std::int64_t, std::int64_t, Pair>;
  std::vector<Named> named;
  named.reserve(pairs.size());
  for (const Pair& pair : pairs) {
    named.emplace_back(ids[pair.a], ids[pair.b], pair);
  }
  std::sort(named.begin(), named.end());
  std::transform(named.begin(), named.end(), pairs.begin(),
                 [](const Named& n) { return std::get<Pair>(n); });
}

}  // namespace

std::vector<Pair> NeighbourList::meeting(const Store& store, double skin, double dt) {
  if (!holds(store)) {
    if (n_uses_ > 0 && n_uses_ < kLeastUses) n_bare_ = kBareSteps;
    n_uses_ = 0;
    if (n_bare_ > 0) {
      --n_bare_;
      ++n_listings_;
      ids_.clear();
      return broadphase(store);
    }
    list(store, skin, dt);
  }
  ++n_uses_;
  std::vector<Pair> result;
  result.reserve(pairs_.size());
  for (const Pair& pair : pairs_) {
    const Box3& a = store.box[pair.a];
    if (a.meets(store.box[pair.b])) result.push_back(pair);
  }
  return result;
}

bool NeighbourList::holds(const Store& store) const {
  if (ids_.empty() || ids_ != store.id || images_ != store.image) return false;
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    if (!contains(boxes_[i], store.box[i])) return false;
  }
  return true;
}

void NeighbourList::list(const Store& store, double skin, double dt) {
  ++n_listings_;
  ids_ = store.id;
  images_ = store.image;
  boxes_ = store.box;
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    const double ahead = std::min(kStepsAhead * dt * store.velocity[i].norm(), kMostAhead * skin);
    boxes_[i].low.array() -= skin + ahead;
    boxes_[i].high.array() += skin + ahead;
  }
  pairs_ = broadphase(store, boxes_);
  sort_by_ids(ids_, pairs_);
}

}  // namespace scree
