#include "scree/contact/narrowphase.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "scenes.hpp"
#include "scree/contact/broadphase.hpp"
#include "scree/contact/own_pairs.hpp"
#include "scree/contact/penetration.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"
#include "scree/geometry/shapes/all_shapes.hpp"

namespace scree {
namespace {

using testing::add_balls;
using testing::ball;
using testing::Random;
using testing::tool;
using testing::uniform;
using testing::vector_in;

const Vec3 kGravity(0, 0, -9.81);

/// The step of grains that nothing drives.
void predict_fall(Store& store, double dt) {
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    const auto i = static_cast<std::size_t>(slot);
    store.free_velocity[i] = store.velocity[i] + dt * kGravity;
  }
}

ContactList detect(Store& store, const Reach& reach) {
  predict_fall(store, reach.dt);
  update_boxes(store, reach);
  return narrowphase(store, broadphase(store), reach);
}

TEST(Narrowphase, GeometryOfTwoBallsAndAFloor) {
  Store store;
  append_tool(store, tool(0, Plane{}, Vec3(0, 0, 0)));
  append_grain(store, ball(5, Vec3(0, 0, 0.0999), 0.1));
  append_grain(store, ball(2, Vec3(0.3001, 0, 0.1), 0.2));
  const ContactList contacts = detect(store, {1e-3, 0.1});
  ASSERT_EQ(contacts.size(), 3u);
  const Contact& balls = contacts[0];
  EXPECT_EQ(balls.key, (ContactKey{2, 5, 0, 0}));
  EXPECT_EQ(balls.a, 2);
  EXPECT_EQ(balls.b, 1);
  EXPECT_NEAR(balls.gap, std::hypot(0.3001, 1e-4) - 0.3, 1e-15);
  EXPECT_NEAR(balls.normal.x(), 1.0, 1e-6);  // from B, id 5, to A, id 2
  EXPECT_NEAR(balls.arm_a.x(), -0.2 - 0.5e-4, 1e-6);
  EXPECT_NEAR(balls.arm_b.x(), 0.1 + 0.5e-4, 1e-6);
  const Contact& floor = contacts[2];
  EXPECT_EQ(floor.key, (ContactKey{5, kFirstToolId, 0, 0}));
  EXPECT_NEAR(floor.gap, -1e-4, 1e-15);
  EXPECT_EQ(floor.normal, Vec3(0, 0, 1));
  EXPECT_LT((floor.arm_a - Vec3(0, 0, -0.1)).norm(), 1e-15);
}

TEST(Narrowphase, BodiesThatCannotMoveMakeNoContact) {
  Store store;
  append_tool(store, tool(0, Plane{}, Vec3(0, 0, 0)));
  Body held = ball(0, Vec3(0, 0, 0.1), 0.1);
  held.fixed = kFixAll;
  append_grain(store, held);
  held.id = 1;
  held.position.x() = 0.2;
  append_grain(store, held);
  const Reach reach{1e-3, 0.1};
  EXPECT_TRUE(detect(store, reach).empty());
  store.fixed[2] = kFixAll & ~kFixRotation;  // no impulse along a normal can move it
  EXPECT_TRUE(detect(store, reach).empty());
  store.fixed[2] = kFixAll & ~kFixZ;
  EXPECT_EQ(detect(store, reach).size(), 2u);
}

TEST(Narrowphase, AFastBallDoesNotTunnelThroughAThinWall) {
  const Reach reach{1e-2, 0.01};
  Store store;
  append_tool(store, tool(0, Box{{0.0025, 0.5, 0.5}}, Vec3(0.25, 0, 0)));
  append_grain(store, ball(0, Vec3(0, 0.1, 0), 0.01, Vec3(50, 0, 0)));
  const ContactList contacts = detect(store, reach);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts[0].gap, 0.25 - 0.0025 - 0.01, 1e-12);
  EXPECT_NEAR(contacts[0].normal.x(), -1.0, 1e-12);
  // It flies past a wall that ends before its way does.
  store.position[1].y() = 0.6;
  EXPECT_TRUE(detect(store, reach).empty());
  // It flies away from the wall.
  store.position[1].y() = 0.1;
  store.velocity[1] = Vec3(-50, 0, 0);
  EXPECT_TRUE(detect(store, reach).empty());
}

