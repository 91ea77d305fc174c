// ranks: 1 2 3 4
//
// The assembled problem against the definition (contact points moved by hand, inertia turned by
// hand), and on several ranks against one.

#include "scree/problem/assemble.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "scree/contact/broadphase.hpp"
#include "scree/contact/narrowphase.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/box.hpp"
#include "scree/problem/cone_blocks.hpp"
#include "scree/solver/registry.hpp"
#include "solver/sweeps/pair_forms.hpp"
#include "solver/sweeps/pair_problem.hpp"
#include "support/scenes.hpp"

namespace scree::assemble_test {
namespace {

const MPI_Comm kWorld = MPI_COMM_WORLD;
constexpr AssembleInput kInput{.dt = 0.01, .recovery_speed = 0.5};

ContactLaws some_friction() {
  const std::vector<Material> materials{{"a", 1.0}, {"b", 1.0}, {"c", 1.0}};
  const std::vector<FrictionPair> pairs{
      {.between = {"a", "a"}, .mu = 0.3}, {.between = {"a", "b"}, .mu = 0.0},
      {.between = {"a", "c"}, .mu = 0.5}, {.between = {"b", "b"}, .mu = 0.7},
      {.between = {"b", "c"}, .mu = 0.2}, {.between = {"c", "c"}, .mu = 0.0}};
  return {materials, pairs};
}

/// Any number, the same on every rank for the same names.
double number_for(std::int64_t a, std::int64_t b, int k) {
  return std::sin(1.7 * static_cast<double>(a % 1009) + 0.3 * static_cast<double>(b % 1013) +
                  2.9 * k);
}

/// In vacuum.
std::vector<BodyInertia> inertias_of(const Store& store) {
  std::vector<BodyInertia> inertias;
  for (std::int32_t slot = 0; slot < store.size(); ++slot) {
    inertias.push_back(own_inertia(store, slot));
  }
  return inertias;
}

/// Rows that a source gives, which knows this rank's contacts.
using Give = std::function<GivenRows(const std::vector<Contact>&)>;

/// A store with its contacts and problem, on one rank or on all.
struct Formulated {
  Formulated(MPI_Comm comm, const test::SceneSpec& spec, const Give& give = {})
      : store(test::dealt_scene(spec, comm)), partition(comm), exchange(comm) {
    const Reach reach{.dt = kInput.dt, .smallest_radius = spec.smallest};
    test::send_home(store, partition, exchange);
    test::bring_ghosts(store, reach, partition, exchange);
    numbers = number(store, exchange);
    contacts = test::own_contacts(store, reach, partition);
    petsc::Vector v_free = petsc::make_vector(comm, 6 * static_cast<std::size_t>(store.n_owned));
    {
      const petsc::View v(v_free.get());
      for (std::size_t i = 0; i < v.size(); ++i) {
        v[i] = number_for(store.id[slot_of_dof(i)], 0, static_cast<int>(i % 6));
      }
    }
    const ContactLaws laws = some_friction();
    sort_by_cone(contacts, store, laws);
    const std::vector<ContactHistory> histories(contacts.size());
    const std::vector<BodyInertia> inertias = inertias_of(store);
    AssembleInput input = kInput;
    if (give) given = give(contacts);
    if (give) input.given = &given;
    problem = assemble(comm, {store, numbers, inertias, std::move(v_free)}, ContactList(contacts),
                       histories, laws, input)
                  .problem;
  }

  std::size_t slot_of_dof(std::size_t i) const { return store.first_owned() + i / 6; }
  /// An impulse for each contact, known from its key, and any for other rows.
  petsc::Vector impulse() const {
    petsc::Vector lambda = petsc::duplicate(problem.r.get());
    const petsc::View view(lambda.get());
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      for (int k = 0; k < problem.cones.dim(i); ++k) {
        view[row(i, k)] = number_for(contacts[i].key.id_a, contacts[i].key.id_b, k);
      }
    }
    for (std::size_t k = problem.cones.row(contacts.size()); k < view.size(); ++k) {
      view[k] = number_for(7, 11, static_cast<int>(k));
    }
    return lambda;
  }
  std::size_t row(std::size_t contact, int k) const { return problem.cones.offset[contact] + k; }

