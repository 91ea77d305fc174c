#include "ruled_rows.hpp"

#include <algorithm>

namespace scree {

RuledRows::RuledRows(const RuledCones& of, const ContactRule& rule) : of_(of) {
  const ContactProblem& problem = of.problem;
  const std::span<const ConeBatch> batches = of.batches();
  first_row_ = batches.empty() ? problem.cones.rows() : problem.cones.row(batches.front().first);
  const petsc::ConstView r(problem.r.get());
  const std::span<const double> own = among(r.span());
  velocity_.assign(own.begin(), own.end());
  compliance_.assign(own.size(), 0.0);
  if (!problem.compliance.empty()) {
    std::ranges::copy(among(std::span(problem.compliance)), compliance_.begin());
  }
  rules_ = make_batch_rules(rule, problem.cones, batches, split_blocks());
}

/// D_ii of each cone, and the weights.
std::vector<double> RuledRows::split_blocks() {
  std::vector<double> blocks;
  for_each([&]<int kDim>(const ConePlace& at) {
    cones::Square<kDim> d = cones::Square<kDim>::Zero();
    for_each_entry<kDim>(of_.pattern, of_.blocks, at.number, [&](const auto& x, std::int32_t b) {
      if (of_.inverse_mass == nullptr) {
        d += of_.sharers[b] * (x * x.transpose());
      } else {
        const Mat6 mass = (*of_.inverse_mass)[std::size_t(b)];
        d += of_.sharers[b] * (x * mass * x.transpose());
      }
    });
    for (int k = 0; k < kDim; ++k) d(k, k) += compliance_[own(at) + std::size_t(k)];
    blocks.insert(blocks.end(), d.data(), d.data() + d.size());  // symmetric: in either order
    weights_.insert(weights_.end(), kDim, d.trace() / kDim);
  });
  return blocks;
}

void RuledRows::add_impulses(std::span<const double> lambda, std::vector<double>& w) const {
  for_each([&]<int kDim>(const ConePlace& at) {
    const auto l = rows_of<kDim>(&lambda[own(at)]);
    for_each_entry<kDim>(of_.pattern, of_.blocks, at.number,
                         [&](const auto& block, std::int32_t b) {
                           Vec6::Map(&w[kBodyDofs * std::size_t(b)]) += block.transpose() * l;
                         });
  });
}

}  // namespace scree
