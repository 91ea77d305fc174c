// ranks: 1 2 3 4
//
// Rows of other sources than contacts in the assembled problem.

#include "scree/problem/given_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scree/base/parallel.hpp"
#include "scree/problem/cone_blocks.hpp"
#include "scree/solver/registry.hpp"
#include "solver/sweeps/pair_problem.hpp"
#include "support/formulated.hpp"

namespace scree::assembled_sources_test {
namespace {

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
GivenRows some_rows(ContactView contacts) {
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
TEST(AssembledSources, StandBehindThoseOfContacts) {
  const test::Formulated alone(MPI_COMM_WORLD, test::kAssembledScene);
  const test::Formulated with(MPI_COMM_WORLD, test::kAssembledScene, some_rows);
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
    ASSERT_EQ(bodies_of_frame(blocks.pattern, i)[0] < 0, bodies_of_frame(before.pattern, i)[0] < 0);
  }
}

TEST(AssembledSources, HaveTheVelocitiesOfTheirBodies) {
  const test::Formulated with(MPI_COMM_WORLD, test::kAssembledScene, some_rows);
  const Store& store = with.store;
  const auto velocity_of = [&](std::int32_t slot) {
    Vec6 v;
    if (store.is_tool(slot)) {
      v << store.velocity[slot], store.angular_velocity[slot];
    } else {
      for (int k = 0; k < 6; ++k) v[k] = test::number_for(store.id[slot], 0, k);
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
  EXPECT_GT(sum_over_ranks(MPI_COMM_WORLD, n_tools), 3);
  test::expect_products_are_those_of_matrices(with.problem, with.impulse());
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
TEST(AssembledSources, KernelsSweepContactsBesideRowsOfOtherSources) {
  const auto some_ranks_rows = [](ContactView contacts) {
    return rank_of(MPI_COMM_WORLD) % 2 == 0 ? some_rows(contacts) : GivenRows();
  };
  test::SceneSpec spec = test::kAssembledScene;
  spec.held = false;
  const test::Formulated with(MPI_COMM_WORLD, spec, some_ranks_rows);
  const ContactProblem problem = yielding(with.problem, 0.05);
  PairProblem pairs;
  ASSERT_TRUE(pairs.take(problem, SweepStep::exact));
  EXPECT_EQ(pairs.form(), PairForm::spheres);
  EXPECT_EQ(pairs.rows().n_contacts(), with.contacts.size());
  const std::vector<double> expected = solved(problem, false);
  const std::vector<double> found = solved(problem, true);
  double largest = 0.0;
  for (const double x : expected) largest = std::max(largest, std::abs(x));
  largest = max_over_ranks(MPI_COMM_WORLD, largest);
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-8 * largest);
}

}  // namespace
}  // namespace scree::assembled_sources_test
