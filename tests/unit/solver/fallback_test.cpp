#include <gtest/gtest.h>

#include <cmath>

#include "scree/solver/registry.hpp"
#include "support/problems.hpp"

namespace scree {
namespace {

/// Two walls that approach each other with a ball between them: no velocity satisfies both.
ContactProblem closing_walls(int dim, FrictionLaw law) {
  test::ProblemBuilder b;
  const int ball = b.add_ball(1.0, 0.1, Vec6::Zero());
  for (const double side : {1.0, -1.0}) {
    b.add_contact(ball, -1, side * Vec3::UnitX(), -0.1 * side * Vec3::UnitX(), Vec3::Zero(), -1.0,
                  0.4, dim);
  }
  return b.build(MPI_COMM_SELF, law, "closing walls");
}

/// Impulses that grow without bound make the residual, relative to them, as small as one likes.
TEST(Fallback, NoMethodSolvesWhatIsInfeasible) {
  for (const int dim : {1, 3}) {
    for (const FrictionLaw law : {FrictionLaw::associated, FrictionLaw::coulomb}) {
      const ContactProblem problem = closing_walls(dim, law);
      const petsc::Vector lambda = petsc::duplicate(problem.r.get());
      SolverOptions options;
      options.method = "ipm";
      const SolverReport report = SolverDriver(options).solve(problem, lambda.get());
      EXPECT_NE(report.status, Status::converged) << report.reason;
      // the methods that follow start afresh, not from the impulses that ended ipm
      EXPECT_EQ(report.reason.find("the start is a solution"), std::string::npos) << report.reason;
      EXPECT_NE(report.reason.find("; then apgd: "), std::string::npos) << report.reason;
      for (const double l : petsc::ConstView(lambda.get()).span()) EXPECT_TRUE(std::isfinite(l));
    }
  }
}

}  // namespace
}  // namespace scree
