// ranks: 1 2 3 4
//
// Inverse masses and inertias against sums by hand, with degrees of freedom held.

#include "scree/bodies/inertia.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "scree/geometry/shapes/box.hpp"
#include "support/formulated.hpp"

namespace scree::inverse_mass_test {
namespace {

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
  const test::Formulated formulated(MPI_COMM_WORLD, test::kAssembledScene);
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
}  // namespace scree::inverse_mass_test
