/// PETSc's own solvers of complementarity problems beside minmap and fischer: the variational
/// inequalities of SNES (reduced space, semismooth), and TAO's semismooth methods (infeasible and
/// feasible line search, of the whole and of the active set). All solve to 1e-10; that leaves
/// solutions apart by the condition of the matrix times as much, 1e-6 at most here.

#include <gtest/gtest.h>
#include <petscsnes.h>
#include <petsctao.h>

#include <Eigen/Core>

#include "scree/problem/friction_lcp.hpp"
#include "scree/solver/driver.hpp"
#include "support/lcps.hpp"
#include "support/problems.hpp"
#include "support/solver_options.hpp"

namespace scree {
namespace {

using Eigen::VectorXd;

struct OracleOutcome {
  bool converged = false;
  std::int64_t iterations = 0;
  VectorXd x;
};

VectorXd numbers_of(Vec v) {
  const petsc::ConstView view(v);
  return Eigen::Map<const VectorXd>(view.data(), static_cast<Eigen::Index>(view.size()));
}

const ContactProblem& of(void* context) {
  return *static_cast<const ContactProblem*>(context);
}

PetscErrorCode velocity(Vec x, Vec y, void* context) {
  return MatMultAdd(of(context).delassus.matrix.get(), x, of(context).r.get(), y);
}
PetscErrorCode snes_function(SNES, Vec x, Vec y, void* context) {
  return velocity(x, y, context);
}
PetscErrorCode tao_function(Tao, Vec x, Vec y, void* context) {
  return velocity(x, y, context);
}
/// Afresh in every step, since semismooth methods scale it.
PetscErrorCode refill(Mat jacobian, void* context) {
  return MatCopy(of(context).delassus.matrix.get(), jacobian, DIFFERENT_NONZERO_PATTERN);
}
PetscErrorCode snes_jacobian(SNES, Vec, Mat, Mat jacobian, void* context) {
  return refill(jacobian, context);
}
PetscErrorCode tao_jacobian(Tao, Vec, Mat jacobian, Mat, void* context) {
  return refill(jacobian, context);
}

/// The data of both: vectors and a matrix like those of the problem.
struct Workspace {
  explicit Workspace(const ContactProblem& problem)
      : x(petsc::duplicate(problem.r.get())),
        y(petsc::duplicate(problem.r.get())),
        low(petsc::duplicate(problem.r.get())),
        high(petsc::duplicate(problem.r.get())) {
    SCREE_PETSC(VecSet(high.get(), PETSC_INFINITY));
    SCREE_PETSC(MatDuplicate(problem.delassus.matrix.get(), MAT_COPY_VALUES, jacobian.out()));
    SCREE_PETSC(MatSetOption(jacobian.get(), MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
    SCREE_PETSC(MatShift(jacobian.get(), 1.0));  // so that there is a diagonal to add to
  }
  petsc::Vector x, y, low, high;
  petsc::Matrix jacobian;
};

OracleOutcome by_snes(const ContactProblem& problem, SNESType type) {
  const Workspace w(problem);
  void* context = const_cast<ContactProblem*>(&problem);
  petsc::Owner<SNES, SNESDestroy> owner;
  SCREE_PETSC(SNESCreate(problem.comm, owner.out()));
  SNES snes = owner.get();
  SCREE_PETSC(SNESSetType(snes, type));
  SCREE_PETSC(SNESSetFunction(snes, w.y.get(), snes_function, context));
  SCREE_PETSC(SNESSetJacobian(snes, w.jacobian.get(), w.jacobian.get(), snes_jacobian, context));
  SCREE_PETSC(SNESVISetVariableBounds(snes, w.low.get(), w.high.get()));
  SCREE_PETSC(SNESSetTolerances(snes, 1e-10, 1e-14, 0.0, 200, 10000));
  SCREE_PETSC(SNESSolve(snes, nullptr, w.x.get()));
  SNESConvergedReason reason = SNES_CONVERGED_ITERATING;
  PetscInt iterations = 0;
  SCREE_PETSC(SNESGetConvergedReason(snes, &reason));
  SCREE_PETSC(SNESGetIterationNumber(snes, &iterations));
  return {reason > 0, iterations, numbers_of(w.x.get())};
}

OracleOutcome by_tao(const ContactProblem& problem, TaoType type) {
  const Workspace w(problem);
  void* context = const_cast<ContactProblem*>(&problem);
  petsc::Owner<Tao, TaoDestroy> owner;
  SCREE_PETSC(TaoCreate(problem.comm, owner.out()));
  Tao tao = owner.get();
  SCREE_PETSC(TaoSetType(tao, type));
  SCREE_PETSC(TaoSetSolution(tao, w.x.get()));
  SCREE_PETSC(TaoSetVariableBounds(tao, w.low.get(), w.high.get()));
  SCREE_PETSC(TaoSetConstraintsRoutine(tao, w.y.get(), tao_function, context));
  SCREE_PETSC(
      TaoSetJacobianRoutine(tao, w.jacobian.get(), w.jacobian.get(), tao_jacobian, context));
  SCREE_PETSC(TaoSetTolerances(tao, 1e-10, 0.0, 0.0));
  SCREE_PETSC(TaoSetMaximumIterations(tao, 200));
  SCREE_PETSC(TaoSolve(tao));
  PetscInt iterations = 0;
  TaoConvergedReason reason = TAO_CONTINUE_ITERATING;
  SCREE_PETSC(TaoGetSolutionStatus(tao, &iterations, nullptr, nullptr, nullptr, nullptr, &reason));
  return {reason > 0, iterations, numbers_of(w.x.get())};
}

constexpr const char* kSnes[] = {SNESVINEWTONRSLS, SNESVINEWTONSSLS};
constexpr const char* kTao[] = {TAOSSILS, TAOSSFLS, TAOASILS, TAOASFLS};

OracleOutcome by_scree(const ContactProblem& problem, std::string_view method) {
  SolverOptions options = test::only(method, 1e-10);
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  const SolverReport report = SolverDriver(options).solve(problem, lambda.get());
  return {report.status == Status::converged, report.iterations, numbers_of(lambda.get())};
}

/// Each of PETSc's methods that solves the problem has the solution of each of ours; how many do.
int agree(const ContactProblem& problem) {
  int solved = 0;
  const auto compare = [&](const OracleOutcome& theirs, std::string_view name) {
    if (!theirs.converged) return;
    ++solved;
    for (const std::string_view method : {"minmap", "fischer"}) {
      const OracleOutcome ours = by_scree(problem, method);
      EXPECT_TRUE(ours.converged) << method << " on " << problem.origin;
      if (method == "fischer" && name == TAOSSILS) {
        // the same method with other line searches: measured to differ by some steps
        EXPECT_NEAR(static_cast<double>(ours.iterations), static_cast<double>(theirs.iterations),
                    4.0);
      }
      EXPECT_LE((ours.x - theirs.x).norm(), 1e-6 * theirs.x.norm())
          << method << " and " << name << " on " << problem.origin;
    }
  };
  for (const char* type : kSnes) compare(by_snes(problem, type), type);
  for (const char* type : kTao) compare(by_tao(problem, type), type);
  return solved;
}

TEST(PetscOracle, AgreesOnDefiniteProblems) {
  for (unsigned seed = 1; seed < 4; ++seed) {
    EXPECT_EQ(agree(test::random_lcp(60, seed, 1.0, 0.2).build(MPI_COMM_SELF)), 6);
  }
}

TEST(PetscOracle, AgreesOnContactsWithoutFriction) {
  test::ProblemBuilder builder;
  for (int k = 0; k < 12; ++k) {
    const int ball = builder.add_ball(1.0 + 0.2 * k, 0.1, test::falling(1e-2));
    builder.add_contact(ball, ball - 1, Vec3::UnitZ(), Vec3(0, 0, -0.1), Vec3(0, 0, 0.1), 0.0, 0.0,
                        1);
  }
  EXPECT_GE(agree(test::as_matrix(builder.build(MPI_COMM_SELF, FrictionLaw::associated, "stack"))),
            4);
}

/// Eq. 27 of a ball that rolls or slides on a slope: singular where a slack is active alone.
TEST(PetscOracle, AgreesOnFrictionLcps) {
  for (const double angle : {0.2, 0.9, 1.3}) {
    const ContactProblem problem =
        test::ball_on_slope(angle, 0.3).build(MPI_COMM_SELF, FrictionLaw::coulomb, "slope");
    const FrictionLcp friction(problem, 4);
    const petsc::Vector x = petsc::duplicate(friction.lcp().r.get());
    const petsc::Vector lambda = petsc::duplicate(problem.r.get());
    const auto impulses = [&](const OracleOutcome& o) {
      std::copy(o.x.begin(), o.x.end(), petsc::View(x.get()).data());
      friction.to_contacts(x.get(), lambda.get());
      return numbers_of(lambda.get());
    };
    const VectorXd expected = impulses(by_scree(friction.lcp(), "lemke"));
    for (const std::string_view method : {"minmap", "fischer"}) {
      const OracleOutcome ours = by_scree(friction.lcp(), method);
      EXPECT_TRUE(ours.converged) << method << ", angle " << angle;
      EXPECT_LE((impulses(ours) - expected).norm(), 1e-6 * expected.norm()) << method;
    }
    int solved = 0;
    const auto compare = [&](const OracleOutcome& theirs, const char* type) {
      if (!theirs.converged) return;
      ++solved;
      EXPECT_LE((impulses(theirs) - expected).norm(), 1e-6 * expected.norm()) << type;
    };
    for (const char* type : kSnes) compare(by_snes(friction.lcp(), type), type);
    for (const char* type : kTao) compare(by_tao(friction.lcp(), type), type);
    EXPECT_GE(solved, 2) << "angle " << angle;
  }
}

}  // namespace
}  // namespace scree