  Store store;
  Partition partition;
  Exchange exchange;
  Numbering numbers;
  std::vector<Contact> contacts;
  GivenRows given;
  ContactProblem problem;
};

const test::SceneSpec kScene{.seed = 11, .n_grains = 250};

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
  const Formulated formulated(kWorld, kScene);
  const auto velocity_of = [&](std::int32_t slot) {
    Vec6 v;
    if (formulated.store.is_tool(slot)) {
      v << formulated.store.velocity[slot], formulated.store.angular_velocity[slot];
    } else {
      for (int k = 0; k < 6; ++k) v[k] = number_for(formulated.store.id[slot], 0, k);
    }
    return v;
  };
  const petsc::ConstView r(formulated.problem.r.get());
  int n_clamped = 0;
  int n_frictionless = 0;
  for (std::size_t i = 0; i < formulated.contacts.size(); ++i) {
    const Contact& contact = formulated.contacts[i];
    Vec3 expected = velocity_by_moving(formulated.store, contact, velocity_of);
    expected.x() += std::max(contact.gap / kInput.dt, -kInput.recovery_speed);
    n_clamped += contact.gap / kInput.dt < -kInput.recovery_speed ? 1 : 0;
    const int dim = formulated.problem.cones.dim(i);
    n_frictionless += dim == 1 ? 1 : 0;
    for (int k = 0; k < dim; ++k) EXPECT_NEAR(r[formulated.row(i, k)], expected[k], 1e-7);
  }
  EXPECT_GT(sum_over_ranks(kWorld, n_clamped), 100);
  EXPECT_GT(sum_over_ranks(kWorld, n_frictionless), 100);
}

TEST(Assemble, ConesFollowContactsAndTheirMaterials) {
  const Formulated formulated(kWorld, kScene);
  const ContactLaws friction = some_friction();
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
  test::SceneSpec spec = kScene;
  spec.held = false;
  const Formulated formulated(kWorld, spec);
  const ContactProblem& problem = formulated.problem;
  ASSERT_TRUE(problem.delassus.blocks->of_balls);
  ASSERT_TRUE(problem.delassus.blocks->diagonal_masses);
  PairProblem pairs;
  ASSERT_TRUE(pairs.take(problem, SweepStep::exact));
  ASSERT_EQ(pairs.form(), PairForm::spheres);
  std::vector<BodyMass> masses;
  const std::vector<Mat6>& inverse = problem.delassus.blocks->inverse_mass;
  ASSERT_EQ(form_of_masses({inverse.front().data(), 36 * inverse.size()}, false, masses),
            PairForm::spheres);
  const BlockRows shown =
      block_rows_of(kWorld, jacobian(problem), inverse_mass(problem), problem.cones);
  PairRows rows = pairs.rows();
  rows.first = shown.pattern.first;
  rows.body = shown.pattern.body;
  rows.place = shown.pattern.place;
  rows.blocks = shown.jacobian;
  EXPECT_TRUE(have_sphere_rows(rows, frames_of(rows), masses));
  const std::vector<double>& rho = cone_scales(problem);
  for_each_block(problem.cones, delassus_diagonal_blocks(problem).data(),
                 [&]<class Cone>(const Cone&, const ConePlace& at, const auto& block) {
                   EXPECT_NEAR(rho[at.number] * block.trace(), Cone::kDim, 1e-12);
                 });
}

