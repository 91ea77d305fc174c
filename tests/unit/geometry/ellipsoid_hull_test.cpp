#include <gtest/gtest.h>

#include "geometry/pairs/ellipsoid/ellipsoid_contacts.hpp"
#include "scree/geometry/shapes/ellipsoid.hpp"
#include "unit/geometry/brute_force_hull.hpp"
#include "unit/geometry/separation_oracle.hpp"

namespace scree {
namespace {

using namespace test;

/// A polytope with its pose and what the oracle asks of it.
struct Body {
  Hull hull;
  Vec3 stretch = Vec3::Ones();
  Pose pose;

  Vec3 vertex(std::size_t v) const { return pose.to_world(stretch.cwiseProduct(hull.vertices[v])); }
  /// The vertices, world frame.
  std::vector<Vec3> vertices() const {
    std::vector<Vec3> all;
    for (std::size_t v = 0; v < hull.vertices.size(); ++v) all.push_back(vertex(v));
    return all;
  }
  /// How far @p x is outside of the plane of the farthest face, m.
  double outside(const Vec3& x) const {
    double most = -1e300;
    for (const Hull::Face& face : hull.faces) {
      const std::size_t first = hull.loops[face.begin];
      most = std::max(most, (pose.orientation * face.normal).dot(x - vertex(first)));
    }
    return most;
  }
};

/// Random hulls of 5 to 12 vertices near a ball, flat or long by their shape, and the cube.
std::vector<Hull> hulls(Random& random) {
  std::vector<Hull> all{cube()};
  for (int k = 0; k < 40; ++k) {
    const Vec3 shape = k % 4 == 0   ? Vec3(1.0, 1.0, 0.1)
                       : k % 4 == 1 ? Vec3(0.1, 0.1, 1.0)
                                    : Vec3(0.7, 0.8, 0.9);
    std::vector<Vec3> points;
    for (int v = 0; v < 5 + k % 8; ++v) {
      points.push_back(random_direction(random).cwiseProduct(shape));
    }
    all.push_back(brute_force_hull(points));
  }
  return all;
}

Body random_body(Random& random, const std::vector<Hull>& known, int k) {
  const std::size_t which = k % known.size();
  Vec3 stretch = Vec3::Constant(uniform(random, 0.5, 1.5));
  if (which == 0) stretch = {uniform(random, 0.1, 1.5), 0.4, 0.8};
  return {known[which], stretch, {Vec3(1, 2, 3), random_turn(random)}};
}

Manifold contact(const Ellipsoid& e, const Pose& pose, const Body& body, double radius) {
  return ellipsoid_and_hull(e, pose, body.hull, body.stretch, body.pose, radius);
}

/// Directions of faces and of edges' arcs beside those spread over the sphere: the maxima are
/// there, on ridges that a search from elsewhere does not find.
std::vector<Vec3> with_features(const Body& body, const std::vector<Vec3>& spread) {
  std::vector<Vec3> all = spread;
  const auto normal = [&body](std::int32_t f) -> Vec3 {
    return body.pose.orientation * body.hull.faces[f].normal;
  };
  for (const Hull::Edge& edge : body.hull.edges) {
    for (int i = 0; i <= 20; ++i) {
      const double t = i / 20.0;
      all.push_back(((1.0 - t) * normal(edge.left) + t * normal(edge.right)).normalized());
    }
  }
  return all;
}

TEST(EllipsoidHull, GapIsTheGlobalMaximumOverDirections) {
  Random random(1);
  const std::vector<Hull> known = hulls(random);
  const std::vector<Vec3> spread = directions(200);
  int n_apart = 0;
  int n_deep = 0;
  for (int k = 0; k < 5000; ++k) {
    const Body body = random_body(random, known, k);
    const Ellipsoid e = random_ellipsoid(random);
    const Vec3 shift = (k % 5 == 0 ? 0.0 : uniform(random, 0.0, k % 5 == 1 ? 0.2 : 2.5)) *
                       random_direction(random);
    const Pose pose{body.pose.position + shift,
                    k % 7 == 0 ? body.pose.orientation : random_turn(random)};
    const Manifold found = contact(e, pose, body, 0.0);
    ASSERT_EQ(found.status, SeparationStatus::solved);
    const ContactPoint& point = found.deepest();
    const std::vector<Vec3> vertices = body.vertices();
    const auto g = [&](const Vec3& n) {
      double most = -1e300;
      for (const Vec3& v : vertices) most = std::max(most, n.dot(v));
      return n.dot(pose.position) - reach(e, pose, n) - most;
    };
    EXPECT_NEAR(g(point.normal), point.gap, 1e-13) << k;
    EXPECT_GE(point.gap, largest_on_sphere(g, with_features(body, spread), 3) - 1e-12) << k;
    // Its points are of the two bodies.
    EXPECT_NEAR(off_surface(e, pose, point.point_a), 0.0, 1e-12);
    EXPECT_NEAR(body.outside(point.point_b), 0.0, 1e-11) << k;
    n_apart += point.gap > 0.0;
    n_deep += point.gap < -e.rolling_radius();
  }
  EXPECT_GT(n_apart, 500);
  EXPECT_GT(n_deep, 1500);
}

TEST(EllipsoidHull, GapsSetExactlyAreFoundExactly) {
  Random random(2);
  const std::vector<Hull> known = hulls(random);
  for (int k = 0; k < 5000; ++k) {
    const Body body = random_body(random, known, k);
    const Ellipsoid e = random_ellipsoid(random);
    Pose pose{body.pose.position + 4.0 * random_direction(random), random_turn(random)};
    const ContactPoint start = contact(e, pose, body, 0.0).deepest();
    ASSERT_GT(start.gap, 0.0);
    const Vec3 origin = pose.position;
    for (const double gap : {0.0, 1e-8, -1e-8, 1e-3, -0.9 * e.rolling_radius()}) {
      pose.position = origin + (gap - start.gap) * start.normal;
      const ContactPoint at = contact(e, pose, body, 0.0).deepest();
      EXPECT_NEAR(at.gap, gap, 1e-12 * 5.0) << k << " " << gap;
      if (gap < -1e-3) continue;
      EXPECT_LT((at.normal - start.normal).norm(), 1e-8) << k << " " << gap;
    }
  }
}

TEST(EllipsoidHull, ABoxSeesABallAsTheBoxItselfDoes) {
  Random random(3);
  const Hull unit = cube();
  const Vec3 half(0.3, 0.5, 0.05);
  const Ellipsoid ball{{0.1, 0.1, 0.1}};
  for (int k = 0; k < 2000; ++k) {
    const Pose box{Vec3(1, 2, 3), random_turn(random)};
    const Pose pose{box.position + uniform(random, 0.0, 0.8) * random_direction(random),
                    Quat::Identity()};
    const ContactPoint at = ellipsoid_and_hull(ball, pose, unit, half, box, 0.01).deepest();
    const Vec3 p = box.to_body(pose.position);
    const Vec3 away = p - p.cwiseMax(-half).cwiseMin(half);
    const double outside = away.norm();
    const double inside = (half - p.cwiseAbs()).minCoeff();
    EXPECT_NEAR(at.gap, (outside > 0.0 ? outside : -inside) - 0.11, 1e-13) << k;
    if (outside > 1e-3) {
      EXPECT_LT((at.normal - box.orientation * away / outside).norm(), 1e-11) << k;
    }
  }
}

}  // namespace
}  // namespace scree
