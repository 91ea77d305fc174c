#include "scree/geometry/pairs/contacts_between.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/shapes/all_shapes.hpp"
#include "support/hulls.hpp"
#include "unit/geometry/separation_oracle.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double kPi = std::numbers::pi;

/// Signed distance of a point of the world from B.
using Distance = std::function<double(const Vec3&)>;

/// A ring and a shape B, whose distance from a point is written out here once more where that is
/// short, or is B's own `nearest`, which has tests of its own.
struct RingAndOther {
  Ring ring;
  Pose pose;
  Shape other;
  Pose pose_b;

  Vec3 circle(double angle) const {
    return pose.to_world(ring.major_radius * Vec3(std::cos(angle), std::sin(angle), 0.0));
  }
  double gap_at(const Distance& distance, double angle) const {
    return distance(circle(angle)) - ring.minor_radius;
  }
};

double to_segment(const Vec3& p, double half) {
  return (p - Vec3(0.0, 0.0, std::clamp(p.z(), -half, half))).norm();
}
double to_circle(const Vec3& p, double radius) {
  return std::hypot(std::hypot(p.x(), p.y()) - radius, p.z());
}
double to_box(const Vec3& p, const Vec3& half) {
  const Vec3 q = p.cwiseAbs() - half;
  return q.cwiseMax(0.0).norm() + std::min(q.maxCoeff(), 0.0);
}

double own_distance(const Sphere& s, const Vec3& p) {
  return p.norm() - s.radius;
}
double own_distance(const Capsule& s, const Vec3& p) {
  return to_segment(p, 0.5 * s.length) - s.radius;
}
double own_distance(const Ring& s, const Vec3& p) {
  return to_circle(p, s.major_radius) - s.minor_radius;
}
double own_distance(const Box& s, const Vec3& p) {
  return to_box(p, s.half());
}
double own_distance(const Plane&, const Vec3& p) {
  return p.z();
}
template <class S>
double own_distance(const S& s, const Vec3& p) {
  return s.nearest(p).distance;
}

Distance distance_from(const Shape& shape, const Pose& pose, const ShapeLibrary& library) {
  return visit(
      [&](const auto& s) -> Distance {
        return [&library, &s, pose](const Vec3& p) {
          return own_distance(library.geometry_of(s), pose.to_body(p));
        };
      },
      shape);
}

/// The angle between @p low and @p high where the gap is least, to the root of rounding.
double golden_section(const RingAndOther& pair, const Distance& distance, double low, double high) {
  constexpr double kGolden = 0.6180339887498949;
  constexpr int kSteps = 32;  // to 2e-7 of the interval
  for (int i = 0; i < kSteps; ++i) {
    const double one = high - kGolden * (high - low);
    const double two = low + kGolden * (high - low);
    if (pair.gap_at(distance, one) < pair.gap_at(distance, two)) {
      high = two;
    } else {
      low = one;
    }
  }
  return 0.5 * (low + high);
}

/// All local minima of the gap on equal angles, each refined by golden section; `distinct` where
/// the gap is larger by 1e-4 of the major radius within a twentieth of a radian on both sides:
/// narrower or flatter dips may be left out (circle_minima.hpp).
struct Minimum {
  double angle;
  double gap;
  bool distinct;
};
std::vector<Minimum> sampled_minima(const RingAndOther& pair, const Distance& distance, int n) {
  std::vector<double> gaps;
  const double step = 2.0 * kPi / n;
  for (int k = 0; k < n; ++k) gaps.push_back(pair.gap_at(distance, k * step));
  std::vector<Minimum> minima;
  for (int k = 0; k < n; ++k) {
    const double here = gaps[static_cast<std::size_t>(k)];
    const double before = gaps[static_cast<std::size_t>((k + n - 1) % n)];
    const double after = gaps[static_cast<std::size_t>((k + 1) % n)];
    if (here > after || here >= before) continue;
    const int far = std::max(n / 128, 1);
    const auto aside = [&](int side) {
      return gaps[static_cast<std::size_t>((k + n + side * far) % n)];
    };
    const double refined = golden_section(pair, distance, (k - 1) * step, (k + 1) * step);
    minima.push_back({refined, std::min(here, pair.gap_at(distance, refined)),
                      std::min(aside(-1), aside(1)) > here + 1e-4 * pair.ring.major_radius});
  }
  return minima;
}