TEST(Narrowphase, CrossingBallsAreFoundAndPassingOnesAreNot) {
  const Reach reach{1e-2, 0.01};
  Store store;
  append_grain(store, ball(0, Vec3(0, 0, 0), 0.01, Vec3(50, 0, 0)));
  append_grain(store, ball(1, Vec3(0.2, -0.2, 0), 0.01, Vec3(0, 50, 0)));
  ASSERT_EQ(detect(store, reach).size(), 1u);
  store.position[1].z() = 0.1;  // a tenth of a metre above the other's way
  EXPECT_TRUE(detect(store, reach).empty());
}

TEST(Narrowphase, APredictedTouchIsNeverMissed) {
  // Whatever two free bodies do in the step, looking at 2000 instants must not know of a touch
  // that detection does not.
  Random random(31);
  const Reach reach{1e-2, 0.01};
  int touches = 0;
  for (int scene = 0; scene < 400; ++scene) {
    Store store;
    append_tool(store, tool(0, Box{{0.003, 0.2, 0.2}}, Vec3(0, 0, 0),
                            rotation_by(vector_in(random, Vec3(-2, -2, -2), Vec3(2, 2, 2)))));
    store.velocity[0] = vector_in(random, Vec3(-5, -5, -5), Vec3(5, 5, 5));
    store.angular_velocity[0] = vector_in(random, Vec3(-90, -90, -90), Vec3(90, 90, 90));
    append_grain(store, ball(0, vector_in(random, Vec3(-.3, -.3, -.3), Vec3(.3, .3, .3)), 0.01,
                             vector_in(random, Vec3(-50, -50, -50), Vec3(50, 50, 50))));
    const bool found = !detect(store, reach).empty();
    const Vec3 way = store.velocity[1] + reach.dt * kGravity;
    bool touch = false;
    for (int k = 0; k <= 2000 && !touch; ++k) {
      const double t = reach.dt * k / 2000;
      const Pose wall = moved(pose_of(store, 0), store.velocity[0], store.angular_velocity[0], t);
      const Pose grain = moved(pose_of(store, 1), way, Vec3::Zero(), t);
      touch = store.shape[0].get<Box>().nearest(wall.to_body(grain.position)).distance < 0.01;
    }
    EXPECT_TRUE(found || !touch) << "scene " << scene;
    touches += touch ? 1 : 0;
  }
  EXPECT_GT(touches, 50);
  EXPECT_LT(touches, 350);
}

TEST(Narrowphase, FindsWhatAllPairsOfGapsGive) {
  Random random(32);
  Store store;
  append_tool(store, tool(0, Plane{}, Vec3(0, 0, -0.3)));
  append_tool(store, tool(1, Box{{0.2, 0.003, 0.3}}, Vec3(0, 0.05, 0), rotation_by({0, 0.3, 1})));
  add_balls(store, random, 1200, 0.3, 0.01, 0.03, 2.0);
  const Reach reach{1e-3, 0.01};
  const ContactList contacts = detect(store, reach);
  EXPECT_GT(contacts.size(), 500u);
  EXPECT_TRUE(std::is_sorted(contacts.begin(), contacts.end(),
                             [](const Contact& x, const Contact& y) { return x.key < y.key; }));
  std::size_t close = 0;
  for (std::int32_t i = 2; i < store.size(); ++i) {
    for (std::int32_t j = i + 1; j < store.size(); ++j) {
      const double gap = (store.position[static_cast<std::size_t>(i)] -
                          store.position[static_cast<std::size_t>(j)])
                             .norm() -
                         bounding_radius(store, i) - bounding_radius(store, j);
      if (gap < margin(store, i, reach) + margin(store, j, reach)) ++close;
    }
  }
  const auto between_grains =
      std::count_if(contacts.begin(), contacts.end(),
                    [](const Contact& contact) { return contact.key.id_b < kFirstToolId; });
  EXPECT_EQ(static_cast<std::size_t>(between_grains), close);
  for (const Contact& contact : contacts) {
    const Vec3 point_a = store.position[static_cast<std::size_t>(contact.a)] + contact.arm_a;
    const Vec3 point_b = store.position[static_cast<std::size_t>(contact.b)] + contact.arm_b;
    EXPECT_LT((point_a - point_b).norm(), 1e-13);
  }
}

