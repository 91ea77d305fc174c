#include "scree/geometry/pairs/plane_between.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"
#include "scree/geometry/shapes/all_shapes.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "support/hulls.hpp"
#include "unit/geometry/separation_oracle.hpp"

namespace scree {
namespace {

using namespace test;

const std::vector<Shape> kCostly{Cylinder{0.4, 1.0}, Cone{0.5, 1.2},
                                 Superellipsoid{{0.7, 0.5, 0.4}, {4.0, 7.0}}, Ring{0.6, 0.2}};
const std::vector<Shape> kOthers{Box{{0.5, 0.4, 0.3}}, Ellipsoid{{0.7, 0.5, 0.4}},
                                 Capsule{0.2, 0.9}, Polyhedron{0, 0.2}};

/// `test(a, pose_a, b, pose_b, size)` of each of kCostly with all, often: up to 1.4 sizes from
/// centre to centre.
template <class Test>
void for_each_pair(const ShapeLibrary& library, const Test& test) {
  Random random(1);
  std::vector<Shape> all = kCostly;
  all.insert(all.end(), kOthers.begin(), kOthers.end());
  for (const Shape& a : kCostly) {
    for (const Shape& b : all) {
      for (int k = 0; k < 200; ++k) {
        const double size = bounding_radius(a, library) + bounding_radius(b, library);
        const Pose pose_a{Vec3(1.0, 2.0, -3.0), random_turn(random)};
        const Pose pose_b{
            pose_a.position + uniform(random, 0.0, 1.4) * size * random_direction(random),
            random_turn(random)};
        test(a, pose_a, b, pose_b, size);
      }
    }
  }
}

ShapeLibrary with_a_pebble() {
  Random random(2);
  ShapeLibrary library;
  library.add(hull_of(pebble(40, {3.0, 2.0, 1.5}, random), "pebble"));
  return library;
}

// No plane parts bodies by more than their distance; that of a ring's hull, which fills its hole,
// is less. Gaps and the plane's are known to 1e-13 of the size. Six steps find nearly all that are
// parted by a tenth of their size more than is asked.
TEST(PlaneBetween, IsCertainAndFoundWhereBodiesAreClearlyApart) {
  const ShapeLibrary library = with_a_pebble();
  int n_clear = 0;
  int n_found = 0;
  for_each_pair(library, [&](const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                             double size) {
    const double gap = contacts_between(a, pose_a, b, pose_b, library, 0.0).deepest().gap;
    for (const double asked : {0.0, 0.03 * size}) {
      const bool is_there = is_plane_between(a, pose_a, b, pose_b, library, asked);
      EXPECT_EQ(is_there, is_plane_between(b, pose_b, a, pose_a, library, asked));
      if (is_there) {
        EXPECT_GE(gap, asked - 1e-12 * size) << type_of(a) << " and " << type_of(b);
      }
      if (a.is<Ring>() || b.is<Ring>() || gap < asked + 0.1 * size) continue;
      ++n_clear;
      n_found += is_there;
    }
  });
  EXPECT_GT(n_clear, 1000);
  EXPECT_GT(n_found, 0.99 * n_clear);
}

/// A ball through a ring is apart from it, but no plane is between the two.
TEST(PlaneBetween, IsNotInTheHoleOfARing) {
  const ShapeLibrary library;
  const Shape ring = Ring{0.6, 0.1};
  const Shape bead = Cylinder{0.2, 0.2};
  EXPECT_GT(contacts_between(ring, {}, bead, {}, library, 0.0).deepest().gap, 0.2);
  EXPECT_FALSE(is_plane_between(ring, {}, bead, {}, library, 0.0));
  const Pose beside{Vec3(0.0, 0.0, 0.5), Quat::Identity()};
  EXPECT_TRUE(is_plane_between(ring, {}, bead, beside, library, 0.0));
}

TEST(PlaneBetween, IsNotLookedForWhereContactsAreCheapOrShapesHaveNoHull) {
  const ShapeLibrary library = with_a_pebble();
  const Pose far{Vec3(10.0, 0.0, 0.0), Quat::Identity()};
  for (const Shape& a : kOthers) {
    for (const Shape& b : kOthers) {
      EXPECT_FALSE(is_plane_between(a, {}, b, far, library, 0.0));
    }
  }
  for (const Shape& a : kCostly) {
    EXPECT_FALSE(is_plane_between(a, {}, Sphere{0.1}, far, library, 0.0));
    EXPECT_FALSE(is_plane_between(a, {}, Plane{}, far, library, 0.0));
  }
}

}  // namespace
}  // namespace scree
