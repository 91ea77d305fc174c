#include <gtest/gtest.h>

#include <cmath>

#include "scree/solver/driver.hpp"
#include "support/problems.hpp"
#include "support/solver_options.hpp"

namespace scree {
namespace {

SolverReport solve(const ContactProblem& problem, Vec lambda, double tolerance,
                   bool inertia = true) {
  SolverOptions options = test::only("nsgs", tolerance);
  options.nsgs.inertia = inertia;
  return SolverDriver(options).solve(problem, lambda);
}

class NsgsLaws : public ::testing::TestWithParam<FrictionLaw> {};

TEST_P(NsgsLaws, SolvesRigidBodiesAndMatricesAlike) {
  const ContactProblem problem =
      test::random_graph(40, 60, 11, true, true).build(MPI_COMM_SELF, GetParam(), "random");
  const ContactProblem matrix = test::as_matrix(problem);
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  constexpr bool kInertia = false;  // which matrices do without
  const SolverReport report = solve(problem, lambda.get(), 1e-9, kInertia);
  EXPECT_EQ(report.status, Status::converged) << report.reason;
  EXPECT_LE(report.measures.residual, 1e-9);
  const petsc::Vector other = petsc::duplicate(problem.r.get());
  const SolverReport report_matrix = solve(matrix, other.get(), 1e-9, kInertia);
  EXPECT_EQ(report_matrix.status, Status::converged);
  EXPECT_EQ(report.iterations, report_matrix.iterations);  // the same sweep in another form
  EXPECT_NEAR(report.measures.residual, report_matrix.measures.residual, 1e-12);
}

TEST_P(NsgsLaws, BearsTheWeightOfAStack) {
  const int n = 30;
  const ContactProblem problem = test::stack(n).build(MPI_COMM_SELF, GetParam(), "stack");
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  const SolverReport report = solve(problem, lambda.get(), 1e-10);
  ASSERT_EQ(report.status, Status::converged) << report.reason;
  const petsc::ConstView l(lambda.get());
  EXPECT_NEAR(l[0], n * test::kGravity * 1e-2, 1e-6 * n * test::kGravity * 1e-2);
}

TEST_P(NsgsLaws, StartsFromASolution) {
  const ContactProblem problem = test::crate(3).build(MPI_COMM_SELF, GetParam(), "crate");
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  ASSERT_EQ(solve(problem, lambda.get(), 1e-6).status, Status::converged);
  const SolverReport again = solve(problem, lambda.get(), 1e-6);
  EXPECT_EQ(again.status, Status::converged);
  EXPECT_EQ(again.iterations, 0);
}

INSTANTIATE_TEST_SUITE_P(Both, NsgsLaws,
                         ::testing::Values(FrictionLaw::coulomb, FrictionLaw::associated),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST(Nsgs, RollsAndSlidesOnASlope) {
  const double mu = 0.3;
  for (const double angle : {0.2, 0.5, 0.9, 1.3}) {
    const ContactProblem problem =
        test::ball_on_slope(angle, mu).build(MPI_COMM_SELF, FrictionLaw::coulomb, "slope");
    const petsc::Vector lambda = petsc::duplicate(problem.r.get());
    ASSERT_EQ(solve(problem, lambda.get(), 1e-12).status, Status::converged);
    const petsc::Vector v = end_velocity(problem, lambda.get());
    const double g = test::kGravity * 1e-2;
    const bool rolls = std::tan(angle) <= 3.5 * mu;
    const double expected =
        rolls ? 5.0 / 7.0 * g * std::sin(angle) : g * (std::sin(angle) - mu * std::cos(angle));
    EXPECT_NEAR(petsc::ConstView(v.get())[0], expected, 1e-9 * g) << "angle " << angle;
  }
}

/// Over-relaxation must not turn the impulse of a contact that opens into a pull.
TEST(Nsgs, FrictionlessContactThatOpensNeverPulls) {
  for (const int dim : {1, 3}) {
    test::ProblemBuilder builder;
    Vec6 v = Vec6::Zero();
    v[2] = 1.0;
    const int ball = builder.add_ball(1.0, 0.1, v);
    builder.add_contact(ball, -1, Vec3::UnitZ(), Vec3(0, 0, -0.1), Vec3::Zero(), 0.0, 0.0, dim);
    const ContactProblem problem = builder.build(MPI_COMM_SELF, FrictionLaw::coulomb, "opening");
    const petsc::Vector lambda = petsc::duplicate(problem.r.get());
    petsc::View(lambda.get())[0] = 1.0;
    SolverOptions options = test::only("nsgs");
    options.nsgs.over_relaxation = 1.3;
    options.stop.max_iterations = 1;
    const SolverReport report = SolverDriver(options).solve(problem, lambda.get());
    EXPECT_EQ(report.status, Status::converged) << "dim " << dim << ": " << report.reason;
    EXPECT_EQ(petsc::ConstView(lambda.get())[0], 0.0) << "dim " << dim;
  }
}

TEST(Nsgs, OfNoContactIsDone) {
  test::ProblemBuilder builder;
  builder.add_ball(1.0, 0.1, test::falling(1e-2));
  const ContactProblem problem = builder.build(MPI_COMM_SELF, FrictionLaw::coulomb, "empty");
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  EXPECT_EQ(solve(problem, lambda.get(), 1e-4).status, Status::converged);
}

TEST(Nsgs, RefusesNumbersThatAreNotFinite) {
  const ContactProblem problem = test::stack(3).build(MPI_COMM_SELF, FrictionLaw::coulomb, "stack");
  SCREE_PETSC(VecSet(problem.r.get(), std::nan("")));
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  const SolverReport report = solve(problem, lambda.get(), 1e-4);
  EXPECT_EQ(report.status, Status::diverged);
  double size = 1.0;
  SCREE_PETSC(VecNorm(lambda.get(), NORM_INFINITY, &size));
  EXPECT_EQ(size, 0.0);
}

TEST(Nsgs, IsDeterministic) {
  const ContactProblem problem =
      test::crate(3, 0.4, 0.1).build(MPI_COMM_SELF, FrictionLaw::coulomb, "crate");
  const petsc::Vector a = petsc::duplicate(problem.r.get());
  const petsc::Vector b = petsc::duplicate(problem.r.get());
  solve(problem, a.get(), 1e-5);
  solve(problem, b.get(), 1e-5);
  PetscBool same = PETSC_FALSE;
  SCREE_PETSC(VecEqual(a.get(), b.get(), &same));
  EXPECT_TRUE(same);
}

}  // namespace
}  // namespace scree
