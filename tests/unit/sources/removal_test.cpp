#include "scree/sources/removal.hpp"
#include "scree/geometry/shapes/sphere.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace scree {
namespace {

/// Grains of the masses 1, 2, ... kg at x = 0, 1, ...
Store row_of_grains(int n) {
  Store store;
  Body body;
  body.shape = Sphere{0.1};
  for (int k = 0; k < n; ++k) {
    body.id = k;
    body.position = Vec3(k, 0, 0);
    body.density = (k + 1) / Sphere{0.1}.volume();
    append_grain(store, body);
  }
  return store;
}

RemovalBox box(const Vec3& low, const Vec3& high) {
  RemovalBox box;
  box.low = low;
  box.high = high;
  return box;
}

TEST(Removal, KeepsWhatIsInside) {
  Store store = row_of_grains(4);
  store.position[2].y() = std::nan("");
  Removed removed;
  const BoxRegion region{Vec3(0, -1, -1), Vec3(2.5, 1, 1)};
  EXPECT_EQ(staying(store, region, {}, removed), (std::vector<bool>{true, true, false, false}));
  EXPECT_EQ(removed.left, 2);
  EXPECT_EQ(removed.discharged, 0);
  EXPECT_EQ(staying(store, {}, {}, removed), std::vector<bool>(4, true));
}

TEST(Removal, TakesWhatComesIntoABox) {
  const Store store = row_of_grains(6);
  Removed removed;
  const std::vector<RemovalBox> boxes{box({0.5, -1, -1}, {2.5, 1, 1}), box({2, -1, -1}, {3, 1, 1})};
  const BoxRegion region{Vec3(-1, -1, -1), Vec3(4.5, 1, 1)};
  EXPECT_EQ(staying(store, region, boxes, removed),
            (std::vector<bool>{true, false, false, false, true, false}));
  EXPECT_EQ(removed.left, 1);
  EXPECT_EQ(removed.discharged, 3);
  EXPECT_NEAR(removed.discharged_mass, 2 + 3 + 4, 1e-12);
}

}  // namespace
}  // namespace scree
