#include "pair_iteration.hpp"

#include <algorithm>
#include <limits>

namespace scree {
namespace {

/// Residuals that single precision reaches with as many sweeps as double precision (measured on
/// settling beds: the same to 3e-6, up to twice as many to 1e-6).
constexpr double kSingleResidual = 3e-6;
/// Residual over the best one, below which there is progress.
constexpr double kSingleProgress = 0.9;
constexpr std::int64_t kSinglePatience = 200;  ///< sweeps without progress in single precision

}  // namespace

PairIteration::PairIteration()
    : in_float_(sweep_kernels<float>().front()), in_double_(sweep_kernels<double>().front()) {}

void PairIteration::start(const PairRows& rows, const PairRanks& ranks, const PairMethod& method,
                          std::span<double> lambda, const KnownVelocities& velocities) {
  rows_ = rows;
  ranks_ = &ranks;
  sum_.emplace(ranks.comm);
  method_ = method;
  inertia_ = Inertia(method.softness);
  single_ = true;
  best_ = std::numeric_limits<double>::infinity();
  best_at_ = 0;
  impulses_ = lambda;
  set_bodies(velocities);
  take(in_float_);
}

template <class T>
void PairIteration::take(PairSweep<T>& sweep) {
  sweep.take(rows_, ranks_->sharers, method_.law);
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
  if (ranks_->sum_shared) sum_shared_bodies();
  for (std::size_t b = 0; b < rows_.masses.size(); ++b) {
    const std::array<double, 6> moved = rows_.masses[b].times(&own_bodies_[6 * b]);
    std::copy(moved.begin(), moved.end(), &own_bodies_[6 * b]);
  }
  bodies_ = own_bodies_;
}

void PairIteration::run(std::int64_t n) {
  single_ ? run_in(in_float_, n) : run_in(in_double_, n);
}

template <class T>
void PairIteration::run_in(PairSweep<T>& sweep, std::int64_t n) {
  for (std::int64_t s = 0; s < n; ++s) {
    const double momentum = inertia_.momentum();
    shared_.clear();
    for (const std::size_t b : ranks_->shared) {
      for (std::size_t k = 0; k < 6; ++k) shared_.push_back(sweep.body(b, k));
    }
    changes_.resize(shared_.size());  // no memory is asked for while the sum is under way
    sum_->begin(sweep.run({method_.step, method_.relaxation, momentum}));
    if (ranks_->sum_shared) share_changes(sweep);
    sweep.move_on(momentum);
    moved_ = sum_->end();
    inertia_.update(moved_);
  }
}

void PairIteration::sum_shared_bodies() {
  changes_.clear();
  for (const std::size_t b : ranks_->shared) {
    changes_.insert(changes_.end(), &own_bodies_[6 * b], &own_bodies_[6 * b] + 6);
  }
  ranks_->sum_shared(changes_);
  for (std::size_t s = 0; s < ranks_->shared.size(); ++s) {
    std::copy_n(&changes_[6 * s], 6, &own_bodies_[6 * ranks_->shared[s]]);
  }
}

/// Sums the changes that each rank made to its part of a shared body, once over the whole body.
template <class T>
void PairIteration::share_changes(PairSweep<T>& sweep) {
  for (std::size_t s = 0; s < ranks_->shared.size(); ++s) {
    const std::size_t b = ranks_->shared[s];
    for (std::size_t k = 0; k < 6; ++k) {
      changes_[6 * s + k] = (sweep.body(b, k) - shared_[6 * s + k]) / ranks_->sharers[b];
    }
  }
  ranks_->sum_shared(changes_);
  for (std::size_t s = 0; s < ranks_->shared.size(); ++s) {
    for (std::size_t k = 0; k < 6; ++k) {
      sweep.set_body(ranks_->shared[s], k, shared_[6 * s + k] + changes_[6 * s + k]);
    }
  }
}

std::span<const double> PairIteration::take_impulses() {
  single_ ? in_float_.impulses(rows_, impulses_) : in_double_.impulses(rows_, impulses_);
  return impulses_;
}

void PairIteration::go_on(const KnownVelocities& velocities) {
  set_bodies(velocities);
  single_ ? in_float_.set_bodies(bodies_) : in_double_.set_bodies(bodies_);
}

void PairIteration::judge(double residual, std::int64_t sweeps) {
  inertia_.judge(residual, sweeps);
  if (!single_) return;
  if (residual < kSingleProgress * best_) {
    best_ = residual;
    best_at_ = sweeps;
  }
  const bool reached = residual < kSingleResidual;
  if (!reached && sweeps - best_at_ <= kSinglePatience) return;
  single_ = false;
  inertia_.restart();
  take(in_double_);
}

}  // namespace scree
