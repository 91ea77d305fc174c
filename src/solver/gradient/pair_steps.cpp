#include "pair_steps.hpp"

#include <algorithm>

#include "scree/base/log_stage.hpp"
#include "scree/base/parallel.hpp"

namespace scree {

PairSteps::PairSteps(const ContactProblem& problem, const PairBlocks& blocks, bool restarts,
                     Vec lambda, SolveProgress& progress)
    : pairs_(problem, blocks),
      pace_(restarts),
      expected_(progress.shortfall()),
      sums_(problem.comm) {
  if (size_of(problem.comm) > 1) {
    const BodyExchange& all = body_exchange(problem);
    shared_ = all.shared();
    exchange_ = all.of_shared();
  }
  const petsc::ConstView start(lambda);
  pairs_.start(start.span());
  sum_shared_bodies();
  pairs_.move_on(0.0);
}

std::int64_t PairSteps::run(std::int64_t n) {
  const LogStage stage(Stage::sweeps);
  return iterate_as_expected(n, expected_, [this] { return step(); });
}

Vec PairSteps::check(Vec lambda) const {
  petsc::View values(lambda);
  pairs_.impulses(values.span());
  return nullptr;
}

/// @returns d^T D d.
double PairSteps::step() {
  GradientSums own = pairs_.step(pace_.step(), pace_.momentum());
  sum_shared_bodies();
  own.curvature += pairs_.curvature_of_bodies();
  sums_.begin({own.moved, own.along, own.curvature});
  const auto [moved, along, curvature] = sums_.end();
  pace_.update({moved, along, curvature});
  pairs_.move_on(pace_.momentum());
  return moved;
}

void PairSteps::sum_shared_bodies() {
  if (!exchange_) return;
  const std::span<double> bodies = pairs_.bodies();
  const std::size_t n = pairs_.stride();
  values_.resize(n * shared_.size());
  for (std::size_t s = 0; s < shared_.size(); ++s) {
    std::ranges::copy(bodies.subspan(n * shared_[s], n), &values_[n * s]);
  }
  exchange_->add_to_owners(values_);
  exchange_->to_ghosts(values_);
  for (std::size_t s = 0; s < shared_.size(); ++s) {
    std::copy_n(&values_[n * s], n, &bodies[n * shared_[s]]);
  }
}

}  // namespace scree
