#include "scree/problem/contact_problem.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "scree/problem/measure.hpp"
#include "support/problems.hpp"

namespace scree {
namespace {

constexpr double kStiffer = 0.25;

/// Two balls on a wall and on each other, whose contacts yield.
ContactProblem soft_balls(double bias, double share_of_compliance) {
  test::ProblemBuilder builder;
  const Vec6 falls = (Vec6() << 0.3, 0.0, -1.0, 0.0, 0.2, 0.0).finished();
  const int low = builder.add_ball(1.0, 0.1, falls);
  const int high = builder.add_ball(2.0, 0.1, falls);
  const Vec3 up = Vec3::UnitZ();
  builder.add_contact(low, -1, up, -0.1 * up, Vec3::Zero(), bias, 0.4);
  builder.add_contact(high, low, up, -0.1 * up, 0.1 * up, bias, 0.6);
  const double c = share_of_compliance * 0.5;
  builder.soften({.normal = c, .tangential = c});
  return builder.build(MPI_COMM_SELF, FrictionLaw::coulomb, "soft balls");
}

Measures measured(const ContactProblem& problem) {
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  {
    const petsc::View values(lambda.get());
    std::mt19937 random(3);
    std::uniform_real_distribution<double> any(-0.5, 1.0);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = any(random);
  }
  return Measurer(problem).measure(lambda.get());
}

void expect_same(const Measures& a, const Measures& b) {
  EXPECT_DOUBLE_EQ(a.residual, b.residual);
  EXPECT_DOUBLE_EQ(a.velocity_error, b.velocity_error);
  EXPECT_DOUBLE_EQ(a.remaining, b.remaining);
  EXPECT_DOUBLE_EQ(a.cost, b.cost);
}

TEST(ContactProblem, WithAnotherRIsTheProblemBuiltWithIt) {
  const ContactProblem built = soft_balls(0.2, 1.0);
  const Measures before = measured(built);
  ContactProblem taken = soft_balls(0.0, 1.0);
  measured(taken);  // its derived forms exist
  expect_same(measured(with(std::move(taken), {.r = petsc::copy(built.r.get())})), before);
}

TEST(ContactProblem, WithAnotherComplianceIsTheProblemBuiltWithIt) {
  const ContactProblem built = soft_balls(0.2, kStiffer);
  ContactProblem taken = soft_balls(0.2, 1.0);
  const Measures before = measured(taken);
  const Measures after = measured(with(std::move(taken), {.compliance = built.compliance}));
  expect_same(after, measured(built));
  EXPECT_GT(std::abs(after.velocity_error - before.velocity_error), 1e-3);
}

TEST(ContactProblem, WithRigidContactsHasNoCompliance) {
  ContactProblem rigid = with(soft_balls(0.2, 1.0), {.compliance = std::vector<double>{}});
  EXPECT_TRUE(rigid.compliance.empty());
  expect_same(measured(rigid), measured(soft_balls(0.2, 0.0)));
}

TEST(ContactProblem, WithAnotherLawOfFrictionIsTheProblemBuiltWithIt) {
  const ContactProblem exact = soft_balls(0.2, 1.0);
  ContactProblem relaxed = with_law(soft_balls(0.2, 1.0), FrictionLaw::associated);
  EXPECT_GT(std::abs(measured(relaxed).velocity_error - measured(exact).velocity_error), 1e-3);
  expect_same(measured(with_law(std::move(relaxed), FrictionLaw::coulomb)), measured(exact));
}

TEST(ContactProblem, WithAnotherFreeVelocityOnlyTheEndVelocityIsAnother) {
  ContactProblem taken = soft_balls(0.2, 1.0);
  const Measures before = measured(taken);
  const petsc::Vector lambda = petsc::duplicate(taken.r.get());
  const petsc::Vector old_end = end_velocity(taken, lambda.get());
  petsc::Vector v_free = petsc::copy(taken.v_free.get());
  SCREE_PETSC(VecShift(v_free.get(), 0.5));
  const ContactProblem other = with(std::move(taken), {.v_free = std::move(v_free)});
  expect_same(measured(other), before);
  const petsc::Vector end = end_velocity(other, lambda.get());
  SCREE_PETSC(VecAXPY(end.get(), -1.0, old_end.get()));
  const petsc::ConstView change(end.get());
  for (std::size_t k = 0; k < change.size(); ++k) EXPECT_DOUBLE_EQ(change[k], 0.5);
}

TEST(ContactProblem, ContactsThatYieldShareTheForms) {
  const ContactProblem problem = soft_balls(0.2, 1.0);
  EXPECT_EQ(jacobian(yielding(problem, 1e-3)), jacobian(problem));
}

TEST(ContactProblem, FormsThatDoNotChangeAreMadeOnce) {
  ContactProblem problem = soft_balls(0.2, 1.0);
  Mat const j = jacobian(problem);
  Mat const inverse = inverse_mass(problem);
  petsc::Vector r = petsc::copy(problem.r.get());
  const ContactProblem other = with(std::move(problem), {.r = std::move(r)});
  EXPECT_EQ(jacobian(other), j);
  EXPECT_EQ(inverse_mass(other), inverse);
}

}  // namespace
}  // namespace scree
