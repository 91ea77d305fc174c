#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "scree/contact/contact.hpp"
#include "scree/contact/frame_numbers.hpp"

namespace scree {
namespace {

void expect_frame(const Vec3& n) {
  const ContactFrame triad = frame_of(n);
  Mat3 frame;
  frame << triad.normal, triad.tangent1, triad.tangent2;
  EXPECT_LT((frame.transpose() * frame - Mat3::Identity()).norm(), 1e-14) << n.transpose();
  EXPECT_NEAR(frame.determinant(), 1.0, 1e-14) << n.transpose();
}

TEST(TangentFrame, OrthonormalAndRightHandedEverywhere) {
  std::mt19937_64 random(21);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 2000; ++k) {
    expect_frame(Vec3(normal(random), normal(random), normal(random)).normalized());
  }
  for (int axis = 0; axis < 3; ++axis) {
    expect_frame(Vec3::Unit(axis));
    expect_frame(-Vec3::Unit(axis));
  }
  for (const double e : {1e-3, 1e-6, 1e-8, 1e-9, 1e-12, 1e-100, 1e-200}) {
    expect_frame(Vec3(e, -0.5 * e, -1.0).normalized());
    expect_frame(Vec3(e, -0.5 * e, 1.0).normalized());
  }
}

/// Numbers found side by side are the products with the axes.
TEST(TangentFrame, HasTheNumbersOfAVector) {
  const Vec3 f(0.3, -1.7, 2.9);
  for (const double z : {1.0, 0.6, 0.0, -0.6, -1.0}) {
    for (const double e : {1.0, 1e-5, 1e-100, 1e-200, 0.0}) {
      const Vec3 n = Vec3(e, -0.5 * e, z).stableNormalized();
      if (!(n.norm() > 0.5)) continue;
      const ContactFrame frame = frame_of(n);
      const Vec3 direct(frame.normal.dot(f), frame.tangent1.dot(f), frame.tangent2.dot(f));
      const Vec3 numbers = vec3_of(in_frame_of(triple_of(n), triple_of(f)));
      EXPECT_LT((numbers - direct).norm(), 1e-14) << n.transpose();
    }
  }
}

TEST(TangentFrame, TurnsNoFasterThanAFewTimesTheNormal) {
  // On a path over the sphere that stays 0.2 rad off the one direction where no frame is smooth.
  Vec3 n0 = Vec3::Zero();
  Vec3 a0 = n0;
  Vec3 b0 = n0;
  for (int k = 0; k <= 20000; ++k) {
    const double t = k / 20000.0;
    const double polar = (M_PI - 0.2) * std::abs(std::sin(3.0 * t));
    const Vec3 n(std::sin(polar) * std::cos(40.0 * t), std::sin(polar) * std::sin(40.0 * t),
                 std::cos(polar));
    const auto [normal, a, b] = frame_of(n);
    if (k > 0) {
      const double turned = (n - n0).norm();
      EXPECT_LT((a - a0).norm(), 20.0 * turned);
      EXPECT_LT((b - b0).norm(), 20.0 * turned);
    }
    n0 = n;
    a0 = a;
    b0 = b;
  }
}

}  // namespace
}  // namespace scree
