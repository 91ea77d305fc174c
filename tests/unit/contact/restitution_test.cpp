#include "scree/contact/restitution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "scree/contact/stiffness.hpp"

namespace scree {
namespace {

/// q of a step that takes this part of the duration of a contact.
double q_of(double share) {
  return std::numbers::pi * share;
}

double dashpot_restitution(double zeta, double q) {
  return restitution_of({.zeta = zeta}, q);
}

/// A unit mass that comes from the right at 1, in steps of the contact problem of one row: lambda
/// >= 0, u + bias + R lambda >= 0, one of them 0.
struct Ball {
  double gap;
  double velocity = -1.0;
  bool touched = false;

  void step(const ContactStiffness& contact, double dt) {
    const double free = velocity + contact.normal_bias(gap, dt);
    const double impulse = std::max(0.0, -free / (1.0 + contact.normal_compliance(dt)));
    touched = touched || impulse > 0.0;
    velocity += impulse;
    gap += dt * velocity;
  }
  bool has_parted() const { return touched && gap >= 0.0 && velocity >= 0.0; }
};

/// The speed at which it parts where k = 1, in steps q. The gap is @p phase of a free step's way at
/// the start.
double simulated(const SpringLoss& loss, double q, double phase) {
  const ContactStiffness contact{
      .normal = 1.0, .tangential = 1.0, .damping = 2.0 * loss.zeta, .theta = loss.theta};
  Ball ball{.gap = phase * q};
  while (!ball.has_parted()) ball.step(contact, q);
  return ball.velocity;
}

/// The mean over phases.
double simulated_mean(const SpringLoss& loss, double q) {
  constexpr int kPhases = 100;
  double sum = 0.0;
  for (int i = 0; i < kPhases; ++i) sum += simulated(loss, q, i / double{kPhases});
  return sum / kPhases;
}

/// q at which a contact with this zeta < 1 lasts @p n steps: tan(2 acos(zeta)/n) = q root/(1 + zeta
/// q).
double q_of_whole_steps(double zeta, int n) {
  const double tangent = std::tan(2.0 * std::acos(zeta) / n);
  return tangent / (std::sqrt(1.0 - zeta * zeta) - zeta * tangent);
}

TEST(Restitution, IsThatOfTheStepsWhereTheyAreWhole) {
  for (const double zeta : {0.0, 0.1, 0.5, 0.9}) {
    for (const int n : {5, 8, 40, 200}) {
      const double q = q_of_whole_steps(zeta, n);
      ASSERT_GT(q, 0.0);
      // Rounding of n steps. Whether the last step, whose force is 0, counts as touching is left to
      // rounding, and of no matter.
      EXPECT_NEAR(simulated({.zeta = zeta}, q, 0.0), dashpot_restitution(zeta, q), 1e-14 * n)
          << zeta << " " << n;
    }
  }
}

/// The velocity stands still where the force ends, so that half a step too many or too few costs
/// 1 - cos(alpha/2) <= q^2/8 of it. The mean over phases is nearer to the formula: it is even.
TEST(Restitution, DependsLittleOnTheGapOfTheFirstStep) {
  for (const double zeta : {0.0, 0.1, 0.3, 1.0, 3.0}) {
    for (const double share : {0.01, 0.05, 0.2}) {
      const double q = q_of(share);
      const double e = dashpot_restitution(zeta, q);
      for (int i = 0; i < 100; ++i) {
        EXPECT_NEAR(simulated({.zeta = zeta}, q, i / 100.0), e, e * q * q / 8.0)
            << zeta << " " << share << " " << i;
      }
      EXPECT_NEAR(simulated_mean({.zeta = zeta}, q), e, e * q * q / 80.0) << zeta << " " << share;
    }
  }
}

/// Where the spring feels less of a step, forces begin as far within the first one as before: its
/// mean over phases is off by a quarter of the single ones' q^2/8.
TEST(Restitution, IsThatOfStepsThatFeelLess) {
  for (const double theta : {0.5, 0.7, 0.9}) {
    for (const double share : {0.01, 0.05, 0.1, 0.2}) {
      const double q = q_of(share);
      const double e = restitution_of({.theta = theta}, q);
      EXPECT_NEAR(simulated_mean({.theta = theta}, q), e, e * q * q / 32.0)
          << theta << " " << share;
      EXPECT_GT(e, dashpot_restitution(0.0, q));
    }
  }
}

/// The dashpot's closed form (header), and exp(-2) where it is critical.
TEST(Restitution, TendsToTheDashpotsForShortSteps) {
  const double q = 1e-7;  // of first order in q
  for (const double zeta : {0.05, 0.3, 0.8}) {
    const double root = std::sqrt(1.0 - zeta * zeta);
    const double e = std::exp(-2.0 * zeta * std::acos(zeta) / root);
    EXPECT_NEAR(dashpot_restitution(zeta, q), e, 1e-6);
    EXPECT_NEAR(damping_ratio_of(e), zeta, 1e-14);
  }
  EXPECT_NEAR(dashpot_restitution(1.0, q), std::exp(-2.0), 1e-6);
  EXPECT_NEAR(damping_ratio_of(std::exp(-2.0)), 1.0, 1e-7);  // e differs by rounding
  const double strong = std::exp(-4.0 * std::acosh(2.0) / std::sqrt(3.0));
  EXPECT_NEAR(dashpot_restitution(2.0, q), strong, 1e-6);
  EXPECT_NEAR(damping_ratio_of(strong), 2.0, 1e-14);
  EXPECT_NEAR(damping_ratio_of(1.0), 0.0, 1e-15);  // exp rounds to 1 below it
}

TEST(Restitution, TableOfThePageHolds) {
  const auto e = [](double zeta, double share) {
    return std::round(100.0 * dashpot_restitution(zeta, q_of(share))) / 100.0;
  };
  const std::array<double, 4> shares{0.01, 0.05, 0.2, 0.83};
  const std::array<double, 3> zetas{0.0, 0.1, 0.3};
  const std::array<std::array<double, 4>, 3> table{
      {{0.95, 0.78, 0.39, 0.07}, {0.71, 0.59, 0.31, 0.06}, {0.43, 0.37, 0.21, 0.05}}};
  for (std::size_t i = 0; i < zetas.size(); ++i) {
    for (std::size_t k = 0; k < shares.size(); ++k) EXPECT_EQ(e(zetas[i], shares[k]), table[i][k]);
  }
}

TEST(Restitution, TableOfTheMostHolds) {
  const std::array<double, 7> shares{0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5};
  const std::array<double, 7> table{0.98, 0.95, 0.88, 0.77, 0.6, 0.46, 0.19};
  for (std::size_t k = 0; k < shares.size(); ++k) {
    const double q = q_of(shares[k]);
    const double e = restitution_of({.theta = least_theta(q)}, q);
    EXPECT_EQ(std::round(100.0 * e) / 100.0, table[k]);
  }
}

TEST(Restitution, OfTheTimeStepAlone) {
  for (const double q : {0.01, 0.5, 3.0}) {
    const double e = std::pow(1.0 + q * q, -std::numbers::pi / (2.0 * std::atan(q)));
    EXPECT_NEAR(dashpot_restitution(0.0, q), e, 1e-14);
  }
}

/// Three branches, one function.
TEST(Restitution, PassesCriticalDampingSmoothly) {
  for (const double q : {0.01, 1.0, 10.0}) {
    const double step = 1e-9;
    const double critical = dashpot_restitution(1.0, q);
    EXPECT_NEAR(dashpot_restitution(1.0 - step, q), critical, 10.0 * step);
    EXPECT_NEAR(dashpot_restitution(1.0 + step, q), critical, 10.0 * step);
    EXPECT_GT(dashpot_restitution(1.0 - step, q), critical);
    EXPECT_LT(dashpot_restitution(1.0 + step, q), critical);
  }
}

TEST(Restitution, FallsWithDampingAndWithTheStep) {
  for (const double q : {0.01, 0.3, 3.0}) {
    double last = 1.0;
    for (double zeta = 0.0; zeta < 20.0; zeta += 0.05) {
      const double e = dashpot_restitution(zeta, q);
      EXPECT_LT(e, last) << zeta << " " << q;
      EXPECT_LT(dashpot_restitution(zeta, 1.1 * q), e);
      last = e;
    }
  }
}

/// The header's 0.002 up to q = pi/2, of the closed form; where theta is at its least the step
/// takes more than was asked for, and the dashpot nothing.
TEST(Restitution, ComesOutWhereItCan) {
  int reached = 0;
  for (const double e : {0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98}) {
    const double zeta = damping_ratio_of(e);
    for (double share = 0.002; share <= 0.5; share *= 1.1) {
      const double q = q_of(share);
      const SpringLoss loss = loss_within_step(zeta, q);
      const double got = restitution_of(loss, q);
      if (loss.theta > least_theta(q)) {
        EXPECT_NEAR(got, e, 0.002) << e << " " << share;
        ++reached;
      } else {
        EXPECT_LT(got, e + 0.002) << e << " " << share;
        EXPECT_EQ(loss.zeta, 0.0);
      }
    }
  }
  EXPECT_GT(reached, 300);
}

TEST(Restitution, StepsThatAreLongGoBackToAllOfTheirMotion) {
  EXPECT_EQ(least_theta(0.5), 0.5);
  EXPECT_EQ(least_theta(1.0), 0.5);
  EXPECT_NEAR(least_theta(10.0), 1.0, 0.006);
  // C >= 0 for four times the k/m of the pair
  for (const double q : {1.0, 2.0, 7.0}) {
    EXPECT_GE(1.0 - 0.5 * (1.0 - least_theta(q)) * 4.0 * q * q, -1e-12);
  }
}

/// The header's proof, for one contact: kinetic energy and that of the spring together.
TEST(Restitution, NoStepOfALinearSpringGainsEnergy) {
  for (const double theta : {0.5, 0.6, 1.0}) {
    for (const double share : {0.003, 0.02, 0.1, 0.2, 0.3, 0.5, 1.0, 3.0}) {
      const double q = q_of(share);
      for (int i = 0; i < 50; ++i) {
        Ball ball{.gap = i / 50.0 * q};
        const auto energy = [&ball] {
          const double overlap = std::max(-ball.gap, 0.0);
          return 0.5 * (ball.velocity * ball.velocity + overlap * overlap);
        };
        while (!ball.has_parted()) {
          const double before = energy();
          ball.step({.normal = 1.0, .tangential = 1.0, .theta = theta}, q);
          ASSERT_LT(energy(), before + 1e-14) << theta << " " << share << " " << i;
        }
      }
    }
  }
}

/// The contact of a unit mass of radius 1 m and E = 1e8 Pa with a wall, with @p e by Hertz's law.
class HertzBounce {
 public:
  explicit HertzBounce(double e) {
    const std::vector<Material> materials{{"a", 1.0, {.young_modulus = 1e8}}};
    const std::vector<FrictionPair> pairs{{.between = {"a", "a"}, .restitution = e}};
    elasticity_ = ContactLaws(materials, pairs).law(0, 0).elasticity;
  }

