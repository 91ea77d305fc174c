#include "scree/geometry/shapes/all_grain_shapes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <random>

#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/orientation.hpp"
#include "scree/geometry/shapes/grain_shape.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree::test {
namespace {

const std::vector<GrainShape> kShapes{Ball{},
                                      Ellipsoid{{0.02, 0.01, 0.005}},
                                      Capsule{0.01, 0.03},
                                      Box{{0.01, 0.02, 0.03}},
                                      Ring{0.03, 0.004},
                                      Cylinder{0.01, 0.03},
                                      Cone{0.02, 0.01},
                                      Superellipsoid{{0.02, 0.01, 0.005}, {3.0, 7.0}}};

// To rounding of a cube root and a cube.
TEST(GrainShape, OfASizeHasTheVolumeOfTheBall) {
  for (const GrainShape& shape : kShapes) {
    for (const double radius : {1e-6, 0.01, 30.0}) {
      const Shape sized = of_size(shape, radius);
      const double ball = 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
      EXPECT_NEAR(volume(sized, ShapeLibrary()) / ball, 1.0, 1e-14);
      EXPECT_NEAR(bounding_radius(sized, ShapeLibrary()) / radius, bounding_ratio(shape), 1e-14);
      EXPECT_NEAR(inscribed_radius(sized, ShapeLibrary()) / radius, inscribed_ratio(shape), 1e-14);
    }
  }
}

TEST(GrainShape, AsItStandsHasItsOwnRadius) {
  EXPECT_EQ(own_radius(Ball{}), 0.0);
  EXPECT_NEAR(own_radius(Ellipsoid{{0.02, 0.01, 0.005}}), 0.01, 1e-16);
  const Shape same = of_size(kShapes[3], own_radius(kShapes[3]));
  EXPECT_NEAR(same.get<Box>().half_size[2], 0.03, 1e-16);
}

// A wedge of the volume 1/6 and the bounding radius |(3, -1, -1)|/4, in the file's unit of 0.01 m.
TEST(GrainShape, OfAMeshIsItsHullsHandleAndScale) {
  const std::vector<Vec3> wedge{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  MeshPolyhedron mesh;
  mesh.hull = std::make_shared<const Hull>(hull_of(wedge, "wedge"));
  mesh.scale = 0.01;
  mesh.handle = 4;
  const double ball = std::cbrt(1.0 / (8.0 * std::numbers::pi));
  EXPECT_NEAR(own_radius(mesh), 0.01 * ball, 1e-17);
  EXPECT_NEAR(bounding_ratio(mesh), 0.25 * std::sqrt(11.0) / ball, 1e-14);
  const auto sized = of_size(mesh, 3.0 * ball).get<Polyhedron>();
  EXPECT_EQ(sized.handle, 4);
  EXPECT_NEAR(sized.scale, 3.0, 1e-14);
}

// Means of 100,000 draws: a cosine has the deviation 1/sqrt(3), so that 5 deviations of the mean
// are 0.01.
TEST(RandomRotation, HasNoDirection) {
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> draw;
  Mat3 sum = Mat3::Zero();
  constexpr int kDraws = 100'000;
  for (int k = 0; k < kDraws; ++k) {
    const double a = draw(generator);
    const double b = draw(generator);
    const Quat q = random_rotation({a, b, draw(generator)});
    ASSERT_NEAR(q.norm(), 1.0, 1e-14);
    sum += q.toRotationMatrix();
  }
  EXPECT_LT((sum / kDraws).cwiseAbs().maxCoeff(), 0.01);
}

}  // namespace
}  // namespace scree::test
