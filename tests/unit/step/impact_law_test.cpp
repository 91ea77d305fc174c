#include <gtest/gtest.h>

#include <cmath>

#include "scree/geometry/shapes/plane.hpp"
#include "scree/geometry/shapes/sphere.hpp"
#include "step/impact/newton.hpp"

namespace scree {
namespace {

constexpr double kDt = 0.01;
constexpr double kWeight = 9.81;
constexpr double kRestitution = 0.6;

/// A ball above the floor of a step in which its weight acts; no friction.
struct Drop {
  explicit Drop(const Vec3& velocity, double restitution = kRestitution, double gap = 0.0,
                double stiffness = 0.0) {
    append_tool(store, {.id = kFirstToolId, .shape = Plane{}});
    append_grain(store, {.id = 1,
                         .position = Vec3(0, 0, 0.1 + gap),
                         .velocity = velocity,
                         .shape = Sphere{0.1},
                         .density = 1000.0});
    contact = {.normal = Vec3::UnitZ(),
               .gap = gap,
               .a = 1,
               .b = 0,
               .arm_a = Vec3(0, 0, -0.1),
               .arm_b = Vec3::Zero(),
               .key = {.id_a = 1, .id_b = kFirstToolId}};
    const FrictionPair pair{
        .between = {"stone", "stone"}, .restitution = restitution, .stiffness = stiffness};
    const std::vector<Material> materials{{"stone", 1000.0}};
    petsc::Vector v_free = petsc::make_vector(PETSC_COMM_SELF, 6);
    {
      const petsc::View v(v_free.get());
      for (std::size_t k = 0; k < 3; ++k) v[k] = velocity[static_cast<Eigen::Index>(k)];
      v[2] -= kWeight * kDt;
    }
    const std::vector<BodyInertia> inertias{{Vec3::Ones(), Vec3::Ones()}, own_inertia(store, 1)};
    const ContactHistory history;
    formulated = assemble(PETSC_COMM_SELF, {store, {1, 0, 1, {-1, 0}}, inertias, std::move(v_free)},
                          ContactList({contact}), {&history, 1}, ContactLaws(materials, {{pair}}),
                          {.dt = kDt, .recovery_speed = 0.1});
  }

  double normal_r() const { return petsc::ConstView(formulated.problem.r.get())[0]; }
  ImpactResult resolved(const ImpactLaw& law) {
    SolverOptions options;
    options.stop.tolerance = 1e-13;
    SolverDriver solver(options);
    return resolve(formulated, {&contact, 1}, law, solver, solver.goal(),
                   petsc::make_vector(PETSC_COMM_SELF, 1));
  }

