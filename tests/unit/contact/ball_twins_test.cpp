#include "scree/contact/ball_twins.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "scenes.hpp"
#include "scree/contact/broadphase.hpp"
#include "scree/contact/narrowphase.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/shapes/box.hpp"
#include "scree/geometry/shapes/capsule.hpp"
#include "scree/geometry/shapes/cluster.hpp"
#include "scree/geometry/shapes/ellipsoid.hpp"
#include "scree/geometry/shapes/plane.hpp"
#include "scree/geometry/shapes/ring.hpp"
#include "scree/geometry/shapes/sphere.hpp"

namespace scree {
namespace {

using testing::Random;
using testing::tool;
using testing::uniform;
using testing::vector_in;

constexpr int kBalls = 7;
const Reach kReach{.dt = 1e-3, .smallest_radius = 0.05};

/// Spheroids, capsules, rings and balls by chance above a floor, as @p shape_of gives them.
template <class ShapeOf>
Store crowd(std::shared_ptr<const ShapeLibrary> shapes, const ShapeOf& shape_of) {
  const std::array<Shape, 4> kinds{Ellipsoid{{0.1, 0.1, 0.3}}, Capsule{0.1, 0.3}, Ring{0.25, 0.05},
                                   Sphere{0.1}};
  Random random(7);
  Store store;
  store.shapes = std::move(shapes);
  append_tool(store, tool(0, Plane{}, Vec3(0, 0, -0.7)));
  for (int k = 0; k < 60; ++k) {
    Body body = testing::ball(k, vector_in(random, Vec3::Constant(-0.8), Vec3::Constant(0.8)), 0.1,
                              vector_in(random, Vec3::Constant(-1), Vec3::Constant(1)));
    body.orientation = Quat(uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, -1, 1),
                            uniform(random, -1, 1))
                           .normalized();
    body.shape = shape_of(kinds[static_cast<std::size_t>(k) % kinds.size()]);
    append_grain(store, body);
  }
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    store.free_velocity[slot] = store.velocity[slot];
  }
  update_boxes(store, kReach);
  return store;
}

/// The contacts are those of bodies that are clusters.
TEST(BallTwins, TouchAsClustersDo) {
  const Store smooth =
      crowd(std::make_shared<const ShapeLibrary>(), [](const Shape& shape) { return shape; });
  const auto library = std::make_shared<ShapeLibrary>();
  const Store clusters = crowd(library, [&library](const Shape& shape) -> Shape {
    std::optional<BallCluster> balls = balls_of(shape, kBalls);
    if (!balls) return shape;
    return Cluster{library->add(std::move(*balls)), 1.0};
  });
  const BallTwins twins(smooth, kBalls);
  const ContactList found = narrowphase(smooth, broadphase(smooth), kReach, twins.surfaces());
  const ContactList expected = narrowphase(clusters, broadphase(clusters), kReach);
  ASSERT_EQ(found.size(), expected.size());
  EXPECT_GT(found.size(), narrowphase(smooth, broadphase(smooth), kReach).size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].key, expected[i].key);
    EXPECT_EQ(found[i].gap, expected[i].gap);
    EXPECT_EQ(found[i].arm_a, expected[i].arm_a);
  }
}

TEST(BallTwins, AreRefusedForWhatTheyDoNotFill) {
  EXPECT_EQ(fault_of_balls(Box{{1.0, 1.0, 1.0}}, 3),
            "a cluster of 3 balls for a box; allowed: ellipsoids that are longer than wide, "
            "capsules and rings");
  EXPECT_EQ(fault_of_balls(Capsule{0.1, 0.3}, 4),
            "a cluster of 4 balls for a capsule; allowed: odd numbers");
  EXPECT_NE(fault_of_balls(Ellipsoid{{0.1, 0.2, 0.3}}, 3), "");
  EXPECT_EQ(fault_of_balls(Ring{1.0, 0.1}, 32), "");
  EXPECT_EQ(fault_of_balls(Sphere{0.1}, 4), "");
}

}  // namespace
}  // namespace scree
