#include "scree/impact/implicit_equalities.hpp"

#include <gtest/gtest.h>

#include <random>

#include "impact/nonnegative_minimum.hpp"
#include "support/impacts.hpp"

namespace scree {
namespace {

constexpr double kEqualityFlatness = 1e-6;

/// The contacts whose opposite is in the positive hull of all, one least-squares problem each: the
/// oracle.
std::vector<std::int32_t> equalities_one_by_one(const SparseColumns& normals) {
  const Eigen::MatrixXd a(normals);
  const Eigen::MatrixXd gram = a.transpose() * a;
  std::vector<std::int32_t> found;
  for (Eigen::Index i = 0; i < a.cols(); ++i) {
    const Eigen::VectorXd x = nonnegative_minimum(gram, a.transpose() * a.col(i));
    if ((a * x + a.col(i)).norm() < 1e-7) found.push_back(static_cast<std::int32_t>(i));
  }
  return found;
}

TEST(ImplicitEqualities, AreThoseThatOneByOneHaveTheirOpposite) {
  std::mt19937_64 random(5);
  std::size_t degenerate = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const EnergySpace space =
        energy_space(test::random_impact(random, 2 + random() % 40, trial % 2 == 0));
    const ImplicitEqualities found = implicit_equalities(space.normals, kEqualityFlatness);
    EXPECT_EQ(found.contacts, equalities_one_by_one(space.normals)) << "trial " << trial;
    EXPECT_LE(found.programs, found.contacts.empty() ? 1 : 2);  // one opens all where there is none
    degenerate += found.contacts.empty() ? 0 : 1;
  }
  EXPECT_GE(degenerate, 50U);
}

TEST(ImplicitEqualities, OfFig2AreAllContacts) {
  for (const std::size_t n : {1, 2, 5}) {
    const EnergySpace space = energy_space(test::between_walls(n, Vec3::UnitX()));
    const ImplicitEqualities found = implicit_equalities(space.normals, kEqualityFlatness);
    EXPECT_EQ(found.contacts.size(), n + 1);
    EXPECT_EQ(found.basis.cols(),
              static_cast<Eigen::Index>(n));  // each ball's motion along the row
    EXPECT_EQ(project_out(found, space.normals, kEqualityFlatness).contacts.size(), 0U);
  }
}

TEST(ImplicitEqualities, OfTheGeyserAreItsRowsFromWallToWall) {
  const std::size_t columns = 4, rows = 3;
  const EnergySpace space = energy_space(test::geyser(columns, rows));
  const ImplicitEqualities found = implicit_equalities(space.normals, kEqualityFlatness);
  EXPECT_EQ(found.contacts.size(), rows * (columns + 1));
  EXPECT_EQ(found.programs, 2);
  const ProjectedNormals left = project_out(found, space.normals, kEqualityFlatness);
  EXPECT_EQ(left.contacts.size(),
            columns * (rows - 1) + 2);  // the pairs on top of each other, and those of the hit
  for (Eigen::Index i = 0; i < left.normals.cols(); ++i)
    EXPECT_NEAR(left.normals.col(i).norm(), 1.0, 1e-14);
  EXPECT_LT((found.basis.transpose() * left.normals).norm(), 1e-13);
}

/// A wedge opens with a_i . w = 1 for |w| = 1/sin(angle/2): an equality where that is above
/// 1/flatness.
TEST(ImplicitEqualities, BeginAtTheStatedFlatness) {
  for (const double angle : {1e-1, 1e-3, 1e-5}) {
    EXPECT_TRUE(implicit_equalities(energy_space(test::wedge(angle)).normals, kEqualityFlatness)
                    .contacts.empty());
  }
  EXPECT_EQ(implicit_equalities(energy_space(test::wedge(1e-7)).normals, kEqualityFlatness)
                .contacts.size(),
            2U);
}

TEST(ImplicitEqualities,
     LeaveRedundantContactsAlone) {  // section 4: n1 = (1, 1), n2 = (-1, 1), n3 = (0, 1)
  const ImpactProblem ball =
      test::touching({{Vec3::Zero()}}, {{Vec3(-1, -1, 0).normalized(), Vec3(1, 1, 0).normalized()},
                                        {Vec3(1, -1, 0).normalized(), Vec3(-1, 1, 0).normalized()},
                                        {Vec3(0, -1, 0), Vec3(0, 1, 0)}});
  const ImplicitEqualities found =
      implicit_equalities(energy_space(ball).normals, kEqualityFlatness);
  EXPECT_TRUE(found.contacts.empty());
  EXPECT_EQ(found.programs, 1);
}

}  // namespace
}  // namespace scree