double lowest(const std::vector<Minimum>& minima) {
  double gap = std::numeric_limits<double>::infinity();
  for (const Minimum& m : minima) gap = std::min(gap, m.gap);
  return gap;
}

/// The points span the gap, between the ring's tube and B's surface; or between the two tubes,
/// where each may be nearest to the other's ball.
void expect_points_on_both(const RingAndOther& pair, const Manifold& manifold,
                           const Distance& distance, double size, int k) {
  const auto* ring_b = pair.other.get_if<Ring>();
  for (const ContactPoint& p : manifold) {
    ASSERT_NEAR(p.normal.norm(), 1.0, 1e-14) << k;
    ASSERT_LT((p.point_a - p.point_b - p.gap * p.normal).norm(), 1e-14 * size) << k;
    const Vec3 middle = p.point_a + pair.ring.minor_radius * p.normal;
    ASSERT_NEAR(to_circle(pair.pose.to_body(middle), pair.ring.major_radius), 0.0, 1e-13 * size);
    if (ring_b != nullptr) {
      const Vec3 of_b = p.point_b - ring_b->minor_radius * p.normal;
      ASSERT_NEAR(to_circle(pair.pose_b.to_body(of_b), ring_b->major_radius), 0.0, 1e-13 * size);
    } else {
      ASSERT_NEAR(distance(p.point_b), 0.0, 1e-12 * size) << k;
      ASSERT_NEAR(distance(middle) - pair.ring.minor_radius, p.gap, 1e-13 * size) << k;
    }
  }
}

/// Every minimum of @p sampled below the margin has a point of the manifold near it.
void expect_all_minima(const RingAndOther& pair, const Manifold& manifold,
                       const std::vector<Minimum>& sampled, double margin, double near, int k) {
  for (const Minimum& m : sampled) {
    if (!m.distinct || m.gap > margin - 1e-9) continue;
    double nearest = std::numeric_limits<double>::infinity();
    for (const ContactPoint& p : manifold) {
      const Vec3 middle = p.point_a + pair.ring.minor_radius * p.normal;
      nearest = std::min(nearest, (middle - pair.circle(m.angle)).norm());
    }
    EXPECT_LT(nearest, near * pair.ring.major_radius) << k << " at " << m.angle;
  }
}

Ring random_ring(Random& random) {
  const double major = uniform(random, 0.3, 1.0);
  return {major, major * uniform(random, 0.05, 0.9)};
}

/// Apart at random, about each other's centre, with parallel axes, in one plane, about one axis,
/// about one centre; two thirds of them moved along the normal until they touch, are 1e-8 apart or
/// overlap by up to both inscribed radii.
template <class Make>
RingAndOther random_pair(Random& random, const ShapeLibrary& library, const Make& make, int k) {
  RingAndOther pair{random_ring(random), {}, make(random), {}};
  pair.pose_b.position = random_direction(random);
  pair.pose_b.orientation = random_turn(random);
  const Vec3 apart = uniform(random, 0.0, 2.5) * random_direction(random);
  pair.pose.position = pair.pose_b.position + apart;
  pair.pose.orientation = random_turn(random);
  const Vec3 axis = pair.pose_b.orientation * Vec3::UnitZ();
  switch (k % 8) {
    case 1:  // parallel axes
      pair.pose.orientation = pair.pose_b.orientation * rotation_by({0, 0, uniform(random, 0, 6)});
      break;
    case 2:  // in one plane
      pair.pose.orientation = pair.pose_b.orientation * rotation_by({0, 0, uniform(random, 0, 6)});
      pair.pose.position -= axis.dot(pair.pose.position - pair.pose_b.position) * axis;
      break;
    case 3:  // the axis of B through the centre
      pair.pose.position = pair.pose_b.position + uniform(random, -1.5, 1.5) * axis;
      break;
    case 4:  // one centre
      pair.pose.position = pair.pose_b.position;
      break;
    default:
      break;
  }
  if (k % 3 == 0) return pair;
  const double gaps[] = {0.0, 1e-8, -1e-8, uniform(random, -0.5, 0.0) * pair.ring.minor_radius};
  const double gap = gaps[k / 3 % 4];
  for (int pass = 0; pass < 3; ++pass) {
    const ContactPoint p =
        contacts_between(pair.ring, pair.pose, pair.other, pair.pose_b, library, 0.0).deepest();
    pair.pose.position += (gap - p.gap) * p.normal;
  }
  return pair;
}

