#include "zone_labels.hpp"

#include <algorithm>

#include "body_blocks.hpp"
#include "scree/base/parallel.hpp"
#include "scree/impact/joined_bodies.hpp"

namespace scree {
namespace {

JoinedBodies joined_here(const BlockRows& blocks, std::span<const std::int32_t> contacts) {
  JoinedBodies joined(blocks.pattern.n_bodies());
  for (const std::int32_t i : contacts) {
    std::int32_t first = -1;
    for_each_movable(blocks, i, [&](std::int32_t body) {
      if (first >= 0) joined.join(first, body);
      first = body;
    });
  }
  return joined;
}

/// Gives all bodies of a set the least label among them. @returns whether any was changed.
bool level(JoinedBodies& joined, std::vector<double>& labels) {
  const auto n = static_cast<std::int32_t>(labels.size());
  bool changed = false;
  const auto lower = [&](double& label, double to) {
    if (to >= label) return;
    label = to;
    changed = true;
  };
  for (std::int32_t b = 0; b < n; ++b) lower(labels[joined.root(b)], labels[b]);
  for (std::int32_t b = 0; b < n; ++b) lower(labels[b], labels[joined.root(b)]);
  return changed;
}

}  // namespace

std::vector<double> zone_labels(const ContactProblem& problem, const ActiveContacts& contacts) {
  const BlockRows& blocks = *problem.delassus.blocks;
  const BodyPattern& pattern = blocks.pattern;
  const BodyBlocks named(problem);
  std::vector<double> labels(pattern.n_bodies(), kNotStriking);
  for (const std::int32_t i : contacts.striking) {
    for_each_movable(blocks, i, [&](std::int32_t body) {
      labels[body] = static_cast<double>(named.global(body));
    });
  }
  JoinedBodies joined = joined_here(blocks, contacts.all);
  level(joined, labels);
  BodyExchange& exchange = body_exchange(problem);
  bool changed = true;
  while (changed) {
    exchange.lower_owners(labels);
    exchange.to_ghosts(labels);
    changed = max_over_ranks(problem.comm, level(joined, labels) ? 1 : 0) != 0;
  }
  return labels;
}

}  // namespace scree
