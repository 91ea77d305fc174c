#include "scree/solver/lcp/fischer.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "lcp_newton.hpp"
#include "scree/config/declaration.hpp"
#include "solver/linear/linear_solver.hpp"
#include "through_friction_lcp.hpp"

namespace scree {

void FischerOptions::declare(Declaration& d) {
  d.enumeration(
      "strategy", strategy,
      {.help = "derivative where impulse and velocity are both zero; approximation: by differences "
               "everywhere, without a matrix"});
  LcpNewtonOptions::declare(d);
}

namespace {

constexpr double kSingular = 1e-28;  ///< |(x, y)| that counts as zero
constexpr PetscInt kRestart = 100;   ///< vectors that GMRES keeps
constexpr PetscInt kMostKrylov = 1000;

class FischerBurmeister final : public lcp::NcpFunction {
 public:
  FischerBurmeister(const lcp::System& system, const FischerOptions& options)
      : system_(system),
        forcing_(options.forcing),
        strategy_(options.strategy),
        linear_({.method = LinearMethod::krylov},
                {.symmetric = false, .definite = false, .uniform_blocks = false}),
        rhs_(petsc::duplicate(system.b())),
        work_(petsc::duplicate(system.b())) {
    strategy_ == FischerStrategy::approximation ? make_differences() : make_jacobian();
  }

  double value(double x, double y) const override {
    // not as a difference of large numbers where both are positive
    const double length = std::hypot(x, y);
    return x > 0.0 && y > 0.0 ? -2.0 * x * y / (length + x + y) : length - x - y;
  }

  void slopes(std::int64_t step, lcp::Point& at) const override {
    PetscInt first = 0;
    SCREE_PETSC(VecGetOwnershipRange(at.x.get(), &first, nullptr));
    const petsc::ConstView x(at.x.get());
    const petsc::ConstView y(at.y.get());
    const petsc::View p(at.p.get());
    const petsc::View q(at.q.get());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double length = std::hypot(x[i], y[i]);
      double a = x[i] / length;
      double b = y[i] / length;
      if (length < kSingular) slopes_at_kink(first + static_cast<PetscInt>(i), step, a, b);
      p[i] = a - 1.0;
      q[i] = b - 1.0;
    }
  }

  bool direction(const lcp::Point& at, Vec dx) override {
    SCREE_PETSC(VecCopy(at.h.get(), rhs_.get()));
    SCREE_PETSC(VecScale(rhs_.get(), -1.0));
    const double absolute = forcing_ * std::sqrt(2.0 * at.merit);
    if (strategy_ == FischerStrategy::approximation) return solve_by_differences(at, dx, absolute);
    SCREE_PETSC(MatCopy(system_.matrix(), jacobian_.get(), SAME_NONZERO_PATTERN));
    SCREE_PETSC(MatDiagonalScale(jacobian_.get(), at.q.get(), nullptr));
    SCREE_PETSC(MatDiagonalSet(jacobian_.get(), at.p.get(), ADD_VALUES));
    linear_.use(jacobian_.get());
    const bool solved = linear_.solve(rhs_.get(), dx, absolute);
    krylov = linear_.krylov();
    factorisations = linear_.factorisations();
    return solved;
  }

 private:
  void slopes_at_kink(PetscInt row, std::int64_t step, double& a, double& b) const {
    a = strategy_ == FischerStrategy::perturbation ? 1.0 : 0.0;
    b = 0.0;
    if (strategy_ != FischerStrategy::random) return;
    std::seed_seq seed{static_cast<std::int64_t>(row), step};
    std::minstd_rand generator(seed);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    const double radius = std::sqrt(uniform(generator));
    const double angle = 2.0 * std::numbers::pi * uniform(generator);
    a = radius * std::cos(angle);
    b = radius * std::sin(angle);
  }

  void make_jacobian() {
    SCREE_PETSC(MatDuplicate(system_.matrix(), MAT_COPY_VALUES, jacobian_.out()));
    PetscInt n = 0;
    SCREE_PETSC(MatGetLocalSize(jacobian_.get(), &n, nullptr));
    std::vector<PetscInt> ones(n, 1);
    SCREE_PETSC(MatSetVariableBlockSizes(jacobian_.get(), n, ones.data()));
  }

