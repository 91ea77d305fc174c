#include "scree/contact/stiffness.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace scree {
namespace {

constexpr double kRelative = 1e-13;  ///< relative
constexpr double kForce = 0.5;       ///< reference, N
constexpr double kStep = 1e-3;       ///< s
constexpr ContactSite kUnitSite{.radius_a = 0.012, .radius_b = 0.006, .mass = 0.003};

/// A material of E = 1e8 Pa on one of E = 3e7 Pa.
PairElasticity soft_pair(StiffnessLaw law, double damping = 0.0) {
  const std::vector<Material> materials{{"a", 1.0, {.young_modulus = 1e8}},
                                        {"b", 1.0, {.young_modulus = 3e7, .poisson_ratio = 0.4}}};
  const std::vector<FrictionPair> pairs{{.between = {"a", "b"}, .damping = damping}};
  return ContactLaws(materials, pairs, {.law = law, .reference_force = kForce})
      .law(0, 1)
      .elasticity;
}

ContactSite at_gap(double gap) {
  ContactSite site = kUnitSite;
  site.gap = gap;
  return site;
}

/// Force at the end of a step that begins at the @p gap and moves at @p u_n, by the header's
/// formula with R_n and the bias, as the contact problem poses it: u_n + bias + R_n lambda = 0, F =
/// lambda/dt.
double force_of_step(const ContactStiffness& s, double gap, double u_n, double dt) {
  return -(u_n + s.normal_bias(gap, dt)) / s.normal_compliance(dt) / dt;
}

TEST(ContactStiffness, LinearBearsTheReferenceForceAtHertzsOverlap) {
  const PairElasticity law = soft_pair(StiffnessLaw::linear);
  const double overlap = hertz_overlap(law.effective_modulus, 0.004, kForce);
  for (const double gap : {1e-3, 0.0, -1e-5, -1e-3}) {
    const ContactStiffness s = stiffness_of(law, at_gap(gap), kStep);
    EXPECT_NEAR(s.normal * overlap / kForce, 1.0, kRelative);
    EXPECT_EQ(s.tangential, law.tangential_ratio * s.normal);
    EXPECT_EQ(s.bias_share, 1.0);
    EXPECT_EQ(s.damping, 0.0);
  }
}

/// A step that stands still leaves Hertz's force beyond the reference force, and a proportional one
/// below.
TEST(ContactStiffness, HertzBearsHisForceAtTheStartOfAStep) {
  const PairElasticity law = soft_pair(StiffnessLaw::hertz);
  const double least = hertz_overlap(law.effective_modulus, 0.004, kForce);
  for (const double share : {1.0 + 1e-12, 2.0, 30.0}) {
    const double overlap = share * least;
    const ContactStiffness s = stiffness_of(law, at_gap(-overlap), kStep);
    const double hertz = hertz_force(law.effective_modulus, 0.004, overlap);
    EXPECT_NEAR(force_of_step(s, -overlap, 0.0, 1e-3) / hertz, 1.0, kRelative);
    const double tangent = hertz_tangent_stiffness(law.effective_modulus, 0.004, overlap);
    EXPECT_NEAR(s.normal / tangent, 1.0, kRelative);
    EXPECT_EQ(s.theta, 1.0);
  }
  for (const double share : {0.0, 0.3, 1.0}) {
    const ContactStiffness s = stiffness_of(law, at_gap(-share * least), kStep);
    EXPECT_NEAR(force_of_step(s, -share * least, 0.0, 1e-3), share * kForce, kRelative * kForce);
  }
}

/// By the header's first forms, from force and energy at both ends.
TEST(ContactStiffness, HertzBearsHisMeanForceOfAStepAndAPartOfItsIncrease) {
  const PairElasticity law = soft_pair(StiffnessLaw::hertz);
  const double least = hertz_overlap(law.effective_modulus, 0.004, kForce);
  const auto force = [&law](double overlap) {
    return hertz_force(law.effective_modulus, 0.004, overlap);
  };
  const auto energy = [&force](double overlap) { return 0.4 * overlap * force(overlap); };
  for (const auto& [start, end] : {std::pair{0.0, 3.0}, {2.0, 7.0}, {7.0, 2.0}, {4.0, 0.0}}) {
    const double d = start * least;
    ContactSite site = at_gap(-d);
    site.deepening = end * least - d;
    const ContactStiffness s = stiffness_of(law, site, kStep);
    const double increase = force(end * least) - force(d);
    const double mean = (energy(end * least) - energy(d)) / site.deepening;
    EXPECT_NEAR(s.normal * site.deepening / increase, 1.0, 1e-12);
    EXPECT_NEAR(s.normal * s.bias_share * d, force(d), 1e-12 * force(7.0 * least));
    EXPECT_NEAR(force_of_step(s, -d, -site.deepening / kStep, kStep), mean + 0.5 * increase,
                1e-12 * force(7.0 * least));
  }
}

/// Halving finds the x of the header, which says within how much.
TEST(ContactStiffness, HowMuchDeeperAStepComesIsExpectedNearly) {
  const PairElasticity law = soft_pair(StiffnessLaw::hertz);
  const StiffnessTerms terms = terms_of(law, kUnitSite.radius_a, kUnitSite.radius_b);
  for (const double gap : {2e-5, 0.0, -1e-4, -1e-3}) {
    for (const double dt : {1e-6, 1e-5, 1e-4, 1e-3}) {
      ContactSite site = at_gap(gap);
      const double speed = 1.0 + 1.5 * std::max(gap, 0.0) / dt;
      const double way = dt * speed - std::max(gap, 0.0);
      double low = 0.0;
      double high = way;
      for (int k = 0; k < 60; ++k) {
        site.deepening = 0.5 * (low + high);
        const ContactStiffness s = stiffness_of(terms, site, dt);
        const bool is_beyond =
            site.deepening * (1.0 + dt * dt * s.theta * s.normal / site.mass) > way;
        (is_beyond ? high : low) = site.deepening;
      }
      EXPECT_NEAR(expected_deepening(terms, at_gap(gap), speed, dt) / high, 1.0, 0.07)
          << gap << " " << dt;
    }
  }
  EXPECT_EQ(expected_deepening(terms, at_gap(1e-3), 1.0, 1e-4), 0.0);  // they do not meet
  EXPECT_EQ(expected_deepening(terms, at_gap(-1e-3), 0.0, 1e-4), 0.0);
  EXPECT_LT(expected_deepening(terms, at_gap(-1e-3), -1.0, 1e-4), 0.0);
}

TEST(ContactStiffness, OfAPairOverrulesItsMaterials) {
  PairElasticity law = soft_pair(StiffnessLaw::hertz);
  law.stiffness = 1234.0;
  const ContactStiffness s = stiffness_of(law, at_gap(-1e-3), kStep);
  EXPECT_EQ(s.normal, 1234.0);
  EXPECT_EQ(s.tangential, law.tangential_ratio * 1234.0);
  EXPECT_EQ(s.bias_share, 1.0);
}

TEST(ContactStiffness, RodIsThatOfTheRadii) {
  const PairElasticity law = soft_pair(StiffnessLaw::rod);
  EXPECT_EQ(stiffness_of(law, kUnitSite, kStep).normal, rod_stiffness(law.a, 0.012, law.b, 0.006));
}

TEST(ContactStiffness, DampingIsARatioToTheCritical) {
  const ContactStiffness s = stiffness_of(soft_pair(StiffnessLaw::linear, 0.25), kUnitSite, kStep);
  EXPECT_NEAR(s.damping / (2.0 * 0.25 * std::sqrt(s.normal * kUnitSite.mass)), 1.0, kRelative);
}

/// All points of a manifold together bear what one would.
TEST(ContactStiffness, PointsOfOnePairShareIt) {
  const PairElasticity law = soft_pair(StiffnessLaw::hertz, 0.25);
  ContactSite site = at_gap(-1e-3);
  const ContactStiffness one = stiffness_of(law, site, kStep);
  site.sharing = 4.0;
  const ContactStiffness each = stiffness_of(law, site, kStep);
  EXPECT_EQ(4.0 * each.normal, one.normal);
  EXPECT_EQ(4.0 * each.tangential, one.tangential);
  EXPECT_EQ(4.0 * each.damping, one.damping);
  EXPECT_EQ(each.bias_share, one.bias_share);
  EXPECT_NEAR(4.0 * force_of_step(each, -1e-3, 0.2, 1e-3) / force_of_step(one, -1e-3, 0.2, 1e-3),
              1.0, kRelative);
}

TEST(ContactStiffness, DoesNotDependOnWhoIsCalledA) {
  for (const StiffnessLaw each : {StiffnessLaw::linear, StiffnessLaw::hertz, StiffnessLaw::rod}) {
    const PairElasticity law = soft_pair(each, 0.1);
    PairElasticity turned = law;
    std::swap(turned.a, turned.b);
    const ContactSite site = at_gap(-1e-3);
    ContactSite other = site;
    std::swap(other.radius_a, other.radius_b);
    const ContactStiffness s = stiffness_of(law, site, kStep);
    const ContactStiffness t = stiffness_of(turned, other, kStep);
    EXPECT_NEAR(s.normal / t.normal, 1.0, kRelative);
    EXPECT_NEAR(s.tangential / t.tangential, 1.0, kRelative);
    EXPECT_NEAR(s.damping / t.damping, 1.0, kRelative);
  }
}

/// The step's force, R and bias in, is that of a spring and a dashpot at the end of the step, or at
/// the part of it that the spring feels.
TEST(ContactStiffness, OneStepIsSpringAndDashpotAtItsEnd) {
  for (const double theta : {1.0, 0.6}) {
    const ContactStiffness s{.normal = 3e4, .tangential = 2e4, .damping = 7.0, .theta = theta};
    const double dt = 2e-3;
    for (const double u_n : {-0.3, 0.0, 0.1}) {
      const double gap = -1e-3;
      const double expected = -s.normal * (gap + theta * dt * u_n) - s.damping * u_n;
      EXPECT_NEAR(force_of_step(s, gap, u_n, dt), expected, 1e-12 * s.normal * 1e-3);
    }
    const double gap = 1e-4;
    const double u_n = -0.3;
    const double overlap = -(gap + dt * u_n);
    EXPECT_NEAR(force_of_step(s, gap, u_n, dt) / ((theta * s.normal + s.damping / dt) * overlap),
                1.0, kRelative);
    EXPECT_NEAR(dt * dt * s.tangential * s.tangential_compliance(dt), 1.0, kRelative);
  }
}

/// With the pair's restitution, of a step and of the stiffness that the site has: below the
/// reference force that of law hertz is linear, too.
TEST(ContactStiffness, RestitutionSetsDashpotAndStep) {
  for (const StiffnessLaw each : {StiffnessLaw::linear, StiffnessLaw::hertz}) {
    PairElasticity law = soft_pair(each);
    law.damping = damping_ratio_of(0.8);
    law.has_restitution = true;
    const double least = hertz_overlap(law.effective_modulus, 0.004, kForce);
    for (const double overlap : {0.5 * least, 2.0 * least}) {
      const bool is_hertz = each == StiffnessLaw::hertz && overlap > least;
      const double zeta = (is_hertz ? std::sqrt(5.0 / 6.0) : 1.0) * law.damping;
      for (const double dt : {1e-7, 3e-5, 1e-2}) {
        const ContactStiffness s = stiffness_of(law, at_gap(-overlap), dt);
        const SpringLoss loss = loss_within_step(zeta, dt * std::sqrt(s.normal / kUnitSite.mass));
        EXPECT_NEAR(s.theta, loss.theta, kRelative);
        EXPECT_NEAR(s.damping, 2.0 * loss.zeta * std::sqrt(s.normal * kUnitSite.mass),
                    kRelative * s.damping);
      }
    }
  }
}

/// R = 0 and the rigid contact's bias are the limit of a stiff one.
TEST(ContactStiffness, RigidIsTheLimit) {
  const ContactStiffness s{.normal = 1e30, .tangential = 1e30};
  EXPECT_LT(s.normal_compliance(1e-3), 1e-20);
  EXPECT_LT(s.tangential_compliance(1e-3), 1e-20);
  EXPECT_EQ(s.normal_bias(-1e-4, 1e-3), -1e-4 / 1e-3);
  EXPECT_EQ(s.normal_bias(1e-4, 1e-3), 1e-4 / 1e-3);
}

}  // namespace
}  // namespace scree
