#include "half_line_pairs.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "scree/base/instructions.hpp"
#include "scree/base/parallel.hpp"

namespace scree {
namespace {

constexpr std::size_t kSides = 2;  ///< bodies of a pair

}  // namespace

bool are_half_line_pairs(const ContactProblem& problem) {
  if (!problem.delassus.blocks || !has_body_rows(problem)) return false;  // on all ranks
  const BodyPattern& pattern = problem.delassus.blocks->pattern;
  bool fit = std::ranges::all_of(problem.cones.batches, [](const ConeBatch& batch) {
    return batch.type == cones::kTypeOf<cones::HalfLine>;
  });
  for (std::size_t i = 0; fit && i < pattern.n_cones(); ++i) {
    fit = pattern.bodies(i).size() <= kSides;
  }
  return min_over_ranks(problem.comm, fit ? 1 : 0) == 1;
}

/// The blocks, and each row between them as a pair of its own.
HalfLinePairs::HalfLinePairs(const ContactProblem& problem, const PairBlocks& blocks) {
  const std::shared_ptr<const BodyRows> rows = body_rows(problem);
  columns_ = columns_that_count(problem.comm, *rows);
  n_bodies_ = rows->pattern.n_bodies();
  n_owned_ = rows->pattern.n_owned;
  const std::vector<double>& diagonal = delassus_diagonal_blocks(problem);
  std::array<std::vector<Pair>, PairBlocks::kMost + 1> by_size;
  const double* values = blocks.values.data();
  std::size_t block = 0;
  std::size_t size = 1;
  for (std::size_t row = 0; row < diagonal.size(); row += size) {
    const bool several =
        block < blocks.count() && std::cmp_equal(blocks.rows_of(block).front(), row);
    size = several ? blocks.rows_of(block++).size() : 1;
    by_size[size].push_back({row, several ? values : &diagonal[row]});
    if (several) values += size * size;
  }
  for (std::size_t n = 1; n < by_size.size(); ++n) {
    if (!by_size[n].empty()) add_group(problem, *rows, n, by_size[n]);
  }
  for (WideVector<double>* w : {&from_, &after_, &before_}) {
    w->assign(stride() * (n_bodies_ + 1), 0.0);
  }
}

void HalfLinePairs::add_group(const ContactProblem& problem, const BodyRows& rows, std::size_t size,
                              std::span<const Pair> pairs) {
  const std::size_t n_packs = (pairs.size() + kPairLanes - 1) / kPairLanes;
  const Group group{size, n_packs, row_.size(), d_.size(), bodies_.size()};
  groups_.push_back(group);
  const std::size_t n = n_packs * kPairLanes;
  row_.resize(row_.size() + size * n, -1);
  for (WideVector<double>* numbers : {&velocity_, &softness_, &x_, &x_before_, &next_}) {
    numbers->resize(row_.size(), 0.0);
  }
  of_bodies_.resize(kSides * columns_.size() * row_.size(), 0.0);
  d_.resize(d_.size() + size * size * n, 0.0);
  factors_.resize(d_.size(), 0.0);
  bodies_.resize(bodies_.size() + kSides * n, static_cast<std::int32_t>(n_bodies_));
  for (std::size_t place = 0; place < pairs.size(); ++place) {
    put(problem, rows, group, place, pairs[place]);
  }
}

/// The numbers of a pair in its lane.
void HalfLinePairs::put(const ContactProblem& problem, const BodyRows& rows, const Group& group,
                        std::size_t place, const Pair& pair) {
  // neighbours among pairs share bodies, whose sums lanes of one pack would wait for in turn
  const std::size_t pack = place % group.n_packs;
  const std::size_t lane = place / group.n_packs;
  const petsc::ConstView r(problem.r.get());
  const std::size_t n = group.size;
  const std::size_t first = group.first + pack * n * kPairLanes + lane;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t at = first + i * kPairLanes;
    const std::size_t row = pair.row + i;
    row_[at] = static_cast<std::int32_t>(row);
    velocity_[at] = r[row];
    softness_[at] = problem.compliance_of(row);
    double* b = &of_bodies_[kSides * columns_.size() * (at - lane) + lane];
    for_each_entry<1>(rows.pattern, rows.values, row, [&](const auto& own, std::int32_t) {
      for (const int column : columns_) {
        *b = own[column];
        b += kPairLanes;
      }
    });
  }
  const std::size_t block = group.block + pack * n * n * kPairLanes + lane;
  PairLcp::Square d{};
  PairLcp::Square factor{};
  std::copy_n(pair.block, n * n, d.data());
  const PairLcp lcp(0, n, d.data(), factor.data());
  for (std::size_t k = 0; k < n * n; ++k) {
    d_[block + k * kPairLanes] = d[k];
    factors_[block + k * kPairLanes] = factor[k];
  }
  std::size_t side = group.of_pairs + pack * kSides * kPairLanes + lane;
  for (const std::int32_t body : rows.pattern.bodies(pair.row)) {
    bodies_[side] = body;
    side += kPairLanes;
  }
}

