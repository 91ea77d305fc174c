#include "pac.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "pac_newton.hpp"
#include "solver/solve_progress.hpp"
#include "solver/sweeps/sweep.hpp"

namespace scree {
namespace {

using pac::Points;
using pac::Search;

constexpr std::int64_t kDefaultSteps = 3000;  ///< limit of Newton steps
constexpr std::int64_t kStepsWhenSmall = 12000;
constexpr int kFirstSweeps = 100;
constexpr int kSweepsAfterPoint = 10;
constexpr int kSweepsAfterFailure = 20;
/// Contacts up to which Newton steps cost so little that many are taken, and the eager strategy is
/// tried first.
constexpr std::int64_t kSmall = 1000;
constexpr std::int64_t kPeriod = 200;  ///< Newton steps
constexpr double kGain = 0.3;          ///< fall of the residual in a period
constexpr int kSweepsBetweenMeasurements = 25;
constexpr double kOverRelaxation = 1.3;  ///< over-relaxation of the first sweeps
/// Share of the step between proximal points that is taken once more.
constexpr double kMomentum = 0.8;
/// Growth of the residual through what follows a proximal point, beyond which it is taken back.
constexpr double kWorse = 2.0;
constexpr double kFast = 0.5;  ///< fall of the residual that needs no momentum

/// The proximal parameter s. It falls at once while points are found quickly. After a failure it
/// grows, and is lowered again by one of two strategies: patiently, when a number of points were
/// found, which grows from failure to failure, since a search for the least s that works costs much
/// where s is limited for long; or eagerly, at once, since the least s works where a solution is
/// near. Neither is best everywhere.
class ProximalParameter {
 public:
  explicit ProximalParameter(bool eager) : eager_(eager) {}
  double value() const { return s_; }
  void found(int steps) {
    if (steps > kQuick || ++found_ < patience_) return;
    s_ = std::max(0.5 * s_, kLeast);
    found_ = 0;
  }
  void failed() {
    s_ = std::min((eager_ ? 4.0 : 2.0) * s_, kMost);
    if (!eager_)
      patience_ = patience_ == 1 ? kFirstPatience : std::min(2 * patience_, kMostPatience);
    found_ = 0;
  }
  void switch_strategy() {
    eager_ = !eager_;
    patience_ = 1;
    found_ = 0;
  }

 private:
  static constexpr double kLeast = 1e-8;
  static constexpr double kMost = 1e3;
  static constexpr int kQuick = 5;  ///< Newton steps
  static constexpr int kFirstPatience = 8;
  static constexpr int kMostPatience = 64;

  double s_ = 0.3;
  bool eager_;
  int patience_ = 1;
  int found_ = 0;
};

/// Sweeps of nsgs over points: cheap where errors sit in single contacts, which Newton leaves.
class Smoother {
 public:
  explicit Smoother(const ContactProblem& problem)
      : cones_(problem.cones), rule_(make_exact_rule(1.0)), sweep_(make_sweep(problem, *rule_)) {}

  /// Collective. @p n sweeps over @p x, which is projected onto the cones before.
  void run(int n, double omega, Points& x) {
    for_each_cone(cones_, [&x]<class Cone>(const Cone& cone, const ConePlace& at) {
      auto point = rows_of(cone, &x[at.row]);
      point = cone.project(point);
    });
    sweep_->start(x);
    rule_->set_relaxation(omega);
    for (int k = 0; k < n; ++k) sweep_->run(x);
  }

 private:
  const Cones& cones_;
  std::unique_ptr<ContactRule> rule_;
  std::unique_ptr<Sweep> sweep_;
};

class Solve {
 public:
  Solve(const ContactProblem& problem, const Stop& stop, Vec lambda)
      : problem_(problem),
        is_small_(problem.n_cones_global() <= kSmall),
        progress_(problem, stop, is_small_ ? kStepsWhenSmall : kDefaultSteps, lambda),
        smoother_(problem),
        lambda_(petsc::duplicate(lambda)),
        parameter_(is_small_) {
    x_ = to_rows(lambda);
  }