/// N x by block rows is J M^-1 J^T x + R x by the matrices.
void expect_products_are_those_of_matrices(const ContactProblem& problem, const petsc::Vector& x) {
  const petsc::Vector by_frames = petsc::duplicate(x.get());
  DelassusProduct(problem).apply(x.get(), by_frames.get());
  const petsc::Vector momentum = petsc::duplicate(problem.v_free.get());
  const petsc::Vector velocity = petsc::duplicate(problem.v_free.get());
  const petsc::Vector by_matrices = petsc::duplicate(x.get());
  ASSERT_EQ(MatMultTranspose(jacobian(problem), x.get(), momentum.get()), 0);
  ASSERT_EQ(MatMult(inverse_mass(problem), momentum.get(), velocity.get()), 0);
  ASSERT_EQ(MatMult(jacobian(problem), velocity.get(), by_matrices.get()), 0);
  PetscReal size = 0.0;
  ASSERT_EQ(VecNorm(by_matrices.get(), NORM_INFINITY, &size), 0);
  ASSERT_GT(size, 0.0);
  const petsc::ConstView a(by_frames.get());
  const petsc::ConstView b(by_matrices.get());
  const petsc::ConstView lambda(x.get());
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_NEAR(a[k], b[k] + problem.compliance_of(k) * lambda[k], 1e-12 * size) << k;
  }
}

TEST(Assemble, ProductsWithFramesAreThoseOfTheMatrices) {
  const Formulated formulated(kWorld, kScene);
  ASSERT_EQ(formulated.problem.delassus.blocks->pattern.n_frames, formulated.contacts.size());
  expect_products_are_those_of_matrices(formulated.problem, formulated.impulse());
}

/// The block of a point of a body, and of a number of its six velocities.
GivenEntry<3> point_of(std::int32_t slot, const Vec3& arm, double sign) {
  GivenEntry<3> entry{slot, {}};
  for (int k = 0; k < 3; ++k) {
    const Vec3 axis = sign * Vec3::Unit(k);
    entry.block.row(k) << axis.transpose(), arm.cross(axis).transpose();
  }
  return entry;
}

/// A joint at each fifth contact, with walls, too, and a row of two bodies behind most of them.
GivenRows some_rows(const std::vector<Contact>& contacts) {
  GivenRows rows;
  for (std::size_t i = 0; i + 1 < contacts.size(); i += 5) {
    const Contact& c = contacts[i];
    rows.append(GivenCone<cones::Joint>{
        .key = static_cast<std::int64_t>(i),
        .cone = {},
        .entries = {point_of(c.a, c.arm_a, 1.0), point_of(c.b, c.arm_b, -1.0)},
        .bias = Vec3(0.1, 0.2, 0.3),
        .compliance = Vec3::Constant(i % 2 == 0 ? 0.0 : 1e-3)});
    if (contacts[i + 1].a == c.a) continue;
    const GivenEntry<1> a{c.a, BodyBlock<1>::Constant(1.0)};
    const GivenEntry<1> other{contacts[i + 1].a, BodyBlock<1>::Constant(-0.5)};
    rows.append(GivenCone<cones::HalfLine>{
        .key = -1, .cone = {}, .entries = {a, other}, .bias = cones::Rows<1>::Constant(0.7)});
  }
  return rows;
}

/// Rows of contacts are those that they are without other sources, to the last bit; the others come
/// behind them.
TEST(Assemble, RowsOfOtherSourcesStandBehindThoseOfContacts) {
  const Formulated alone(kWorld, kScene);
  const Formulated with(kWorld, kScene, some_rows);
  const BlockRows& before = *alone.problem.delassus.blocks;
  const BlockRows& blocks = *with.problem.delassus.blocks;
  const std::size_t n = alone.problem.cones.count();
  const std::size_t n_rows = alone.problem.cones.rows();
  ASSERT_EQ(blocks.pattern.n_frames, n);
  ASSERT_EQ(with.problem.cones.count(), n + with.given.cones.count());
  const petsc::ConstView r_before(alone.problem.r.get());
  const petsc::ConstView r(with.problem.r.get());
  for (std::size_t k = 0; k < n_rows; ++k) ASSERT_EQ(r[k], r_before[k]);
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(with.problem.cones.offset[i], alone.problem.cones.offset[i]);
    ASSERT_EQ(blocks.frames[i].key, before.frames[i].key);
    ASSERT_EQ(entries_of_frame(blocks.pattern, i)[0] < 0,
              entries_of_frame(before.pattern, i)[0] < 0);
  }
}

