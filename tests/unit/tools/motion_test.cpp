#include "scree/tools/motion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scree/base/check.hpp"
#include "scree/geometry/shapes/all_declared_shapes.hpp"
#include "scree/geometry/shapes/box.hpp"
#include "scree/geometry/shapes/plane.hpp"
#include "scree/tools/tool.hpp"
#include "support/temporary_file.hpp"

namespace scree {
namespace {

using testing::TemporaryFile;

const std::vector<Material> kMaterials{{"steel", 7850.0}};

ToolSpec tool(const Motion& motion) {
  ToolSpec spec;
  spec.name = "blade";
  spec.material = "steel";
  spec.shape = Box{{0.1, 0.2, 0.3}};
  spec.position = Vec3(1, 2, 3);
  spec.orientation = {Vec3(0, 2, 0), 0.4};
  spec.motion = motion;
  return spec;
}

double angle_between(const Quat& a, const Quat& b) {
  return rotation_vector(a * b.conjugate()).norm();
}

/// Goes @p steps steps by the velocities alone, and compares with the path at each end.
void expect_velocities_follow_path(const ToolSpec& spec, double dt, int steps) {
  Store store;
  const std::vector<ToolSpec> tools{spec};
  place_tools(tools, kMaterials, store);
  for (int k = 0; k < steps; ++k) {
    const double t = k * dt;
    set_tool_velocities(store, tools, t, dt);
    const Pose end = moved(pose_of(store, 0), store.velocity[0], store.angular_velocity[0], dt);
    move_tools(store, tools, t + dt);
    EXPECT_LT((end.position - store.position[0]).norm(), 1e-14) << "step " << k;
    EXPECT_LT(angle_between(end.orientation, store.orientation[0]), 1e-14) << "step " << k;
  }
  const Pose truth = pose_at(spec.motion, steps * dt, spec.placed());
  EXPECT_LT((store.position[0] - truth.position).norm(), 1e-13);
  EXPECT_LT(angle_between(store.orientation[0], truth.orientation), 1e-13);
}

TEST(Motion, EachStepEndsOnThePath) {
  expect_velocities_follow_path(tool(FixedMotion{}), 1e-3, 10);
  VelocityMotion velocity;
  velocity.velocity = Vec3(0.2, 0.1, -0.3);
  velocity.angular_velocity = Vec3(3, -7, 1);
  velocity.start = 0.01234;
  velocity.stop = 1.7;
  velocity.centre = Vec3(0.5, 0, 0);
  expect_velocities_follow_path(tool(velocity), 1e-3, 2000);
  TableMotion table;
  table.times = {0.1, 0.5, 0.7};
  table.displacements = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0)};
  table.rotations = {Vec3(0, 0, 0), Vec3(0, 0, 9), Vec3(0, 1, 9)};
  expect_velocities_follow_path(tool(table), 1.3e-3, 700);
}

OscillationMotion shaking() {
  OscillationMotion motion;
  motion.amplitude = 0.01;
  motion.direction = Vec3(0, 3, 4);
  motion.frequency = 25.0;
  motion.phase = 0.3;
  motion.start = 0.1;
  motion.stop = 0.35;
  return motion;
}

TEST(Motion, AnOscillationEndsEachStepOnThePath) {
  expect_velocities_follow_path(tool(shaking()), 1.1e-3, 400);
}

TEST(Motion, AnOscillationIsASineOfTime) {
  const OscillationMotion motion = shaking();
  const ToolSpec spec = tool(motion);
  const auto way = [&](double t) -> Vec3 {
    return pose_at(motion, t, spec.placed()).position - spec.position;
  };
  EXPECT_LT((way(0.0) - 0.01 * std::sin(0.3) * Vec3(0, 0.6, 0.8)).norm(), 1e-15);
  EXPECT_EQ(way(0.05), way(0.1));
  EXPECT_LT((way(0.11) - 0.01 * std::sin(0.3 + M_PI / 2) * Vec3(0, 0.6, 0.8)).norm(), 1e-15);
  EXPECT_LT((way(0.14) - way(0.1)).norm(), 1e-15) << "after a period";
  EXPECT_EQ(way(0.5), way(0.35));
}

TEST(Motion, ConstantVelocityIsWhereItShouldBe) {
  VelocityMotion motion;
  motion.velocity = Vec3(0.2, 0, 0);
  motion.start = 0.5;
  motion.stop = 1.5;
  const ToolSpec spec = tool(motion);
  EXPECT_EQ(pose_at(motion, 0.2, spec.placed()).position, Vec3(1, 2, 3));
  EXPECT_NEAR(pose_at(motion, 1.0, spec.placed()).position.x(), 1.1, 1e-15);
  EXPECT_NEAR(pose_at(motion, 9.0, spec.placed()).position.x(), 1.2, 1e-15);
}

