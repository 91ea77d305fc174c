#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"
#include "scree/geometry/shapes/box.hpp"
#include "scree/geometry/shapes/capsule.hpp"
#include "scree/geometry/shapes/ellipsoid.hpp"
#include "scree/geometry/shapes/polyhedron.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "scree/geometry/shapes/sphere.hpp"
#include "support/convex_oracle.hpp"
#include "support/hulls.hpp"
#include "support/random_vector.hpp"

namespace scree {
using test::random_vector;

namespace {

using Random = std::mt19937_64;
using test::Solid;

struct Pair {
  Shape a, b;
  Pose pose_a, pose_b;
};

/// Convex bodies of all kinds: stout, needles of 1:1:20 and discs of 20:20:1.
class Bodies {
 public:
  Bodies() {
    Random random(11);
    const Vec3 needle(0.05, 0.05, 1.0);
    const Vec3 disc(1.0, 1.0, 0.05);
    shapes_ = {
        Sphere{0.4},          Capsule{0.3, 0.8},    Capsule{0.05, 1.9},     Capsule{0.3, 0.0},
        Box{{0.5, 0.5, 0.5}}, Box{{0.3, 0.6, 0.8}}, Box{{0.05, 0.05, 1.0}}, Box{{1.0, 1.0, 0.05}}};
    add(test::dodecahedron(), 0.4);
    add(test::icosahedron(), 0.3);
    add(test::prism(7, 1.5), 0.6);
    add(test::prism(3, 0.3), 0.7);
    add({{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}}, 0.5);
    add(test::pebble(14, Vec3(0.5, 0.7, 0.9), random), 1.0);
    add(test::pebble(10, needle, random), 1.0);
    add(test::pebble(10, disc, random), 1.0);
    // Enough vertices for the search along edges.
    add(test::pebble(40, Vec3(0.8, 0.7, 0.6), random), 1.0);
  }

  const Shape& any(Random& random) const {
    return shapes_[std::uniform_int_distribution<std::size_t>(0, shapes_.size() - 1)(random)];
  }
  const ShapeLibrary& library() const { return library_; }
  const std::vector<Shape>& shapes() const { return shapes_; }

 private:
  void add(const std::vector<Vec3>& points, double scale) {
    shapes_.push_back(Polyhedron{library_.add(hull_of(points, "test")), scale});
  }

