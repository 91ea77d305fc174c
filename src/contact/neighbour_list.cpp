#include "scree/contact/neighbour_list.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "scree/base/check.hpp"
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
/// Part of a rank's grains that may have left their skins in a list that is mended; by judgement.
constexpr double kMostLeft = 0.05;

/// The box of the body in @p slot, wider by the @p skin and its way.
Box3 skin_of(const Store& store, std::int32_t slot, double skin, double dt) {
  const double ahead = kStepsAhead * dt * store.velocity[slot].norm();
  const Vec3 width = Vec3::Constant(std::min(skin + ahead, kWidest * skin));
  return {store.box[slot].low - width, store.box[slot].high + width};
}

/// Box3::meets without branches, which candidates would mispredict.
bool meet(const Box3& a, const Box3& b) {
  bool result = true;
  for (int axis = 0; axis < 3; ++axis) {
    result &= a.low[axis] <= b.high[axis];
    result &= b.low[axis] <= a.high[axis];
  }
  return result;
}

/// The place of each slot's id in the order of ids. Copies of a body share it.
std::vector<std::int32_t> ranks_of(const std::vector<std::int64_t>& ids, std::int32_t n_tools) {
  std::vector<std::int32_t> slots(ids.size());
  std::iota(slots.begin(), slots.end(), 0);
  std::rotate(slots.begin(), slots.begin() + n_tools, slots.end());  // tools have the highest ids
  const auto before = [&ids](std::int32_t i, std::int32_t j) { return ids[i] < ids[j]; };
  if (!std::is_sorted(slots.begin(), slots.end(), before)) {
    std::sort(slots.begin(), slots.end(), before);
  }
  std::vector<std::int32_t> ranks(ids.size());
  for (std::size_t k = 1; k < slots.size(); ++k) {
    ranks[slots[k]] = ranks[slots[k - 1]] + (ids[slots[k]] == ids[slots[k - 1]] ? 0 : 1);
  }
  return ranks;
}

/// @p pairs by the rank of one of their slots, else in the order that they have.
std::vector<Pair> sorted_by(std::int32_t Pair::*slot, const std::vector<std::int32_t>& ranks,
                            const std::vector<Pair>& pairs) {
  std::vector<std::size_t> place(ranks.size() + 1, 0);
  for (const Pair& pair : pairs) ++place[ranks[pair.*slot] + 1];
  std::partial_sum(place.begin(), place.end(), place.begin());
  std::vector<Pair> sorted(pairs.size());
  for (const Pair& pair : pairs) sorted[place[ranks[pair.*slot]]++] = pair;
  return sorted;
}

/// By the ids of both, so that contacts come sorted by key. Counting takes a tenth of the time of
/// comparing.
std::vector<Pair> sorted_by_ids(const Store& store, const std::vector<Pair>& pairs) {
  const std::vector<std::int32_t> ranks = ranks_of(store.id, store.n_tools);
  return sorted_by(&Pair::a, ranks, sorted_by(&Pair::b, ranks, pairs));
}

}  // namespace

std::optional<NewSkins> NeighbourList::left(const Store& store, double skin, double dt) const {
  if (!is_listed_ || ids_ != store.id) return std::nullopt;
  const double most = std::max(1.0, kMostLeft * store.n_owned);
  double n_grains = 0.0;
  NewSkins result;
  for (std::int32_t slot = 0; slot < store.end_owned(); ++slot) {
    if (store.skin[slot].contains(store.box[slot])) continue;
    if (!store.is_tool(slot)) ++n_grains;
    if (is_bare_ || n_grains > most) return std::nullopt;
    result.slots.push_back(slot);
    result.skins.push_back(skin_of(store, slot, skin, dt));
  }
  return result;
}

void NeighbourList::begin(Store& store, double skin, double dt) {
  clear();
  is_bare_ = n_bare_ > 0;
  if (is_bare_) --n_bare_;
  for (std::int32_t slot = 0; slot < store.end_owned(); ++slot) {
    store.skin[slot] = is_bare_ ? store.box[slot] : skin_of(store, slot, skin, dt);
  }
}

void NeighbourList::mend(std::vector<std::int32_t> slots) {
  SCREE_ASSERT(again_.empty());
  again_ = std::move(slots);
}

void NeighbourList::serve(const Store& store, const OwnsPoint& owns,
                          const MeetingMaterials& meetings) {
  if (!is_listed_) {
    list(store, owns, meetings);
  } else if (!again_.empty()) {
    list_again(store, owns, meetings);
  }
  again_.clear();
  if (!is_bare_) ++n_uses_;
}

std::vector<Pair> NeighbourList::meeting(const Store& store) const {
  std::vector<Pair> result(pairs_.size());
  std::size_t n_meeting = 0;
  for (const Pair& pair : pairs_) {
    result[n_meeting] = pair;
    n_meeting += meet(store.box[pair.a], store.box[pair.b]) ? 1 : 0;
  }
  result.resize(n_meeting);
  return result;
}

void NeighbourList::clear() {
  if (n_uses_ > 0 && n_uses_ < kLeastUses) n_bare_ = kBareSteps;
  n_uses_ = 0;
  is_listed_ = false;
  again_.clear();
}

void NeighbourList::list(const Store& store, const OwnsPoint& owns,
                         const MeetingMaterials& meetings) {
  ++n_listings_;
  is_listed_ = true;
  ids_ = store.id;
  pairs_ = sorted_by_ids(store, own_pairs(store, broadphase(store, store.skin, meetings), owns));
}

void NeighbourList::list_again(const Store& store, const OwnsPoint& owns,
                               const MeetingMaterials& meetings) {
  ++n_mendings_;
  std::vector<char> has_left(ids_.size(), 0);
  for (const std::int32_t slot : again_) has_left[slot] = 1;
  std::erase_if(pairs_, [&](const Pair& pair) { return has_left[pair.a] || has_left[pair.b]; });
  const auto n_kept = static_cast<std::ptrdiff_t>(pairs_.size());
  const std::vector<Pair> found =
      own_pairs(store, broadphase_of(again_, store, store.skin, meetings), owns);
  const std::size_t n_pairs = pairs_.size() + found.size();
  if (n_pairs > pairs_.capacity()) pairs_.reserve(n_pairs + n_pairs / 32);  // not twice as many
  pairs_.insert(pairs_.end(), found.begin(), found.end());
  const auto before = [&ids = ids_](const Pair& p, const Pair& q) {
    return std::pair(ids[p.a], ids[p.b]) < std::pair(ids[q.a], ids[q.b]);
  };
  std::sort(pairs_.begin() + n_kept, pairs_.end(), before);
  std::inplace_merge(pairs_.begin(), pairs_.begin() + n_kept, pairs_.end(), before);
}

}  // namespace scree
