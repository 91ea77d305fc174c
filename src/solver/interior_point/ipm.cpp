#include "scree/solver/interior_point/ipm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ipm_path.hpp"
#include "ipm_units.hpp"
#include "scree/problem/body_rows.hpp"
#include "solver/solve_progress.hpp"

namespace scree {
namespace {

using ipm::Iterate;
using ipm::PathEnd;
using ipm::Points;

constexpr std::int64_t kIterationLimit = 100;  ///< iterations of one cone complementarity problem
/// Steps without a residual a tenth smaller, after which the method has reached what it can.
constexpr int kPatience = 12;

/// One solve: the method in its units on one side, the problem as formulated on the other.
class Solve {
 public:
  Solve(const ContactProblem& problem, const Stop& stop, const IpmOptions& options, Vec lambda)
      : problem_(problem),
        stop_(stop),
        options_(options),
        exact_(ipm::has_exact_friction(problem)),
        progress_(problem, stop, kIterationLimit * (exact_ ? options.max_outer : 1), lambda),
        lambda_(petsc::duplicate(lambda)) {}

  SolverReport run(Vec lambda) {
    if (!progress_.done()) {
      units_ = ipm::make_units(problem_, progress_.measurer().rho());
      const auto out_of_time = [this] {
        return progress_.check_time(std::max<std::int64_t>(iterates_, 1) - 1);
      };
      system_ = has_body_rows(problem_)
                    ? ipm::make_body_system(problem_, units_, options_, out_of_time)
                    : ipm::make_contact_system(problem_, units_, options_, out_of_time);
      if (exact_) {
        solve_exact();
      } else {
        solve_associated();
      }
      count();
      report_fallbacks();
    }
    return progress_.finish(lambda);
  }

 private:
  void solve_associated() {
    const PathEnd end = follow(ipm::to_units(units_, problem_.r.get()), 0.0);
    if (!progress_.done()) stop_with(end);
  }

  /// The fixed point on the shift of the bias: each round is an associated problem with the slip
  /// of the last one, solved a little better than the whole is wanted. The first has the slip of
  /// the start where that is near a solution; rounds count as gain only where they beat the start.
  void solve_exact() {
    constexpr int kRoundsWithoutGain = 3;
    constexpr double kGain = 0.9;
    constexpr double kNear = 0.1;
    double best = progress_.best_residual();
    const bool near = best < kNear;
    if (near) SCREE_PETSC(VecCopy(progress_.best(), lambda_.get()));
    PathEnd end = PathEnd::stalled;
    int rounds_without_gain = 0;
    for (std::int64_t outer = 0;
         outer < options_.max_outer && rounds_without_gain < kRoundsWithoutGain; ++outer) {
      end = follow(shifted_bias(outer == 0 && !near), kInnerShare * stop_.goal.residual);
      if (progress_.done()) return;
      const double residual = progress_.residual();
      rounds_without_gain = residual < kGain * best ? 0 : rounds_without_gain + 1;
      best = std::min(best, residual);
      if (end == PathEnd::breakdown) break;
    }
    if (end == PathEnd::stopped) {
      progress_.stop_with(Status::stagnated,
                          fmt::format("the fixed point on the slip stays at residual {:.3g}",
                                      progress_.best_residual()));
    } else {
      stop_with(end);
    }
  }

  /// c for r + (mu |u_t|, 0, ..) where friction is exact, u that of the last iterate.
  Points shifted_bias(bool first) {
    const petsc::Vector bias = petsc::duplicate(problem_.r.get());
    SCREE_PETSC(VecCopy(problem_.r.get(), bias.get()));
    if (!first) {
      const petsc::Vector velocity = petsc::duplicate(lambda_.get());
      progress_.measurer().product().contact_velocity(lambda_.get(), velocity.get());
      const petsc::ConstView u(velocity.get());
      const petsc::View r(bias.get());
      for_each_cone(problem_.cones, [&](const auto& cone, const ConePlace& at) {
        if (at.exact) r[at.row] += cone.shift(rows_of(cone, u.data() + at.row));
      });
    }
    return ipm::to_units(units_, bias.get());
  }

  /// Follows the path for the bias @p c; stops when the problem as formulated is solved, or when
  /// the associated problem of @p c is solved to @p inner_tolerance (0: never).
  PathEnd follow(Points c, double inner_tolerance) {
    double best = std::numeric_limits<double>::infinity();
    int steps_without_gain = 0;
    int attempt = 0;
    bool stalled = false;
    const auto observe = [&](const Iterate& at) {
      if (at.attempt != attempt) {  // a restart begins far from the path: it is judged by itself
        attempt = at.attempt;
        best = std::numeric_limits<double>::infinity();
        steps_without_gain = 0;
      }
      ipm::from_units(units_, at.x, lambda_.get());
      count();
      if (progress_.check(iterates_++, lambda_.get())) return true;
      const double inner =
          ipm::own_residual(problem_.comm, problem_.cones, at.x, at.y, at.infeasibility);
      if (inner <= inner_tolerance) return true;
      steps_without_gain = inner < 0.9 * best ? 0 : steps_without_gain + 1;
      best = std::min(best, inner);
      stalled = steps_without_gain >= kPatience;
      return stalled;
    };
    const PathEnd end =
        follow_path(problem_.comm, problem_.cones, *system_, std::move(c), options_, observe);
    return stalled ? PathEnd::stalled : end;
  }

  void stop_with(PathEnd end) {
    const std::string floor =
        fmt::format("no progress below residual {:.3g}", progress_.best_residual());
    switch (end) {
      case PathEnd::diverged:
        progress_.stop_with(Status::diverged, "a number of the iterate is not finite");
        return;
      case PathEnd::breakdown:
        progress_.stop_with(Status::breakdown, "no linear solver could solve a step");
        return;
      case PathEnd::rounding:
        progress_.stop_with(Status::stagnated, floor + ", where rounding hides the rest");
        return;
      case PathEnd::stopped:
      case PathEnd::stalled:
        progress_.stop_with(Status::stagnated, floor);
    }
  }

  void report_fallbacks() {
    const std::string note = system_->note();
    if (!note.empty()) progress_.report().reason += "; " + note;
    if (const std::int64_t unfinished = system_->linear().unfinished(); unfinished > 0) {
      progress_.report().reason +=
          fmt::format("; {} linear solves ran out of iterations", unfinished);
    }
  }

  void count() {
    SolverReport& report = progress_.report();
    report.inner_iterations = system_->linear().krylov();
    report.factorisations = system_->linear().factorisations();
    report.products = report.inner_iterations;
  }

  static constexpr double kInnerShare = 0.1;

  const ContactProblem& problem_;
  const Stop& stop_;
  const IpmOptions& options_;
  bool exact_;  ///< friction of some cone, on any rank
  SolveProgress progress_;
  petsc::Vector lambda_;
  ipm::Units units_;
  std::unique_ptr<ipm::System> system_;
  std::int64_t iterates_ = 0;  ///< that were looked at, the start among them
};

class Ipm final : public Solver {
 public:
  explicit Ipm(const IpmOptions& options) : options_(options) {}

  SolverReport solve(const ContactProblem& problem, const Stop& stop, Vec lambda) override {
    SolverReport report = Solve(problem, stop, options_, lambda).run(lambda);
    report.solver = "ipm";
    return report;
  }

 private:
  IpmOptions options_;
};

}  // namespace

std::unique_ptr<Solver> make_ipm(const IpmOptions& options) {
  return std::make_unique<Ipm>(options);
}

}  // namespace scree
