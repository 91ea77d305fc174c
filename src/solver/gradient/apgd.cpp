#include "scree/solver/gradient/apgd.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "gradient.hpp"
#include "pair_steps.hpp"
#include "scree/base/instructions.hpp"
#include "scree/config/declaration.hpp"
#include "scree/problem/body_rows.hpp"
#include "solver/solve_progress.hpp"
#include "solver/sweeps/kernel_solver.hpp"

namespace scree {

void ApgdOptions::declare(Declaration& d) {
  d.flag("restart", restart, {.help = "drop the momentum where it points uphill"});
}

namespace {

constexpr std::int64_t kApgdSteps = 20000;
/// As many steps on the kernels cost as much as one by rows.
constexpr std::int64_t kKernelSpeed = 5;
/// Steps where rows of pairs are nearly the same. The largest velocity error may stand still, as in
/// colonies of cells: on a problem of 1,024 contacts from 600 steps to 4,200, and not beyond.
constexpr std::int64_t kRepeatedSteps = 60000;
constexpr std::int64_t kApgdInterval = 10;
constexpr int kApgdPowerSteps = 8;
constexpr double kStepGrowth = 1.02;
constexpr double kStepCut = 0.7;
constexpr int kMostCuts = 40;
constexpr std::size_t kLanes = 16;   ///< sums side by side
constexpr double kRounding = 1e-12;  ///< rounding of the terms that the bound on the step compares

/// The half lines of pairs, where there are bodies.
PairBlocks blocks_of(const ContactProblem& problem) {
  return has_body_rows(problem) ? pair_blocks_of(problem) : PairBlocks();
}

/// Whether there are half lines alone, of which rows of pairs are nearly the same. Collective.
bool repeats_half_lines(const ContactProblem& problem, const PairBlocks& pairs) {
  if (!has_body_rows(problem)) return false;
  const bool others = std::ranges::any_of(problem.cones.batches, [](const ConeBatch& batch) {
    return batch.type != cones::kTypeOf<cones::HalfLine>;
  });
  return max_over_ranks(problem.comm, others ? 1 : 0) == 0 && repeats_rows(problem, pairs);
}

class Apgd final : public Solver {
 public:
  explicit Apgd(const ApgdOptions& options) : options_(options) {}

  SolverReport solve(const ContactProblem& problem, const Stop& stop, Vec lambda) override {
    PairBlocks pairs = blocks_of(problem);
    // methods that are compared step by step measure each
    const bool compared = stop.merit.any();
    const bool repeats = repeats_half_lines(problem, pairs);
    if (!compared && !repeats && kernels_.take(problem, SweepStep::gradient)) {
      return solve_by_kernels(problem, stop, lambda);
    }
    const bool by_pairs = !compared && are_half_line_pairs(problem);
    SolveProgress progress(problem, stop, repeats ? kRepeatedSteps : kApgdSteps, lambda);
    if (!progress.done() && by_pairs) {
      PairSteps steps(problem, pairs, options_.restart, lambda, progress);
      iterate_sweeps(problem, steps, progress, lambda);
    } else if (!progress.done()) {
      Run(problem, options_, progress, std::move(pairs), lambda).iterate();
    }
    progress.report().solver = "apgd";
    return progress.finish(lambda);
  }

 private:
  SolverReport solve_by_kernels(const ContactProblem& problem, const Stop& stop, Vec lambda) {
    Stop own = stop;
    own.patience *= kKernelSpeed;
    const KernelMethod method{
        .name = "apgd",
        .limit = kKernelSpeed * kApgdSteps,
        .pairs = {.law = kernels_.pairs().law(), .gradient = true, .restarts = options_.restart}};
    return kernels_.solve(problem, own, method, lambda);
  }

  /// One solve's vectors: this rank's rows.
  class Run {
   public:
    Run(const ContactProblem& problem, const ApgdOptions& options, SolveProgress& progress,
        PairBlocks pairs, Vec lambda)
        : problem_(problem),
          options_(options),
          progress_(progress),
          product_(progress.measurer().product()),
          step_(problem, progress.measurer().rho(), std::move(pairs)),
          impulse_vec_(petsc::duplicate(lambda)),
          velocity_vec_(petsc::duplicate(lambda)),
          impulse_(to_rows(lambda)) {
      velocity(impulse_, u_);
      y_ = impulse_;
      u_y_ = u_;
      const double largest = largest_eigenvalue(problem, step_, product_, kApgdPowerSteps);
      t_ = largest > 0.0 ? 1.0 / largest : 1.0;
    }

