#include "solve_progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "scree/base/parallel.hpp"

namespace scree {
namespace {

constexpr double kWindowShare = 0.3;    ///< window of stagnation over the iterations allowed
constexpr double kLeastWindow = 100.0;  ///< iterations: fewer say nothing of stagnation
constexpr double kLeastProgress =
    0.98;  ///< the best falls below this share of itself, or there is none
/// One over the share of the patience: fewer iterations say nothing of the pace.
constexpr std::int64_t kLeastPace = 10;
/// The pace is that since this share of the iterations: sweeps stand still for half of them and go
/// on (bed5k from 400 to 1,000, a trench from 2,700 to 4,400).
constexpr std::int64_t kPaceWindow = 4;
/// Share of the error without impulses that remains where impulses, however large, are of no use.
constexpr double kNothingGained = 0.5;
/// Share of the iterations allowed over which nothing may be gained by impulses that make the
/// residual small.
constexpr double kHopelessShare = 0.05;
/// Growth of the residual over its start at which a method diverges.
constexpr double kGrowth = 1e6;

/// A measure of how far impulses are from a solution, and what it may be at most.
struct Bound {
  double Measures::*measure;
  double most;

  double over(const Measures& m) const { return m.*measure / most; }
  std::string in_words(const Measures& m) const {
    return measure == &Measures::residual
               ? fmt::format("residual {:.3g}", m.residual)
               : fmt::format("velocity error {:.3g} m/s", m.velocity_error);
  }
};

/// The next gain that impulses of @p m are to make: a residual within the tolerance, then a
/// velocity error within its bound.
Bound next_bound(const Measures& m, const Stop& stop) {
  const bool by_velocity =
      m.residual <= stop.goal.residual && m.velocity_error > stop.goal.velocity_error;
  return by_velocity ? Bound{&Measures::velocity_error, stop.goal.velocity_error}
                     : Bound{&Measures::residual, stop.goal.residual};
}

/// Whether impulses of @p a are nearer to a solution than those of @p b, bound by bound.
bool is_nearer(const Measures& a, const Measures& b, const Stop& stop) {
  const auto order = [&stop](const Measures& m) {
    return std::tuple(std::max(m.residual, stop.goal.residual),
                      std::max(m.velocity_error, stop.goal.velocity_error), m.residual);
  };
  return order(a) < order(b);
}

/// Iterations of a window: @p share of @p limit.
double window(double share, std::int64_t limit) {
  return std::max(kLeastWindow, share * static_cast<double>(limit));
}

}  // namespace

SolveProgress::SolveProgress(const ContactProblem& problem, const Stop& stop,
                             std::int64_t default_limit, Vec lambda)
    : problem_(problem),
      stop_(stop),
      limit_(stop.max_iterations > 0 ? stop.max_iterations : default_limit),
      measurer_(problem),
      best_(petsc::duplicate(lambda)) {
  const Measures first = measurer_.measure(lambda);
  record(0, seconds(), first);
  best_measures_ = window_best_ = first;
  if (!std::isfinite(first.residual)) {
    // best_ stays zero
    stop_with(
        Status::diverged,
        fmt::format("the problem or the start holds a number that is not finite, or a limit of "
                    "friction above {:g}",
                    kLargestLimit));
    return;
  }
  SCREE_PETSC(VecCopy(lambda, best_.get()));
  if (is_found(first, lambda)) stop_with(Status::converged, "the start is a solution");
  best_contact_error_ = contact_error_;
}

double SolveProgress::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

double SolveProgress::agreed_seconds() const {
  const bool unwanted = stop_.goal.give_up && stop_.goal.give_up();
  std::array<double, 2> values{seconds(), unwanted ? 1.0 : 0.0};
  SCREE_MPI(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE,
                          MPI_MAX, problem_.comm));
  if (values[1] > 0.0)
    throw GivenUp(fmt::format("its solve was given up after {:.3g} s", values[0]));
  return values[0];
}

bool SolveProgress::is_out_of_time(double elapsed) const {
  return stop_.max_seconds > 0.0 && elapsed >= stop_.max_seconds;
}

void SolveProgress::stop_by_time(double elapsed) {
  stop_with(Status::time_limit,
            fmt::format("{:.3g} s, best residual {:.3g}", elapsed, best_residual()));
}

bool SolveProgress::check_time(std::int64_t iteration) {
  const double elapsed = agreed_seconds();
  report_.iterations = iteration;
  if (!done_ && is_out_of_time(elapsed)) stop_by_time(elapsed);
  return done_;
}

