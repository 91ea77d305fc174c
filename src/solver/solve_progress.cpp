#include "solve_progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "solver/progress/infeasibility.hpp"
#include "solver/progress/pace.hpp"

namespace scree {

SolveProgress::SolveProgress(const ContactProblem& problem, const Stop& stop,
                             std::int64_t default_limit, Vec lambda, Vec u)
    : stop_(stop),
      limit_(stop.max_iterations > 0 ? stop.max_iterations : default_limit),
      clock_(problem.comm),
      measurer_(problem),
      present_(measurer_.measure(lambda, u, stop.goal)),
      best_(present_, lambda),
      merit_rules_(stop.merit),
      idle_rule_(limit_),
      window_rule_(limit_, present_) {
  record(0, clock_.seconds(), std::numeric_limits<double>::quiet_NaN());
  if (!std::isfinite(residual())) {
    stop_with(
        Status::diverged,
        fmt::format("the problem or the start holds a number that is not finite, or a limit of "
                    "friction above {:g}",
                    kLargestLimit));
  } else if (present_.solved) {
    stop_with(Status::converged, "the start is a solution");
  }
}

bool SolveProgress::check(std::int64_t iteration, Vec lambda, Vec u, double merit) {
  take(iteration, lambda, u, merit);
  if (done_) return true;  // what comes after the end may be better, but is no other end
  if (diverges()) {
    stop_with(Status::diverged,
              fmt::format("residual {:.3g} after {} iterations", residual(), iteration));
  } else if (present_.solved) {
    stop_with(Status::converged, fmt::format("residual {:.3g}", residual()));
  } else if (const std::optional<MeritEnd> end = merit_rules_.judge(lambda, merit)) {
    stop_by(end->rule, end->reason);
  } else {
    judge_progress(iteration);
  }
  return done_;
}

bool SolveProgress::try_out(std::int64_t iteration, Vec lambda) {
  take(iteration, lambda, nullptr, std::numeric_limits<double>::quiet_NaN());
  if (done_) return true;
  if (present_.solved) {
    stop_with(Status::converged, fmt::format("residual {:.3g}", residual()));
  } else {
    judge_progress(iteration);
  }
  return done_;
}

bool SolveProgress::check_time(std::int64_t iteration) {
  const double elapsed = clock_.agreed_seconds(stop_.goal);
  report_.iterations = iteration;
  if (!done_) judge_time(elapsed);
  return done_;
}

void SolveProgress::take(std::int64_t iteration, Vec lambda, Vec u, double merit) {
  present_ = measurer_.measure(lambda, u, stop_.goal);
  report_.iterations = iteration;
  record(iteration, clock_.agreed_seconds(stop_.goal), merit);
  best_.offer(present_, lambda, stop_.goal);
}

void SolveProgress::record(std::int64_t iteration, double elapsed, double merit) {
  HistoryPoint point;
  point.iteration = iteration;
  point.inner = report_.inner_iterations;
  point.factorisations = report_.factorisations;
  point.seconds = elapsed;
  point.processor_seconds = clock_.processor_seconds();
  point.measures = present_.measures;
  point.merit = merit;
  report_.history.push_back(point);
}

bool SolveProgress::diverges() const {
  constexpr double kGrowth = 1e6;  // of the residual over its start
  const double start = std::max(1.0, report_.history.front().measures.residual);
  return !std::isfinite(residual()) || residual() > kGrowth * start;
}

void SolveProgress::judge_progress(std::int64_t iteration) {
  if (iteration >= limit_) {
    stop_with(Status::iteration_limit,
              fmt::format("{} iterations, best residual {:.3g}", iteration, best_residual()));
    return;
  }
  judge_time(report_.history.back().seconds);
  if (done_) return;
  const std::string reason = stagnation(iteration);
  if (!reason.empty()) stop_with(Status::stagnated, reason);
}

std::string SolveProgress::stagnation(std::int64_t iteration) {
  if (exceeds_patience(iteration, best_.iterate(), report_.history, stop_)) {
    return fmt::format("residual {:.3g} after {} iterations, and at this pace more than {} to go",
                       best_residual(), iteration, stop_.patience);
  }
  const std::string idle = idle_rule_.judge(iteration, present_, best_.iterate(), stop_.goal);
  return idle.empty() ? window_rule_.judge(iteration, best_.iterate(), stop_.goal) : idle;
}

void SolveProgress::judge_time(double elapsed) {
  if (stop_.max_seconds <= 0.0 || elapsed < stop_.max_seconds) return;
  stop_with(Status::time_limit,
            fmt::format("{:.3g} s, best residual {:.3g}", elapsed, best_residual()));
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

SolverReport SolveProgress::finish(Vec lambda) {
  SCREE_PETSC(VecCopy(best_.lambda(), lambda));
  const MeasuredIterate& best = best_.iterate();
  report_.measures = best.measures;
  report_.measured_afresh = best.afresh;
  if (best.afresh && measurer().has_body_velocities()) {
    if (!best_.is_last() || !measurer().body_velocities()) measurer().measure(best_.lambda());
    report_.body_velocities = measurer().release_body_velocities();
  }
  if (report_.status != Status::converged && hides_error(best, stop_.goal)) {
    report_.reason += "; " + hidden_error(best);
    report_.gains_nothing = gains_nothing(best);
  }
  report_.products += measurer_.measurer().product().count();
  report_.seconds = clock_.seconds();
  return std::move(report_);
}

}  // namespace scree