  SolverReport run(Vec lambda) {
    for (int k = 0; k < kFirstSweeps && !progress_.done(); k += kSweepsBetweenMeasurements) {
      smoother_.run(kSweepsBetweenMeasurements, kOverRelaxation, x_);
      measure();
    }
    if (!progress_.done()) {
      x_ = to_rows(progress_.best());
      measure();
      newton_.emplace(problem_, progress_.measurer().rho());
      while (!progress_.done()) next_point();
    }
    if (newton_ && progress_.report().status == Status::converged) smooth_solution();
    if (const std::string note = newton_ ? newton_->note() : ""; !note.empty()) {
      progress_.report().reason += "; " + note;
    }
    return progress_.finish(lambda);
  }

 private:
  /// Measures a point that may be taken back; whether the solve ends.
  bool measure() {
    to_vec(x_, lambda_.get());
    return progress_.try_out(steps_, lambda_.get());
  }

  /// A proximal point of x_, a step beyond it, and sweeps; after a failure the better of its end
  /// and its start.
  void next_point() {
    const Points start = x_;
    const double residual = progress_.residual();
    const std::int64_t before = steps_;
    const Search search = newton_->search(parameter_.value(), x_, [this] {
      ++steps_;
      count();
      return measure();
    });
    if (search.end == Search::End::stopped) return;
    steps_ = before + std::max(search.steps, 1);  // so that the loop ends
    switch_strategy_if_stalled();
    if (search.end == Search::End::found) {
      extrapolate(progress_.residual() > kFast * residual);
      parameter_.found(search.steps);
      return;
    }
    last_point_.clear();
    parameter_.failed();
    smoother_.run(kSweepsAfterFailure, 1.0, x_);
    measure();
    keep_if(progress_.residual() < residual, start);
  }

  /// From a proximal point: where such points follow each other slowly in one direction, goes on in
  /// it; then sweeps. What makes matters worse is taken back: sweeps may cycle.
  void extrapolate(bool slow) {
    const Points point = x_;
    const double residual = progress_.residual();
    if (slow && !last_point_.empty()) {
      for (std::size_t k = 0; k < x_.size(); ++k) x_[k] += kMomentum * (x_[k] - last_point_[k]);
    }
    smoother_.run(kSweepsAfterPoint, 1.0, x_);
    measure();
    keep_if(progress_.residual() < kWorse * residual, point);
    last_point_ = point;
  }

  /// A residual within the tolerance may hide a contact that Newton left far off: sweeps make it as
  /// good as its neighbours, and are taken where the whole stays solved.
  void smooth_solution() {
    smoother_.run(kSweepsAfterPoint, 1.0, x_);
    measure();
  }

  /// Tries the other strategy of lowering s where this one gains little.
  void switch_strategy_if_stalled() {
    if (steps_ - period_start_ < kPeriod) return;
    if (progress_.best_residual() > kGain * period_best_) parameter_.switch_strategy();
    period_start_ = steps_;
    period_best_ = progress_.best_residual();
  }

  void keep_if(bool good, const Points& other) {
    if (!good) x_ = other;
    to_vec(x_, lambda_.get());
    if (!progress_.done()) progress_.check(steps_, lambda_.get());
  }

  void count() {
    progress_.report().inner_iterations = newton_->linear().krylov();
    progress_.report().factorisations = newton_->linear().factorisations();
  }

  const ContactProblem& problem_;
  bool is_small_;
  SolveProgress progress_;
  Smoother smoother_;
  petsc::Vector lambda_;
  std::optional<pac::ProximalNewton> newton_;
  ProximalParameter parameter_;
  Points x_;
  Points last_point_;  ///< the last proximal point; empty after a failure
  std::int64_t steps_ = 0;
  std::int64_t period_start_ = 0;
  double period_best_ = std::numeric_limits<double>::infinity();
};

class Pac final : public Solver {
 public:
  SolverReport solve(const ContactProblem& problem, const Stop& stop, Vec lambda) override {
    SolverReport report = Solve(problem, stop, lambda).run(lambda);
    report.solver = "pac";
    return report;
  }
};

}  // namespace

std::unique_ptr<Solver> make_pac() {
  return std::make_unique<Pac>();
}

}  // namespace scree
