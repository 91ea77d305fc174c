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
/// The widest skin over the least.
constexpr double kWidest = 5.0;

/// The box of the body in @p slot, wider by the @p skin and its way.
Box3 skin_of(const Store& store, std::int32_t slot, double skin, double dt) {
  const double ahead = kStepsAhead * dt * store.velocity[slot].norm();
  const Vec3 width = Vec3::Constant(std::min(skin + ahead, kWidest * skin));
  return {store.box[slot].low - width, store.box[slot].high + width};
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

bool NeighbourList::holds(const Store& store) const {
  if (!is_listed_ || ids_ != store.id) return false;
  for (std::int32_t slot = 0; slot < store.end_owned(); ++slot) {
    if (!store.skin[slot].contains(store.box[slot])) return false;
  }
  return true;
}

double NeighbourList::begin(Store& store, double skin, double dt) {
  clear();
  is_bare_ = n_bare_ > 0;
  if (is_bare_) --n_bare_;
  for (std::int32_t slot = 0; slot < store.end_owned(); ++slot) {
    store.skin[slot] = is_bare_ ? store.box[slot] : skin_of(store, slot, skin, dt);
  }
  return is_bare_ ? 0.0 : kWidest * skin;
}

std::vector<Pair> NeighbourList::meeting(const Store& store, const OwnsPoint& owns) {
  if (!is_listed_) list(store, owns);
  if (!is_bare_) ++n_uses_;
  std::vector<Pair> result;
  result.reserve(pairs_.size());
  for (const Pair& pair : pairs_) {
    const Box3& a = store.box[pair.a];
    if (a.meets(store.box[pair.b])) result.push_back(pair);
  }
  return result;
}

void NeighbourList::clear() {
  if (n_uses_ > 0 && n_uses_ < kLeastUses) n_bare_ = kBareSteps;
  n_uses_ = 0;
  is_listed_ = false;
}

void NeighbourList::list(const Store& store, const OwnsPoint& owns) {
  ++n_listings_;
  is_listed_ = true;
  ids_ = store.id;
  pairs_ = own_pairs(store, broadphase(store, store.skin), owns);
  if (!is_bare_) sort_by_ids(ids_, pairs_);
}

}  // namespace scree
