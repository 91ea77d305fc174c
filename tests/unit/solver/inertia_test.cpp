#include "solver/sweeps/inertia.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scree/problem/contact_problem.hpp"
#include "support/problems.hpp"

namespace scree {
namespace {

/// A ball on a floor, and one beside it of four times the mass, with arms along the normal:
/// N_ii = diag(1, 3.5, 3.5) / m.
ContactProblem balls_on_floor(test::Compliance of_light, test::Compliance of_heavy) {
  test::ProblemBuilder builder;
  const Vec3 up = Vec3::UnitZ();
  for (const double mass : {1.0, 4.0}) {
    const int ball = builder.add_ball(mass, 0.1, Vec6::Zero());
    builder.add_contact(ball, -1, up, -0.1 * up, Vec3::Zero(), 0.0, 0.4, 3,
                        mass > 1.0 ? of_heavy : of_light);
  }
  return builder.build(MPI_COMM_SELF, FrictionLaw::coulomb, "balls on a floor");
}

TEST(Softness, IsTheHarmonicMeanOfComplianceOverTheMeanDiagonal) {
  const ContactProblem soft =
      balls_on_floor({.normal = 0.4, .tangential = 0.1}, {.normal = 0.05, .tangential = 0.0});
  const double light = 0.4 / ((8.0 + 0.4 + 0.2) / 3.0);
  const double heavy = 0.05 / ((8.0 / 4.0 + 0.05) / 3.0);
  EXPECT_NEAR(softness_of(soft, 2), 2.0 / (1.0 / light + 1.0 / heavy), 1e-14);
  EXPECT_NEAR(softness_of(soft, 1), light, 1e-14);
}

TEST(Softness, IsZeroWhereAContactIsRigid) {
  EXPECT_EQ(softness_of(balls_on_floor({.normal = 0.4, .tangential = 0.1}, {}), 2), 0.0);
  EXPECT_EQ(softness_of(balls_on_floor({}, {}), 2), 0.0);
  EXPECT_EQ(softness_of(balls_on_floor({}, {}), 0), 0.0);
}

/// The momentum after many sweeps that each move less.
double largest_momentum(double softness) {
  Inertia inertia(softness);
  double momentum = 0.0;
  for (int s = 0; s < 200; ++s) momentum = inertia.momentum();
  return momentum;
}

TEST(Inertia, HasTheMomentumThatSoftContactsBear) {
  for (const double softness : {0.02, 0.1, 0.3}) {
    const double root = std::sqrt(2.0 * softness);
    EXPECT_DOUBLE_EQ(largest_momentum(softness), (1.0 - root) / (1.0 + root));
  }
  EXPECT_EQ(largest_momentum(0.0), 0.85);
  EXPECT_EQ(largest_momentum(1e-3), 0.85);
  EXPECT_EQ(largest_momentum(2.0), 0.0);  // where N is next to nothing
}

}  // namespace
}  // namespace scree
