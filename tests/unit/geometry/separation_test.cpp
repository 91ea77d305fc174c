#include "scree/geometry/pairs/separation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "scree/base/check.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/all_shapes.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "support/random_vector.hpp"
#include "support/separation.hpp"

namespace scree {
using test::random_vector;
using test::separation;

const ShapeLibrary kBare;

namespace {

using Random = std::mt19937_64;

Pose random_pose(Random& random, double size) {
  return {random_vector(random, size), rotation_by(random_vector(random, 3.0))};
}

/// Shortest distance from @p p to the surface of @p box by sampling its faces.
double sampled_distance(const Box& box, const Vec3& p, int n) {
  double best = 1e300;
  for (int axis = 0; axis < 3; ++axis) {
    for (int side = -1; side <= 1; side += 2) {
      for (int i = 0; i <= n; ++i) {
        for (int j = 0; j <= n; ++j) {
          Vec3 q;
          q[axis] = side;
          q[(axis + 1) % 3] = 2.0 * i / n - 1.0;
          q[(axis + 2) % 3] = 2.0 * j / n - 1.0;
          best = std::min(best, (q.cwiseProduct(box.half()) - p).norm());
        }
      }
    }
  }
  return best;
}

TEST(BoxNearest, AgreesWithSampledSurface) {
  Random random(1);
  const Box box{{0.3, 0.5, 0.05}};
  for (int k = 0; k < 200; ++k) {
    const Vec3 p = random_vector(random, 0.8);
    const SurfacePoint nearest = box.nearest(p);
    const bool inside = (p.cwiseAbs().array() < box.half().array()).all();
    const double sampled = sampled_distance(box, p, 60);
    EXPECT_EQ(inside, nearest.distance < 0.0);
    EXPECT_LE(std::abs(nearest.distance), sampled + 1e-12);
    EXPECT_GE(std::abs(nearest.distance), sampled - 0.013);  // half a diagonal of the sampling
    EXPECT_NEAR(nearest.normal.norm(), 1.0, 1e-14);
    EXPECT_LT((nearest.point + nearest.distance * nearest.normal - p).norm(), 1e-14);
    // The nearest point is on the surface.
    EXPECT_NEAR((nearest.point.cwiseAbs() - box.half()).maxCoeff(), 0.0, 1e-15);
  }
}

TEST(BoxNearest, FaceEdgeCornerInsideAndOnTheSurface) {
  const Box box{{1.0, 2.0, 3.0}};
  const SurfacePoint face = box.nearest({1.5, 0.3, -0.2});
  EXPECT_EQ(face.normal, Vec3(1, 0, 0));
  EXPECT_DOUBLE_EQ(face.distance, 0.5);
  const SurfacePoint edge = box.nearest({4.0, 6.0, 0.0});
  EXPECT_EQ(edge.point, Vec3(1, 2, 0));
  EXPECT_DOUBLE_EQ(edge.distance, 5.0);
  const SurfacePoint corner = box.nearest({-2.0, -4.0, -5.0});
  EXPECT_EQ(corner.point, Vec3(-1, -2, -3));
  EXPECT_DOUBLE_EQ(corner.distance, 3.0);
  const SurfacePoint inside = box.nearest({-0.9, 0.0, 0.0});
  EXPECT_EQ(inside.normal, Vec3(-1, 0, 0));
  EXPECT_NEAR(inside.distance, -0.1, 1e-15);
  const SurfacePoint surface = box.nearest({0.0, -2.0, 0.0});
  EXPECT_EQ(surface.normal, Vec3(0, -1, 0));
  EXPECT_EQ(surface.distance, 0.0);
  EXPECT_EQ(box.nearest(Vec3::Zero()).normal, Vec3(1, 0, 0));
}

TEST(BoxNearest, NormalTurnsContinuouslyOutside) {
  const Box box{{0.1, 0.2, 0.3}};
  const Pose pose{};
  const Sphere ball{0.05};
  Vec3 last = Vec3::Zero();
  for (int k = 0; k <= 4000; ++k) {
    const double t = 2.0 * M_PI * k / 4000.0;
    const Vec3 p(0.3 * std::cos(t), 0.4 * std::sin(t), 0.35 + 0.1 * std::sin(3.0 * t));
    const Vec3 n = separation_of(ball, {p, Quat::Identity()}, box, pose).normal;
    if (k > 0) {
      EXPECT_LT((n - last).norm(), 0.02);
    }
    last = n;
  }
}

TEST(Separation, PointsLieOnSurfacesAndSpanTheGap) {
  const ShapeLibrary library;
  Random random(2);
  const Shape shapes[] = {Sphere{0.3}, Box{{0.2, 0.1, 0.4}}, Plane{}};
  for (int k = 0; k < 500; ++k) {
    const Shape ball = Sphere{0.25};
    const Pose pose_a = random_pose(random, 0.7);
    for (const Shape& other : shapes) {
      const Pose pose_b = random_pose(random, 0.5);
      const ContactPoint s = separation(ball, pose_a, other, pose_b);
      EXPECT_NEAR(s.normal.norm(), 1.0, 1e-13);
      EXPECT_LT((s.point_a - s.point_b - s.gap * s.normal).norm(), 1e-13);
      EXPECT_NEAR((s.point_a - pose_a.position).norm(), 0.25, 1e-13);
      const Vec3 on_b = pose_b.to_body(s.point_b);
      const double off = visit(
          [&](const auto& b) { return library.geometry_of(b).nearest(on_b).distance; }, other);
      EXPECT_NEAR(off, 0.0, 1e-13);
    }
  }
}

TEST(Separation, TurningThePairRoundTurnsTheAnswerRound) {
  Random random(3);
  const Shape shapes[] = {Sphere{0.3}, Box{{0.2, 0.1, 0.4}}, Plane{}};
  for (int k = 0; k < 100; ++k) {
    const Shape ball = Sphere{0.25};
    const Pose pose_a = random_pose(random, 0.7);
    const Pose pose_b = random_pose(random, 0.7);
    for (const Shape& other : shapes) {
      const ContactPoint ab = separation(ball, pose_a, other, pose_b);
      const ContactPoint ba = separation(other, pose_b, ball, pose_a);
      EXPECT_DOUBLE_EQ(ab.gap, ba.gap);
      EXPECT_LT((ab.normal + ba.normal).norm(), 1e-15);
      EXPECT_LT((ab.point_a - ba.point_b).norm(), 1e-15);
      EXPECT_LT((ab.point_b - ba.point_a).norm(), 1e-15);
    }
  }
}

TEST(Separation, GapAgreesWithSampledSurfaces) {
  Random random(4);
  const Box box{{0.2, 0.1, 0.4}};
  for (int k = 0; k < 50; ++k) {
    const Pose pose_a = random_pose(random, 1.0);
    const Pose pose_b = random_pose(random, 1.0);
    const ContactPoint s = separation(Sphere{0.1}, pose_a, box, pose_b);
    if (s.gap < -0.1) continue;  // the centre is inside
    const double sampled = sampled_distance(box, pose_b.to_body(pose_a.position), 60) - 0.1;
    EXPECT_LE(s.gap, sampled + 1e-12);
    EXPECT_GE(s.gap, sampled - 0.011);
  }
}

TEST(Separation, CoincidingCentresHaveADefiniteNormal) {
  const Pose pose{Vec3(1, 2, 3), rotation_by({1, 0, 0})};
  const ContactPoint s = separation(Sphere{0.1}, pose, Sphere{0.2}, pose);
  EXPECT_EQ(s.normal, Vec3(0, 0, 1));
  EXPECT_NEAR(s.gap, -0.3, 1e-15);
}

TEST(Separation, TwoToolsAreRefused) {
  const Pose pose{};
  EXPECT_THROW(separation(Plane{}, pose, Orifice{}, pose), Failure);
  EXPECT_THROW(separation(Plane{}, pose, Plane{}, pose), Failure);
}

TEST(Pose, RotationVectorsRoundTrip) {
  Random random(5);
  for (const double size : {1e-9, 1e-5, 0.1, 1.0, 1.8}) {
    for (int k = 0; k < 100; ++k) {
      const Vec3 w = random_vector(random, size);
      if (w.norm() > M_PI) continue;
      const Quat q = rotation_by(w);
      EXPECT_NEAR(q.norm(), 1.0, 1e-15);
      EXPECT_LT((rotation_vector(q) - w).norm(), 1e-14 + 1e-13 * w.norm());
      const Quat minus(-q.w(), -q.x(), -q.y(), -q.z());
      EXPECT_LT((rotation_vector(minus) - w).norm(), 1e-14 + 1e-13 * w.norm());
    }
  }
  EXPECT_EQ(rotation_vector(Quat::Identity()), Vec3(0, 0, 0));
}

TEST(ShapeQueries, BoxHoldsTheTurnedShape) {
  Random random(6);
  const Shape box = Box{{0.2, 0.1, 0.4}};
  for (int k = 0; k < 50; ++k) {
    const Pose pose = random_pose(random, 1.0);
    const Box3 bounds = box_of(box, pose, kBare);
    Vec3 low = Vec3::Constant(1e300);
    Vec3 high = -low;
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 c(corner & 1 ? 0.2 : -0.2, corner & 2 ? 0.1 : -0.1, corner & 4 ? 0.4 : -0.4);
      low = low.cwiseMin(pose.to_world(c));
      high = high.cwiseMax(pose.to_world(c));
    }
    EXPECT_LT((bounds.low - low).norm(), 1e-13);
    EXPECT_LT((bounds.high - high).norm(), 1e-13);
  }
  EXPECT_EQ(type_of(Plane{}), "plane");
  EXPECT_DOUBLE_EQ(volume(box, kBare), 8 * 0.2 * 0.1 * 0.4);
}

TEST(ShapeQueries, BoxOfAPlaneIsHalfOfSpaceOrAll) {
  const double inf = std::numeric_limits<double>::infinity();
  const Box3 floor = box_of(Plane{}, {Vec3(1, 2, 3), Quat::Identity()}, kBare);
  EXPECT_EQ(floor.high, Vec3(inf, inf, 3));
  EXPECT_EQ(floor.low, Vec3(-inf, -inf, -inf));
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {-1.0, 1.0}) {
      const Quat turn = rotation_between(Vec3::UnitZ(), side * Vec3::Unit(axis));
      const Box3 wall = box_of(Plane{}, {Vec3(1, 2, 3), turn}, kBare);
      EXPECT_EQ(side > 0 ? wall.high[axis] : wall.low[axis], Vec3(1, 2, 3)[axis]);
      EXPECT_EQ((side > 0 ? wall.low : wall.high)[axis], -side * inf);
      EXPECT_EQ(wall.high[(axis + 1) % 3], inf);
    }
  }
  EXPECT_EQ(box_of(Plane{}, {Vec3(1, 2, 3), rotation_by({1e-9, 0, 0})}, kBare).high.z(), inf);
}

}  // namespace
}  // namespace scree
