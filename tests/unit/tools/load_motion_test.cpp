#include "scree/tools/load_motion.hpp"

#include <gtest/gtest.h>

#include "scree/base/check.hpp"
#include "scree/geometry/shapes/all_declared_shapes.hpp"
#include "scree/tools/tool.hpp"

namespace scree {
namespace {

ToolSpec pressed(const LoadMotion& motion) {
  ToolSpec spec;
  spec.name = "plate";
  spec.material = "wood";
  spec.shape = Box{{0.1, 0.2, 0.3}};  // half extents
  spec.position = Vec3(1, 2, 3);
  spec.motion = motion;
  return spec;
}

TEST(LoadMotion, HoldsWhatIsNotFree) {
  LoadMotion motion;
  EXPECT_EQ(motion.held(), 0);
  EXPECT_TRUE(motion.frees_rotation());
  motion.free = {"z", "ry"};
  EXPECT_EQ(motion.held(), kFixX | kFixY | kFixRotationX | kFixRotationZ);
  motion.free = {"x", "z"};
  EXPECT_EQ(motion.held(), kFixY | kFixRotation);
  EXPECT_FALSE(motion.frees_rotation());
}

TEST(LoadMotion, GivesFormulasOfTime) {
  LoadMotion motion;
  motion.force = {"1", "t < 2 ? 0 : 5", "-t^2"};
  motion.torque = {"0", "0", "1/(t - 3)"};
  EXPECT_THROW(motion.load_at(1.0, "plate"), Failure);  // not loaded
  motion.load();
  Vec6 wanted;
  wanted << 1, 5, -4, 0, 0, -1;
  EXPECT_EQ(motion.load_at(2.0, "plate"), wanted);
  EXPECT_THROW(motion.load_at(3.0, "plate"), InputError);
}

TEST(LoadMotion, GivesTheToolAMassAndNoPath) {
  const std::vector<Material> materials{{"wood", 500.0}};
  std::vector<ToolSpec> tools{pressed({}), pressed({}), pressed({})};
  tools[1].mass = 7.0;
  tools[2].motion = FixedMotion{};
  Store store;
  place_tools(tools, materials, store);
  EXPECT_NEAR(store.mass[0], 500.0 * 0.048, 1e-12);
  EXPECT_NEAR(store.inertia[0].x(), store.mass[0] * (0.16 + 0.36) / 12.0, 1e-12);
  EXPECT_EQ(store.mass[1], 7.0);
  EXPECT_NEAR(store.inertia[1].z(), 7.0 * (0.04 + 0.16) / 12.0, 1e-12);
  EXPECT_TRUE(store.is_free_tool(0) && store.is_free_tool(1) && store.is_prescribed(2));
  EXPECT_EQ(count_free_tools(store), 2);
  store.velocity[0] = Vec3(0, 0, 1);
  store.position[0] = Vec3(4, 5, 6);
  set_tool_velocities(store, tools, 0.5, 1e-3);
  move_tools(store, tools, 0.5);
  EXPECT_EQ(store.velocity[0], Vec3(0, 0, 1));
  EXPECT_EQ(store.position[0], Vec3(4, 5, 6));
  EXPECT_EQ(store.position[2], Vec3(1, 2, 3));
}

}  // namespace
}  // namespace scree
