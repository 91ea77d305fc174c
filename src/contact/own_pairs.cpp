#include "scree/contact/own_pairs.hpp"

namespace scree {
namespace {

bool is_own(const Store& store, const Pair& pair, const OwnsPoint& owns) {
  if (store.is_tool(pair.b)) return store.is_owned(pair.a);
  if (!store.image[pair.a].isZero() || store.id[pair.a] == store.id[pair.b]) return false;
  return owns(store.skin[pair.a].low.cwiseMax(store.skin[pair.b].low));
}

}  // namespace

std::vector<Pair> own_pairs(const Store& store, std::vector<Pair> pairs, const OwnsPoint& owns) {
  std::erase_if(pairs, [&](const Pair& pair) { return !is_own(store, pair, owns); });
  return pairs;
}

}  // namespace scree
