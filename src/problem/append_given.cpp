#include "append_given.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "scree/base/check.hpp"

namespace scree {
namespace {

/// The velocity of a prescribed tool in the step.
Vec6 velocity_of_tool(const Store& store, std::int32_t slot) {
  Vec6 velocity;
  velocity << store.velocity[slot], store.angular_velocity[slot];
  return velocity;
}

/// Refuses a cone whose entries are no bodies of this rank, name one body twice, or move none.
void check_entries(const GivenRows& given, const Store& store, const LocalBodies& bodies,
                   std::size_t cone) {
  std::vector<std::int32_t> moved;
  for (std::int32_t e = given.first[cone]; e < given.first[cone + 1]; ++e) {
    const std::int32_t slot = given.slot[e];
    if (slot < 0 || slot >= store.size()) {
      throw Failure(fmt::format("row {} of a source names a body that this rank does not know",
                                given.key[cone]));
    }
    if (!store.is_prescribed(slot)) moved.push_back(bodies(slot));
  }
  std::ranges::sort(moved);
  if (moved.empty() || std::ranges::adjacent_find(moved) != moved.end()) {
    throw Failure(fmt::format("row {} of a source {}", given.key[cone],
                              moved.empty() ? "moves no body" : "names a body twice"));
  }
}

}  // namespace

void append_given(const GivenRows& given, const Store& store, const LocalBodies& bodies,
                  ContactRows& rows) {
  if (given.cones.count() == 0) return;
  BlockRows& blocks = rows.blocks;
  BodyPattern& pattern = blocks.pattern;
  const std::size_t n_before = rows.cones.rows();
  rows.cones.append(given.cones);
  rows.bias.insert(rows.bias.end(), given.bias.begin(), given.bias.end());
  rows.compliance.insert(rows.compliance.end(), given.compliance.begin(), given.compliance.end());
  const double* block = given.jacobian.data();
  std::vector<std::int32_t> moved;
  for_each_cone(given.cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    constexpr int kSize = Cone::kDim * kBodyDofs;
    check_entries(given, store, bodies, at.number);
    pattern.place.push_back(blocks.jacobian.size());
    moved.clear();
    for (std::int32_t e = given.first[at.number]; e < given.first[at.number + 1]; ++e) {
      const std::int32_t slot = given.slot[e];
      if (store.is_prescribed(slot)) {
        rows_of(cone, &rows.bias[n_before + at.row]) +=
            Eigen::Map<const BodyBlock<Cone::kDim>>(block) * velocity_of_tool(store, slot);
      } else {
        moved.push_back(bodies(slot));
        blocks.jacobian.insert(blocks.jacobian.end(), block, block + kSize);
      }
      block += kSize;
    }
    pattern.append(moved);
  });
}

}  // namespace scree