TEST(Assemble, RowsOfOtherSourcesHaveTheVelocitiesOfTheirBodies) {
  const Formulated with(kWorld, kScene, some_rows);
  const Store& store = with.store;
  const auto velocity_of = [&](std::int32_t slot) {
    Vec6 v;
    if (store.is_tool(slot)) {
      v << store.velocity[slot], store.angular_velocity[slot];
    } else {
      for (int k = 0; k < 6; ++k) v[k] = number_for(store.id[slot], 0, k);
    }
    return v;
  };
  const petsc::ConstView r(with.problem.r.get());
  const std::size_t first_row = with.problem.cones.row(with.contacts.size());
  const double* block = with.given.jacobian.data();
  int n_tools = 0;
  for_each_cone(with.given.cones, [&]<class Cone>(const Cone&, const ConePlace& at) {
    cones::Rows<Cone::kDim> expected = cones::Rows<Cone::kDim>::Map(&with.given.bias[at.row]);
    for (std::int32_t e = with.given.first[at.number]; e < with.given.first[at.number + 1]; ++e) {
      n_tools += store.is_tool(with.given.slot[e]) ? 1 : 0;
      expected += Eigen::Map<const BodyBlock<Cone::kDim>>(block) * velocity_of(with.given.slot[e]);
      block += Cone::kDim * kBodyDofs;
    }
    for (int k = 0; k < Cone::kDim; ++k) EXPECT_NEAR(r[first_row + at.row + k], expected[k], 1e-12);
    const double softness = with.given.compliance[at.row];
    EXPECT_EQ(with.problem.compliance_of(first_row + at.row), softness);
  });
  EXPECT_GT(sum_over_ranks(kWorld, n_tools), 3);
  expect_products_are_those_of_matrices(with.problem, with.impulse());
}

/// The impulses that nsgs gives with or without inertia, which decides whether kernels sweep the
/// contacts.
std::vector<double> solved(const ContactProblem& problem, bool inertia) {
  SolverOptions options;
  options.nsgs.inertia = inertia;
  Stop stop;
  stop.goal.residual = 1e-11;
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  const SolverReport report = find_solver("nsgs").make(options)->solve(problem, stop, lambda.get());
  EXPECT_EQ(report.status, Status::converged) << report.reason;
  const petsc::ConstView values(lambda.get());
  return {values.span().begin(), values.span().end()};
}

/// Contacts of balls stay on their kernels beside rows of other sources, which some ranks alone
/// have. All yield, by 5 % of 1/m, so that impulses are unique.
TEST(Assemble, KernelsSweepContactsBesideRowsOfOtherSources) {
  const auto some_ranks_rows = [](const std::vector<Contact>& contacts) {
    return rank_of(kWorld) % 2 == 0 ? some_rows(contacts) : GivenRows();
  };
  test::SceneSpec spec = kScene;
  spec.held = false;
  const Formulated with(kWorld, spec, some_ranks_rows);
  const ContactProblem problem = yielding(with.problem, 0.05);
  PairProblem pairs;
  ASSERT_TRUE(pairs.take(problem, SweepStep::exact));
  EXPECT_EQ(pairs.form(), PairForm::spheres);
  EXPECT_EQ(pairs.rows().n_contacts(), with.contacts.size());
  const std::vector<double> expected = solved(problem, false);
  const std::vector<double> found = solved(problem, true);
  double largest = 0.0;
  for (const double x : expected) largest = std::max(largest, std::abs(x));
  largest = max_over_ranks(kWorld, largest);
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-8 * largest);
}