  ShapeLibrary library_;
  std::vector<Shape> shapes_;
};

const Bodies& bodies() {
  static const Bodies all;
  return all;
}

/// Quaternions of normal deviates have no preferred direction.
Quat any_turn(Random& random) {
  std::normal_distribution<double> normal;
  return Quat(normal(random), normal(random), normal(random), normal(random)).normalized();
}

/// A turn that keeps axes parallel to axes.
Quat right_angles(Random& random) {
  std::uniform_int_distribution<int> quarter(0, 3);
  Quat turn = Quat::Identity();
  for (int axis = 0; axis < 3; ++axis) {
    turn = rotation_by(0.5 * M_PI * quarter(random) * Vec3::Unit(axis)) * turn;
  }
  return turn.normalized();
}

double farthest_out(const Solid& solid, const Vec3& p) {
  double most = -1e300;
  for (std::size_t f = 0; f < solid.normals.size(); ++f) {
    most = std::max(most, solid.normals[f].dot(p) - solid.reach(solid.normals[f]));
  }
  return most;
}

/// Whether @p p is on the surface of the body, to @p tolerance, where the normal @p n points out.
void expect_on_surface(const Solid& solid, const Vec3& p, const Vec3& n, double tolerance) {
  EXPECT_NEAR(n.dot(p), solid.reach(n) + solid.radius, tolerance);
  const Vec3 core = p - solid.radius * n;
  if (!solid.normals.empty()) {
    EXPECT_LT(farthest_out(solid, core), tolerance);
  }
  if (solid.edges.size() == 1) {
    EXPECT_LT(test::to_segment(core, solid.vertices[0], solid.vertices[1]), tolerance);
  }
}

/// Coordinates are of the order of 1: twenty roundings in products of vectors of that length, and
/// the oracle's own, come to 1e-14; needles and edges at small angles cost up to two figures more.
constexpr double kRounding = 1e-12;

void expect_right(const Pair& pair) {
  const Manifold m =
      contacts_between(pair.a, pair.pose_a, pair.b, pair.pose_b, bodies().library(), 0.01);
  const Solid a = test::solid_of(pair.a, pair.pose_a, bodies().library());
  const Solid b = test::solid_of(pair.b, pair.pose_b, bodies().library());
  EXPECT_EQ(m.status, SeparationStatus::solved);
  ASSERT_GE(m.size(), 1U);
  const ContactPoint& p = m.deepest();
  EXPECT_NEAR(p.gap, test::gap_by_trying(a, b), kRounding);
  EXPECT_NEAR(p.normal.norm(), 1.0, 1e-14);
  EXPECT_LT((p.point_a - p.point_b - p.gap * p.normal).norm(), kRounding);
  // The normal separates by as much as the gap says; apart by less than the rounding of centres, a
  // normal from points is as rough as they are.
  const double core_gap = std::abs(p.gap + a.radius + b.radius);
  const double rough = kRounding + (core_gap > 1e-13 ? 1e-15 / core_gap : 0.0);
  EXPECT_NEAR(test::separation_by(a, b, p.normal) - a.radius - b.radius, p.gap, rough);
  expect_on_surface(a, p.point_a, -p.normal, rough);
  expect_on_surface(b, p.point_b, p.normal, rough);
  for (const ContactPoint& q : m) {
    EXPECT_GE(q.gap, p.gap);
    EXPECT_TRUE(q.gap <= 0.01 || &q == m.begin());
    EXPECT_LT((q.point_a - q.point_b - q.gap * q.normal).norm(), kRounding);
  }
  // Nothing tells two bodies apart that are one.
  if (pair.a.number() == pair.b.number() && pair.pose_a.position == pair.pose_b.position &&
      pair.pose_a.orientation.coeffs() == pair.pose_b.orientation.coeffs()) {
    return;
  }
  const Manifold turned =
      contacts_between(pair.b, pair.pose_b, pair.a, pair.pose_a, bodies().library(), 0.01);
  ASSERT_EQ(turned.size(), m.size());
  for (std::size_t i = 0; i < m.size(); ++i) {
    EXPECT_EQ(turned[i].gap, m[i].gap);
    EXPECT_EQ(turned[i].normal, -m[i].normal);
    EXPECT_EQ(turned[i].point_a, m[i].point_b);
    EXPECT_EQ(turned[i].point_b, m[i].point_a);
  }
}

/// Runs @p count pairs that @p place fills.
void expect_all(int count, unsigned seed, const std::function<void(Random&, Pair&)>& place) {
  Random random(seed);
  for (int k = 0; k < count; ++k) {
    Pair pair{bodies().any(random), bodies().any(random), {}, {}};
    place(random, pair);
    SCOPED_TRACE(::testing::Message()
                 << "pair " << k << ": " << type_of(pair.a) << " and " << type_of(pair.b));
    expect_right(pair);
    if (::testing::Test::HasFailure()) return;
  }
}

void anywhere(Random& random, Pair& pair, double spread) {
  pair.pose_a = {random_vector(random, spread), any_turn(random)};
  pair.pose_b = {random_vector(random, spread), any_turn(random)};
}

/// Moves A along the normal to the given gap, as far as the normal stays the deepest one.
void bring_to(double gap, Pair& pair) {
  const Manifold m =
      contacts_between(pair.a, pair.pose_a, pair.b, pair.pose_b, bodies().library(), 0.0);
  pair.pose_a.position += (gap - m.deepest().gap) * m.deepest().normal;
}

TEST(ConvexGap, OfRandomPairs) {
  expect_all(3000, 1, [](Random& random, Pair& pair) { anywhere(random, pair, 1.0); });
}

TEST(ConvexGap, OfPairsThatTouchOrNearlyDo) {
  expect_all(2500, 2, [](Random& random, Pair& pair) {
    anywhere(random, pair, 2.0);
    constexpr double kGaps[] = {0.0, 1e-8, -1e-8, 1e-12, 1e-5, -1e-4};
    bring_to(kGaps[std::uniform_int_distribution<int>(0, 5)(random)], pair);
  });
}

TEST(ConvexGap, OfDeepAndConcentricPairs) {
  expect_all(1500, 3, [](Random& random, Pair& pair) {
    anywhere(random, pair, 0.2);
    if (std::bernoulli_distribution(0.5)(random)) pair.pose_a.position = pair.pose_b.position;
  });
}

TEST(ConvexGap, OfParallelPairs) {
  expect_all(1500, 4, [](Random& random, Pair& pair) {
    anywhere(random, pair, 1.0);
    pair.pose_a.orientation = pair.pose_b.orientation * right_angles(random);
    if (std::bernoulli_distribution(0.5)(random)) bring_to(1e-8, pair);
    if (std::bernoulli_distribution(0.3)(random)) pair.pose_a = pair.pose_b;
  });
}

TEST(ConvexGap, OfNearlyParallelPairs) {
  expect_all(1500, 5, [](Random& random, Pair& pair) {
    anywhere(random, pair, 1.0);
    const double angle = std::pow(10.0, std::uniform_real_distribution<double>(-9.0, -2.0)(random));
    pair.pose_a.orientation =
        (rotation_by(random_vector(random, angle)) * pair.pose_b.orientation).normalized();
    bring_to(0.0, pair);
  });
}

TEST(ConvexGap, OfBodiesThatAreTheSame) {
  for (const Shape& shape : bodies().shapes()) {
    SCOPED_TRACE(type_of(shape));
    expect_right({shape, shape, {}, {}});
    expect_right({shape, shape, {Vec3::Zero(), rotation_by({1e-9, 0, 0})}, {}});
  }
}

/// With a bound on the gap there are no points of two polytopes, or two ellipsoids, that are
/// further apart, and else those that are found without it.
TEST(ConvexGap, BoundedByWhatIsFarIsTheSameOrNothing) {
  std::vector<Shape> shapes = bodies().shapes();
  shapes.push_back(Ellipsoid{{0.4, 0.5, 0.7}});
  shapes.push_back(Ellipsoid{{0.05, 0.9, 0.3}});
  const auto has_faces = [](const Shape& s) { return s.is<Box>() || s.is<Polyhedron>(); };
  Random random(7);
  int n_far_polytopes = 0;
  int n_far_ellipsoids = 0;
  for (int k = 0; k < 6000; ++k) {
    const double bound = k % 2 == 0 ? 0.05 : 0.0;
    std::uniform_int_distribution<std::size_t> any(0, shapes.size() - 1);
    Pair pair{shapes[any(random)], shapes[any(random)], {}, {}};
    if (k % 3 == 0) pair = {shapes.back(), shapes[shapes.size() - 2], {}, {}};
    anywhere(random, pair, 1.5);
    const auto points = [&pair](double far) {
      return contacts_between(pair.a, pair.pose_a, pair.b, pair.pose_b, bodies().library(), 0.01,
                              far);
    };
    const Manifold bounded = points(bound);
    const Manifold all = points(kNeverFar);
    const bool is_far = all.deepest().gap > bound;
    const bool are_polytopes = has_faces(pair.a) && has_faces(pair.b);
    const bool are_ellipsoids = pair.a.is<Ellipsoid>() && pair.b.is<Ellipsoid>();
    n_far_polytopes += is_far && are_polytopes;
    n_far_ellipsoids += is_far && are_ellipsoids;
    if (are_polytopes || are_ellipsoids) {
      EXPECT_EQ(bounded.size() == 0, is_far) << k;
    }
    if (bounded.size() == 0) {
      EXPECT_TRUE(is_far) << k;
      continue;
    }
    EXPECT_EQ(bounded.status, all.status);
    ASSERT_EQ(bounded.size(), all.size()) << k;
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(bounded[i].gap, all[i].gap);
      EXPECT_EQ(bounded[i].normal, all[i].normal);
      EXPECT_EQ(bounded[i].point_a, all[i].point_a);
      EXPECT_EQ(bounded[i].point_b, all[i].point_b);
      EXPECT_EQ(bounded[i].feature, all[i].feature);
    }
  }
  EXPECT_GT(n_far_polytopes, 400);
  EXPECT_GT(n_far_ellipsoids, 400);
}

TEST(ConvexGap, FarFromTheOriginLosesOnlyThePositionsRounding) {
  Random random(6);
  const Vec3 far(1e4, -2e4, 3e4);
  for (int k = 0; k < 300; ++k) {
    Pair pair{bodies().any(random), bodies().any(random), {}, {}};
    anywhere(random, pair, 1.0);
    const Manifold here =
        contacts_between(pair.a, pair.pose_a, pair.b, pair.pose_b, bodies().library(), 0.0);
    pair.pose_a.position += far;
    pair.pose_b.position += far;
    const Manifold there =
        contacts_between(pair.a, pair.pose_a, pair.b, pair.pose_b, bodies().library(), 0.0);
    EXPECT_NEAR(there.deepest().gap, here.deepest().gap, 3e-11);  // eps of 4e4 is 7e-12
  }
}

// Two cubes that lie on one floor, 11 mm apart, from a heap: upright edges 1e-8 rad from parallel,
// along which all points are as near to rounding. Of the normal no more is known than the root of
// rounding.
TEST(ConvexGap, OfEdgesThatAreAllButParallel) {
  const Box cube{{0.01, 0.01, 0.01}};
  const Pair pair{cube,
                  cube,
                  {Vec3(-0.35137831878798287, 0.17414133605088566, 0.0099949657701859356),
                   Quat(-3.6264959021621874e-11, -0.283172993814513, -0.95906884819293658,
                        4.6204901653013842e-11)},
                  {Vec3(-0.32550278245976222, 0.15221669712810995, 0.0099949658001314522),
                   Quat(-0.94880695662856562, -6.4659928818216365e-10, -1.7380110682322711e-09,
                        -0.31585654821966147)}};
  const Manifold m =
      contacts_between(pair.a, pair.pose_a, pair.b, pair.pose_b, bodies().library(), 1e-3);
  const Solid a = test::solid_of(pair.a, pair.pose_a, bodies().library());
  const Solid b = test::solid_of(pair.b, pair.pose_b, bodies().library());
  EXPECT_EQ(m.status, SeparationStatus::solved);
  EXPECT_NEAR(m.deepest().gap, test::gap_by_trying(a, b), 1e-15);
  EXPECT_NEAR(test::separation_by(a, b, m.deepest().normal), m.deepest().gap, 1e-9);
}

// Upright prisms about each other on a floor, tilted by less and less.
TEST(ConvexGap, OfUprightEdgesThatAreTiltedByLittle) {
  Random random(5);
  std::uniform_real_distribution<double> draw(-1.0, 1.0);
  const Box cube{{0.01, 0.01, 0.01}};
  for (int k = 0; k < 20'000; ++k) {
    const double tilt = std::pow(10.0, -12.0 + 9.0 * std::abs(draw(random)));
    const auto upright = [&] {
      return Pose{Vec3(0.03 * draw(random), 0.03 * draw(random), 0.01),
                  rotation_by(tilt * Vec3(draw(random), draw(random), 0.0)) *
                      rotation_by(Vec3(0, 0, 3.0 * draw(random)))};
    };
    const Pose pose_a = upright();
    const Pose pose_b = upright();
    const Manifold m = contacts_between(cube, pose_a, cube, pose_b, bodies().library(), 1e-3);
    ASSERT_EQ(m.status, SeparationStatus::solved) << k;
    if (k % 20 != 0) continue;
    const double gap = test::gap_by_trying(test::solid_of(cube, pose_a, bodies().library()),
                                           test::solid_of(cube, pose_b, bodies().library()));
    ASSERT_NEAR(m.deepest().gap, gap, 1e-14) << k;
  }
}

}  // namespace
}  // namespace scree
