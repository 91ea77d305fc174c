#include "scree/contact/resolved_length.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace scree {
namespace {

constexpr double kAny = std::numeric_limits<double>::infinity();

/// A spring of 1e4 N/m between two bodies of 1 kg in series: T = pi/100 s.
constexpr double kDuration = std::numbers::pi / 100.0;
const ContactSite kSite{.radius_a = 0.01, .radius_b = kFlat, .mass = 1.0};
PairElasticity spring() {
  PairElasticity law;
  law.stiffness = 1e4;
  return law;
}

double length_of(const Approach& two) {
  return is_impact(two) ? length_for_impact(two, spring(), kSite, 0.1) : kAny;
}

TEST(ResolvedLength, OfTravelIsAQuarterOfTheRadius) {
  EXPECT_DOUBLE_EQ(length_for_travel(2.0, 0.01), 0.25 * 0.01 / 2.0);
  EXPECT_EQ(length_for_travel(0.0, 0.01), kAny);
}

TEST(ResolvedLength, OfAnImpactIsAPartOfItsDuration) {
  EXPECT_NEAR(length_of({.speed = 1.0, .gap = -1e-4, .radius = 0.01}), 0.1 * kDuration, 1e-15);
  EXPECT_NEAR(length_of({.speed = -1.0, .gap = -1e-4, .radius = 0.01}), 0.1 * kDuration, 1e-15)
      << "of two that part while their spring is compressed";
}

TEST(ResolvedLength, BringsThemToTheTouchBefore) {
  EXPECT_DOUBLE_EQ(length_of({.speed = 2.0, .gap = 0.1, .radius = 0.01}), 0.5 * 0.1 / 2.0);
  EXPECT_NEAR(length_of({.speed = 2.0, .gap = 1e-9, .radius = 0.01}), 0.1 * kDuration, 1e-15);
  EXPECT_EQ(length_of({.speed = -2.0, .gap = 1e-9, .radius = 0.01}), kAny) << "they fly apart";
}

// Through u T = pi kShallowest R.
TEST(ResolvedLength, IsNotBoundByWhatIsSlow) {
  EXPECT_EQ(length_of({.speed = 0.1, .gap = -1e-4, .radius = 0.01, .given = 0.4}), kAny);
  EXPECT_LT(length_of({.speed = 0.11, .gap = -1e-4, .radius = 0.01, .given = 0.4}), kDuration);
  const double slow = std::numbers::pi * kShallowest * 0.01 / kDuration;
  EXPECT_EQ(length_of({.speed = 0.99 * slow, .gap = -1e-4, .radius = 0.01}), kAny);
  EXPECT_LT(length_of({.speed = 1.01 * slow, .gap = -1e-4, .radius = 0.01}), kDuration);
}

TEST(ResolvedLength, IsThatAtWhichTheRestitutionComesOut) {
  for (const double e : {0.3, 0.6, 0.8, 0.9, 0.95}) {
    PairLaw law{.restitution = e, .elasticity = spring()};
    law.elasticity.damping = damping_ratio_of(e);
    law.elasticity.has_restitution = true;
    const double share = share_of_impact(law);
    EXPECT_LE(share, kImpactShare);
    EXPECT_NEAR(restitution_in_steps(law.elasticity, share), e, kNearRestitution) << e;
    const bool is_longest =
        share == kImpactShare ||
        e - restitution_in_steps(law.elasticity, share / 0.98) > kNearRestitution;
    EXPECT_TRUE(is_longest) << e;
  }
  EXPECT_EQ(share_of_impact({.elasticity = spring()}), kImpactShare) << "without a restitution";
}

}  // namespace
}  // namespace scree
