// Growth and division of capsules against closed forms.

#include "scree/sources/growth.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "scree/base/check.hpp"
#include "scree/config/reader.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/capsule.hpp"
#include "scree/geometry/shapes/sphere.hpp"

namespace scree {
namespace {

constexpr double kRadius = 0.25;
constexpr double kDensity = 1100.0;

/// A cell of the whole length @p length, of the population 0.
Body cell(std::int64_t id, double length, const Vec3& place = Vec3::Zero()) {
  return {.id = id,
          .position = place,
          .orientation = Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, -1).normalized())),
          .velocity = Vec3(0.5, -1, 2),
          .angular_velocity = Vec3(3, 1, -2),
          .shape = Capsule{kRadius, length - 2.0 * kRadius},
          .density = kDensity};
}

GrowthSpec spec(double spread = 0.0, double turn = 0.0) {
  return {.name = "cells",
          .groups = {"cells"},
          .rate = 1.0,
          .division_length = 4.0,
          .spread = spread,
          .turn = turn};
}

Growth growth(const GrowthSpec& of) {
  return {of, std::vector<Material>{{.name = "cell", .density = kDensity}}, {0}};
}

double length_of(const Store& store, std::int32_t slot) {
  const auto& capsule = store.shape[slot].get<Capsule>();
  return capsule.length + 2.0 * capsule.radius;
}

// l = l_0 exp(rate t), to the rounding of so many steps; mass and moments are those of a capsule of
// that length.
TEST(Growth, LengthensExponentiallyWithItsMass) {
  Store store;
  append_grain(store, cell(0, 2.0));
  Body other = cell(1, 2.0);
  other.group = 1;
  append_grain(store, other);
  for (int i = 0; i < 500; ++i) growth(spec()).lengthen(store, 1e-3);
  EXPECT_NEAR(length_of(store, 0), 2.0 * std::exp(0.5), 1e-12);
  const Capsule expected{kRadius, length_of(store, 0) - 2.0 * kRadius};
  EXPECT_NEAR(store.mass[0], kDensity * expected.volume(), 1e-12 * store.mass[0]);
  EXPECT_LT((store.inertia[0] - store.mass[0] * expected.inertia_per_mass()).norm(), 1e-10);
  EXPECT_EQ(length_of(store, 1), 2.0) << "of a group that does not grow";
}

// The halves lie end to end where the mother lay: they touch, and their outer tips are hers. They
// turn on as she did.
TEST(Growth, HalvesLieWhereTheirMotherLay) {
  Store store;
  append_grain(store, cell(7, 4.2, Vec3(1, 2, 3)));
  const Vec3 axis = store.orientation[0] * Vec3::UnitZ();
  growth(spec()).divide(store, 0, 12);
  ASSERT_EQ(store.n_owned, 2);
  EXPECT_EQ(store.id[0], 7);
  EXPECT_EQ(store.id[1], 12);
  EXPECT_EQ(store.parent[0], -1);
  EXPECT_EQ(store.parent[1], 7);
  const Manifold between = contacts_between(store.shape[0], pose_of(store, 0), store.shape[1],
                                            pose_of(store, 1), *store.shapes, 1.0);
  EXPECT_NEAR(between.deepest().gap, 0.0, 1e-14);
  for (const std::int32_t slot : {0, 1}) {
    EXPECT_EQ(store.generation[slot], 1);
    EXPECT_NEAR(length_of(store, slot), 2.1, 1e-14);
    const double side = slot == 0 ? -1.0 : 1.0;
    const Vec3 tip = store.position[slot] + side * 1.05 * axis;
    EXPECT_LT((tip - Vec3(1, 2, 3) - side * 2.1 * axis).norm(), 1e-14);
    const Vec3 velocity = Vec3(0.5, -1, 2) + Vec3(3, 1, -2).cross(Vec3(side * 1.05 * axis));
    EXPECT_LT((store.velocity[slot] - velocity).norm(), 1e-14);
    EXPECT_EQ(store.angular_velocity[slot], Vec3(3, 1, -2));
    EXPECT_NEAR(store.mass[slot], kDensity * Capsule({kRadius, 1.6}).volume(), 1e-10);
  }
}

/// The turn of each daughter of many cells, from their mother's orientation.
std::vector<Vec3> turns(double turn, std::uint8_t fixed) {
  std::vector<Vec3> all;
  for (std::int64_t id = 0; id < 500; ++id) {
    Store store;
    Body body = cell(id, 4.0);
    body.fixed = fixed;
    append_grain(store, body);
    const Quat before = store.orientation[0];
    growth(spec(0.0, turn)).divide(store, 0, 1000 + id);
    for (const std::int32_t slot : {0, 1}) {
      all.push_back(rotation_vector(store.orientation[slot] * before.conjugate()));
    }
  }
  return all;
}