void HalfLinePairs::start(std::span<const double> lambda) {
  for (std::size_t k = 0; k < row_.size(); ++k) x_[k] = row_[k] < 0 ? 0.0 : lambda[row_[k]];
  x_before_ = x_;
  std::ranges::fill(after_, 0.0);
  for (const Group& group : groups_) {
    for (std::size_t k = 0; k < group.n_packs * group.size * kPairLanes; ++k) {
      const std::size_t lane = k % kPairLanes;
      const std::size_t pack = k / (group.size * kPairLanes);
      const std::int32_t* bodies = &bodies_[group.of_pairs + pack * kSides * kPairLanes + lane];
      const double* b = &of_bodies_[kSides * columns_.size() * (group.first + k - lane) + lane];
      for (std::size_t side = 0; side < kSides; ++side) {
        double* w = &after_[stride() * static_cast<std::size_t>(bodies[side * kPairLanes])];
        for (std::size_t c = 0; c < columns_.size(); ++c, b += kPairLanes) {
          w[c] += *b * x_[group.first + k];
        }
      }
    }
  }
}

void HalfLinePairs::impulses(std::span<double> lambda) const {
  for (std::size_t k = 0; k < row_.size(); ++k) {
    if (row_[k] >= 0) lambda[row_[k]] = x_[k];
  }
}

GradientSums HalfLinePairs::step(double t, double momentum) {
  PairSums sums{};
  run_by(instructions(), [&] {
    std::ranges::fill(after_, 0.0);
    columns_.size() == kLinearDofs ? step_by<kLinearDofs>(t, momentum, sums)
                                   : step_by<kBodyDofs>(t, momentum, sums);
  });
  x_before_.swap(x_);
  x_.swap(next_);
  const auto sum = [](const PairLanes& x) { return lanes::sum<double, kPairLanes>(x); };
  return {sum(sums.moved), sum(sums.along), sum(sums.curvature)};
}

template <std::size_t kColumns>
SCREE_INLINE void HalfLinePairs::step_by(double t, double momentum, PairSums& sums) {
  for (const Group& group : groups_) {
    using std::integral_constant;
    switch (group.size) {
      case 1:
        step_group<kColumns>(integral_constant<std::size_t, 1>(), group, t, momentum, sums);
        break;
      case 2:
        step_group<kColumns>(integral_constant<std::size_t, 2>(), group, t, momentum, sums);
        break;
      case 3:
        step_group<kColumns>(integral_constant<std::size_t, 3>(), group, t, momentum, sums);
        break;
      case 4:
        step_group<kColumns>(integral_constant<std::size_t, 4>(), group, t, momentum, sums);
        break;
      default:
        step_group<kColumns>(group.size, group, t, momentum, sums);
    }
  }
}

template <std::size_t kColumns, class Size>
SCREE_INLINE void HalfLinePairs::step_group(Size n, const Group& group, double t, double momentum,
                                            PairSums& sums) {
  for (std::size_t pack = 0; pack < group.n_packs; ++pack) {
    step_pack<kColumns>(n, pack_of(group, pack), from_.data(), after_.data(), t, momentum, sums);
  }
}

SCREE_INLINE PairPack HalfLinePairs::pack_of(const Group& group, std::size_t pack) {
  const std::size_t first = group.first + pack * group.size * kPairLanes;
  const std::size_t block = group.block + pack * group.size * group.size * kPairLanes;
  return {.bodies = &bodies_[group.of_pairs + pack * kSides * kPairLanes],
          .of_bodies = {&of_bodies_[kSides * columns_.size() * first]},
          .velocity = {&velocity_[first]},
          .softness = {&softness_[first]},
          .d = {&d_[block]},
          .factor = {&factors_[block]},
          .x = {&x_[first]},
          .x_before = {&x_before_[first]},
          .next = {&next_[first]}};
}

double HalfLinePairs::curvature_of_bodies() const {
  double sum = 0.0;
  run_by(instructions(), [&] {
    std::array<double, 4> sums{};
    for (std::size_t k = 0; k < stride() * n_owned_; k += sums.size()) {
      for (std::size_t i = 0; i < sums.size(); ++i) {
        const double change = after_[k + i] - from_[k + i];
        sums[i] += change * change;
      }
    }
    sum = sums[0] + sums[1] + sums[2] + sums[3];
  });
  return sum;
}

void HalfLinePairs::move_on(double momentum) {
  run_by(instructions(), [&, from = from_.data(), after = after_.data(), before = before_.data()] {
    for (std::size_t k = 0; k < stride() * n_bodies_; ++k) {
      from[k] = after[k] + momentum * (after[k] - before[k]);
    }
  });
  before_.swap(after_);
}

}  // namespace scree
