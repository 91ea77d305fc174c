#include "scree/bodies/store.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "scree/base/check.hpp"
#include "scree/geometry/shapes/plane.hpp"
#include "scree/geometry/shapes/sphere.hpp"

namespace scree {
namespace {

Body grain(std::int64_t id, double radius = 0.1) {
  Body body;
  body.id = id;
  body.position = Vec3(static_cast<double>(id), 0, 0);
  body.shape = Sphere{radius};
  body.density = 1000.0;
  return body;
}

Body tool(std::int64_t k) {
  Body body;
  body.id = kFirstToolId + k;
  body.shape = Plane{};
  return body;
}

TEST(Store, ToolsComeFirstWhateverTheOrder) {
  Store store;
  append_grain(store, grain(1));
  append_tool(store, tool(0));
  append_grain(store, grain(2));
  append_tool(store, tool(1));
  ASSERT_EQ(store.size(), 4);
  EXPECT_EQ(store.n_tools, 2);
  EXPECT_EQ(store.n_owned, 2);
  EXPECT_EQ(store.id, (std::vector<std::int64_t>{kFirstToolId, kFirstToolId + 1, 1, 2}));
  EXPECT_TRUE(store.is_tool(1));
  EXPECT_TRUE(store.is_owned(2));
  EXPECT_TRUE(std::isinf(store.mass[0]));
}

TEST(Store, MassAndInertiaFollowFromShapeAndDensity) {
  Store store;
  append_grain(store, grain(7, 0.1));
  const double mass = 1000.0 * 4.0 / 3.0 * std::numbers::pi * 1e-3;
  EXPECT_DOUBLE_EQ(store.mass[0], mass);
  EXPECT_DOUBLE_EQ(store.inertia[0].x(), 0.4 * mass * 0.01);
  EXPECT_DOUBLE_EQ(bounding_radius(store, 0), 0.1);
}

TEST(Store, RefusesAGrainWithoutMass) {
  Store store;
  Body body = grain(1);
  body.density = 0.0;
  EXPECT_THROW(append_grain(store, body), InputError);
  body.density = 1000.0;
  body.shape = Plane{};
  EXPECT_THROW(append_grain(store, body), InputError);
  EXPECT_EQ(store.size(), 0);
}

TEST(Store, NewSlotsHoldDefaults) {
  Store store;
  resize(store, 3);
  EXPECT_EQ(store.id[2], -1);
  EXPECT_EQ(store.position[2], Vec3(0, 0, 0));
  EXPECT_EQ(store.orientation[2].w(), 1.0);
  int fields = 0;
  for_each_field(store, [&fields](const FieldInfo&, const auto& field) {
    EXPECT_EQ(field.size(), 3u);
    ++fields;
  });
  EXPECT_EQ(fields, 19);
}

TEST(Store, KeepOwnedKeepsTheOrderAndDropsGhosts) {
  Store store;
  append_tool(store, tool(0));
  for (int id = 0; id < 5; ++id) append_grain(store, grain(id));
  resize(store, 8);  // two ghosts
  keep_owned(store, {true, false, false, true, true});
  EXPECT_EQ(store.n_owned, 3);
  EXPECT_EQ(store.id, (std::vector<std::int64_t>{kFirstToolId, 0, 3, 4}));
  EXPECT_EQ(store.position[2], Vec3(3, 0, 0));
  keep_owned(store, {false, false, false});
  EXPECT_EQ(store.size(), 1);
}

TEST(Store, AppendingAGrainDropsGhosts) {
  Store store;
  append_grain(store, grain(0));
  resize(store, 3);
  append_grain(store, grain(1));
  EXPECT_EQ(store.id, (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(store.box[1].low, Vec3(0, 0, 0));
}

}  // namespace
}  // namespace scree