/// Momentum given by all contacts among grains is zero, and the impulse on each grain is the sum of
/// the contacts' impulses, by hand.
TEST(Assemble, ImpulsesActOnAAndAgainstB) {
  const Formulated one(PETSC_COMM_SELF, kScene);
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

/// Sums of all ranks' contributions, each put at the place that `place` names.
template <class Place>
std::vector<double> spread(MPI_Comm comm, Vec v, std::size_t size, const Place& place) {
  std::vector<double> all(size);
  const petsc::ConstView values(v);
  for (std::size_t i = 0; i < values.size(); ++i) all[place(i)] += values[i];
  sum_over_ranks(comm, all);
  return all;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  double worst = 0.0;
  double largest = 0.0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    worst = std::max(worst, std::abs(found[i] - expected[i]));
    largest = std::max(largest, std::abs(expected[i]));
  }
  EXPECT_LE(worst, 1e-13 * largest);
}

void expect_same_on_all_ranks_as_on_one(const test::SceneSpec& spec) {
  Formulated one(PETSC_COMM_SELF, spec);
  Formulated many(kWorld, spec);
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> row_of_contact;
  for (std::size_t i = 0; i < one.contacts.size(); ++i) {
    row_of_contact[{one.contacts[i].key.id_a, one.contacts[i].key.id_b}] = one.row(i, 0);
  }
  std::map<std::int64_t, std::size_t> dof_of_body;
  for (std::int32_t s = one.store.first_owned(); s < one.store.end_owned(); ++s) {
    dof_of_body[one.store.id[s]] = 6 * static_cast<std::size_t>(one.numbers.row[s]);
  }
  std::vector<std::size_t> row_in_one;
  for (std::size_t i = 0; i < many.contacts.size(); ++i) {
    const std::size_t first =
        row_of_contact.at({many.contacts[i].key.id_a, many.contacts[i].key.id_b});
    for (int k = 0; k < many.problem.cones.dim(i); ++k) {
      row_in_one.push_back(first + k);
    }
  }
  const auto row = [&](std::size_t i) { return row_in_one[i]; };
  const auto dof = [&](std::size_t i) {
    return dof_of_body.at(many.store.id[many.slot_of_dof(i)]) + i % 6;
  };
  const auto same = [](std::size_t i) { return i; };
  const std::size_t n_rows = one.problem.cones.rows();
  const std::size_t n_dofs = 6 * static_cast<std::size_t>(one.store.n_owned);

  const auto compare = [&](Vec found, Vec expected, std::size_t size, const auto& place) {
    expect_near(spread(kWorld, found, size, place), spread(PETSC_COMM_SELF, expected, size, same));
  };
  compare(many.problem.r.get(), one.problem.r.get(), n_rows, row);

  const petsc::Vector many_lambda = many.impulse();
  const petsc::Vector one_lambda = one.impulse();
  compare(end_velocity(many.problem, many_lambda.get()).get(),
          end_velocity(one.problem, one_lambda.get()).get(), n_dofs, dof);

  petsc::Vector many_u = petsc::duplicate(many.problem.r.get());
  petsc::Vector one_u = petsc::duplicate(one.problem.r.get());
  DelassusProduct(many.problem).contact_velocity(many_lambda.get(), many_u.get());
  DelassusProduct(one.problem).contact_velocity(one_lambda.get(), one_u.get());
  compare(many_u.get(), one_u.get(), n_rows, row);
}

TEST(Assemble, DoesNotDependOnTheRanks) {
  for (const int n : {0, 1, 2, 250}) {
    test::SceneSpec spec = kScene;
    spec.n_grains = n;
    expect_same_on_all_ranks_as_on_one(spec);
  }
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
  const std::vector<BodyInertia> inertias = inertias_of(store);
  const Numbering numbers{20, 0, 20, std::vector<std::int64_t>(store.id.size(), 0)};
  EXPECT_THROW(assemble(PETSC_COMM_SELF, {store, numbers, inertias, std::move(v_free)},
                        ContactList({contact}), {&history, 1}, ContactLaws(materials, {}), kInput),
               Failure);
}