  static PetscErrorCode difference_function(void* context, Vec x, Vec h) {
    const auto* self = static_cast<const FischerBurmeister*>(context);
    try {
      self->system_.velocity(x, self->work_.get());
      const petsc::ConstView xs(x);
      const petsc::ConstView ys(self->work_.get());
      const petsc::View hs(h);
      for (std::size_t i = 0; i < xs.size(); ++i) hs[i] = self->value(xs[i], ys[i]);
    } catch (...) {
      return PETSC_ERR_LIB;
    }
    return 0;
  }

  void make_differences() {
    const MPI_Comm comm = PetscObjectComm(reinterpret_cast<PetscObject>(system_.b()));
    PetscInt n = 0;
    SCREE_PETSC(VecGetLocalSize(system_.b(), &n));
    SCREE_PETSC(MatCreateMFFD(comm, n, n, PETSC_DETERMINE, PETSC_DETERMINE, jacobian_.out()));
    SCREE_PETSC(MatMFFDSetType(jacobian_.get(), MATMFFD_WP));  // h > 0, as eq. 102 asks
    SCREE_PETSC(MatMFFDSetFunction(jacobian_.get(), difference_function, this));
    SCREE_PETSC(KSPCreate(comm, differences_.out()));
    SCREE_PETSC(KSPSetType(differences_.get(), KSPGMRES));
    SCREE_PETSC(KSPGMRESSetRestart(differences_.get(), kRestart));
    PC pc = nullptr;
    SCREE_PETSC(KSPGetPC(differences_.get(), &pc));
    SCREE_PETSC(PCSetType(pc, PCNONE));
  }

  bool solve_by_differences(const lcp::Point& at, Vec dx, double absolute) {
    SCREE_PETSC(MatMFFDSetBase(jacobian_.get(), at.x.get(), at.h.get()));
    SCREE_PETSC(MatAssemblyBegin(jacobian_.get(), MAT_FINAL_ASSEMBLY));
    SCREE_PETSC(MatAssemblyEnd(jacobian_.get(), MAT_FINAL_ASSEMBLY));
    KSP ksp = differences_.get();
    SCREE_PETSC(KSPSetOperators(ksp, jacobian_.get(), jacobian_.get()));
    SCREE_PETSC(KSPSetTolerances(ksp, kSingular, absolute, 1e30, kMostKrylov));
    SCREE_PETSC(VecSet(dx, 0.0));
    SCREE_PETSC(KSPSolve(ksp, rhs_.get(), dx));
    PetscInt iterations = 0;
    SCREE_PETSC(KSPGetIterationNumber(ksp, &iterations));
    krylov += iterations;
    KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
    SCREE_PETSC(KSPGetConvergedReason(ksp, &reason));
    PetscReal size = 0.0;
    SCREE_PETSC(VecNorm(dx, NORM_1, &size));
    if (!std::isfinite(size)) SCREE_PETSC(VecSet(dx, 0.0));
    return reason > 0;
  }

  const lcp::System& system_;
  double forcing_;
  FischerStrategy strategy_;
  LinearSolver linear_;
  petsc::Matrix jacobian_;
  petsc::Krylov differences_;
  petsc::Vector rhs_;
  petsc::Vector work_;
};

class Fischer final : public Solver {
 public:
  explicit Fischer(const FischerOptions& options) : options_(options) {}

  SolverReport solve(const ContactProblem& problem, const Stop& stop, Vec lambda) override {
    const auto make = [this](const lcp::System& system) {
      return std::make_unique<FischerBurmeister>(system, options_);
    };
    return lcp::solve_by_newton("fischer", make, options_, problem, stop, lambda);
  }

 private:
  FischerOptions options_;
};

}  // namespace

std::unique_ptr<Solver> make_fischer(const FischerOptions& options) {
  FischerOptions of_friction = options;
  of_friction.damped = true;
  return through_friction_lcp("fischer", std::make_unique<Fischer>(of_friction),
                              std::make_unique<Fischer>(options), options.contact_sweeps);
}

}  // namespace scree
