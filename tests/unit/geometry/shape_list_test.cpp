#include "scree/geometry/shapes/shape_list.hpp"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <vector>

#include "scree/geometry/shapes/all_shapes.hpp"

namespace scree::test {
namespace {

static_assert(std::is_trivially_copyable_v<Shape>, "shapes travel between ranks as bytes");
static_assert(ListedShape<Ring> && !ListedShape<RoundHole> && !ListedShape<int>);

TEST(Shape, IsABallOfNoSizeAtFirst) {
  const Shape shape;
  ASSERT_TRUE(shape.is<Sphere>());
  EXPECT_EQ(shape.get<Sphere>().radius, 0.0);
}

TEST(Shape, HoldsWhatItWasMadeOfAndNothingElse) {
  Shape shape = Ring{0.3, 0.1};
  EXPECT_TRUE(shape.is<Ring>());
  EXPECT_EQ(shape.get_if<Sphere>(), nullptr);
  EXPECT_EQ(shape.get<Ring>().major_radius, 0.3);
  EXPECT_EQ(shape.get<Ring>().minor_radius, 0.1);
  shape.get<Ring>().minor_radius = 0.2;
  const Shape copy = shape;
  EXPECT_EQ(copy.get<Ring>().minor_radius, 0.2);
  shape = Box{{1.0, 2.0, 3.0}};
  EXPECT_FALSE(shape.is<Ring>());
  EXPECT_EQ(shape.get<Box>().half_size[2], 3.0);
}

TEST(Shape, EachOfTheListIsVisitedAsItself) {
  const std::vector<Shape> shapes{Sphere{1.0},
                                  Plane{},
                                  Box{{1.0, 2.0, 3.0}},
                                  HollowCylinder{{1.0, 1.0, 0.0, 2.0}},
                                  HollowCone{{1.0, 2.0, 0.0, 2.0}},
                                  Orifice{{1.0, 1.0, -1.0, 0.0}},
                                  Capsule{1.0, 2.0},
                                  Ellipsoid{{3.0, 2.0, 1.0}},
                                  Polyhedron{4, 0.5},
                                  Ring{0.3, 0.1},
                                  Cluster{2, 0.5},
                                  Mesh{1, 1},
                                  Clump{1, 0.5},
                                  Cylinder{1.0, 2.0},
                                  Cone{1.0, 2.0},
                                  Superellipsoid{{3.0, 2.0, 1.0}, {4.0, 8.0}}};
  ASSERT_EQ(shapes.size(), kShapeTypes);
  std::string names;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    EXPECT_EQ(shapes[i].number(), i);
    names += visit([]<class S>(const S&) { return std::string(S::kType) + " "; }, shapes[i]);
  }
  EXPECT_EQ(names,
            "sphere plane box hollow_cylinder hollow_cone orifice capsule ellipsoid polyhedron "
            "ring cluster mesh clump cylinder cone superellipsoid ");
}

}  // namespace
}  // namespace scree::test