    void iterate() {
      for (std::int64_t done = 1;; ++done) {
        move();
        if (done % kApgdInterval != 0 && done != progress_.limit()) continue;
        to_vec(impulse_, impulse_vec_.get());
        to_vec(u_, velocity_vec_.get());
        if (progress_.check(done, impulse_vec_.get(), velocity_vec_.get())) return;
      }
    }

   private:
    /// u = N l + r
    void velocity(const Rows& l, Rows& u) {
      to_vec(l, impulse_vec_.get());
      product_.contact_velocity(impulse_vec_.get(), velocity_vec_.get());
      const petsc::ConstView values(velocity_vec_.get());
      u.assign(values.span().begin(), values.span().end());
    }

    /// From y_k to l_(k+1), the step cut back until the quadratic bound holds; then y_(k+1).
    void move() {
      step_.shifts(u_y_, shift_);
      for (int cut = 0; cut < kMostCuts; ++cut) {
        step_.take(y_, u_y_, shift_, t_, next_);
        velocity(next_, u_next_);
        if (bound_holds()) break;
        t_ *= kStepCut;
      }
      accelerate();
      t_ *= kStepGrowth;
    }

    /// d^T N d <= |d|^2_D / t, up to rounding; and whether momentum points uphill.
    bool bound_holds() {
      difference_.resize(y_.size());
      change_.resize(y_.size());
      const double curvature = compare();
      const auto [size, along] = step_.scaled_dots(difference_, change_);
      std::vector<double> sums{curvature, size, along};
      sum_over_ranks(problem_.comm, sums);
      // (y - l_(k+1)) . (l_(k+1) - l_k) > 0: the step turned back against the momentum
      uphill_ = sums[2] < 0.0;
      return !(sums[0] * t_ > sums[1] * (1.0 + kRounding));
    }

    /// From y_k and from l_k to l_(k+1), and how much N bends along the first.
    double compare() {
      std::array<double, kLanes> sums{};
      run_by(instructions(), [&] {
        for (std::size_t k = 0; k < y_.size(); k += kLanes) {
          const std::size_t n = std::min(kLanes, y_.size() - k);
          for (std::size_t i = 0; i < n; ++i) {
            difference_[k + i] = next_[k + i] - y_[k + i];
            change_[k + i] = next_[k + i] - impulse_[k + i];
            sums[i] += difference_[k + i] * (u_next_[k + i] - u_y_[k + i]);
          }
        }
      });
      return std::accumulate(sums.begin(), sums.end(), 0.0);
    }

    void accelerate() {
      if (options_.restart && uphill_) theta_ = 1.0;
      const double next_theta = 0.5 * (theta_ * std::sqrt(theta_ * theta_ + 4.0) - theta_ * theta_);
      const double beta = options_.restart && uphill_
                              ? 0.0
                              : theta_ * (1.0 - theta_) / (theta_ * theta_ + next_theta);
      theta_ = next_theta;
      run_by(instructions(), [&] {
        for (std::size_t k = 0; k < y_.size(); ++k) {
          y_[k] = next_[k] + beta * change_[k];
          u_y_[k] = u_next_[k] + beta * (u_next_[k] - u_[k]);
        }
      });
      impulse_.swap(next_);
      u_.swap(u_next_);
    }

    const ContactProblem& problem_;
    const ApgdOptions& options_;
    SolveProgress& progress_;
    DelassusProduct& product_;
    ProjectedStep step_;
    petsc::Vector impulse_vec_;
    petsc::Vector velocity_vec_;
    Rows impulse_;  ///< l_k
    Rows u_;        ///< N l_k + r
    Rows y_;
    Rows u_y_;
    Rows next_;
    Rows u_next_;
    Rows difference_;
    Rows change_;
    std::vector<double> shift_;
    double t_ = 1.0;
    double theta_ = 1.0;
    bool uphill_ = false;
  };

  ApgdOptions options_;
  KernelSolver kernels_;
};

}  // namespace

std::unique_ptr<Solver> make_apgd(const ApgdOptions& options) {
  return std::make_unique<Apgd>(options);
}

}  // namespace scree