struct Oracle {
  int n_pairs = 5000;
  int n_samples = 512;
  double size = 5.0;  ///< of the pairs, m
};

/// The deepest point is as deep as dense sampling finds one, no minimum within the margin is
/// missing, and the pair turned round has its points turned round.
template <class Make>
void expect_oracle(const Make& make, const ShapeLibrary& library, const Oracle& oracle = {}) {
  Random random(11);
  int n_touching = 0;
  for (int k = 0; k < oracle.n_pairs; ++k) {
    const RingAndOther pair = random_pair(random, library, make, k);
    const double margin = 0.2 * pair.ring.minor_radius;
    const Manifold manifold =
        contacts_between(pair.ring, pair.pose, pair.other, pair.pose_b, library, margin);
    ASSERT_EQ(manifold.status, SeparationStatus::solved) << k;
    ASSERT_GE(manifold.size(), 1U);
    const Distance distance = distance_from(pair.other, pair.pose_b, library);
    expect_points_on_both(pair, manifold, distance, oracle.size, k);
    const std::vector<Minimum> sampled = sampled_minima(pair, distance, oracle.n_samples);
    EXPECT_LE(manifold.deepest().gap, lowest(sampled) + 1e-13 * oracle.size) << k;
    expect_all_minima(pair, manifold, sampled, margin, 8.0 * kPi / oracle.n_samples, k);
    n_touching += std::abs(manifold.deepest().gap) < 2e-8;
    const Manifold turned =
        contacts_between(pair.other, pair.pose_b, pair.ring, pair.pose, library, margin);
    ASSERT_EQ(turned.size(), manifold.size());
    for (std::size_t i = 0; i < turned.size(); ++i) {
      EXPECT_EQ(turned[i].gap, manifold[i].gap);
      EXPECT_EQ(turned[i].normal, -manifold[i].normal);
      EXPECT_EQ(turned[i].point_a, manifold[i].point_b);
      EXPECT_EQ(turned[i].point_b, manifold[i].point_a);
      EXPECT_NE(turned[i].feature, 0);
    }
  }
  EXPECT_GT(n_touching, oracle.n_pairs / 4);
}

TEST(RingContacts, WithABall) {
  expect_oracle([](Random& random) { return Shape(Sphere{uniform(random, 0.05, 1.0)}); }, {});
}

TEST(RingContacts, WithACapsule) {
  expect_oracle(
      [](Random& random) {
        return Shape(Capsule{uniform(random, 0.05, 0.5), uniform(random, 0.0, 2.0)});
      },
      {});
}

TEST(RingContacts, WithARing) {
  expect_oracle([](Random& random) { return Shape(random_ring(random)); }, {});
}

TEST(RingContacts, WithABox) {
  expect_oracle(
      [](Random& random) {
        return Shape(Box{{uniform(random, 0.1, 0.8), uniform(random, 0.1, 0.8), 0.3}});
      },
      {});
}

TEST(RingContacts, WithAPlane) {
  expect_oracle([](Random&) { return Shape(Plane{}); }, {});
}

TEST(RingContacts, WithAnEllipsoid) {
  expect_oracle([](Random& random) { return Shape(random_ellipsoid(random)); }, {},
                {.n_samples = 128});
}

TEST(RingContacts, WithAPolyhedron) {
  ShapeLibrary library;
  Random random(3);
  const std::int32_t stone =
      library.add(hull_of(pebble(30, Vec3(0.5, 0.7, 0.9), random), "pebble"));
  expect_oracle(
      [stone](Random& r) {
        return Shape(Polyhedron{stone, uniform(r, 0.5, 1.0)});
      },
      library, {.n_samples = 128});
}

}  // namespace
}  // namespace scree
