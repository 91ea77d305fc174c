#pragma once

/// The work of every iterative method beside its iteration: it measures now and then, keeps the
/// best iterate, writes the history, and knows when to stop. Members that look at the time throw
/// GivenUp, on every rank, where the solve is to be given up.

#include <chrono>
#include <cstdint>
#include <ctime>
#include <limits>
#include <optional>
#include <string>

#include "scree/problem/contact_error.hpp"
#include "scree/problem/measure.hpp"
#include "scree/solver/solver.hpp"

namespace scree {

class SolveProgress {
 public:
  /// Collective. Measures the start @p lambda; a start or a problem with NaN or infinity ends
  /// (done()) as diverged. @p default_limit of iterations applies where @p stop gives none.
  SolveProgress(const ContactProblem& problem, const Stop& stop, std::int64_t default_limit,
                Vec lambda);

  Measurer& measurer() { return measurer_; }
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
  double residual() const { return report_.history.back().measures.residual; }
  double best_residual() const { return best_measures_.residual; }
  /// By how many times the present impulses miss what they are to gain next: the residual the
  /// tolerance, or else the velocity error its bound, or else the errors of contacts theirs. Above
  /// 1 as long as one of them is missed.
  double shortfall() const;
  Vec best() const { return best_.get(); }
  /// Ends the solve with @p status.
  void stop_with(Status status, std::string reason);
  /// Ends the solve by @p rule.
  void stop_by(MeritRule rule, std::string reason);
  SolverReport& report() { return report_; }
  /// Collective. Writes the best iterate to @p lambda; gives the report.
  SolverReport finish(Vec lambda);

 private:
  double seconds() const;
  /// Those of the slowest clock. Collective. @throws GivenUp.
  double agreed_seconds() const;
  bool is_out_of_time(double elapsed) const;
  void stop_by_time(double elapsed);
  void record(std::int64_t iteration, double elapsed, const Measures& m);
  /// Whether @p lambda, measured as @p m, solves the problem; looks at the errors of contacts only
  /// where all else holds. Collective.
  bool is_found(const Measures& m, Vec lambda);
  /// Notes that something was gained in @p iteration, where what is not yet within its bound fell.
  void judge_gain(std::int64_t iteration, const Measures& m);
  bool judge(std::int64_t iteration, Vec lambda, Vec u, bool kept, double merit);
  /// Ends the solve where a rule of MeritOptions says so.
  void judge_merit(Vec lambda, double merit);
  /// Iterations to the tolerance, or from there to the velocity bound, if the residual or the
  /// velocity error goes on falling by a power of their number, as it did over the last three
  /// quarters of them; infinite where it did not fall.
  double iterations_to_go(std::int64_t iteration) const;

  const ContactProblem& problem_;
  Stop stop_;
  std::int64_t limit_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::clock_t processor_start_ = std::clock();
  Measurer measurer_;
  petsc::Vector best_;
  Measures best_measures_;
  bool best_is_afresh_ = true;  ///< measured by a u of its own
  bool done_ = false;
  // progress is judged over a window of iterations: the best at its beginning
  std::int64_t window_start_ = 0;
  Measures window_best_;
  double least_remaining_ = std::numeric_limits<double>::infinity();
  std::optional<ContactErrors>
      contact_errors_;               ///< from the first iterate that is solved but for it
  double contact_error_ = 0.0;       ///< of the last such iterate
  double best_contact_error_ = 0.0;  ///< of the best iterate
  double least_contact_error_ = std::numeric_limits<double>::infinity();
  double least_velocity_error_ = std::numeric_limits<double>::infinity();
  std::int64_t last_gain_ = 0;  ///< iteration until which the impulses were of use
  petsc::Vector last_;  ///< lambda of the last check, where MeritOptions::change asks for it
  double last_merit_ = std::numeric_limits<double>::quiet_NaN();
  SolverReport report_;
};

}  // namespace scree
