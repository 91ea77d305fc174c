// ranks: 1 2 3 4
//
// The assembled problem against the definition (contact points moved by hand) and by hand.

#include "scree/problem/assemble.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "scree/geometry/pose.hpp"
#include "scree/problem/cone_blocks.hpp"
#include "solver/sweeps/pair_forms.hpp"
#include "solver/sweeps/pair_problem.hpp"
#include "support/formulated.hpp"

namespace scree::assemble_test {
namespace {

/// Where the material point that is now at `arm` from the centre is after moving for time t.
Vec3 contact_point(const Store& store, std::int32_t slot, const Vec3& arm, const Vec3& velocity,
                   const Vec3& spin, double t) {
  const Vec3& centre = store.position[slot];
  return centre + t * velocity + rotation_by(t * spin) * arm;
}

/// u of the definition: the contact points' relative velocity by central differences.
Vec3 velocity_by_moving(const Store& store, const Contact& c,
                        const std::function<Vec6(std::int32_t)>& velocity_of) {
  constexpr double kTime = 1e-4;
  const auto relative = [&](double t) {
    const Vec6 a = velocity_of(c.a);
    const Vec6 b = velocity_of(c.b);
    return Vec3(contact_point(store, c.a, c.arm_a, a.head<3>(), a.tail<3>(), t) -
                contact_point(store, c.b, c.arm_b, b.head<3>(), b.tail<3>(), t));
  };
  const Vec3 u = (relative(kTime) - relative(-kTime)) / (2.0 * kTime);
  const ContactFrame frame = c.frame();
  return {u.dot(frame.normal), u.dot(frame.tangent1), u.dot(frame.tangent2)};
}

TEST(Assemble, BiasIsTheVelocityOfContactPointsAndTheClampedGap) {
  const test::Formulated formulated(MPI_COMM_WORLD, test::kAssembledScene);
  const auto velocity_of = [&](std::int32_t slot) {
    Vec6 v;
    if (formulated.store.is_tool(slot)) {
      v << formulated.store.velocity[slot], formulated.store.angular_velocity[slot];
    } else {
      for (int k = 0; k < 6; ++k) v[k] = test::number_for(formulated.store.id[slot], 0, k);
    }
    return v;
  };
  const petsc::ConstView r(formulated.problem.r.get());
  int n_clamped = 0;
  int n_frictionless = 0;
  for (std::size_t i = 0; i < formulated.contacts.size(); ++i) {
    const Contact& contact = formulated.contacts[i];
    Vec3 expected = velocity_by_moving(formulated.store, contact, velocity_of);
    expected.x() +=
        std::max(contact.gap / test::kAssembleInput.dt, -test::kAssembleInput.recovery_speed);
    n_clamped +=
        contact.gap / test::kAssembleInput.dt < -test::kAssembleInput.recovery_speed ? 1 : 0;
    const int dim = formulated.problem.cones.dim(i);
    n_frictionless += dim == 1 ? 1 : 0;
    for (int k = 0; k < dim; ++k) EXPECT_NEAR(r[formulated.row(i, k)], expected[k], 1e-7);
  }
  EXPECT_GT(sum_over_ranks(MPI_COMM_WORLD, n_clamped), 100);
  EXPECT_GT(sum_over_ranks(MPI_COMM_WORLD, n_frictionless), 100);
}

TEST(Assemble, ConesFollowContactsAndTheirMaterials) {
  const test::Formulated formulated(MPI_COMM_WORLD, test::kAssembledScene);
  const ContactLaws friction = test::some_friction();
  ASSERT_EQ(formulated.problem.cones.count(), formulated.contacts.size());
  const std::vector<double> coefficients = friction_coefficients(formulated.problem.cones);
  EXPECT_LE(formulated.problem.cones.batches.size(), 2U);  // half lines, then cones
  for (std::size_t i = 0; i < formulated.contacts.size(); ++i) {
    const std::size_t a = formulated.contacts[i].a;
    const std::size_t b = formulated.contacts[i].b;
    const double mu = friction.mu(formulated.store.material[a], formulated.store.material[b]);
    EXPECT_EQ(coefficients[i], mu);
    EXPECT_EQ(formulated.problem.cones.dim(i), mu > 0.0 ? 3 : 1);
  }
}

/// The forms that assemble gives balls without a look are those that the rows show, and scales are
/// those of the diagonal blocks: rho_i = dim / trace(N_ii), both sums of the same numbers in
/// another order.
TEST(Assemble, RowsOfBallsAndScalesAreWhatTheProblemSays) {
  test::SceneSpec spec = test::kAssembledScene;
  spec.held = false;
  const test::Formulated formulated(MPI_COMM_WORLD, spec);
  const ContactProblem& problem = formulated.problem;
  ASSERT_TRUE(problem.delassus.blocks->frames.are_of_balls());
  ASSERT_TRUE(problem.delassus.blocks->inverse_mass.are_diagonal());
  PairProblem pairs;
  ASSERT_TRUE(pairs.take(problem, SweepStep::exact));
  ASSERT_EQ(pairs.form(), PairForm::spheres);
  std::vector<BodyMass> storage;
  const auto [form, masses] = masses_in_form(problem.delassus.blocks->inverse_mass, storage);
  ASSERT_EQ(form, PairForm::spheres);
  const BlockRows shown =
      block_rows_of(MPI_COMM_WORLD, jacobian(problem), inverse_mass(problem), problem.cones);
  PairRows rows = pairs.rows();
  rows.bodies = shown.pattern.of_others();
  rows.place = shown.pattern.place;
  rows.blocks = shown.jacobian;
  EXPECT_TRUE(have_sphere_rows(rows, frames_of(rows), masses));
  const std::vector<double>& rho = cone_scales(problem);
  for_each_block(problem.cones, delassus_diagonal_blocks(problem).data(),
                 [&]<int kDim>(const ConePlace& at, const auto& block) {
                   EXPECT_NEAR(rho[at.number] * block.trace(), kDim, 1e-12);
                 });
}

TEST(Assemble, ProductsWithFramesAreThoseOfTheMatrices) {
  const test::Formulated formulated(MPI_COMM_WORLD, test::kAssembledScene);
  ASSERT_EQ(formulated.problem.delassus.blocks->pattern.n_frames, formulated.contacts.size());
  test::expect_products_are_those_of_matrices(formulated.problem, formulated.impulse());
}

/// Momentum given by all contacts among grains is zero, and the impulse on each grain is the sum of
/// the contacts' impulses, by hand.
TEST(Assemble, ImpulsesActOnAAndAgainstB) {
  const test::Formulated one(PETSC_COMM_SELF, test::kAssembledScene);
  const petsc::Vector lambda = one.impulse();
  petsc::Vector impulse = petsc::duplicate(one.problem.v_free.get());
  ASSERT_EQ(MatMultTranspose(jacobian(one.problem), lambda.get(), impulse.get()), 0);
  std::vector<double> expected(6 * static_cast<std::size_t>(one.store.n_owned));
  const petsc::ConstView values(lambda.get());
  for (std::size_t i = 0; i < one.contacts.size(); ++i) {
    const Contact& c = one.contacts[i];
    Vec3 force = Vec3::Zero();
    const auto [normal, tangent1, tangent2] = c.frame();
    const Vec3 frame[3] = {normal, tangent1, tangent2};
    for (int k = 0; k < one.problem.cones.dim(i); ++k) force += values[one.row(i, k)] * frame[k];
    const auto add = [&](std::int32_t slot, const Vec3& f, const Vec3& arm) {
      if (one.store.is_tool(slot)) return;
      const Vec3 torque = arm.cross(f);
      const auto first = 6 * static_cast<std::size_t>(slot - one.store.first_owned());
      for (std::size_t k = 0; k < 3; ++k) {
        expected[first + k] += f[static_cast<Eigen::Index>(k)];
        expected[first + 3 + k] += torque[static_cast<Eigen::Index>(k)];
      }
    };
    add(c.a, force, c.arm_a);
    add(c.b, -force, c.arm_b);
  }
  const petsc::ConstView found(impulse.get());
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-12);
}

TEST(Assemble, RefusesPairsWithoutFriction) {
  Store store = test::whole_scene({.seed = 12, .n_grains = 20});
  Contact contact{};
  contact.a = store.first_owned();
  contact.b = store.first_owned() + 1;
  const std::vector<Material> materials{{"a", 1.0}, {"b", 1.0}, {"c", 1.0}};
  const ContactHistory history;
  petsc::Vector v_free =
      petsc::make_vector(PETSC_COMM_SELF, 6 * static_cast<std::size_t>(store.n_owned));
  const std::vector<BodyInertia> inertias = test::inertias_of(store);
  const Numbering numbers{20, 0, 20, std::vector<std::int64_t>(store.id.size(), 0)};
  EXPECT_THROW(assemble(PETSC_COMM_SELF, {store, numbers, inertias, std::move(v_free)},
                        ContactList({contact}), {&history, 1}, ContactLaws(materials, {}),
                        test::kAssembleInput),
               Failure);
}

TEST(Assemble, RefusesWhatPetscCannotCount) {
  if (sizeof(PetscInt) > 4) GTEST_SKIP() << "PETSc counts with 64 bits here";
  const Numbering numbers{.n_bodies_global = 400'000'000};
  const Store store;
  EXPECT_THROW(
      assemble(PETSC_COMM_SELF, {store, numbers, {}, petsc::make_vector(PETSC_COMM_SELF, 0)}, {},
               {}, test::some_friction(), test::kAssembleInput),
      Failure);
}

}  // namespace
}  // namespace scree::assemble_test
