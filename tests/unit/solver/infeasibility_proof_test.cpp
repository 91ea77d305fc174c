#include "solver/infeasibility_proof.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "scree/solver/driver.hpp"
#include "support/problems.hpp"
#include "support/solver_options.hpp"

namespace scree {
namespace {

constexpr double kMu = 0.1;

/// A ball between two walls that close at 1 m/s each, tilted by @p angle from facing each other.
ContactProblem walls(double angle, const Friction& law, double mu = kMu) {
  test::ProblemBuilder b;
  const int ball = b.add_ball(1.0, 0.1, Vec6::Zero());
  for (const double side : {1.0, -1.0}) {
    const Vec3 normal(side * std::cos(angle / 2), std::sin(angle / 2), 0.0);
    b.add_contact(ball, -1, normal, -0.1 * normal, Vec3::Zero(), -1.0, mu);
  }
  return b.build(MPI_COMM_SELF, law, "walls");
}

/// A ball on a floor and one of @p ratio times its radius, on the floor too, that rolls onto it at
/// 1 m/s: the light one has to leave sideways.
ContactProblem rolling_onto(double ratio, const Friction& law, double mu) {
  const double small = 1e-3;
  const double large = ratio * small;
  const double mass = 1e-5;
  test::ProblemBuilder b;
  const double centres = small + large;
  const Vec3 normal(-2.0 * std::sqrt(small * large) / centres, 0.0, -(large - small) / centres);
  Vec6 rolling = Vec6::Zero();
  rolling[0] = -1.0;
  rolling[4] = -1.0 / large;
  const int a = b.add_ball(mass, small, Vec6::Zero());
  const int c = b.add_ball(mass * ratio * ratio * ratio, large, rolling);
  b.add_contact(a, c, normal, -small * normal, large * normal, 0.0, mu);
  b.add_contact(a, -1, Vec3::UnitZ(), -small * Vec3::UnitZ(), Vec3::Zero(), 0.0, mu);
  b.add_contact(c, -1, Vec3::UnitZ(), -large * Vec3::UnitZ(), Vec3::Zero(), 0.0, mu);
  return b.build(MPI_COMM_SELF, law, "rolling");
}

TEST(InfeasibilityProof, WallsThatFaceEachOtherAreProven) {
  for (const FrictionLaw law :
       {FrictionLaw::coulomb, FrictionLaw::associated, FrictionLaw::box, FrictionLaw::pyramid}) {
    const ContactProblem problem = walls(0.0, law);
    EXPECT_GE(speed_of_any_solution(problem, {}), kImpossibleSpeed);
    EXPECT_GE(speed_of_any_solution(test::as_matrix(problem), {}), kImpossibleSpeed);
  }
}

/// The speed that is proven is the one that geometry says: a ball between planes that close at 1
/// m/s each leaves at 1 / sin(angle / 2), without friction by that speed alone.
TEST(InfeasibilityProof, ProvesTheSpeedThatAWedgeNeeds) {
  for (const double angle : {1.0, 0.1, 1e-2, 1e-3}) {
    const double speed = speed_of_any_solution(walls(angle, FrictionLaw::coulomb), {});
    EXPECT_LE(speed, (1.0 + 1e-6) / std::sin(angle / 2)) << angle;
  }
  const double speed = speed_of_any_solution(walls(1.0, FrictionLaw::coulomb), {});
  EXPECT_NEAR(speed, 1.0 / std::sin(0.5), 1e-6);
}

/// The certificate itself: equal impulses of both walls, whatever their tangents, are in balance;
/// unequal ones, or ones that the walls do not work on, prove nothing.
TEST(InfeasibilityProof, ADirectionIsMeasured) {
  const ContactProblem problem = walls(0.0, FrictionLaw::coulomb);
  const petsc::Vector d = petsc::duplicate(problem.r.get());
  const auto set = [&d](double first, double second) {
    petsc::View values(d.get());
    values.data()[0] = first;
    values.data()[1] = 0.05;
    values.data()[3] = second;
  };
  set(2.0, 2.0);
  EXPECT_GE(speed_demanded(problem, d.get()), kImpossibleSpeed);
  // 3 / sqrt(d^T N d) with the impulse 1 that is left over: no more than 3 m/s
  set(2.0, 1.0);
  EXPECT_NEAR(speed_demanded(problem, d.get()), 3.0, 1e-12);
  set(-2.0, -2.0);
  EXPECT_EQ(speed_demanded(problem, d.get()), 0.0);
}

/// A jam by friction is a proof under the associated law alone: with exact friction the ball may
/// slip out.
TEST(InfeasibilityProof, FrictionProvesNothingOfTheExactLaw) {
  constexpr double kAngle = 0.1;  // below twice that of friction
  EXPECT_GE(speed_of_any_solution(walls(kAngle, FrictionLaw::associated), {}), kImpossibleSpeed);
  EXPECT_LT(speed_of_any_solution(walls(kAngle, FrictionLaw::coulomb), {}), kImpossibleSpeed);
}

/// Contacts that yield are never infeasible.
TEST(InfeasibilityProof, SoftContactsAlwaysHaveASolution) {
  ContactProblem problem = walls(0.0, FrictionLaw::coulomb);
  problem = yielding(problem, 1e-3);
  EXPECT_LT(speed_of_any_solution(problem, {}), kImpossibleSpeed);
}

TEST(InfeasibilityProof, RatiosOfSizeAreNeverCalledInfeasible) {
  for (const double ratio : {10.0, 100.0, 300.0, 1000.0}) {
    for (const double mu : {0.0, 0.05, 1.0 / std::sqrt(ratio), 0.5}) {
      const ContactProblem problem = rolling_onto(ratio, FrictionLaw::coulomb, mu);
      EXPECT_LT(speed_of_any_solution(problem, {}), kImpossibleSpeed) << ratio << " " << mu;
      for (const std::string method : {"auto", "nsgs", "pac", "apgd"}) {
        for (const double tolerance : {1e-4, 1e-6}) {
          SolverOptions options;
          options.method = method;
          options.stop.tolerance = tolerance;
          const petsc::Vector lambda = petsc::duplicate(problem.r.get());
          const SolverReport report = SolverDriver(options).solve(problem, lambda.get());
          EXPECT_EQ(report.status, Status::converged) << ratio << " " << mu << report.reason;
        }
      }
    }
  }
}

}  // namespace
}  // namespace scree
