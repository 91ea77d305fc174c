// ranks: 1 2 4
/// Rows of a pair that are nearly the same cost gradient steps no more iterations than one of them
/// does, on any number of ranks.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "scree/solver/driver.hpp"
#include "support/repeated_rows.hpp"
#include "support/solver_options.hpp"

namespace scree::repeated_rows_test {
namespace {

constexpr int kSide = 5;
constexpr double kApart = 1e-2;

struct Solved {
  SolverReport report;
  std::vector<double> velocity;  ///< of this rank's bodies
};

Solved solved(const ContactProblem& problem, std::string_view method, double tolerance) {
  SolverOptions options = test::only(method);
  options.stop.tolerance = tolerance;
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  Solved result{SolverDriver(options).solve(problem, lambda.get()), {}};
  const petsc::Vector end = end_velocity(problem, lambda.get());
  const petsc::ConstView view(end.get());
  result.velocity.assign(view.span().begin(), view.span().end());
  return result;
}

TEST(RepeatedRows, CostGradientsNoMoreThanOne) {
  const auto problem = [](int rows) {
    return test::bed_of_repeated_rows(kSide, rows, kApart)
        .build(MPI_COMM_WORLD, FrictionLaw::coulomb, "bed");
  };
  const Solved one = solved(problem(1), "apgd", 1e-6);
  const Solved three = solved(problem(3), "apgd", 1e-6);
  EXPECT_EQ(one.report.status, Status::converged) << one.report.reason;
  EXPECT_EQ(three.report.status, Status::converged) << three.report.reason;
  EXPECT_LE(three.report.iterations, 2 * one.report.iterations);
}

/// Velocities are unique. Those of two solutions to 1e-8 differ by less than the root of what their
/// energies do, relative to the largest.
TEST(RepeatedRows, AreSolvedAsByNewton) {
  const ContactProblem problem = test::bed_of_repeated_rows(kSide, 3, kApart)
                                     .build(MPI_COMM_WORLD, FrictionLaw::coulomb, "bed");
  const Solved gradient = solved(problem, "apgd", 1e-8);
  const Solved newton = solved(problem, "ipm", 1e-8);
  EXPECT_EQ(gradient.report.status, Status::converged) << gradient.report.reason;
  EXPECT_EQ(newton.report.status, Status::converged) << newton.report.reason;
  for (std::size_t k = 0; k < gradient.velocity.size(); ++k) {
    const double scale = k % 6 < 3 ? 0.1 : 20.0;  // m/s, rad/s
    EXPECT_NEAR(gradient.velocity[k], newton.velocity[k], 1e-4 * scale) << k;
  }
}

/// Exactly repeated rows, too.
TEST(RepeatedRows, OfAColonyAreSolvedByAuto) {
  for (const double apart : {kApart, 1e-5, 0.0}) {
    const ContactProblem problem =
        test::growing_colony(12, 3, apart).build(MPI_COMM_WORLD, FrictionLaw::coulomb, "colony");
    const Solved newton = solved(problem, "ipm", 1e-8);
    const Solved by_auto = solved(problem, "auto", 1e-8);
    EXPECT_EQ(newton.report.status, Status::converged) << newton.report.reason;
    EXPECT_EQ(by_auto.report.status, Status::converged) << by_auto.report.reason;
    double largest = 0.0;
    for (const double v : newton.velocity) largest = std::max(largest, std::abs(v));
    for (std::size_t k = 0; k < newton.velocity.size(); ++k) {
      // the residual of 1e-8 is of energies, which go with squares of velocities
      EXPECT_NEAR(by_auto.velocity[k], newton.velocity[k], 1e-4 * largest) << apart << " " << k;
    }
  }
}

/// Where bodies move in a plane a matrix of theirs is factorised soon.
TEST(RepeatedRows, InAPlaneAreLeftToNewtonSooner) {
  const auto patience = [](const test::ProblemBuilder& builder) {
    const ContactProblem problem = builder.build(MPI_COMM_WORLD, FrictionLaw::coulomb, "rows");
    const std::vector<PlannedMethod> plan = solver_plan("auto", traits_of(problem), {});
    EXPECT_EQ(plan.front().entry->name, "apgd");
    EXPECT_EQ(plan.back().entry->name, "ipm");
    return plan.front().patience;
  };
  const test::ProblemBuilder bed = test::bed_of_repeated_rows(kSide, 3, kApart);
  EXPECT_LT(2 * patience(test::growing_colony(5, 3, kApart)), patience(bed));
  for (const unsigned held : {0x38U, 0x07U}) {  // rotations, then translations
    test::ProblemBuilder no_plane = bed;
    no_plane.hold_all(held);
    EXPECT_EQ(patience(no_plane), patience(bed)) << held;
  }
}

TEST(RepeatedRows, AreLeftToGradientsByAuto) {
  for (const auto& [rows, first] : {std::pair{1, "psor"}, std::pair{3, "apgd"}}) {
    const ContactProblem problem = test::bed_of_repeated_rows(kSide, rows, kApart)
                                       .build(MPI_COMM_WORLD, FrictionLaw::coulomb, "bed");
    EXPECT_EQ(solver_plan("auto", traits_of(problem), {}).front().entry->name, first);
  }
}

}  // namespace
}  // namespace scree::repeated_rows_test
