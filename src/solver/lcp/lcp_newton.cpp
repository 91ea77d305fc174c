#include "lcp_newton.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/base/parallel.hpp"
#include "scree/config/declaration.hpp"
#include "scree/solver/needs.hpp"
#include "solver/linear/linear_solver.hpp"
#include "solver/solve_progress.hpp"
#include "solver/sweeps/sweep.hpp"

namespace scree {

void LcpNewtonOptions::declare(Declaration& d) {
  d.integer("sweeps", sweeps, {.help = "sweeps of pgs before the first Newton step", .min = 0});
  d.integer("contact_sweeps", contact_sweeps,
            {.help = "sweeps of pgs over contacts with friction before their LCP is formulated",
             .min = 0});
  d.flag("scaled", scaled,
         {.help = "iterate on impulses and velocities scaled to one unit; the merit is in J then"});
  d.flag(
      "gradient", gradient,
      {.help = "step along the gradient of the merit where Newton's direction does not exist, or "
               "does not lower it, with friction after that of Levenberg and Marquardt; else the "
               "method ends there"});
  d.real("forcing", forcing,
         {.help = "accuracy of a linear solve, relative to what is to become zero",
          .above = 0.0,
          .below = 1.0});
}

}  // namespace scree

namespace scree::lcp {
namespace {

constexpr std::int64_t kDefaultSteps = 100;
constexpr double kArmijo = 1e-3;    ///< alpha of eq. 83
constexpr double kCut = 0.5;        ///< beta of eq. 83
constexpr double kShortest = 1e-8;  ///< tau below which no step lowers the merit
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kDamping = 1e-3;  ///< nu over |h|, of that at the start
constexpr double kFlat = 1e-12;    ///< |J^T h| over |h| |A|: no slope

double norm(Vec v, NormType type) {
  PetscReal value = 0.0;
  SCREE_PETSC(VecNorm(v, type, &value));
  return value;
}

double dot(Vec a, Vec b) {
  double value = 0.0;
  SCREE_PETSC(VecDot(a, b, &value));
  return value;
}

class Newton {
 public:
  Newton(NcpFunction& function, const System& system, const LcpNewtonOptions& options,
         SolveProgress& progress, Vec lambda)
      : function_(function),
        system_(system),
        options_(options),
        progress_(progress),
        at_(lambda),
        trial_(lambda),
        dx_(petsc::duplicate(lambda)),
        gradient_(petsc::duplicate(lambda)),
        lambda_(petsc::duplicate(lambda)),
        u_(petsc::duplicate(lambda)) {
    PetscReal size = 0.0;
    SCREE_PETSC(MatNorm(system.matrix(), NORM_INFINITY, &size));
    flat_ = kFlat * (1.0 + size);
    system.from_lambda(lambda, at_.x.get());
    system.velocity(at_.x.get(), at_.y.get());
    evaluate(function_, at_);
    first_merit_ = at_.merit;
  }

  /// @p swept: the start is not the one that was measured.
  void iterate(bool swept) {
    if (swept) {
      if (measure(0)) return;
    } else {
      progress_.report().history.front().merit = at_.merit;
    }
    for (std::int64_t step = 1;; ++step) {
      if (!advance(step)) return;
      std::swap(at_, trial_);
      if (measure(step)) return;
    }
  }

  /// Steps along the gradient.
  std::int64_t gradients() const { return gradients_; }

 private:
  /// Measures the iterate; whether the solve ends.
  bool measure(std::int64_t step) {
    SolverReport& report = progress_.report();
    report.inner_iterations = function_.krylov;
    report.factorisations = function_.factorisations;
    system_.to_lambda(at_.x.get(), lambda_.get());
    system_.to_velocity(at_.y.get(), u_.get());
    return progress_.check(step, lambda_.get(), u_.get(), at_.merit);
  }

  /// Finds the next point, trial_; false when the solve ended.
  bool advance(std::int64_t step) {
    function_.slopes(step, at_);
    const bool solved = function_.direction(at_, dx_.get());
    const double size = norm(dx_.get(), NORM_2);
    const bool none = !solved && size == 0.0;
    const bool is_least =
        norm(dx_.get(), NORM_INFINITY) <= kEpsilon * norm(at_.x.get(), NORM_INFINITY);
    if (solved && is_least) {
      return end(Status::stagnated, "a Newton step of the size of rounding");
    }
    find_gradient();
    if (norm(gradient_.get(), NORM_2) <= flat_ * norm(at_.h.get(), NORM_2)) {
      return end(MeritRule::local_minimum, fmt::format("merit {:.3g} without a slope", at_.merit));
    }
    const double slope = dot(gradient_.get(), dx_.get());
    const bool descends = slope <= -kEpsilon * size * size;
    if (!none && descends && search(slope)) return true;
    if (options_.gradient) return (options_.damped && follow_damped()) || follow_gradient();
    if (none) return end(Status::breakdown, "the linear solve of a Newton step failed");
    if (descends) {
      return end(Status::stagnated,
                 fmt::format("no step along the Newton direction lowers merit {:.3g}", at_.merit));
    }
    return end(MeritRule::no_descent,
               fmt::format("merit {:.3g} does not fall along the Newton direction", at_.merit));
  }

