// ranks: 1 2 4
/// The interior point method gives the same answer on any number of ranks, empty ones among them.

#include <gtest/gtest.h>

#include "scree/base/whole_vector.hpp"
#include "scree/solver/interior_point/ipm.hpp"
#include "scree/solver/interior_point/kleinert.hpp"
#include "solver/linear/body_space.hpp"
#include "support/certificates.hpp"
#include "support/problems.hpp"

namespace scree::ipm_test {
namespace {

struct Outcome {
  SolverReport report;
  std::vector<double> lambda;
  std::vector<double> v;
};

/// The difference that a residual of 1e-7 may have by the order of sums, whose rounding is 1e-16 of
/// impulses.
constexpr double kOrderOfSums = 1e-6;
/// Energy between two solves over what their residuals leave. It is that of E(w) itself where
/// contacts are as conditioned as one by one, and 1e-9 to 0.6 on these problems on 1, 2 and 4
/// ranks; 4 is twice the velocity.
constexpr double kEnergyLeft = 4.0;

IpmOptions with(LinearSolverName linear_solver) {
  IpmOptions options;
  options.linear_solver = linear_solver;
  options.max_krylov = 100000;
  options.forcing = 1e-4;  // what the linear solves leave differs between numbers of ranks
  return options;
}

IpmOptions matrix_free() {
  IpmOptions options = with(LinearSolverName::cg);
  options.matrix_free = true;
  return options;
}

std::unique_ptr<Solver> make(const IpmOptions& options) {
  return make_ipm(options);
}
std::unique_ptr<Solver> make(const KleinertOptions& options) {
  return make_kleinert(options);
}

template <class Options>
Outcome solve(const ContactProblem& problem, const ContactProblem& product, double tolerance,
              const Options& options) {
  Stop stop;
  stop.goal.residual = tolerance;
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  Outcome o;
  o.report = make(options)->solve(problem, stop, lambda.get());
  o.lambda = whole(lambda.get());
  o.v = whole(end_velocity(product, lambda.get()).get());
  return o;
}

struct Both {
  Outcome one;  ///< on one rank
  Outcome all;
};

template <class Options>
Both solve_both(const test::ProblemBuilder& builder, FrictionLaw law, double tolerance,
                const Options& options, bool as_matrix) {
  const ContactProblem here = builder.build(MPI_COMM_WORLD, law, "all ranks");
  const ContactProblem alone = builder.build(MPI_COMM_SELF, law, "one rank");
  return {solve(alone, alone, tolerance, options),
          as_matrix ? solve(test::as_matrix(here), here, tolerance, options)
                    : solve(here, here, tolerance, options)};
}

/// @param close between velocities of some m/s: two solutions of one residual may differ by a
/// multiple of it, for the velocities follow from the residual only up to the condition of the
/// active contacts (sums over ranks differ by rounding from run to run, so the two solves never end
/// at one point).
template <class Options>
void expect_as_on_one_rank(const test::ProblemBuilder& builder, FrictionLaw law, double tolerance,
                           const Options& options, bool as_matrix, double close) {
  const auto [one, all] = solve_both(builder, law, tolerance, options, as_matrix);
  ASSERT_EQ(one.report.status, Status::converged) << one.report.reason;
  ASSERT_EQ(all.report.status, Status::converged) << all.report.reason;
  ASSERT_EQ(all.v.size(), one.v.size());
  for (std::size_t k = 0; k < one.v.size(); ++k) ASSERT_NEAR(all.v[k], one.v[k], close) << k;
}

/// For linear solves that are not exact, whose iterates differ from rank to rank, and problems
/// whose impulses are many. The impulses solve the problem of one rank to the tolerance; forces,
/// and the velocities that follow from them, differ by no more energy than that leaves.
template <class Options>
void expect_certified(const test::ProblemBuilder& builder, double tolerance, const Options& options,
                      bool as_matrix) {
  const auto [one, all] =
      solve_both(builder, FrictionLaw::associated, tolerance, options, as_matrix);
  const ContactProblem alone = builder.build(MPI_COMM_SELF, FrictionLaw::associated, "one rank");
  double left = 0.0;
  for (const Outcome* o : {&one, &all}) {
    ASSERT_EQ(o->report.status, Status::converged) << o->report.reason;
    const test::Certificate c = test::certificate(alone, o->lambda);
    EXPECT_LE(c.residual, tolerance * (1.0 + kOrderOfSums));
    left += tolerance * tolerance * c.scale;
  }
  EXPECT_LE(test::energy_between(alone, one.v, all.v), kEnergyLeft * left);
}

TEST(IpmOnRanks, FactorisationGivesTheSame) {
  expect_as_on_one_rank(test::random_graph(40, 100, 1, true, true), FrictionLaw::associated, 1e-8,
                        with(LinearSolverName::mumps), false, 1e-5);
}

TEST(IpmOnRanks, ConjugateGradientsGiveTheSame) {
  const auto builder = test::random_graph(40, 100, 2, true, true);
  expect_as_on_one_rank(builder, FrictionLaw::associated, 1e-7, with(LinearSolverName::cg), false,
                        1e-3);
  // point-block Jacobi does not know of ranks: neither do the iterations, up to rounding
  const ContactProblem here = builder.build(MPI_COMM_WORLD, FrictionLaw::associated, "all ranks");
  const ContactProblem alone = builder.build(MPI_COMM_SELF, FrictionLaw::associated, "one rank");
  EXPECT_EQ(solve(here, here, 1e-4, with(LinearSolverName::cg)).report.iterations,
            solve(alone, alone, 1e-4, with(LinearSolverName::cg)).report.iterations);
}

/// Preconditioners that know of ranks need more or fewer iterations on more of them, for the same
/// answer.
TEST(IpmOnRanks, EveryPreconditionerGivesTheSame) {
  const auto held = test::random_graph(12, 28, 4, true, true);
  const auto small = test::random_graph(12, 25, 3, true);
  for (const char* name : {"none", "ssor", "block_jacobi", "schwarz", "multigrid", "ic", "ilu"}) {
    SCOPED_TRACE(name);
    IpmOptions options = with(LinearSolverName::cg);
    options.max_krylov = 1000;  // what stands still goes to the limit, to no end
    options.preconditioner = *value_named<Preconditioner>(name);
    expect_certified(held, 1e-7, options, false);
    options.linear_solver = LinearSolverName::bicgstab;
    expect_certified(small, 1e-5, options, true);
  }
}

TEST(IpmOnRanks, ProductsDoForTheMatrix) {
  const auto builder = test::random_graph(40, 100, 2, true, true);
  expect_as_on_one_rank(builder, FrictionLaw::associated, 1e-7, matrix_free(), false, 1e-3);
  const ContactProblem here = builder.build(MPI_COMM_WORLD, FrictionLaw::associated, "all ranks");
  const SolverReport stored = solve(here, here, 1e-4, with(LinearSolverName::cg)).report;
  const SolverReport free = solve(here, here, 1e-4, matrix_free()).report;
  EXPECT_EQ(free.iterations, stored.iterations);
  EXPECT_NEAR(static_cast<double>(free.inner_iterations),
              static_cast<double>(stored.inner_iterations),
              0.05 * static_cast<double>(stored.inner_iterations));
  EXPECT_EQ(free.factorisations, 0);
}

TEST(IpmOnRanks, ContactSpaceGivesTheSame) {
  const auto builder = test::random_graph(20, 45, 3, true);
  expect_as_on_one_rank(builder, FrictionLaw::associated, 1e-7, with(LinearSolverName::mumps), true,
                        1e-5);
  expect_certified(builder, 1e-5, with(LinearSolverName::cg), true);
}

TEST(IpmOnRanks, KleinertsMethodGivesTheSame) {
  const auto builder = test::random_graph(20, 45, 3, true);
  KleinertOptions options;
  options.linear_solver = LinearSolverName::mumps;
  expect_as_on_one_rank(builder, FrictionLaw::associated, 1e-7, options, false, 1e-5);
  expect_as_on_one_rank(builder, FrictionLaw::associated, 1e-7, options, true, 1e-5);
  options.linear_solver = LinearSolverName::cg;
  options.max_krylov = 100000;
  options.forcing = 1e-10;  // what the linear solves leave goes into the complementarity
  expect_certified(builder, 1e-5, options, false);
  expect_as_on_one_rank(test::ball_on_slope(0.3, 0.4), FrictionLaw::associated, 1e-6, options,
                        false, 1e-5);
}

/// Three rows a body where no body turns on any rank, six where a single one does on one of them.
TEST(IpmOnRanks, BodiesThatDoNotTurn) {
  constexpr unsigned kRotations = 0x38U;
  for (const std::size_t n_free : {0U, 1U}) {
    auto builder = test::random_graph(40, 100, 6);
    builder.hold_all(kRotations, n_free);
    const ContactProblem here = builder.build(MPI_COMM_WORLD, FrictionLaw::associated, "held");
    const BodySpace space(here, BodyRows(*body_rows(here)));
    const int dofs = n_free == 0 ? 3 : 6;
    EXPECT_EQ(space.dofs(), dofs);
    PetscInt rows = 0;
    SCREE_PETSC(MatGetSize(space.matrix(), &rows, nullptr));
    EXPECT_EQ(rows, 40 * dofs);
    const Outcome bodies = solve(here, here, 1e-8, with(LinearSolverName::mumps));
    const Outcome contacts =
        solve(test::as_matrix(here), here, 1e-8, with(LinearSolverName::mumps));
    const Outcome products = solve(here, here, 1e-7, matrix_free());
    for (const Outcome* o : {&bodies, &contacts, &products}) {
      ASSERT_EQ(o->report.status, Status::converged) << o->report.reason;
    }
    for (std::size_t k = 0; k < bodies.v.size(); ++k) {
      ASSERT_NEAR(contacts.v[k], bodies.v[k], 1e-5) << k;
      ASSERT_NEAR(products.v[k], bodies.v[k], 1e-3) << k;
    }
  }
}

TEST(IpmOnRanks, ExactFrictionGivesTheSame) {
  expect_as_on_one_rank(test::stack(6), FrictionLaw::coulomb, 1e-8, with(LinearSolverName::mumps),
                        false, 1e-6);
}

/// Soft contacts by the blocks of the bodies' matrix, stored or not, and in a matrix N + R: two
/// points of one residual differ by it times the condition of N + R, 1e3 or less, and times some
/// m/s.
TEST(IpmOnRanks, SoftContactsGiveTheSame) {
  auto builder = test::random_graph(40, 100, 5, true, true);
  builder.soften({0.05, 0.08});
  const ContactProblem here = builder.build(MPI_COMM_WORLD, FrictionLaw::associated, "soft");
  // On several ranks the order of MUMPS's sums differs from run to run, and in contact space its
  // factors may break down one or two digits before the end: residuals of 1e-6 are reached in every
  // order.
  constexpr double kTolerance = 1e-6;
  constexpr double kSameVelocity =
      1e-3;  // residuals times the condition of these contacts, some hundred
  const Outcome bodies = solve(here, here, kTolerance, with(LinearSolverName::mumps));
  const Outcome matrix =
      solve(test::as_matrix(here), here, kTolerance, with(LinearSolverName::mumps));
  const Outcome products = solve(here, here, kTolerance, matrix_free());
  for (const Outcome* o : {&bodies, &matrix, &products}) {
    ASSERT_EQ(o->report.status, Status::converged) << o->report.reason;
  }
  for (std::size_t k = 0; k < bodies.v.size(); ++k) {
    ASSERT_NEAR(matrix.v[k], bodies.v[k], kSameVelocity) << k;
    ASSERT_NEAR(products.v[k], bodies.v[k], kSameVelocity) << k;
  }
  expect_as_on_one_rank(builder, FrictionLaw::associated, kTolerance, with(LinearSolverName::cg),
                        false, kSameVelocity);
}

TEST(IpmOnRanks, RanksWithoutBodiesOrContacts) {
  expect_as_on_one_rank(test::ball_on_slope(0.3, 0.4), FrictionLaw::associated, 1e-8,
                        with(LinearSolverName::mumps), false, 1e-7);
  expect_as_on_one_rank(test::ball_on_slope(0.3, 0.4), FrictionLaw::associated, 1e-6,
                        with(LinearSolverName::cg), false, 1e-5);
}

TEST(IpmOnRanks, NoContactsAtAll) {
  test::ProblemBuilder b;
  b.add_ball(1.0, 0.1, test::falling(1e-2));
  const ContactProblem problem = b.build(MPI_COMM_WORLD, FrictionLaw::associated, "free ball");
  EXPECT_EQ(solve(problem, problem, 1e-8, with(LinearSolverName::cg)).report.status,
            Status::converged);
}

}  // namespace
}  // namespace scree::ipm_test
