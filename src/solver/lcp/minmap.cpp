#include "scree/solver/lcp/minmap.hpp"

#include <algorithm>
#include <vector>

#include "lcp_newton.hpp"
#include "scree/base/parallel.hpp"
#include "solver/linear/linear_solver.hpp"
#include "through_friction_lcp.hpp"

namespace scree {
namespace {

class MinimumMap final : public lcp::NcpFunction {
 public:
  MinimumMap(const lcp::System& system, const LcpNewtonOptions& options)
      : system_(system),
        forcing_(options.forcing),
        inactive_(petsc::duplicate(system.b())),
        rhs_(petsc::duplicate(system.b())) {}

  double value(double x, double y) const override { return std::min(x, y); }

  void slopes(std::int64_t, lcp::Point& at) const override {
    const petsc::ConstView x(at.x.get());
    const petsc::ConstView y(at.y.get());
    const petsc::View p(at.p.get());
    const petsc::View q(at.q.get());
    for (std::size_t i = 0; i < x.size(); ++i) {
      q[i] = y[i] < x[i] ? 1.0 : 0.0;
      p[i] = 1.0 - q[i];
    }
  }

  bool direction(const lcp::Point& at, Vec dx) override {
    const petsc::IndexSet active = active_rows(at);
    // dx_F = -h_F, and its part in the rows of A_set
    SCREE_PETSC(VecPointwiseMult(inactive_.get(), at.p.get(), at.h.get()));
    SCREE_PETSC(VecCopy(inactive_.get(), dx));
    SCREE_PETSC(VecScale(dx, -1.0));
    SCREE_PETSC(MatMult(system_.matrix(), inactive_.get(), rhs_.get()));
    SCREE_PETSC(VecAXPY(rhs_.get(), -1.0, at.h.get()));
    PetscInt n_active = 0;
    SCREE_PETSC(ISGetSize(active.get(), &n_active));
    return n_active == 0 || solve_active(active.get(), dx);
  }

 private:
  petsc::IndexSet active_rows(const lcp::Point& at) const {
    PetscInt first = 0;
    SCREE_PETSC(VecGetOwnershipRange(at.x.get(), &first, nullptr));
    std::vector<PetscInt> rows;
    const petsc::ConstView q(at.q.get());
    for (std::size_t i = 0; i < q.size(); ++i) {
      if (q[i] > 0.0) rows.push_back(first + static_cast<PetscInt>(i));
    }
    petsc::IndexSet set;
    SCREE_PETSC(ISCreateGeneral(PetscObjectComm(reinterpret_cast<PetscObject>(at.x.get())),
                                static_cast<PetscInt>(rows.size()), rows.data(), PETSC_COPY_VALUES,
                                set.out()));
    return set;
  }

  /// dx_A from A_AA dx_A = rhs_A.
  bool solve_active(IS active, Vec dx) {
    petsc::Matrix reduced;
    SCREE_PETSC(
        MatCreateSubMatrix(system_.matrix(), active, active, MAT_INITIAL_MATRIX, reduced.out()));
    PetscInt n_local = 0;
    SCREE_PETSC(ISGetLocalSize(active, &n_local));
    std::vector<PetscInt> ones(n_local, 1);
    SCREE_PETSC(MatSetVariableBlockSizes(reduced.get(), n_local, ones.data()));
    LinearSolver linear(
        {.method = LinearMethod::krylov},
        {.symmetric = system_.symmetric(), .definite = false, .uniform_blocks = false});
    linear.use(reduced.get());
    Vec part = nullptr;
    SCREE_PETSC(VecGetSubVector(rhs_.get(), active, &part));
    const petsc::Vector solution = petsc::duplicate(part);
    PetscReal size = 0.0;
    SCREE_PETSC(VecNorm(part, NORM_2, &size));
    const bool solved = linear.solve(part, solution.get(), forcing_ * size);
    SCREE_PETSC(VecRestoreSubVector(rhs_.get(), active, &part));
    SCREE_PETSC(VecISCopy(dx, active, SCATTER_FORWARD, solution.get()));
    krylov += linear.krylov();
    factorisations += linear.factorisations();
    return solved;
  }

  const lcp::System& system_;
  double forcing_;
  petsc::Vector inactive_;
  petsc::Vector rhs_;
};

class Minmap final : public Solver {
 public:
  explicit Minmap(const LcpNewtonOptions& options) : options_(options) {}

  SolverReport solve(const ContactProblem& problem, const Stop& stop, Vec lambda) override {
    const auto make = [this](const lcp::System& system) {
      return std::make_unique<MinimumMap>(system, options_);
    };
    return lcp::solve_by_newton("minmap", make, options_, problem, stop, lambda);
  }

 private:
  LcpNewtonOptions options_;
};

}  // namespace

std::unique_ptr<Solver> make_minmap(const LcpNewtonOptions& options) {
  LcpNewtonOptions of_friction = options;
  of_friction.damped = true;
  return through_friction_lcp("minmap", std::make_unique<Minmap>(of_friction),
                              std::make_unique<Minmap>(options), options.contact_sweeps);
}

}  // namespace scree