  /// It lasts 2.94 d/v, with the deepest overlap d (Johnson, section 11.4).
  double duration(double speed) const {
    return 2.94 * hertz_impact_overlap(elasticity_.effective_modulus, 1.0, 1.0, speed) / speed;
  }
  /// The speed at which it parts over that of its approach, in steps of the part @p share of the
  /// duration.
  double part(double speed, double share, double phase) const {
    const double dt = share * duration(speed);
    const StiffnessTerms terms = terms_of(elasticity_, 1.0, kFlat);
    Ball ball{.gap = phase * dt * speed, .velocity = -speed};
    while (!ball.has_parted()) {
      ContactSite site{.radius_a = 1.0, .radius_b = kFlat, .mass = 1.0, .gap = ball.gap};
      site.deepening = expected_deepening(terms, site, -ball.velocity, dt);
      ball.step(stiffness_of(terms, site, dt), dt);
    }
    return ball.velocity / speed;
  }

 private:
  PairElasticity elasticity_;
};

/// As near as linear springs come: 0.006 at a tenth of the duration and 0.013 at a fifth, as
/// calculated apart, in numpy.
TEST(Restitution, ComesOutByHertzAtAnySpeed) {
  for (const double e : {0.3, 0.5, 0.8}) {
    const HertzBounce bounce(e);
    for (const double speed : {1e-2, 1.0, 1e2}) {
      for (const double share : {0.002, 0.02, 0.05, 0.1, 0.2}) {
        double sum = 0.0;
        for (int i = 0; i < 20; ++i) sum += bounce.part(speed, share, i / 20.0);
        if (e > 0.7 && share > 0.05) continue;  // more than such a step can give
        EXPECT_NEAR(sum / 20.0, e, share > 0.1 ? 0.02 : 0.01) << e << " " << speed << " " << share;
      }
    }
  }
}

/// Without a dashpot, so that what a step does not lose by itself would be a gain.
TEST(Restitution, NeverGivesMoreThanCameByHertz) {
  const HertzBounce bounce(1.0);
  for (const double share : {0.002, 0.02, 0.1, 0.2, 0.3, 0.5, 1.0, 3.0}) {
    for (int i = 0; i < 50; ++i) {
      for (const double speed : {1e-2, 1.0, 1e2}) {
        EXPECT_LT(bounce.part(speed, share, i / 50.0), 1.0) << speed << " " << share << " " << i;
      }
    }
  }
}

}  // namespace
}  // namespace scree
