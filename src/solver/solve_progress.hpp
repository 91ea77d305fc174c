#pragma once

/// The work of every iterative method beside its iteration: it measures now and then, keeps the
/// best iterate, writes the history, and stops the method. The rules by which it stops each have a
/// file of solver/progress. Members that look at the time throw GivenUp, on every rank, where the
/// solve is to be given up.

#include <cstdint>
#include <limits>
#include <string>

#include "scree/problem/measure.hpp"
#include "scree/solver/solver.hpp"
#include "solver/progress/best_iterate.hpp"
#include "solver/progress/iterate_measurer.hpp"
#include "solver/progress/merit_rules.hpp"
#include "solver/progress/solve_clock.hpp"
#include "solver/progress/stagnation.hpp"

namespace scree {

class SolveProgress {
 public:
  /// Collective. Measures the start @p lambda (with @p u = N lambda + r where known); a start or a
  /// problem with NaN or infinity ends (done()) as diverged. @p default_limit of iterations applies
  /// where @p stop gives none.
  SolveProgress(const ContactProblem& problem, const Stop& stop, std::int64_t default_limit,
                Vec lambda, Vec u = nullptr);

  Measurer& measurer() { return measurer_.measurer(); }
  /// Collective. Measures @p lambda (with @p u = N lambda + r where known) after @p iteration
  /// iterations; @p merit is the method's own. @returns done().
  bool check(std::int64_t iteration, Vec lambda, Vec u = nullptr,
             double merit = std::numeric_limits<double>::quiet_NaN());
  /// Collective. The same for a point that may be taken back: that it is bad ends nothing.
  bool try_out(std::int64_t iteration, Vec lambda);
  /// Collective. Looks at the time alone, amid iterations that give nothing to measure. @returns
  /// done().
  bool check_time(std::int64_t iteration);
  bool done() const { return done_; }
  std::int64_t limit() const { return limit_; }
  double residual() const { return present_.measures.residual; }
  double best_residual() const { return best_.residual(); }
  /// By how many times the present impulses miss what they are to gain next
  /// (progress/measured_iterate.hpp).
  double shortfall() const { return scree::shortfall(present_, stop_.goal); }
  Vec best() const { return best_.lambda(); }
  /// Ends the solve with @p status.
  void stop_with(Status status, std::string reason);
  /// Ends the solve by @p rule.
  void stop_by(MeritRule rule, std::string reason);
  SolverReport& report() { return report_; }
  /// Collective. Writes the best iterate to @p lambda; gives the report.
  SolverReport finish(Vec lambda);

 private:
  /// Measures @p lambda, records it, and keeps it where it is the best. Collective.
  void take(std::int64_t iteration, Vec lambda, Vec u, double merit);
  void record(std::int64_t iteration, double elapsed, double merit);
  bool diverges() const;
  /// Ends the solve at the limits of iterations and of time, and where it stagnates.
  void judge_progress(std::int64_t iteration);
  /// Why the method is to be stopped before these; empty where it goes on.
  std::string stagnation(std::int64_t iteration);
  /// Ends the solve where @p elapsed seconds are all that it may take.
  void judge_time(double elapsed);

  Stop stop_;
  std::int64_t limit_;
  SolveClock clock_;
  IterateMeasurer measurer_;
  MeasuredIterate present_;
  BestIterate best_;
  MeritRules merit_rules_;
  IdleRule idle_rule_;
  WindowRule window_rule_;
  bool done_ = false;
  SolverReport report_;
};

}  // namespace scree
