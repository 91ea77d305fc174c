#include "scree/problem/pair_blocks.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/dense_problem.hpp"
#include "support/problems.hpp"

namespace scree {
namespace {

const Vec3 kUp(0.0, 0.0, 1.0);

/// Two balls, one above the other on a floor, and @p n rows of their pair, each turned by @p tilt
/// and softer by @p softness than the one before.
test::ProblemBuilder pair_of_rows(int n, double tilt, double softness = 0.0) {
  test::ProblemBuilder builder;
  const int below = builder.add_ball(1.0, 0.1, Vec6::Zero());
  const int above = builder.add_ball(2.0, 0.1, -Vec6::Ones());
  builder.add_contact(below, -1, kUp, Vec3(0.0, 0.0, -0.1), Vec3::Zero(), 0.0, 0.0, 1);
  for (int k = 0; k < n; ++k) {
    const Vec3 normal = Vec3(tilt * k, 0.0, 1.0).normalized();
    builder.add_contact(above, below, normal, Vec3(0.01 * tilt * k, 0.0, -0.1),
                        Vec3(0.01 * tilt * k, 0.0, 0.1), 0.0, 0.0, 1, {.normal = softness * k});
  }
  builder.add_contact(above, -1, -kUp, Vec3(0.0, 0.0, 0.1), Vec3::Zero(), 0.0, 0.0, 1);
  return builder;
}

TEST(PairBlocks, AreBlocksOfN) {
  const ContactProblem problem =
      pair_of_rows(3, 0.3, 0.25).build(MPI_COMM_SELF, FrictionLaw::coulomb, "pair");
  const Eigen::MatrixXd n = test::DenseProblem(problem).n;
  const PairBlocks blocks = pair_blocks_of(problem);
  ASSERT_EQ(blocks.count(), 1U);
  EXPECT_EQ(blocks.row, (std::vector<std::int32_t>{1, 2, 3}));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(blocks.values[3 * i + j], n(1 + i, 1 + j), 1e-14 * n(1, 1)) << i << ' ' << j;
    }
  }
}

TEST(PairBlocks, OfManyRowsAreSeveralWhereTheseAreNearlyTheSame) {
  constexpr int kMost = PairBlocks::kMost;
  const auto blocks_of = [](int rows, double apart) {
    return pair_blocks_of(
        pair_of_rows(rows, apart).build(MPI_COMM_SELF, FrictionLaw::coulomb, "pair"));
  };
  ASSERT_EQ(blocks_of(kMost, 0.1).count(), 1U);
  EXPECT_EQ(blocks_of(kMost, 0.1).rows_of(0).size(), PairBlocks::kMost);
  EXPECT_EQ(blocks_of(kMost + 1, 0.1).count(), 0U);
  const PairBlocks alike = blocks_of(kMost + 3, 1e-3);
  ASSERT_EQ(alike.count(), 2U);
  EXPECT_EQ(alike.rows_of(0).size(), PairBlocks::kMost);
  EXPECT_EQ(alike.rows_of(1).size(), 3U);
  EXPECT_EQ(alike.values.size(), PairBlocks::kMost * PairBlocks::kMost + 9);
  EXPECT_EQ(blocks_of(kMost + 1, 1e-3).count(), 1U);  // one row is no block
}

/// Contacts with friction are no half lines, and the two walls of a ball hold different bodies from
/// the pair's.
TEST(PairBlocks, AreOfHalfLinesOfOnePair) {
  test::ProblemBuilder builder = pair_of_rows(1, 0.0);
  builder.add_contact(1, 0, kUp, Vec3::Zero(), Vec3::Zero(), 0.0, 0.5);
  builder.add_contact(1, 0, kUp, Vec3::Zero(), Vec3::Zero(), 0.0, 0.5);
  const ContactProblem problem = builder.build(MPI_COMM_SELF, FrictionLaw::coulomb, "pair");
  EXPECT_EQ(pair_blocks_of(problem).count(), 0U);
}

/// Rows of a pair that act at different points, as those of boxes, are no repetition.
TEST(PairBlocks, TellRowsThatAreRepeated) {
  const auto repeated = [](double tilt) {
    const ContactProblem problem =
        pair_of_rows(2, tilt).build(MPI_COMM_SELF, FrictionLaw::coulomb, "pair");
    return repeats_rows(problem, pair_blocks_of(problem));
  };
  EXPECT_TRUE(repeated(1e-3));
  EXPECT_FALSE(repeated(1.0));
}

}  // namespace
}  // namespace scree
