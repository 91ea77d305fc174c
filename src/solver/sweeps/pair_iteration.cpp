#include "pair_iteration.hpp"

#include <algorithm>
#include <limits>

#include "scree/base/parallel.hpp"

namespace scree {
namespace {

/// Residuals that single precision reaches with as many sweeps as double precision (measured on
/// settling beds: the same to 3e-6, up to twice as many to 1e-6).
constexpr double kSingleResidual = 3e-6;
/// Residual over the best one, below which there is progress.
constexpr double kPrecisionProgress = 0.9;
constexpr std::int64_t kSinglePatience = 200;  ///< sweeps without progress in single precision
/// Sweeps by changes without progress. Nothing is known to stop them: psor on rigid piles
/// (docs/notes/sweeps.md) takes some 900 for a tenth of the residual. Solves end after 5,000 that
/// gain nothing.
constexpr std::int64_t kRefinedPatience = 2000;

}  // namespace

PairIteration::PairIteration()
    : in_float_(sweep_kernels<float>().front()), in_double_(sweep_kernels<double>().front()) {}

void PairIteration::start(const PairRows& rows, const PairRanks& ranks, const PairMethod& method,
                          std::span<double> lambda, const KnownVelocities& velocities) {
  rows_ = rows;
  ranks_ = &ranks;
  sums_.emplace(ranks.comm);
  method_ = method;
  inertia_ = Inertia(method.softness);
  pace_ = GradientPace(method.restarts);
  precision_ = Precision::single;
  best_ = std::numeric_limits<double>::infinity();
  best_at_ = 0;
  impulses_ = lambda;
  set_bodies(velocities);
  take(in_float_);
  const bool mine = in_float_.can_refine() && method.relaxation == 1.0;
  may_refine_ = min_over_ranks(ranks.comm, mine ? 1 : 0) == 1;
}

template <class T>
void PairIteration::take(PairSweep<T>& sweep) {
  sweep.take(rows_, ranks_->shared, method_.law);
  sweep.set_impulses(rows_, impulses_);
  sweep.set_bodies(bodies_);
}

void PairIteration::set_bodies(const KnownVelocities& velocities) {
  if (velocities && rows_.form != PairForm::rows) {
    bodies_ = *velocities;
    return;
  }
  own_bodies_.assign(6 * rows_.n_bodies, 0.0);
  add_impulses(rows_, impulses_, own_bodies_);
  if (ranks_->exchange != nullptr) sum_shared_bodies();
  for (std::size_t b = 0; b < rows_.masses.size(); ++b) {
    const std::array<double, 6> moved = rows_.masses[b].times(&own_bodies_[6 * b]);
    std::copy(moved.begin(), moved.end(), &own_bodies_[6 * b]);
  }
  bodies_ = own_bodies_;
}

void PairIteration::run(std::int64_t n) {
  precision_ == Precision::full ? run_in(in_double_, n) : run_in(in_float_, n);
}

template <class T>
void PairIteration::run_in(PairSweep<T>& sweep, std::int64_t n) {
  for (std::int64_t s = 0; s < n; ++s) method_.gradient ? step_once(sweep) : sweep_once(sweep);
}

/// The sum of the moves begins as soon as they are known.
template <class T>
void PairIteration::sweep_once(PairSweep<T>& sweep) {
  const double momentum = inertia_.momentum();
  const SweepFactors factors{method_.step, method_.relaxation, momentum};
  if (ranks_->exchange == nullptr) {
    sums_->begin({sweep.run(factors)});
  } else {
    double moved = 0.0;
    const auto part = [&](SweepPart of) { moved += sweep.run(factors, of); };
    share(sweep, part, [&] { sums_->begin({moved}); });
  }
  sweep.move_on(momentum);
  moved_ = sums_->end()[0];
  inertia_.update(moved_);
}

template <class T>
void PairIteration::step_once(PairSweep<T>& sweep) {
  const SweepFactors factors{.step = pace_.step(), .momentum = pace_.momentum()};
  GradientSums sums;
  const auto part = [&](SweepPart of) { sums += sweep.step(factors, of); };
  sweep.begin_step();
  ranks_->exchange == nullptr ? part(SweepPart::whole) : share(sweep, part, [] {});
  sums_->begin({sums.moved, sums.along, sums.curvature + sweep.curvature_of_bodies()});
  const auto [moved, along, curvature] = sums_->end();
  moved_ = moved;
  pace_.update({moved, along, curvature});
  sweep.move_on(pace_.momentum());
}

/// Runs each @p part, and sums the changes that the ranks make to their parts of each shared body.
/// Calls @p then before messages are waited for.
template <class T, class Part, class Then>
void PairIteration::share(PairSweep<T>& sweep, const Part& part, const Then& then) {
  BodyExchange& exchange = *ranks_->exchange;
  remember_shared(sweep);
  part(SweepPart::shared);
  take_changes(sweep);
  exchange.begin_sum(changes_);
  part(SweepPart::first_half);
  exchange.pass_sum_on(changes_);
  part(SweepPart::second_half);
  then();
  exchange.end_sum();
  give_changes(sweep);
}

template <class T>
void PairIteration::remember_shared(const PairSweep<T>& sweep) {
  shared_.clear();
  for (const std::size_t b : ranks_->shared.local) {
    for (std::size_t k = 0; k < 6; ++k) shared_.push_back(sweep.body(b, k));
  }
}

void PairIteration::sum_shared_bodies() {
  changes_.clear();
  const std::vector<std::size_t>& shared = ranks_->shared.local;
  for (const std::size_t b : shared) {
    changes_.insert(changes_.end(), &own_bodies_[6 * b], &own_bodies_[6 * b] + 6);
  }
  ranks_->exchange->add_to_owners(changes_);
  ranks_->exchange->to_ghosts(changes_);
  for (std::size_t s = 0; s < shared.size(); ++s) {
    std::copy_n(&changes_[6 * s], 6, &own_bodies_[6 * shared[s]]);
  }
}

/// Takes the changes of this rank's parts, over the whole bodies.
template <class T>
void PairIteration::take_changes(const PairSweep<T>& sweep) {
  changes_.resize(shared_.size());
  auto change = changes_.begin();
  auto before = shared_.begin();
  for (const std::size_t b : ranks_->shared.local) {
    const double sharers = ranks_->shared.sharers[b];
    for (std::size_t k = 0; k < 6; ++k) *change++ = (sweep.body(b, k) - *before++) / sharers;
  }
}

template <class T>
void PairIteration::give_changes(PairSweep<T>& sweep) const {
  auto change = changes_.begin();
  auto before = shared_.begin();
  for (const std::size_t b : ranks_->shared.local) {
    for (std::size_t k = 0; k < 6; ++k) sweep.set_body(b, k, *before++ + *change++);
  }
}

std::span<const double> PairIteration::take_impulses() {
  precision_ == Precision::full ? in_double_.impulses(rows_, impulses_)
                                : in_float_.impulses(rows_, impulses_);
  return impulses_;
}

void PairIteration::go_on(const KnownVelocities& velocities) {
  set_bodies(velocities);
  switch (precision_) {
    case Precision::single:
      return in_float_.set_bodies(bodies_);
    case Precision::refined:
      return in_float_.refine(rows_, impulses_, bodies_);
    case Precision::full:
      return in_double_.set_bodies(bodies_);
  }
}

void PairIteration::judge(double residual, std::int64_t sweeps) {
  inertia_.judge(residual, sweeps);
  if (precision_ == Precision::full) return;
  if (residual < kPrecisionProgress * best_) {
    best_ = residual;
    best_at_ = sweeps;
  }
  const std::int64_t idle = sweeps - best_at_;
  if (precision_ == Precision::refined) {
    if (idle > kRefinedPatience) go_on_in(Precision::full);
  } else if (residual < kSingleResidual || idle > kSinglePatience) {
    go_on_in(may_refine_ ? Precision::refined : Precision::full);
    best_at_ = sweeps;
  }
}

void PairIteration::go_on_in(Precision next) {
  precision_ = next;
  inertia_.restart();
  pace_.restart();
  next == Precision::full ? take(in_double_) : in_float_.refine(rows_, impulses_, bodies_);
}

}  // namespace scree
