#pragma once

/// The rules of batches of a problem, and the passes over their cones that both forms of N share.

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "scree/problem/cones.hpp"
#include "sweep.hpp"

namespace scree {

/// One rule for each of @p batches, consecutive ones of @p cones. @p blocks: D_ii of theirs, dim x
/// dim, cone after cone.
inline std::vector<std::unique_ptr<BatchRule>> make_batch_rules(const ContactRule& rule,
                                                                const Cones& cones,
                                                                std::span<const ConeBatch> batches,
                                                                const std::vector<double>& blocks) {
  std::vector<std::unique_ptr<BatchRule>> rules;
  std::size_t place = 0;
  for (const ConeBatch& batch : batches) {
    const std::size_t dim = cones.dim(batch.first);
    const std::size_t size = dim * dim * batch.count;
    rules.push_back(rule.make(batch, std::span(blocks).subspan(place, size)));
    place += size;
  }
  return rules;
}

/// Calls `visit.operator()<kDim>(place, rule, k)` for every cone of @p batches, in order: cone @p k
/// of its batch, with that batch's rule.
template <class Visit>
void for_each_ruled_cone(const Cones& cones, std::span<const ConeBatch> batches,
                         std::span<const std::unique_ptr<BatchRule>> rules, Visit&& visit) {
  for (std::size_t b = 0; b < batches.size(); ++b) {
    const ConeBatch& batch = batches[b];
    BatchRule& rule = *rules[b];
    for_each_place_of(cones, batch, [&]<int kDim>(const ConePlace& at) {
      visit.template operator()<kDim>(at, rule, at.number - batch.first);
    });
  }
}

/// The impulse @p l becomes @p next; @p change gets the move. @returns whether it moved.
template <int kDim>
bool take(const cones::Rows<kDim>& next, double* l, double* change) {
  Eigen::Map<cones::Rows<kDim>> present(l);
  Eigen::Map<cones::Rows<kDim>> move(change);
  move = next - present;
  present = next;
  return (move.array() != 0.0).any();
}

}  // namespace scree
