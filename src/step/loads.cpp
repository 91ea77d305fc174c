#include "scree/step/loads.hpp"

#include <utility>

#include "scree/tools/pressure.hpp"

namespace scree {

Loads loads(const Store& store, std::span<const ForceField> fields, const Flow& flow,
            std::span<const ToolSpec> tools, double t) {
  const auto n_owned = static_cast<std::size_t>(store.n_owned);
  if (fields.empty() && flow.at_rest() && count_free_tools(store) == 0) {
    return Loads::none(n_owned);
  }
  std::vector<Load> all(n_owned);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::int32_t slot = store.first_owned() + static_cast<std::int32_t>(i);
    for (const ForceField& field : fields) all[i].force += field.on(store, slot, t);
    if (flow.at_rest()) continue;
    const Velocities there = flow.around(store, slot, t);
    all[i].flow << there.linear, there.angular;
  }
  for (std::size_t i = 0; i < tools.size(); ++i) {
    if (tools[i].load() != nullptr) all.push_back({.force = load_on(store, tools, i, t)});
  }
  return Loads(std::move(all));
}

}  // namespace scree
