// ranks: 1 2 3 4
//
// The problem assembled on several ranks against that of one.

#include "scree/problem/assemble.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "scree/base/parallel.hpp"
#include "support/formulated.hpp"

namespace scree::assembled_on_ranks_test {
namespace {

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
  test::Formulated one(PETSC_COMM_SELF, spec);
  test::Formulated many(MPI_COMM_WORLD, spec);
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
    expect_near(spread(MPI_COMM_WORLD, found, size, place),
                spread(PETSC_COMM_SELF, expected, size, same));
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

TEST(AssembledOnRanks, DoesNotDependOnTheRanks) {
  for (const int n : {0, 1, 2, 250}) {
    test::SceneSpec spec = test::kAssembledScene;
    spec.n_grains = n;
    expect_same_on_all_ranks_as_on_one(spec);
  }
}

}  // namespace
}  // namespace scree::assembled_on_ranks_test