void SolveProgress::record(std::int64_t iteration, double elapsed, const Measures& m) {
  HistoryPoint point;
  point.iteration = iteration;
  point.inner = report_.inner_iterations;
  point.factorisations = report_.factorisations;
  point.seconds = elapsed;
  point.processor_seconds =
      static_cast<double>(std::clock() - processor_start_) / static_cast<double>(CLOCKS_PER_SEC);
  point.measures = m;
  report_.history.push_back(point);
}

void SolveProgress::stop_with(Status status, std::string reason) {
  done_ = true;
  report_.status = status;
  report_.reason = std::move(reason);
}

void SolveProgress::stop_by(MeritRule rule, std::string reason) {
  stop_with(Status::merit_rule, std::move(reason));
  report_.merit_rule = rule;
}

double SolveProgress::shortfall() const {
  const Measures& present = report_.history.back().measures;
  const double missed = next_bound(present, stop_).over(present);
  return missed <= 1.0 && contact_error_ > 0.0 ? contact_error_ / stop_.goal.contact_error : missed;
}

double SolveProgress::iterations_to_go(std::int64_t iteration) const {
  if (kLeastPace * iteration < stop_.patience) return 0.0;
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const Bound bound = next_bound(best_measures_, stop_);
  const double missing = bound.over(best_measures_);
  // the errors of contacts, which are all that is missed, have a rule of their own (judge_gain)
  if (missing <= 1.0) return best_contact_error_ > 0.0 ? 0.0 : kNever;
  double then = bound.over(report_.history.front().measures);
  for (const HistoryPoint& point : report_.history) {
    if (kPaceWindow * point.iteration > iteration) break;
    then = std::min(then, bound.over(point.measures));
  }
  if (then <= missing) return kNever;
  const double power = std::log(then / missing) / std::log(kPaceWindow);
  return static_cast<double>(iteration) * (std::pow(missing, 1.0 / power) - 1.0);
}

bool SolveProgress::check(std::int64_t iteration, Vec lambda, Vec u, double merit) {
  return judge(iteration, lambda, u, true, merit);
}

bool SolveProgress::try_out(std::int64_t iteration, Vec lambda) {
  return judge(iteration, lambda, nullptr, false, std::numeric_limits<double>::quiet_NaN());
}

void SolveProgress::judge_merit(Vec lambda, double merit) {
  if (!std::isfinite(merit)) return;  // a method without one
  const MeritOptions& rules = stop_.merit;
  if (!done_ && merit < rules.absolute) {
    stop_by(MeritRule::absolute, fmt::format("merit {:.3g}", merit));
  } else if (!done_ && std::abs(merit - last_merit_) < rules.relative * std::abs(last_merit_)) {
    stop_by(MeritRule::relative, fmt::format("merit {:.3g} after {:.3g}", merit, last_merit_));
  }
  last_merit_ = merit;
  if (rules.change <= 0.0) return;
  if (last_) {
    double change = 0.0;
    SCREE_PETSC(VecAXPY(last_.get(), -1.0, lambda));
    SCREE_PETSC(VecNorm(last_.get(), NORM_INFINITY, &change));
    if (!done_ && change < rules.change) {
      stop_by(MeritRule::change, fmt::format("no impulse changed by more than {:.3g}", change));
    }
  } else {
    last_ = petsc::duplicate(lambda);
  }
  SCREE_PETSC(VecCopy(lambda, last_.get()));
}

bool SolveProgress::is_found(const Measures& m, Vec lambda) {
  contact_error_ = 0.0;
  if (!solved(m, stop_.goal)) return false;
  if (!std::isfinite(stop_.goal.contact_error)) return true;
  if (!contact_errors_) contact_errors_.emplace(problem_);
  contact_error_ = contact_errors_->largest(lambda);
  return contact_error_ <= stop_.goal.contact_error;
}

void SolveProgress::judge_gain(std::int64_t iteration, const Measures& m) {
  // A residual within the tolerance may be small beside large impulses alone: then what remains
  // must fall.
  if (best_residual() > stop_.goal.residual) {
    last_gain_ = iteration;
  } else if (m.remaining < kLeastProgress * least_remaining_) {
    last_gain_ = iteration;
    least_remaining_ = m.remaining;
  } else if (m.velocity_error > stop_.goal.velocity_error &&
             m.velocity_error < kLeastProgress * least_velocity_error_) {
    last_gain_ = iteration;
    least_velocity_error_ = m.velocity_error;
  }
  if (contact_error_ > 0.0 && contact_error_ < kLeastProgress * least_contact_error_) {
    last_gain_ = iteration;
    least_contact_error_ = contact_error_;
  }
}