// Angles are even in +-turn: that the largest of 1000 is below 0.98 turn has the chance 0.98^1000 =
// 2e-9; their mean square is turn^2/3, with a deviation of 2.8 % (sqrt(4/45 / 1000) over 1/3), and
// axes are even: asked are 10 % and 25 %. Held axes are not turned about.
TEST(Growth, TurnsDaughtersWithinTheAngleAboutFreeAxes) {
  double most = 0.0;
  double square = 0.0;
  Vec3 mean_square = Vec3::Zero();
  const std::vector<Vec3> free = turns(0.1, 0);
  for (const Vec3& turn : free) {
    most = std::max(most, turn.norm());
    square += turn.squaredNorm() / static_cast<double>(free.size());
    mean_square += turn.cwiseAbs2() / static_cast<double>(free.size());
  }
  EXPECT_LE(most, 0.1 * (1.0 + 1e-12));
  EXPECT_GT(most, 0.098);
  EXPECT_NEAR(square, 0.01 / 3.0, 0.1 * 0.01 / 3.0);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(mean_square[k], square / 3.0, 0.25 * square / 3.0);
  for (const Vec3& turn : turns(0.1, kFixRotationX | kFixRotationY)) {
    EXPECT_LT(turn.head<2>().norm(), 1e-15);
  }
  for (const Vec3& turn : turns(0.1, kFixRotation)) EXPECT_EQ(turn, Vec3::Zero());
}

/// How long the cell of this id and generation becomes, by bisection of its shape.
double division_length(const Growth& of, std::int64_t id, std::int32_t generation) {
  double low = 2.0;
  double high = 8.0;
  while (high - low > 1e-9) {
    const double middle = 0.5 * (low + high);
    Store store;
    append_grain(store, cell(id, middle));
    store.generation[0] = generation;
    (of.due(store).empty() ? low : high) = middle;
  }
  return high;
}

// Even in L (1 +- spread): mean of 400 within 5 of its deviations, L spread / sqrt(3 400). Other
// generations differ.
TEST(Growth, DividesAtLengthsByChanceOfIdAndGeneration) {
  const Growth of = growth(spec(0.25));
  double sum = 0.0;
  for (std::int64_t id = 0; id < 400; ++id) {
    const double length = division_length(of, id, 0);
    EXPECT_GE(length, 3.0);
    EXPECT_LE(length, 5.0 + 1e-8);
    sum += length / 400.0;
  }
  EXPECT_NEAR(sum, 4.0, 5.0 / std::sqrt(1200.0));
  EXPECT_GT(std::abs(division_length(of, 3, 0) - division_length(of, 3, 1)), 1e-6);
  EXPECT_NEAR(division_length(growth(spec()), 3, 5), 4.0, 1e-8);
}

// New ids follow the order of the mothers' ids, whatever the order of slots, and no cell is divided
// that is not due.
TEST(Growth, NewIdsFollowTheMothersIds) {
  Store store;
  for (const std::int64_t id : {9, 4, 6, 2}) append_grain(store, cell(id, id == 6 ? 3.9 : 4.1));
  const std::vector<Growth> growths{growth(spec())};
  EXPECT_EQ(divide_all(MPI_COMM_SELF, store, growths, 20), (std::vector<std::int64_t>{2, 4, 9}));
  std::map<std::int64_t, std::int64_t> parents;
  for (std::int32_t slot = 0; slot < store.n_owned; ++slot) {
    if (store.parent[slot] >= 0) parents[store.id[slot]] = store.parent[slot];
  }
  EXPECT_EQ(parents, (std::map<std::int64_t, std::int64_t>{{20, 2}, {21, 4}, {22, 9}}));
  EXPECT_TRUE(divide_all(MPI_COMM_SELF, store, growths, 23).empty());
}

TEST(Growth, RefusesWhatCannotGrow) {
  const Capsule good{kRadius, 1.5};
  EXPECT_EQ(fault_of_growth(spec(), good, 1e-3), "");
  EXPECT_NE(fault_of_growth(spec(), Sphere{0.1}, 1e-3).find("only capsules"), std::string::npos);
  EXPECT_NE(fault_of_growth(spec(0.5), {Capsule{0.6, 1.0}}, 1e-3).find("shorter than"),
            std::string::npos);
  // 4 m grow by 4 dt a step, and a tenth of the radius is 0.025 m
  EXPECT_EQ(fault_of_growth(spec(), good, 0.0061), "");
  EXPECT_NE(fault_of_growth(spec(), good, 0.0063).find("up to 0.0059 s"), std::string::npos);
  EXPECT_EQ(fault_of_growth(spec(), good, 0.0059), "");
}

TEST(Growth, IsReadWithItsBounds) {
  GrowthSpec read;
  read_yaml("{groups: [a], rate: 2, division_length: 3, spread: 0.1, turn: 0.2, seed: 5}", "c.yaml",
            {}, read);
  EXPECT_EQ(read.groups, std::vector<std::string>{"a"});
  EXPECT_EQ(read.rate, 2.0);
  EXPECT_EQ(read.seed, 5);
  for (const char* faulty :
       {"{rate: 2, division_length: 3}", "{groups: [], rate: 2, division_length: 3}",
        "{groups: [a], rate: 0, division_length: 3}",
        "{groups: [a], rate: 1, division_length: 3, spread: 0.6}"}) {
    EXPECT_THROW(read_yaml(faulty, "c.yaml", {}, read), InputError) << faulty;
  }
}

}  // namespace
}  // namespace scree
