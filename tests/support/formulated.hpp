#pragma once

/// A scene of balls and tools formulated as a problem, on one rank or on all, for tests.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "scree/contact/broadphase.hpp"
#include "scree/contact/narrowphase.hpp"
#include "scree/problem/assemble.hpp"
#include "support/scenes.hpp"

namespace scree::test {

inline constexpr AssembleInput kAssembleInput{.dt = 0.01, .recovery_speed = 0.5};

inline ContactLaws some_friction() {
  const std::vector<Material> materials{{"a", 1.0}, {"b", 1.0}, {"c", 1.0}};
  const std::vector<FrictionPair> pairs{
      {.between = {"a", "a"}, .mu = 0.3}, {.between = {"a", "b"}, .mu = 0.0},
      {.between = {"a", "c"}, .mu = 0.5}, {.between = {"b", "b"}, .mu = 0.7},
      {.between = {"b", "c"}, .mu = 0.2}, {.between = {"c", "c"}, .mu = 0.0}};
  return {materials, pairs};
}

/// Any number, the same on every rank for the same names.
inline double number_for(std::int64_t a, std::int64_t b, int k) {
  return std::sin(1.7 * static_cast<double>(a % 1009) + 0.3 * static_cast<double>(b % 1013) +
                  2.9 * k);
}

/// In vacuum.
inline std::vector<BodyInertia> inertias_of(const Store& store) {
  std::vector<BodyInertia> inertias;
  for (std::int32_t slot = 0; slot < store.size(); ++slot) {
    inertias.push_back(own_inertia(store, slot));
  }
  return inertias;
}

/// Rows that a source gives, which knows this rank's contacts.
using Give = std::function<GivenRows(ContactView)>;

/// A store with its contacts and problem, on one rank or on all.
struct Formulated {
  Formulated(MPI_Comm comm, const SceneSpec& spec, const Give& give = {})
      : store(dealt_scene(spec, comm)), partition(comm), exchange(comm) {
    const Reach reach{.dt = kAssembleInput.dt, .smallest_radius = spec.smallest};
    send_home(store, partition, exchange);
    bring_ghosts(store, reach, partition, exchange);
    numbers = number(store, exchange);
    contacts = own_contacts(store, reach, partition);
    petsc::Vector v_free = petsc::make_vector(comm, 6 * static_cast<std::size_t>(store.n_owned));
    {
      const petsc::View v(v_free.get());
      for (std::size_t i = 0; i < v.size(); ++i) {
        v[i] = number_for(store.id[slot_of_dof(i)], 0, static_cast<int>(i % 6));
      }
    }
    const ContactLaws laws = some_friction();
    contacts = sorted_by_cone(contacts, store, laws);
    const std::vector<ContactHistory> histories(contacts.size());
    const std::vector<BodyInertia> inertias = inertias_of(store);
    AssembleInput input = kAssembleInput;
    if (give) given = give(contacts);
    if (give) input.given = &given;
    problem = assemble(comm, {store, numbers, inertias, std::move(v_free)}, contacts, histories,
                       laws, input)
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
  ContactList contacts;
  GivenRows given;
  ContactProblem problem;
};

inline const SceneSpec kAssembledScene{.seed = 11, .n_grains = 250};

/// N x by block rows is J M^-1 J^T x + R x by the matrices.
inline void expect_products_are_those_of_matrices(const ContactProblem& problem,
                                                  const petsc::Vector& x) {
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

}  // namespace scree::test