TEST(Assemble, RefusesWhatPetscCannotCount) {
  if (sizeof(PetscInt) > 4) GTEST_SKIP() << "PETSc counts with 64 bits here";
  const Numbering numbers{.n_bodies_global = 400'000'000};
  const Store store;
  EXPECT_THROW(
      assemble(PETSC_COMM_SELF, {store, numbers, {}, petsc::make_vector(PETSC_COMM_SELF, 0)}, {},
               {}, some_friction(), kInput),
      Failure);
}

/// A brick has three different moments.
Store turned_brick(std::uint8_t fixed) {
  Store store;
  append_grain(store, {.id = 1,
                       .orientation = Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized())),
                       .shape = Box{{0.1, 0.2, 0.4}},
                       .density = 1000.0,
                       .fixed = fixed});
  return store;
}

/// Inertia tensor of the brick in the world frame, summed over a fine grid of its mass.
Mat3 inertia_by_summing(const Store& store) {
  constexpr int kCells = 60;
  const Vec3 half = store.shape[0].get<Box>().half();
  Mat3 inertia = Mat3::Zero();
  for (int i = 0; i < kCells * kCells * kCells; ++i) {
    const Vec3 cell(i % kCells, i / kCells % kCells, i / kCells / kCells);
    const Vec3 x = store.orientation[0] *
                   (((2.0 * cell.array() + 1.0) / kCells - 1.0).matrix()).cwiseProduct(half);
    inertia += x.squaredNorm() * Mat3::Identity() - x * x.transpose();
  }
  return inertia * store.mass[0] / std::pow(kCells, 3);
}

TEST(InverseInertia, TurnsWithTheBody) {
  const Store store = turned_brick(0);
  const Mat3 product = inverse_inertia(store, 0, store.inertia[0]) * inertia_by_summing(store);
  EXPECT_LT((product - Mat3::Identity()).norm(), 2e-3);
}

/// With held axes the body answers a torque only about the free ones, and exactly as much as leaves
/// the rest of the torque to what holds it.
TEST(InverseInertia, LeavesTheRestOfTheTorqueToWhatHolds) {
  const Vec3 torque(1.0, -2.0, 0.5);
  const Store brick = turned_brick(0);
  const Mat3 inertia = inverse_inertia(brick, 0, brick.inertia[0]).inverse();
  for (std::uint8_t held = 0; held < 8; ++held) {
    const Store store = turned_brick(static_cast<std::uint8_t>(held << 3));
    const Mat3 inverse = inverse_inertia(store, 0, store.inertia[0]);
    EXPECT_EQ(inverse, inverse.transpose());
    const Vec3 spin = inverse * torque;
    const Vec3 from_holding = inertia * spin - torque;
    for (int axis = 0; axis < 3; ++axis) {
      if (held >> axis & 1) {
        EXPECT_EQ(spin[axis], 0.0);
      } else {
        EXPECT_NEAR(from_holding[axis], 0.0, 1e-12);
      }
    }
  }
}

TEST(InverseMass, HasZeroRowsForHeldDegreesOfFreedom) {
  const Formulated formulated(kWorld, kScene);
  petsc::Vector diagonal = petsc::duplicate(formulated.problem.v_free.get());
  ASSERT_EQ(MatGetDiagonal(inverse_mass(formulated.problem), diagonal.get()), 0);
  const petsc::ConstView d(diagonal.get());
  for (std::size_t i = 0; i < d.size(); ++i) {
    const std::size_t slot = formulated.slot_of_dof(i);
    const int k = static_cast<int>(i % 6);
    const double expected =
        k < 3 ? 1.0 / formulated.store.mass[slot] : 1.0 / formulated.store.inertia[slot].x();
    const bool held = (formulated.store.fixed[slot] >> k & 1) != 0;
    EXPECT_DOUBLE_EQ(d[i], held ? 0.0 : expected);
  }
}

}  // namespace
}  // namespace scree::assemble_test