TEST(Motion, TurningAboutACentreKeepsIt) {
  VelocityMotion motion;
  motion.angular_velocity = Vec3(0, 0, 2);
  motion.centre = Vec3(-0.5, 0, 0);
  const Pose pose = motion.pose_at(M_PI / 4, {Vec3(1, 0, 0), Quat::Identity()});  // a quarter turn
  EXPECT_LT((pose.position - Vec3(0.5, 0.5, 0)).norm(), 1e-14);
  EXPECT_LT((pose.orientation * Vec3(1, 0, 0) - Vec3(0, 1, 0)).norm(), 1e-14);
}

TEST(Motion, VelocityIsConstantWithinItsTime) {
  VelocityMotion motion;
  motion.velocity = Vec3(0.2, 0.1, -0.3);
  motion.angular_velocity = Vec3(3, -7, 1);
  const std::vector<ToolSpec> tools{tool(motion)};
  Store store;
  place_tools(tools, kMaterials, store);
  set_tool_velocities(store, tools, 0.3, 1e-3);
  EXPECT_LT((store.velocity[0] - motion.velocity).norm(), 1e-11);
  EXPECT_LT((store.angular_velocity[0] - motion.angular_velocity).norm(), 1e-10);
}

TEST(Motion, TablesInterpolateAndHoldTheirEnds) {
  TableMotion table;
  table.times = {1.0, 2.0, 4.0};
  table.displacements = {Vec3(1, 0, 0), Vec3(2, 0, 0), Vec3(2, 4, 0)};
  const Pose placed{Vec3(10, 0, 0), Quat::Identity()};
  EXPECT_EQ(table.pose_at(0.0, placed).position, Vec3(11, 0, 0));
  EXPECT_EQ(table.pose_at(1.5, placed).position, Vec3(11.5, 0, 0));
  EXPECT_EQ(table.pose_at(2.0, placed).position, Vec3(12, 0, 0));
  EXPECT_EQ(table.pose_at(3.0, placed).position, Vec3(12, 2, 0));
  EXPECT_EQ(table.pose_at(4.0, placed).position, Vec3(12, 4, 0));
  EXPECT_EQ(table.pose_at(99.0, placed).position, Vec3(12, 4, 0));
}

TEST(Motion, TablesComeFromFiles) {
  TemporaryFile file("t,x,y,z,rx,ry,rz\n0,0,0,0,0,0,0\n1,0.5,0,0,0,0,3\n");
  std::vector<ToolSpec> tools{tool(TableMotion{file.path(), {}, {}, {}, {}})};
  EXPECT_THROW(pose_at(tools[0].motion, 0.5, {}), Failure);  // not loaded
  load_motions(tools);
  const Pose pose = pose_at(tools[0].motion, 0.5, {});
  EXPECT_DOUBLE_EQ(pose.position.x(), 0.25);
  EXPECT_LT((rotation_vector(pose.orientation) - Vec3(0, 0, 1.5)).norm(), 1e-14);
  TemporaryFile backwards("t,x,y,z\n0,0,0,0\n0,1,0,0\n");
  TableMotion wrong{backwards.path(), {}, {}, {}, {}};
  EXPECT_THROW(wrong.load(), InputError);
  TemporaryFile half("t,x,y,z,rx\n0,0,0,0,0\n");
  TableMotion halved{half.path(), {}, {}, {}, {}};
  EXPECT_THROW(halved.load(), InputError);
}

TEST(Tools, PlanesTurnTheirNormalAndIdsCountUp) {
  ToolSpec wall = tool(FixedMotion{});
  wall.shape = Plane{};
  wall.normal = Vec3(0, -2, 0);
  ToolSpec ceiling = wall;
  ceiling.normal = Vec3(0, 0, -1);
  Store store;
  place_tools(std::vector{wall, ceiling}, kMaterials, store);
  EXPECT_EQ(store.n_tools, 2);
  EXPECT_EQ(store.id[1], kFirstToolId + 1);
  EXPECT_EQ(store.group[1], 1);
  EXPECT_LT((store.orientation[0] * Vec3(0, 0, 1) - Vec3(0, -1, 0)).norm(), 1e-15);
  EXPECT_LT((store.orientation[1] * Vec3(0, 0, 1) - Vec3(0, 0, -1)).norm(), 1e-15);
  EXPECT_TRUE(std::isinf(store.mass[0]));
  EXPECT_EQ(store.fixed[0], kFixAll);
}

}  // namespace
}  // namespace scree