bool SolveProgress::judge(std::int64_t iteration, Vec lambda, Vec u, bool kept, double merit) {
  const Measures m = u == nullptr ? measurer_.measure(lambda) : measurer_.measure(lambda, u);
  const double elapsed = agreed_seconds();
  report_.iterations = iteration;
  record(iteration, elapsed, m);
  report_.history.back().merit = merit;
  const bool found = is_found(m, lambda);
  // of two that miss by errors of contacts alone these decide
  const bool nearer = contact_error_ > 0.0 && best_contact_error_ > 0.0
                          ? contact_error_ < best_contact_error_
                          : is_nearer(m, best_measures_, stop_);
  if (nearer || found) {
    best_measures_ = m;
    best_contact_error_ = contact_error_;
    best_is_afresh_ = u == nullptr;
    SCREE_PETSC(VecCopy(lambda, best_.get()));
  }
  if (done_) return true;  // what comes after the end may be better, but is no other end
  const double start = std::max(1.0, report_.history.front().measures.residual);
  if (kept && (!std::isfinite(m.residual) || m.residual > kGrowth * start)) {
    stop_with(Status::diverged,
              fmt::format("residual {:.3g} after {} iterations", m.residual, iteration));
  } else if (found) {
    stop_with(Status::converged, fmt::format("residual {:.3g}", m.residual));
  }
  if (kept) judge_merit(lambda, merit);
  if (done_) return true;
  judge_gain(iteration, m);
  if (iteration >= limit_) {
    stop_with(Status::iteration_limit,
              fmt::format("{} iterations, best residual {:.3g}", iteration, best_residual()));
  } else if (is_out_of_time(elapsed)) {
    stop_by_time(elapsed);
  } else if (stop_.patience > 0 &&
             iterations_to_go(iteration) > static_cast<double>(stop_.patience)) {
    stop_with(
        Status::stagnated,
        fmt::format("residual {:.3g} after {} iterations, and at this pace more than {} to go",
                    best_residual(), iteration, stop_.patience));
  } else if (static_cast<double>(iteration - last_gain_) >= window(kHopelessShare, limit_)) {
    const std::int64_t idle = iteration - last_gain_;
    stop_with(
        Status::stagnated,
        contact_error_ > 0.0
            ? fmt::format("no contact's own error falls in {} iterations", idle)
            : fmt::format("impulses grow for {} iterations and the error does not fall", idle));
  } else if (static_cast<double>(iteration - window_start_) >= window(kWindowShare, limit_)) {
    const Bound bound = next_bound(best_measures_, stop_);
    const bool is_new = bound.measure != next_bound(window_best_, stop_).measure;
    // the errors of contacts have a rule of their own (judge_gain)
    const double missing = bound.over(best_measures_);
    if (!is_new && missing > std::max(1.0, kLeastProgress * bound.over(window_best_))) {
      stop_with(Status::stagnated,
                fmt::format("no progress below {} in {} iterations", bound.in_words(best_measures_),
                            iteration - window_start_));
    }
    window_start_ = iteration;
    window_best_ = best_measures_;
  }
  return done_;
}

SolverReport SolveProgress::finish(Vec lambda) {
  SCREE_PETSC(VecCopy(best_.get(), lambda));
  report_.measures = best_measures_;
  report_.measured_afresh = best_is_afresh_;
  if (report_.status != Status::converged && best_residual() <= stop_.goal.residual &&
      !is_found(best_measures_, lambda)) {
    report_.reason +=
        contact_error_ > 0.0
            ? fmt::format(
                  "; the residual, {:.3g}, is small, but the error of one contact in "
                  "its own units is {:.3g}",
                  best_residual(), contact_error_)
            : fmt::format(
                  "; the residual, {:.3g}, is small beside large impulses: {:.0f} % "
                  "of the error without impulses remains, up to {:.3g} m/s",
                  best_residual(), 100.0 * best_measures_.remaining, best_measures_.velocity_error);
    if (best_measures_.remaining >= kNothingGained) report_.status = Status::infeasible;
  }
  report_.products += measurer_.product().count();
  report_.seconds = seconds();
  return std::move(report_);
}

}  // namespace scree
