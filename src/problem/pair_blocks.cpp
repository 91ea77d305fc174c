#include "scree/problem/pair_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "scree/base/parallel.hpp"
#include "scree/problem/body_rows.hpp"

namespace scree {
namespace {

constexpr bool is_half_line(const ConeBatch& batch) {
  return batch.type == cones::kTypeOf<cones::HalfLine>;
}

/// Whether cones @p a and @p b act on the same bodies, and on any.
bool share_bodies(const BodyPattern& pattern, std::int32_t a, std::int32_t b) {
  const BodiesOfCone of_a = pattern.bodies(a);
  return !of_a.empty() && std::ranges::equal(of_a, pattern.bodies(b));
}

/// The rows of a problem, as J with M^-1 or, where it has no block rows, as B.
class ProblemRows {
 public:
  explicit ProblemRows(const ContactProblem& problem) : blocks_(problem.delassus.blocks.get()) {
    if (blocks_ == nullptr) factored_ = body_rows(problem);
  }

  const BodyPattern& pattern() const {
    return blocks_ != nullptr ? blocks_->pattern : factored_->pattern;
  }
  /// N between cones @p a and @p b of the same bodies.
  double coupling(std::int32_t a, std::int32_t b) const {
    double sum = 0.0;
    for_each_row(a, [&](const auto& of_a, std::int32_t body) {
      for_each_row(b, [&](const auto& of_b, std::int32_t other) {
        if (body != other) return;
        sum += blocks_ != nullptr ? (of_a * blocks_->inverse_mass[body]).dot(of_b) : of_a.dot(of_b);
      });
    });
    return sum;
  }

 private:
  template <class Visit>
  void for_each_row(std::int32_t cone, const Visit& visit) const {
    if (blocks_ != nullptr) {
      for_each_entry<1>(*blocks_, cone, visit);
    } else {
      for_each_entry<1>(factored_->pattern, factored_->values, cone, visit);
    }
  }

  const BlockRows* blocks_;
  std::shared_ptr<const BodyRows> factored_;
};

void append_block(const ContactProblem& problem, const ProblemRows& rows,
                  std::span<const std::int32_t> members, PairBlocks& blocks) {
  const std::size_t n = members.size();
  const std::size_t place = blocks.values.size();
  blocks.values.resize(place + n * n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::int32_t row = problem.cones.offset[members[i]];
    blocks.row.push_back(row);
    for (std::size_t j = 0; j <= i; ++j) {
      const double value = rows.coupling(members[i], members[j]);
      blocks.values[place + i * n + j] = blocks.values[place + j * n + i] = value;
    }
    blocks.values[place + i * (n + 1)] += problem.compliance_of(row);
  }
  blocks.first.push_back(static_cast<std::int32_t>(blocks.row.size()));
}

/// Appends the rows of a pair, in as many blocks as they take.
void append_blocks(const ContactProblem& problem, const ProblemRows& rows,
                   std::span<const std::int32_t> members, PairBlocks& blocks) {
  while (members.size() > 1) {
    const std::size_t n = std::min(PairBlocks::kMost, members.size());
    append_block(problem, rows, members.first(n), blocks);
    members = members.subspan(n);
  }
}

/// Whether most rows of a pair are nearly those before them, as ReLCP's are and those of clusters
/// of balls are not.
bool are_repeats(const ProblemRows& rows, std::span<const std::int32_t> members) {
  constexpr double kAlike = 0.999;  // of the cosine of two rows in the metric of M^-1
  std::size_t count = 0;
  double before = rows.coupling(members[0], members[0]);
  for (std::size_t k = 1; k < members.size(); ++k) {
    const double own = rows.coupling(members[k], members[k]);
    if (rows.coupling(members[k], members[k - 1]) > kAlike * std::sqrt(own * before)) ++count;
    before = own;
  }
  return 2 * count > members.size();
}

/// How many rows of a block of @p n rows are nearly one of those before.
std::int64_t repeated(const double* block, std::size_t n) {
  constexpr double kAlike = 0.99;  // of the cosine of two rows in the metric of M^-1
  std::int64_t count = 0;
  for (std::size_t i = 1; i < n; ++i) {
    bool alike = false;
    for (std::size_t j = 0; j < i && !alike; ++j) {
      alike = block[i * n + j] > kAlike * std::sqrt(block[i * (n + 1)] * block[j * (n + 1)]);
    }
    count += alike ? 1 : 0;
  }
  return count;
}

}  // namespace

PairBlocks pair_blocks_of(const ContactProblem& problem) {
  const ProblemRows rows(problem);
  const BodyPattern& pattern = rows.pattern();
  PairBlocks blocks;
  std::vector<std::int32_t> members;
  for (const ConeBatch& batch : problem.cones.batches) {
    if (!is_half_line(batch)) continue;
    const std::int32_t end = batch.first + batch.count;
    for (std::int32_t i = batch.first; i < end; i += static_cast<std::int32_t>(members.size())) {
      members.assign(1, i);
      while (members.back() + 1 < end && share_bodies(pattern, i, members.back() + 1)) {
        members.push_back(members.back() + 1);
      }
      const bool fit_a_block = members.size() <= PairBlocks::kMost;
      if (fit_a_block || are_repeats(rows, members)) append_blocks(problem, rows, members, blocks);
    }
  }
  return blocks;
}

bool repeats_rows(const ContactProblem& problem, const PairBlocks& blocks) {
  constexpr double kShare = 0.01;  // of all rows
  const double* block = blocks.values.data();
  std::int64_t count = 0;
  for (std::size_t k = 0; k < blocks.count(); ++k) {
    const std::size_t n = blocks.rows_of(k).size();
    count += repeated(block, n);
    block += n * n;
  }
  const std::int64_t all =
      sum_over_ranks(problem.comm, static_cast<std::int64_t>(problem.cones.rows()));
  return static_cast<double>(sum_over_ranks(problem.comm, count)) >
         kShare * static_cast<double>(all);
}

}  // namespace scree
