#include "sweep_solver.hpp"

#include <cmath>

#include "iterate_sweeps.hpp"
#include "kernel_solver.hpp"
#include "scree/base/parallel.hpp"
#include "scree/problem/measure.hpp"
#include "sweep.hpp"

namespace scree {
namespace {

constexpr std::int64_t kDefaultSweeps = 10000;
/// Limits and patience are counted in sweeps by rules. As many sweeps of spheres on the kernels, at
/// 7 to 9 ns a contact, cost as much as one by rules, at 85 to 105.
constexpr std::int64_t kSphereSpeed = 10;
/// As many of them stand for one in the patience: packings of spheres fill in, which makes what
/// comes after sweeps dear, too. On rigid beds, piles and trenches pac takes as long as 19,000 to
/// 174,000 sweeps on the kernels; ipm as long as 4,000 to 27,000, but on 56,000 contacts it does
/// not end.
constexpr std::int64_t kSpherePatience = 50;
/// Of other bodies with many contacts each, as boxes have, factorisations gain as much as sweeps do
/// from their kernels: pac takes as long as 1,200 of those, in the median. With one contact a pair
/// there are few a body: of 12 problems of a bed of ellipsoids with friction that comes to rest,
/// 3,100 to 3,600 contacts to 1e-6, sweeps end 5 within 5,000, and pac takes as long as 12,000 to
/// 110,000 of them. With 2,000 sweeps by rules as patience, these are given 20,000 on the kernels.
constexpr double kFewContacts = 6.0;  ///< a body
constexpr std::int64_t kCostOfPoints = 5;
/// From so many contacts on both are doubled, for sweeps have farther to go, and what comes after
/// them costs more: in boxes of 8,200, 21,000 and 41,000 rigid contacts ipm takes as long as
/// 35,000, 67,000 and 120,000 sweeps; beds of 14,000 and 56,000 take nsgs 21,000 and 160,000 to
/// 1e-8, and pac does not solve the second.
constexpr double kMany = 40000;
constexpr std::int64_t kGainOfMany = 2;
/// Where few contacts are of other bodies, as of a plate that lies on a bed of spheres, all are
/// swept as those are, at twice the cost; what comes after sweeps is as dear.
constexpr std::int64_t kFewOthers = 4;  ///< contacts over those of other bodies, at least
constexpr std::int64_t kCostOfOthers = 2;

/// How many sweeps stand for one by rules.
struct SweepsPerRule {
  std::int64_t limit = 1;
  std::int64_t patience = 1;
};

/// sum |lambda_i^T u~_i|: eq. 106 of paper 002.
double merit_of(const ContactProblem& problem, Vec impulse, Vec velocity) {
  const petsc::ConstView l(impulse);
  const petsc::ConstView v(velocity);
  double sum = 0.0;
  for_each_cone(problem.cones, [&](const auto& cone, const ConePlace& at) {
    const auto u = shifted(cone, rows_of(cone, v.data() + at.row), at);
    sum += std::abs(rows_of(cone, l.data() + at.row).dot(u));
  });
  return sum_over_ranks(problem.comm, sum);
}

/// Mean of N's diagonal. Collective.
double mean_diagonal(const ContactProblem& problem) {
  const double* block = delassus_diagonal_blocks(problem).data();
  double sum = 0.0;
  for (std::size_t i = 0; i < problem.cones.count(); ++i) {
    const int dim = problem.cones.dim(i);
    for (int k = 0; k < dim; ++k) sum += block[k * (dim + 1)];
    block += dim * dim;
  }
  const auto rows = static_cast<double>(problem.cones.rows());
  return sum_over_ranks(problem.comm, sum) / sum_over_ranks(problem.comm, rows);
}

/// Sweeps by a rule for each type of cone.
class RuledSweeps {
 public:
  /// @p compared: sweep is compared with sweep.
  RuledSweeps(const ContactProblem& problem, ContactRule& rule, bool compared,
              std::vector<double> lambda)
      : rule_(rule),
        interval_(compared ? Interval{1, 1, 1} : Interval{4, 10, 25}),
        sweep_(make_sweep(problem, rule)),
        lambda_(std::move(lambda)),
        u_(petsc::duplicate(problem.r.get())) {
    sweep_->start(lambda_);
  }

