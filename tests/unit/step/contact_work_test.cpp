#include "step/contact_work.hpp"

#include <gtest/gtest.h>

#include "scree/geometry/shapes/all_shapes.hpp"

namespace scree {
namespace {

const Shape kBall = Sphere{1.0};
const Shape kPlane = Plane{};
const Shape kBox = Box{{1.0, 1.0, 1.0}};
const Shape kCone = Cone{1.0, 1.0};
const Shape kSuperellipsoid = Superellipsoid{{1.0, 1.0, 1.0}, {4.0, 4.0}};

TEST(ContactWork, IsCountedInContactsOfTwoBalls) {
  EXPECT_EQ(contact_work(kBall, kBall), 1.0);
  EXPECT_EQ(contact_work(kBall, kPlane), 1.0);
}

TEST(ContactWork, OfAPairIsThatOfTheDearerShapeWhicheverComesFirst) {
  EXPECT_GT(contact_work(kBox, kBox), 2.0);
  EXPECT_GT(contact_work(kCone, kCone), contact_work(kBox, kBox));
  EXPECT_EQ(contact_work(kBox, kCone), contact_work(kCone, kCone));
  EXPECT_EQ(contact_work(kCone, kBox), contact_work(kCone, kCone));
}

TEST(ContactWork, WithABallOrAPlaneIsLittle) {
  for (const Shape& other : {kBall, kPlane}) {
    EXPECT_LE(contact_work(kCone, other), 1.5);
    EXPECT_EQ(contact_work(other, kCone), contact_work(kCone, other));
  }
  EXPECT_GT(contact_work(kBall, Mesh{}), contact_work(kBall, kCone));
  EXPECT_GT(contact_work(kSuperellipsoid, kBall), 5.0) << "its nearest point is searched for";
}

}  // namespace
}  // namespace scree
