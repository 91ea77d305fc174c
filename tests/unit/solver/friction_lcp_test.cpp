#include "scree/problem/friction_lcp.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string_view>

#include "scree/solver/driver.hpp"
#include "support/problems.hpp"
#include "support/solver_options.hpp"

namespace scree {
namespace {

void solve(const ContactProblem& problem, std::string_view method, Vec lambda) {
  SolverOptions options = test::only(method, 1e-10);
  const SolverReport report = SolverDriver(options).solve(problem, lambda);
  ASSERT_EQ(report.status, Status::converged) << method << ": " << report.reason;
}

/// The residual among the cones of the friction LCP's solution.
double residual(const ContactProblem& problem, int directions, std::string_view method) {
  const FrictionLcp friction(problem, directions);
  const petsc::Vector x = petsc::duplicate(friction.lcp().r.get());
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  solve(friction.lcp(), method, x.get());
  friction.to_contacts(x.get(), lambda.get());
  return Measurer(problem).measure(lambda.get()).residual;
}

/// Where sliding is along a direction, the pyramid is as good as the cone: in both forms, on slopes on which
/// a ball rolls and slides. Solved to 1e-10 of the LCP, whose residual is in other units: 1e-8.
TEST(FrictionLcp, IsExactAlongItsDirections) {
  for (const double angle : {0.2, 0.9, 1.3}) {
    const ContactProblem problem =
        test::ball_on_slope(angle, 0.3).build(MPI_COMM_SELF, FrictionLaw::coulomb, "slope");
    const ContactProblem matrix = test::as_matrix(problem);
    for (const std::string_view method : {"lemke", "pac"}) {
      EXPECT_LE(residual(problem, 4, method), 1e-8) << method << ", angle " << angle;
      EXPECT_LE(residual(matrix, 4, method), 1e-8) << method << ", angle " << angle;
    }
  }
}

/// Coulomb friction by a pyramid of 4 directions is off by up to 1 - cos(pi/4) of the friction, by 32
/// directions by 0.5 %.
TEST(FrictionLcp, TendsToTheConeWithItsDirections) {
  for (unsigned seed = 1; seed < 4; ++seed) {
    const ContactProblem problem =
        test::random_graph(8, 12, seed).build(MPI_COMM_SELF, FrictionLaw::coulomb, "random");
    const double coarse = residual(problem, 4, "lemke");
    const double fine = residual(problem, 32, "lemke");
    EXPECT_GT(coarse, 1e-3) << "seed " << seed;
    EXPECT_LE(fine, 0.2 * coarse) << "seed " << seed;
  }
}

/// Rolling has a disc of its own, which takes the same number of directions.
TEST(FrictionLcp, TendsToTheConeOfRollingWithItsDirections) {
  for (unsigned seed = 1; seed < 4; ++seed) {
    test::ProblemBuilder b = test::random_graph(8, 10, seed);
    b.resist_rolling(0.02);
    const ContactProblem problem = b.build(MPI_COMM_SELF, FrictionLaw::coulomb, "rolling");
    const double coarse = residual(problem, 4, "lemke");
    const double fine = residual(problem, 32, "lemke");
    EXPECT_GT(coarse, 1e-3) << "seed " << seed;
    EXPECT_LE(fine, 0.2 * coarse) << "seed " << seed;
  }
}

/// The pyramid has flat sides: its LCP is the law itself. Solved to 1e-10 of the LCP, as above.
TEST(FrictionLcp, IsThePyramidOfTheBox) {
  for (unsigned seed = 1; seed < 4; ++seed) {
    const ContactProblem problem =
        test::random_graph(8, 12, seed).build(MPI_COMM_SELF, FrictionLaw::box, "box");
    EXPECT_LE(residual(problem, 4, "lemke"), 1e-8) << "seed " << seed;
  }
}

TEST(FrictionLcp, RefusesWhatIsNoContact) {
  ContactProblem problem = test::crate(2).build(MPI_COMM_SELF, FrictionLaw::coulomb, "crate");
  problem.cones = {};
  problem.cones.append(cones::Joint{});
  EXPECT_THROW(FrictionLcp(problem, 4), InputError);
}

TEST(FrictionLcp, HasTheShapeOfEquation27) {
  const ContactProblem problem = test::crate(2).build(MPI_COMM_SELF, FrictionLaw::coulomb, "crate");
  const FrictionLcp friction(problem, 6);
  const ContactProblem& lcp = friction.lcp();
  EXPECT_EQ(lcp.cones.count(), 8 * problem.cones.count());
  EXPECT_FALSE(lcp.delassus.symmetric);
  const std::vector<double> mass = cone_scales(problem);
  double mu = 0.0;
  double one = 0.0;
  double zero = 1.0;
  SCREE_PETSC(MatGetValue(lcp.delassus.matrix.get(), 7, 0, &mu));
  SCREE_PETSC(MatGetValue(lcp.delassus.matrix.get(), 3, 7, &one));
  SCREE_PETSC(MatGetValue(lcp.delassus.matrix.get(), 7, 7, &zero));
  EXPECT_NEAR(mu, friction_coefficients(problem.cones)[0] / mass[0], 1e-14 / mass[0]);
  EXPECT_NEAR(one, 1.0 / mass[0], 1e-14 / mass[0]);
  EXPECT_EQ(zero, 0.0);
}

}  // namespace
}  // namespace scree
