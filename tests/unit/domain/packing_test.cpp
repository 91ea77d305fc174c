#include "scree/domain/packing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/base/check.hpp"
#include "scree/geometry/shapes/sphere.hpp"

namespace scree {
namespace {

Store three_grains() {
  Store store;
  for (const std::int64_t id : {30, 10, 20}) {
    append_grain(store, {.id = id,
                         .position = Vec3(static_cast<double>(id), -0.0, 1e-310),
                         .velocity = Vec3(std::numeric_limits<double>::quiet_NaN(), 0, 0),
                         .shape = Sphere{0.01 * static_cast<double>(id)},
                         .density = 1.0,
                         .material = static_cast<std::int32_t>(id)});
  }
  return store;
}

TEST(Packing, MigrationCarriesAllAndGhostsOnlyTheirFields) {
  Store from = three_grains();
  from.work[0] = 7.0;
  const std::vector<std::int32_t> slots{2, 0};
  for (const Sync journey : {Sync::migrate, Sync::ghost}) {
    Store to;
    append_tool(to, {.id = kFirstToolId});
    EXPECT_EQ(unpack(to, pack(from, slots, journey), journey), 2);
    ASSERT_EQ(to.size(), 3);
    EXPECT_EQ(to.n_owned, 0);
    EXPECT_EQ(to.id[1], 20);
    EXPECT_EQ(to.id[2], 30);
    EXPECT_EQ(to.position[1].x(), 20.0);
    EXPECT_TRUE(std::signbit(to.position[1].y()));
    EXPECT_EQ(to.position[1].z(), 1e-310);
    EXPECT_TRUE(std::isnan(to.velocity[2].x()));
    EXPECT_EQ(bounding_radius(to, 2), bounding_radius(from, 0));
    EXPECT_EQ(to.material[2], 30);
    EXPECT_EQ(to.inertia[2],
              from.inertia[0]);  // ghosts' inverse masses are computed where they are
    EXPECT_EQ(to.work[2], journey == Sync::migrate ? 7.0 : 0.0);
  }
}

TEST(Packing, NothingIsNothing) {
  Store store = three_grains();
  EXPECT_EQ(unpack(store, {}, Sync::ghost), 0);
  EXPECT_EQ(store.size(), 3);
}

TEST(Packing, RefusesATornMessage) {
  std::vector<std::byte> message = pack(three_grains(), std::vector<std::int32_t>{0}, Sync::ghost);
  message.pop_back();
  Store store;
  EXPECT_THROW(unpack(store, message, Sync::ghost), Failure);
}

TEST(Packing, SortsAndTellsWhereEachWent) {
  Store store = three_grains();
  EXPECT_EQ(sort_by_id(store, 0, 3), (std::vector<std::int32_t>{2, 0, 1}));
  EXPECT_EQ(store.id, (std::vector<std::int64_t>{10, 20, 30}));
  EXPECT_EQ(store.material, (std::vector<std::int32_t>{10, 20, 30}));
  EXPECT_TRUE(sort_by_id(store, 0, 3).empty());
}

TEST(Packing, SortsARangeOnly) {
  Store store = three_grains();
  EXPECT_EQ(sort_by_id(store, 1, 3).size(), 0U);
  EXPECT_EQ(store.id.front(), 30);
}

}  // namespace
}  // namespace scree