  /// J^T h = p h + A^T (q h)
  void find_gradient() {
    SCREE_PETSC(VecPointwiseMult(trial_.h.get(), at_.q.get(), at_.h.get()));
    SCREE_PETSC(VecPointwiseMult(trial_.x.get(), at_.p.get(), at_.h.get()));
    SCREE_PETSC(
        MatMultTransposeAdd(system_.matrix(), trial_.h.get(), trial_.x.get(), gradient_.get()));
  }

  /// A step of Levenberg and Marquardt, where J is singular: (J^T J + nu) dx = -J^T h, with nu as
  /// |h|.
  bool follow_damped() {
    petsc::Matrix j;
    SCREE_PETSC(MatDuplicate(system_.matrix(), MAT_COPY_VALUES, j.out()));
    SCREE_PETSC(MatDiagonalScale(j.get(), at_.q.get(), nullptr));
    SCREE_PETSC(MatDiagonalSet(j.get(), at_.p.get(), ADD_VALUES));
    petsc::Matrix normal;
    SCREE_PETSC(
        MatTransposeMatMult(j.get(), j.get(), MAT_INITIAL_MATRIX, PETSC_DEFAULT, normal.out()));
    SCREE_PETSC(MatShift(normal.get(), kDamping * std::sqrt(at_.merit / first_merit_)));
    LinearSolver linear({.method = LinearMethod::factorisation},
                        {.symmetric = true, .definite = true, .uniform_blocks = false});
    linear.use(normal.get());
    SCREE_PETSC(VecScale(gradient_.get(), -1.0));
    const bool solved = linear.solve(gradient_.get(), dx_.get(), 0.0);
    SCREE_PETSC(VecScale(gradient_.get(), -1.0));
    function_.factorisations += linear.factorisations();
    return solved && search(dot(gradient_.get(), dx_.get()));
  }

  bool follow_gradient() {
    SCREE_PETSC(VecCopy(gradient_.get(), dx_.get()));
    SCREE_PETSC(VecScale(dx_.get(), -1.0));
    if (search(-dot(dx_.get(), dx_.get()))) {
      ++gradients_;
      return true;
    }
    return end(
        Status::stagnated,
        fmt::format("neither Newton's direction nor the gradient lowers merit {:.3g}", at_.merit));
  }

  /// The projected line search; the point found is trial_. @returns whether there is one.
  bool search(double slope) {
    for (double tau = 1.0; tau >= kShortest; tau *= kCut) {
      SCREE_PETSC(VecWAXPY(trial_.x.get(), tau, dx_.get(), at_.x.get()));
      for (double& value : petsc::View(trial_.x.get()).span()) value = std::max(value, 0.0);
      system_.velocity(trial_.x.get(), trial_.y.get());
      evaluate(function_, trial_);
      if (trial_.merit <= at_.merit + kArmijo * tau * slope) return true;
    }
    return false;
  }

  bool end(Status status, std::string reason) {
    progress_.stop_with(status, std::move(reason));
    return false;
  }

  bool end(MeritRule rule, std::string reason) {
    progress_.stop_by(rule, std::move(reason));
    return false;
  }

  NcpFunction& function_;
  const System& system_;
  const LcpNewtonOptions& options_;
  SolveProgress& progress_;
  Point at_;
  Point trial_;
  petsc::Vector dx_;
  petsc::Vector gradient_;
  petsc::Vector lambda_;
  petsc::Vector u_;
  double flat_ = 0.0;
  double first_merit_ = 0.0;
  std::int64_t gradients_ = 0;
};

/// @p n sweeps of pgs from @p lambda, where the diagonal allows them.
void sweep(std::int64_t n, const ContactProblem& problem, Vec lambda) {
  if (n == 0 || !traits_of(problem).positive_diagonal) return;
  const auto rule = make_projected_rule(1.0, Memory::none);
  const auto sweeps = make_sweep(problem, *rule);
  std::vector<double> impulse = to_rows(lambda);
  sweeps->start(impulse);
  for (std::int64_t k = 0; k < n; ++k) sweeps->run(impulse);
  to_vec(impulse, lambda);
}

}  // namespace

Point::Point(Vec like)
    : x(petsc::duplicate(like)),
      y(petsc::duplicate(like)),
      h(petsc::duplicate(like)),
      p(petsc::duplicate(like)),
      q(petsc::duplicate(like)) {}

void evaluate(const NcpFunction& function, Point& at) {
  {
    const petsc::ConstView x(at.x.get());
    const petsc::ConstView y(at.y.get());
    const petsc::View h(at.h.get());
    for (std::size_t i = 0; i < h.size(); ++i) h[i] = function.value(x[i], y[i]);
  }
  at.merit = 0.5 * dot(at.h.get(), at.h.get());
}

SolverReport solve_by_newton(std::string_view method, const MakeFunction& make,
                             const LcpNewtonOptions& options, const ContactProblem& problem,
                             const Stop& stop, Vec lambda) {
  SolveProgress progress(problem, stop, kDefaultSteps, lambda);
  if (!progress.done()) {
    sweep(options.sweeps, problem, lambda);
    progress.report().products += options.sweeps;
    const System system(problem, progress.measurer().rho(), options.scaled);
    const std::unique_ptr<NcpFunction> function = make(system);
    Newton newton(*function, system, options, progress, lambda);
    newton.iterate(options.sweeps > 0);
    if (newton.gradients() > 0) {
      progress.report().reason += fmt::format("; {} along the gradient", newton.gradients());
    }
  }
  progress.report().solver = method;
  return progress.finish(lambda);
}

}  // namespace scree::lcp