  const Interval& interval() const { return interval_; }
  std::int64_t run(std::int64_t n) {
    for (std::int64_t s = 0; s < n; ++s) sweep_->run(lambda_);
    return n;
  }
  /// Writes the impulses to @p lambda. @returns their N lambda + r, computed afresh, so that
  /// rounding does not add up
  Vec check(Vec lambda) {
    sweep_->start(lambda_);
    sweep_->velocities(velocity_);
    to_vec(lambda_, lambda);
    to_vec(velocity_, u_.get());
    return u_.get();
  }
  double merit(const ContactProblem& problem, Vec lambda) const {
    return merit_of(problem, lambda, u_.get());
  }
  void judge(SolveProgress& /*progress*/, std::int64_t /*done*/) {}
  double factor() const { return rule_.relaxation(); }
  void drop_factor() { rule_.set_relaxation(1.0); }

 private:
  ContactRule& rule_;
  Interval interval_;
  std::unique_ptr<Sweep> sweep_;
  std::vector<double> lambda_;
  std::vector<double> velocity_;
  petsc::Vector u_;
};

class SweepSolver final : public Solver {
 public:
  explicit SweepSolver(const SweepMethod& method) : method_(method) {}

  SolverReport solve(const ContactProblem& problem, const Stop& stop, Vec lambda) override {
    const bool compared = stop.merit.any();
    const bool kernels = method_.inertia && !compared && kernels_.take(problem, method_.step);
    return kernels ? solve_by_kernels(problem, stop, lambda)
                   : solve_by_rules(problem, stop, lambda, compared);
  }

 private:
  SolverReport solve_by_kernels(const ContactProblem& problem, const Stop& stop, Vec lambda) {
    const SweepsPerRule gain = gain_over_rules();
    Stop own = stop;
    own.patience *= gain.patience;
    const KernelMethod method{method_.name, gain.limit * kDefaultSweeps, pair_method(problem)};
    return kernels_.solve(problem, own, method, lambda);
  }

  SweepsPerRule gain_over_rules() const {
    const PairProblem& pairs = kernels_.pairs();
    const bool few_ruled = kSphereSpeed * pairs.share_of_ruled() <= 1.0;
    const bool few_others = kFewOthers * pairs.share_of_others() <= 1.0;
    const bool few_contacts = pairs.contacts_per_body() <= kFewContacts;
    if (!few_ruled || !(few_others || few_contacts)) return {};
    const std::int64_t cost = pairs.are_plain_spheres() ? 1
                              : few_others              ? kCostOfOthers
                                                        : kCostOfPoints;
    const std::int64_t gain = pairs.n_cones_global() < kMany ? 1 : kGainOfMany;
    return {gain * kSphereSpeed / cost, gain * kSpherePatience / cost};
  }

  SolverReport solve_by_rules(const ContactProblem& problem, const Stop& stop, Vec lambda,
                              bool compared) {
    SolveProgress progress(problem, stop, kDefaultSweeps, lambda);
    progress.report().solver = method_.name;
    if (!progress.done()) {
      const std::unique_ptr<ContactRule> rule = make_rule(problem);
      RuledSweeps sweeps(problem, *rule, compared, to_rows(lambda));
      iterate_sweeps(problem, sweeps, progress, lambda);
    }
    return progress.finish(lambda);
  }

  double factor(bool inertia) const {
    if (method_.factor > 0.0) return method_.factor;
    return inertia ? 1.0 : method_.plain_factor;
  }

  PairMethod pair_method(const ContactProblem& problem) const {
    const PairProblem& pairs = kernels_.pairs();
    const double softness = softness_of(problem, pairs.n_contacts()) / pairs.most_sharers();
    PairMethod method{.law = pairs.law(), .softness = softness};
    (method_.step == SweepStep::exact ? method.relaxation : method.step) = factor(true);
    return method;
  }

  std::unique_ptr<ContactRule> make_rule(const ContactProblem& problem) const {
    const double relaxation = factor(false);
    if (method_.step == SweepStep::exact) return make_exact_rule(relaxation);
    if (method_.step == SweepStep::projected) return make_projected_rule(relaxation, Memory::none);
    if (method_.omega == ModulusOmega::diagonal)
      return make_projected_rule(relaxation, Memory::modulus);
    return make_projected_rule(relaxation, Memory::modulus, mean_diagonal(problem));
  }

  SweepMethod method_;
  KernelSolver kernels_;
};

}  // namespace

std::unique_ptr<Solver> make_sweep_solver(const SweepMethod& method) {
  return std::make_unique<SweepSolver>(method);
}

}  // namespace scree
