#include "scree/problem/friction_lcp.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <string_view>

#include "scree/solver/driver.hpp"
#include "support/problems.hpp"
#include "support/solver_options.hpp"

namespace scree {
namespace {

void solve_friction(const ContactProblem& problem, std::string_view method, Vec lambda) {
  SolverOptions options = test::only(method, 1e-10);
  const SolverReport report = SolverDriver(options).solve(problem, lambda);
  ASSERT_EQ(report.status, Status::converged) << method << ": " << report.reason;
  EXPECT_EQ(report.solver, method);
}

/// The residual among the cones of the friction LCP's solution.
double residual(const ContactProblem& problem, int directions, std::string_view method) {
  const FrictionLcp friction(problem, directions);
  const petsc::Vector x = petsc::duplicate(friction.lcp().r.get());
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  solve_friction(friction.lcp(), method, x.get());
  friction.to_contacts(x.get(), lambda.get());
  return Measurer(problem).measure(lambda.get()).residual;
}

/// Where sliding is along a direction, the pyramid is as good as the cone: in both forms, on slopes
/// on which a ball rolls and slides. Solved to 1e-10 of the LCP, whose residual is in other units:
/// 1e-8.
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

/// Coulomb friction by a pyramid of 4 directions is off by up to 1 - cos(pi/4) of the friction, by
/// 32 directions by 0.5 %.
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

/// As in a run: methods for LCPs on contacts whose law is that of a pyramid, the residual by
/// that law; and the same law solved by Newton's method for cones, which knows no LCP. End
/// velocities are compared where they are unique enough: without friction's jamming, on few
/// contacts a ball.
TEST(FrictionLcp, IsSolvedByMethodsForLcpsAsByOthers) {
  for (unsigned seed = 1; seed < 4; ++seed) {
    for (const bool rolls : {false, true}) {
      test::ProblemBuilder b = test::random_graph(10, 9, seed);
      if (rolls) b.resist_rolling(0.02);
      const ContactProblem problem = b.build(MPI_COMM_SELF, {FrictionLaw::pyramid, 6}, "random");
      const petsc::Vector reference = petsc::duplicate(problem.r.get());
      solve_friction(problem, "pac", reference.get());
      const petsc::Vector v = end_velocity(problem, reference.get());
      double size = 0.0;
      SCREE_PETSC(VecNorm(v.get(), NORM_2, &size));
      for (const std::string_view method : {"lemke", "minmap", "fischer"}) {
        const petsc::Vector lambda = petsc::duplicate(problem.r.get());
        solve_friction(problem, method, lambda.get());
        solve_friction(problem, method, lambda.get());  // from its own solution, at once
        const petsc::Vector difference = end_velocity(problem, lambda.get());
        double apart = 0.0;
        SCREE_PETSC(VecAXPY(difference.get(), -1.0, v.get()));
        SCREE_PETSC(VecNorm(difference.get(), NORM_2, &apart));
        // of solves to 1e-10 the velocities follow up to the condition of what bears
        EXPECT_LE(apart, 1e-7 * size) << method << ", seed " << seed << ", rolls " << rolls;
      }
    }
  }
}

/// How many of ten problems of ten balls and nine contacts, with rolling or without, are solved.
int solved_of_ten(SolverOptions options, bool rolls) {
  int solved = 0;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    test::ProblemBuilder b = test::random_graph(10, 9, seed);
    if (rolls) b.resist_rolling(0.02);
    const ContactProblem problem = b.build(MPI_COMM_SELF, {FrictionLaw::pyramid, 6}, "random");
    const petsc::Vector lambda = petsc::duplicate(problem.r.get());
    const SolverReport report = SolverDriver(options).solve(problem, lambda.get());
    solved += report.status == Status::converged ? 1 : 0;
  }
  return solved;
}

/// From zero: what singular Jacobians cost the methods without another direction than the
/// gradient's, and what sweeps over the contacts are to minmap, whose merit has kinks.
TEST(FrictionLcp, SweepsOverTheContactsAreAStart) {
  for (const bool rolls : {false, true}) {
    SolverOptions options = test::only("fischer", 1e-10);
    EXPECT_EQ(solved_of_ten(options, rolls), 10);
    options.fischer.contact_sweeps = 0;
    EXPECT_EQ(solved_of_ten(options, rolls), 10);
    options.method = "minmap";
    EXPECT_EQ(solved_of_ten(options, rolls), 10);
    options.minmap.contact_sweeps = 0;
    EXPECT_LT(solved_of_ten(options, rolls), 8);
  }
}

/// A solution of the law, made variables of the LCP, solves it: slacks and all. By the condition of
/// the two residuals, a hundred times what the law is solved to.
TEST(FrictionLcp, StartsWhereTheContactsDo) {
  for (unsigned seed = 1; seed < 4; ++seed) {
    const ContactProblem problem =
        test::random_graph(8, 12, seed).build(MPI_COMM_SELF, {FrictionLaw::pyramid, 8}, "random");
    const petsc::Vector lambda = petsc::duplicate(problem.r.get());
    solve_friction(problem, "pac", lambda.get());
    const FrictionLcp friction(problem);
    const petsc::Vector x = friction.from_contacts(lambda.get());
    EXPECT_LE(Measurer(friction.lcp()).measure(x.get()).residual, 1e-8) << "seed " << seed;
    const petsc::Vector back = petsc::duplicate(problem.r.get());
    friction.to_contacts(x.get(), back.get());
    SCREE_PETSC(VecAXPY(back.get(), -1.0, lambda.get()));
    double apart = 0.0;
    double size = 0.0;
    SCREE_PETSC(VecNorm(back.get(), NORM_2, &apart));
    SCREE_PETSC(VecNorm(lambda.get(), NORM_2, &size));
    // one way and back: rounding, and what sides cut off
    EXPECT_LE(apart, 1e-9 * size) << "seed " << seed;
  }
}

TEST(FrictionLcp, ItsRowsAreWhatLemkeIsLimitedBy) {
  const ContactProblem problem =
      test::crate(2).build(MPI_COMM_SELF, {FrictionLaw::pyramid, 6}, "crate");
  const ProblemTraits traits = traits_of(problem);
  EXPECT_EQ(traits.lcp_rows, 8 * static_cast<std::int64_t>(problem.cones.count()));
  EXPECT_NE(unmet({.cones = kLcpCones, .most_rows = 10}, traits).find("of up to 10 rows"),
            std::string::npos);
  EXPECT_EQ(unmet({.cones = kLcpCones, .most_rows = 1000}, traits), "");
}

/// The words of the failure with @p countable rows and entries; empty where there is none.
std::string fault_with(const ContactProblem& problem, std::int64_t countable) {
  try {
    const FrictionLcp friction(problem, 8, countable);
    return {};
  } catch (const Failure& failure) {
    return failure.what();
  }
}

/// By limits as small as the LCP: of its rows, then of its entries.
TEST(FrictionLcp, RefusesMoreThanPetscCounts) {
  constexpr int kContacts = 40;
  const ContactProblem problem =
      test::random_graph(20, kContacts, 3).build(MPI_COMM_SELF, FrictionLaw::coulomb, "random");
  const FrictionLcp friction(problem, 8);
  MatInfo info;
  SCREE_PETSC(MatGetInfo(friction.lcp().delassus.matrix.get(), MAT_LOCAL, &info));
  const auto entries = static_cast<std::int64_t>(info.nz_used);
  constexpr int kRows = 10 * kContacts;  // the normal, 8 directions and the slack
  EXPECT_NE(fault_with(problem, kRows - 1).find("400 rows of the friction LCP exceed"),
            std::string::npos);
  for (const std::int64_t countable : {std::int64_t{kRows}, entries - 1}) {
    const std::string fault = fault_with(problem, countable);
    EXPECT_NE(fault.find("entries of the matrix of the friction LCP on one of 1 ranks exceed"),
              std::string::npos)
        << fault;
    EXPECT_NE(fault.find("ranks or more"), std::string::npos) << fault;
  }
  // counted are three entries for each of the LCP's rows that a contact's slack fills at most
  EXPECT_EQ(fault_with(problem, entries + 3 * kRows), "");
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
