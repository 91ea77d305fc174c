#include "zone_labels.hpp"

#include <algorithm>

#include "scree/base/parallel.hpp"
#include "scree/impact/joined_bodies.hpp"

namespace scree {
namespace {

/// The global block of this rank's first body. Collective.
std::int64_t first_block(const ContactProblem& problem) {
  return sum_of_lower_ranks(problem.comm, problem.delassus.blocks->pattern.n_owned);
}

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
  const std::int64_t first = first_block(problem);
  std::vector<double> labels(pattern.n_bodies(), kUnstruck);
  for (const std::int32_t i : contacts.struck) {
    for_each_movable(blocks, i, [&](std::int32_t body) {
      const bool own = body < pattern.n_owned;
      labels[body] =
          static_cast<double>(own ? first + body : pattern.ghosts[body - pattern.n_owned]);
    });
  }
  JoinedBodies joined = joined_here(blocks, contacts.all);
  level(joined, labels);
  BodyExchange exchange(problem.comm, pattern, 1);
  bool changed = true;
  while (changed) {
    exchange.lower_owners(labels);
    exchange.to_ghosts(labels);
    changed = max_over_ranks(problem.comm, level(joined, labels) ? 1 : 0) != 0;
  }
  return labels;
}

}  // namespace scree