/// Shapes that a plane is looked for between (is_plane_between), of about the radius @p r.
Shape spanned(std::int64_t id, double r) {
  switch (id % 4) {
    case 0:
      return Cylinder{0.7 * r, 1.4 * r};
    case 1:
      return Cone{r, 1.5 * r};
    case 2:
      return Ring{0.8 * r, 0.2 * r};
    default:
      return Superellipsoid{{r, 0.8 * r, 0.7 * r}, {3.0, 5.0}};
  }
}

/// Shapes of which those of one kind are not looked at for long where they are far apart
/// (contacts_between), of about the radius @p r.
Shape soon_parted(std::int64_t id, double r) {
  if (id % 2 == 0) return Box{{0.7 * r, 0.6 * r, 0.5 * r}};
  return Ellipsoid{{r, 0.8 * r, 0.6 * r}};
}

/// Checks that what is found of grains of the shapes that @p shape_of gives is what is within their
/// margins, which cohesion widens. Some are so fast that margins are capped: what these find
/// besides is on their paths.
void expect_within_margins(const std::function<Shape(std::int64_t id, double r)>& shape_of) {
  Random random(33);
  Store store;
  constexpr std::int64_t kGrains = 150;
  for (std::int64_t id = 0; id < kGrains; ++id) {
    const double fastest = id % 3 == 0 ? 80.0 : 2.0;
    Body grain = ball(id, vector_in(random, Vec3::Constant(-0.4), Vec3::Constant(0.4)), 0.1,
                      vector_in(random, Vec3::Constant(-fastest), Vec3::Constant(fastest)));
    grain.shape = shape_of(id, 0.1);
    grain.orientation = rotation_by(vector_in(random, Vec3::Constant(-1), Vec3::Constant(1)));
    append_grain(store, grain);
  }
  const Reach reach{.dt = 1e-3, .smallest_radius = 0.02, .rupture_distance = 0.005};
  std::vector<std::pair<std::int64_t, std::int64_t>> found;
  std::size_t on_path = 0;
  const ContactList contacts = detect(store, reach);
  for (const Contact& c : contacts) {
    const std::pair pair(c.key.id_a, c.key.id_b);
    on_path += c.on_path ? 1 : 0;
    if (!c.on_path && (found.empty() || found.back() != pair)) found.push_back(pair);
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> expected;
  std::size_t apart = 0;
  for (std::int32_t a = 0; a < store.size(); ++a) {
    for (std::int32_t b = a + 1; b < store.size(); ++b) {
      const double gap = contacts_between(store.shape[a], pose_of(store, a), store.shape[b],
                                          pose_of(store, b), *store.shapes, 0.0)
                             .deepest()
                             .gap;
      const double margins = margin(store, a, reach) + margin(store, b, reach);
      if (gap < margins) expected.emplace_back(store.id[a], store.id[b]);
      apart += gap >= margins && store.box[a].meets(store.box[b]) ? 1 : 0;
    }
  }
  EXPECT_EQ(found, expected);
  EXPECT_GT(expected.size(), 100U);
  EXPECT_GT(apart, 100U);  // that boxes alone would not tell
  EXPECT_GT(on_path, 10U);
}

TEST(Narrowphase, FindsWhatIsWithinMarginsOfShapesThatAPlaneMayPart) {
  expect_within_margins(spanned);
}

TEST(Narrowphase, FindsWhatIsWithinMarginsOfShapesThatAreSoonParted) {
  expect_within_margins(soon_parted);
}

TEST(Narrowphase, RegionsShareTheContactsWithoutGapOrOverlap) {
  // Three regions side by side; each has what its region's boxes meet, as a rank would.
  Random random(33);
  const Reach reach{1e-3, 0.01};
  Store world;
  append_tool(world, tool(0, Plane{}, Vec3(0, 0, -0.2)));
  add_balls(world, random, 500, 0.2, 0.01, 0.03, 3.0);
  const ContactList truth = detect(world, reach);
  const double cuts[] = {-1e300, -0.04, 0.05, 1e300};
  std::vector<ContactKey> keys;
  for (int rank = 0; rank < 3; ++rank) {
    const double low = cuts[rank];
    const double high = cuts[rank + 1];
    Store local;
    append_tool(local, tool(0, Plane{}, Vec3(0, 0, -0.2)));
    std::vector<std::int32_t> ghosts;
    for (std::int32_t slot = 1; slot < world.size(); ++slot) {
      const auto i = static_cast<std::size_t>(slot);
      const double x = world.position[i].x();
      if (x >= low && x < high) {
        append_grain(local, ball(world.id[i], world.position[i], bounding_radius(world, slot),
                                 world.velocity[i]));
      } else if (world.box[i].high.x() >= low && world.box[i].low.x() < high) {
        ghosts.push_back(slot);
      }
    }
    predict_fall(local, reach.dt);
    update_boxes(local, reach);
    const std::int32_t owned = local.n_owned;
    for (const std::int32_t slot : ghosts) {
      const auto i = static_cast<std::size_t>(slot);
      append_grain(local, ball(world.id[i], world.position[i], bounding_radius(world, slot),
                               world.velocity[i]));
    }
    predict_fall(local, reach.dt);
    update_boxes(local, reach);
    local.n_owned = owned;
    local.skin = local.box;
    const OwnsPoint owns = [low, high](const Vec3& p) { return p.x() >= low && p.x() < high; };
    const std::vector<Pair> pairs = own_pairs(local, broadphase(local), owns);
    for (const Contact& contact : narrowphase(local, pairs, reach)) {
      keys.push_back(contact.key);
    }
  }
  std::sort(keys.begin(), keys.end());
  ASSERT_EQ(keys.size(), truth.size());
  for (std::size_t k = 0; k < keys.size(); ++k) EXPECT_EQ(keys[k], truth[k].key);
}

TEST(Penetration, IsOverTheSmallerRadiusAndNamesThePair) {
  Store store;
  append_tool(store, tool(0, Plane{}, Vec3(0, 0, 0)));
  append_grain(store, ball(0, Vec3(0, 0, 0.19), 0.2));
  append_grain(store, ball(1, Vec3(0.28, 0, 0.19), 0.1));
  append_grain(store, ball(2, Vec3(9, 0, 5), 0.1));
  const Reach reach{1e-3, 0.1};
  const Penetration worst = penetration(store, detect(store, reach));
  EXPECT_NEAR(worst.relative, 0.2, 1e-12);
  EXPECT_NEAR(worst.depth, 0.02, 1e-13);
  EXPECT_EQ(store.id[static_cast<std::size_t>(worst.a)], 0);
  EXPECT_EQ(store.id[static_cast<std::size_t>(worst.b)], 1);
  store.position[2].x() = 3.0;
  EXPECT_NEAR(penetration(store, detect(store, reach)).relative, 0.05, 1e-12);
  store.position[1].z() = 0.3;
  EXPECT_EQ(penetration(store, detect(store, reach)).relative, 0.0);
}

/// At rest, so that nothing but cohesion widens what is looked at.
TEST(Reach, PairsAreKnownUpToTheRuptureDistance) {
  const Reach reach{.dt = 1e-3, .smallest_radius = 0.1, .rupture_distance = 0.03};
  for (const double gap : {0.0, 0.029, 0.03, 0.05}) {
    Store store;
    append_tool(store, tool(0, Plane{}, Vec3(0, 0, 0)));
    append_grain(store, ball(0, Vec3(0, 0, 0.1 + gap), 0.1));
    append_grain(store, ball(1, Vec3(0.2 + gap, 0, 0.1 + gap), 0.1));
    EXPECT_EQ(detect(store, reach).size(), gap <= 0.03 ? 3u : 0u) << gap;
  }
}

TEST(Reach, BoxesHoldTheMotionOfATurningTool) {
  Store store;
  append_tool(store, tool(0, Box{{0.5, 0.01, 0.02}}, Vec3(0, 0, 0)));
  append_tool(store, tool(1, Plane{}, Vec3(0, 0, 0)));
  store.angular_velocity[1] = Vec3(1, 0, 0);
  const Reach reach{0.1, 0.01};
  for (const double turn : {0.3, 1.5, 3.0, 6.0, 40.0}) {
    store.angular_velocity[0] = Vec3(0, 0, turn / reach.dt);
    store.velocity[0] = Vec3(1, 0, 0);
    update_boxes(store, reach);
    for (int k = 0; k <= 100; ++k) {
      const Pose pose =
          moved(pose_of(store, 0), store.velocity[0], store.angular_velocity[0], 0.001 * k);
      for (int corner = 0; corner < 4; ++corner) {
        const Vec3 c(corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.01 : -0.01, 0.0);
        EXPECT_TRUE(store.box[0].contains(pose.to_world(c))) << turn << " " << k;
      }
    }
  }
  EXPECT_TRUE(std::isinf(store.box[1].high.x()));
  EXPECT_FALSE(std::isnan(store.box[1].low.x()));
}

/// Grains where a step would bring them: overlaps there are those of a store that stands there.
TEST(Narrowphase, OverlapsOfATrialConfiguration) {
  Random random(7);
  Store base;
  append_tool(base, tool(0, Plane{}, Vec3(0, 0, -0.6)));
  Store moved_to;
  append_tool(moved_to, tool(0, Plane{}, Vec3(0, 0, -0.6)));
  for (std::int64_t id = 0; id < 60; ++id) {
    Body grain = ball(id, vector_in(random, Vec3::Constant(-0.5), Vec3::Constant(0.5)), 0.1);
    grain.shape = id % 2 == 0 ? Shape(Ellipsoid{{0.06, 0.1, 0.16}}) : spanned(id / 2, 0.12);
    append_grain(base, grain);
    grain.position += vector_in(random, Vec3::Constant(-0.05), Vec3::Constant(0.05));
    grain.orientation = rotation_by(vector_in(random, Vec3::Constant(-1), Vec3::Constant(1)));
    append_grain(moved_to, grain);
  }
  const Reach reach{.dt = 1e-3, .smallest_radius = 0.06, .spare = 0.2};
  update_boxes(base, reach);
  std::vector<Pose> poses;
  for (std::int32_t slot = 0; slot < moved_to.size(); ++slot) {
    poses.push_back(pose_of(moved_to, slot));
  }
  const std::vector<Contact> found = overlaps(base, broadphase(base), poses, reach);
  std::vector<Contact> expected = detect(moved_to, reach).copy();
  std::erase_if(expected, [](const Contact& c) { return c.gap >= 0.0; });
  ASSERT_GT(expected.size(), 20U);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].key, expected[i].key);
    EXPECT_EQ(found[i].gap, expected[i].gap);
    EXPECT_EQ(found[i].normal, expected[i].normal);
    EXPECT_EQ(found[i].arm_a, expected[i].arm_a);
    EXPECT_EQ(found[i].arm_b, expected[i].arm_b);
  }
}

}  // namespace
}  // namespace scree