  Store store;
  Contact contact;
  FormulatedStep formulated;
};

double height_speed(const ImpactResult& result) {
  return petsc::ConstView(result.end_velocity.get())[2];
}

TEST(ImpactLaw, AnAssembledProblemKnowsWhatImpactsNeed) {
  const Drop drop(Vec3(0.3, 0.4, -2), kRestitution, 0.001);
  const ContactTerms contact = drop.formulated.terms[0];
  const ImpactTerms impact = drop.formulated.impact(0);
  EXPECT_EQ(impact.normal_velocity_before, -2.0);
  EXPECT_EQ(impact.restitution, kRestitution);
  EXPECT_DOUBLE_EQ(contact.gap_bias, 0.001 / kDt);
  EXPECT_DOUBLE_EQ(drop.normal_r(), -2.0 - kWeight * kDt + 0.001 / kDt);  // and asks nothing
}

// u^- = -2 m/s, u_free = -2 m/s - g dt: it parts at e times the one, less g dt.
TEST(NewtonImpacts, ABallPartsAtItsRestitutionLessWhatItsWeightTakes) {
  Drop drop(Vec3(0, 0, -2));
  const ImpactResult result = drop.resolved(NewtonImpacts());
  EXPECT_NEAR(height_speed(result), 2.0 * kRestitution - kWeight * kDt, 1e-12);
  EXPECT_EQ(result.total_impulse(), result.impulse.get());
}

void expect_left_alone(Drop drop) {
  const double before = drop.normal_r();
  drop.resolved(NewtonImpacts());
  EXPECT_EQ(drop.normal_r(), before);
}

// Slower than g dt / e, parted, out of reach, or without restitution: no impact.
TEST(NewtonImpacts, WhatDoesNotStrikeIsLeftAlone) {
  expect_left_alone(Drop(Vec3(0, 0, -0.9 * kWeight * kDt / kRestitution)));
  expect_left_alone(Drop(Vec3(0, 0, 0.01)));
  expect_left_alone(Drop(Vec3(0, 0, -2), kRestitution, 0.1));
  expect_left_alone(Drop(Vec3(0, 0, -2), 0.0));
}

TEST(NewtonImpacts, ASpringHasNone) {
  const Drop drop(Vec3(0, 0, -2), kRestitution, 0.0, 1e5);
  EXPECT_TRUE(drop.formulated.impacts.empty());
  EXPECT_FALSE(drop.formulated.problem.compliance.empty());
  expect_left_alone(Drop(Vec3(0, 0, -2), kRestitution, 0.0, 1e5));
}

/// A law that resolves an impact before the step's forces act, as laws of many at once do: of one
/// contact, exactly.
class ImpactFirst final : public ImpactLaw {
 public:
  ResolvedImpacts act(const FormulatedStep& step, ContactView /*contacts*/,
                      const Goal& /*goal*/) const override {
    const ContactProblem& problem = step.problem;
    const ImpactTerms impact = step.impact(0);
    petsc::Vector impacts = petsc::duplicate(problem.r.get());
    petsc::Vector change = petsc::duplicate(problem.r.get());
    const double rho = cone_scales(problem)[0];
    petsc::View(impacts.get())[0] =
        -rho * (1.0 + impact.restitution) * impact.normal_velocity_before;
    DelassusProduct(problem).apply(impacts.get(), change.get());
    SCREE_PETSC(VecAXPY(change.get(), 1.0, problem.r.get()));
    ProblemChanges changes{.r = std::move(change), .v_free = end_velocity(problem, impacts.get())};
    return {.impulse = std::move(impacts), .changes = std::move(changes)};
  }
};

// The ball bounces, then its weight acts: nothing is left for the solve, and the floor has felt it
// all.
TEST(ImpactLaw, ImpactsMayBeOverBeforeTheSolve) {
  Drop drop(Vec3(0, 0, -2));
  const double mass = drop.store.mass[1];
  const ImpactResult result = drop.resolved(ImpactFirst());
  EXPECT_EQ(result.report.status, Status::converged);
  EXPECT_NEAR(height_speed(result), 2.0 * kRestitution - kWeight * kDt, 1e-12);
  EXPECT_EQ(petsc::ConstView(result.impulse.get())[0], 0.0);
  EXPECT_NEAR(petsc::ConstView(result.total_impulse())[0], mass * 2.0 * (1.0 + kRestitution),
              1e-12 * mass);
}

// The same where the ball comes so slowly that its weight brings it back within the step: the solve
// holds it.
TEST(ImpactLaw, TheSolveGoesOnFromTheVelocitiesAfterImpacts) {
  const double speed = 0.5 * kWeight * kDt / kRestitution;
  Drop drop(Vec3(0, 0, -speed));
  const double mass = drop.store.mass[1];
  const ImpactResult result = drop.resolved(ImpactFirst());
  EXPECT_NEAR(height_speed(result), 0.0, 1e-12);
  EXPECT_NEAR(petsc::ConstView(result.impulse.get())[0], mass * 0.5 * kWeight * kDt, 1e-10 * mass);
  EXPECT_NEAR(petsc::ConstView(result.total_impulse())[0], mass * (speed + kWeight * kDt),
              1e-10 * mass);
}

/// A law whose impact did not end.
class CutOff final : public ImpactLaw {
 public:
  ResolvedImpacts act(const FormulatedStep& /*step*/, ContactView /*contacts*/,
                      const Goal& /*goal*/) const override {
    ResolvedImpacts impacts;
    impacts.fault = "impact of body 1 (1 contacts) still approaches";
    impacts.leaves_unsolved = true;
    return impacts;
  }
};

TEST(ImpactLaw, AStepWhoseImpactWasCutOffIsNotConverged) {
  const ImpactResult result = Drop(Vec3(0, 0, -2)).resolved(CutOff());
  EXPECT_EQ(result.report.status, Status::iteration_limit);
  EXPECT_NE(result.report.reason.find("still approaches"), std::string::npos);
  EXPECT_TRUE(code_of(result.report.attempts).ends_with(">impact:iteration-limit"));
}

}  // namespace
}  // namespace scree
