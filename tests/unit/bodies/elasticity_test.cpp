#include "scree/bodies/elasticity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace scree {
namespace {

constexpr Elastic kRigid{};
constexpr Elastic kSteel{.young_modulus = 2.1e11, .poisson_ratio = 0.28};
constexpr Elastic kRubber{.young_modulus = 1e6, .poisson_ratio = 0.49};
constexpr double kRounding = 1e-14;  ///< relative: some twenty operations and roots

#define EXPECT_CLOSE(a, b) EXPECT_NEAR((a) / (b), 1.0, kRounding)

TEST(Elasticity, EqualMaterialsHaveTheTextbooksModulus) {
  for (const Elastic& one : {kSteel, kRubber}) {
    const double nu = one.poisson_ratio;
    EXPECT_CLOSE(effective_modulus(one, one), one.young_modulus / (2.0 * (1.0 - nu * nu)));
  }
}

TEST(Elasticity, IsSymmetric) {
  EXPECT_EQ(effective_modulus(kSteel, kRubber), effective_modulus(kRubber, kSteel));
  EXPECT_EQ(tangential_ratio(kSteel, kRubber), tangential_ratio(kRubber, kSteel));
  EXPECT_EQ(effective_radius(0.01, 0.03), effective_radius(0.03, 0.01));
  EXPECT_CLOSE(rod_stiffness(kSteel, 0.01, kRubber, 0.03),
               rod_stiffness(kRubber, 0.03, kSteel, 0.01));
}

TEST(Elasticity, ARigidPartnerIsTheLimitOfAStiffOne) {
  const Elastic stiff{.young_modulus = 1e30, .poisson_ratio = 0.1};
  const double nu = kRubber.poisson_ratio;
  EXPECT_CLOSE(effective_modulus(kRubber, kRigid), kRubber.young_modulus / (1.0 - nu * nu));
  EXPECT_CLOSE(effective_modulus(kRubber, kRigid), effective_modulus(kRubber, stiff));
  EXPECT_CLOSE(tangential_ratio(kRubber, kRigid), tangential_ratio(kRubber, stiff));
  EXPECT_CLOSE(rod_stiffness(kRubber, 0.01, kRigid, 0.02),
               rod_stiffness(kRubber, 0.01, stiff, 0.02));
}

TEST(Elasticity, AWallIsTheLimitOfALargeBall) {
  EXPECT_EQ(effective_radius(0.01, kFlat), 0.01);
  EXPECT_CLOSE(effective_radius(0.01, kFlat), effective_radius(0.01, 1e15));
}

/// Mindlin's ratio for equal materials is also paper 004's, eq. 33: k_n/k_t = (2 - nu)(1 + nu)/(2
/// (1 - nu^2)).
TEST(Elasticity, TangentialRatioIsMindlins) {
  for (const double nu : {-0.5, 0.0, 0.3, 0.5}) {
    const Elastic one{.young_modulus = 5e7, .poisson_ratio = nu};
    EXPECT_CLOSE(tangential_ratio(one, one), 2.0 * (1.0 - nu) / (2.0 - nu));
    EXPECT_CLOSE(tangential_ratio(one, one), 2.0 * (1.0 - nu * nu) / ((2.0 - nu) * (1.0 + nu)));
    EXPECT_CLOSE(tangential_ratio({.poisson_ratio = nu}, {.poisson_ratio = nu}),
                 tangential_ratio(one, one));
  }
  EXPECT_NEAR(tangential_ratio(kRigid, kRigid), 0.824, 0.0005);
}

TEST(Elasticity, OverlapInvertsForce) {
  for (const double force : {1e-9, 1e-3, 1.0, 1e6}) {
    const double overlap = hertz_overlap(5.5e7, 0.006, force);
    EXPECT_CLOSE(hertz_force(5.5e7, 0.006, overlap), force);
  }
  EXPECT_EQ(hertz_overlap(5.5e7, 0.006, 0.0), 0.0);
}

/// A central difference over h is off by h^2/24 F'''/F' = h^2/(96 d^2) relatively, 1e-10 here, and
/// by rounding over h/d, 1e-12.
TEST(Elasticity, TangentIsTheDerivativeOfTheForce) {
  const double d = 1e-4;
  const double h = 1e-4 * d;
  const double difference =
      (hertz_force(5.5e7, 0.006, d + h / 2) - hertz_force(5.5e7, 0.006, d - h / 2)) / h;
  EXPECT_NEAR(difference / hertz_tangent_stiffness(5.5e7, 0.006, d), 1.0, 1e-9);
}

/// The work of the force up to the deepest overlap, by Simpson's rule in s = sqrt(d), where the
/// integrand is of degree 4 and the rule's relative error below 1/n^4 = 1e-12.
TEST(Elasticity, AnImpactEndsWhereItsEnergyIsSpent) {
  const double mass = 0.02;
  const double speed = 1.3;
  const double deepest = hertz_impact_overlap(5.5e7, 0.006, mass, speed);
  const int n = 1000;
  const double end = std::sqrt(deepest);
  double work = 0.0;
  for (int i = 0; i <= n; ++i) {
    const double s = end * i / n;
    const double weight = i == 0 || i == n ? 1.0 : (i % 2 == 1 ? 4.0 : 2.0);
    work += weight * end / (3.0 * n) * hertz_force(5.5e7, 0.006, s * s) * 2.0 * s;
  }
  EXPECT_NEAR(work / (0.5 * mass * speed * speed), 1.0, 1e-9);
}

/// In other units of length, mass and time every formula gives the same quantity.
TEST(Elasticity, FormulasAreDimensionallySound) {
  const double metre = 100.0;
  const double kilogram = 1000.0;
  const double second = 7.0;
  const double pascal = kilogram / (metre * second * second);
  const double newton = pascal * metre * metre;
  const auto in_units = [&](const Elastic& one) {
    return Elastic{one.young_modulus * pascal, one.poisson_ratio};
  };
  const double e = effective_modulus(kSteel, kRubber);
  const double d = hertz_overlap(e, 0.006, 2.0);
  EXPECT_CLOSE(effective_modulus(in_units(kSteel), in_units(kRubber)), e * pascal);
  EXPECT_CLOSE(tangential_ratio(in_units(kSteel), in_units(kRubber)),
               tangential_ratio(kSteel, kRubber));
  EXPECT_CLOSE(hertz_overlap(e * pascal, 0.006 * metre, 2.0 * newton), d * metre);
  EXPECT_CLOSE(hertz_tangent_stiffness(e * pascal, 0.006 * metre, d * metre),
               hertz_tangent_stiffness(e, 0.006, d) * pascal * metre);
  EXPECT_CLOSE(
      hertz_impact_overlap(e * pascal, 0.006 * metre, 0.1 * kilogram, 3.0 * metre / second),
      hertz_impact_overlap(e, 0.006, 0.1, 3.0) * metre);
  EXPECT_CLOSE(rod_stiffness(in_units(kSteel), 0.01 * metre, in_units(kRubber), 0.02 * metre),
               rod_stiffness(kSteel, 0.01, kRubber, 0.02) * pascal * metre);
}

/// docs/model.md names the moduli, of two equal balls of any size, to two digits.
TEST(Elasticity, RulesOfThumbOfThePageHold) {
  const double pressure = 4600.0;
  const double density = 2600.0;
  const double speed = 1.0;
  for (const double radius : {1e-4, 0.012}) {
    const auto modulus = [](double young) {
      const Elastic one{.young_modulus = young};
      return effective_modulus(one, one);
    };
    const double load = pressure * 4.0 * radius * radius;
    const double mass = 0.5 * density * 4.0 / 3.0 * std::numbers::pi * std::pow(radius, 3);
    EXPECT_NEAR(hertz_overlap(modulus(7700.0 * pressure), radius / 2.0, load) / radius, 0.01, 1e-4);
    const double fast = 9000.0 * density * speed * speed;
    EXPECT_NEAR(hertz_impact_overlap(modulus(fast), radius / 2.0, mass, speed) / radius, 0.05,
                5e-4);
  }
}

TEST(Elasticity, RodIsThatOfPaper004) {
  const double pi = std::numbers::pi;
  EXPECT_CLOSE(rod_stiffness(kSteel, 0.01, kSteel, 0.03), pi / 4.0 * 2.1e11 * 0.04);
  // Against a wall: as against a ball of its own size and of the wall's material.
  EXPECT_CLOSE(rod_stiffness(kSteel, 0.01, kSteel, kFlat), pi / 4.0 * 2.1e11 * 0.02);
  EXPECT_CLOSE(rod_stiffness(kSteel, kFlat, kSteel, 0.01), pi / 4.0 * 2.1e11 * 0.02);
  // Half a rod on something rigid is twice as stiff.
  EXPECT_CLOSE(rod_stiffness(kSteel, 0.01, kRigid, kFlat), pi * 2.1e11 * 0.01);
}

/// Compliances of a rod's two halves add up.
TEST(Elasticity, RodOfTwoMaterialsIsTwoInSeries) {
  const double both = rod_stiffness(kSteel, 0.01, kRubber, 0.02);
  const double steel = rod_stiffness(kSteel, 0.01, kRigid, 0.02);
  const double rubber = rod_stiffness(kRigid, 0.01, kRubber, 0.02);
  EXPECT_CLOSE(1.0 / both, 1.0 / steel + 1.0 / rubber);
}

}  // namespace
}  // namespace scree
