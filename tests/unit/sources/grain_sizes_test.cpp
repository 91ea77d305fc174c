// Distributions of radii against their cumulative functions and moments in closed form.

#include "scree/sources/grain_sizes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <set>

#include "scree/sources/counter_random.hpp"

namespace scree {
namespace {

double share_below(double z) {
  return 0.5 * (1.0 + std::erf(z / std::numbers::sqrt2));
}

double density(double z) {
  return std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
}

/// Checks the radii of a distribution with @p share of z, cut off at a and b, that @p z_of gives
/// back for a radius.
template <class Radii, class ZOf>
void expect_quantiles(const Radii& radii, const ZOf& z_of) {
  const double a = share_below(z_of(radii.min));
  const double b = share_below(z_of(radii.max));
  double last = 0.0;
  for (double p = 0.0; p < 1.0; p += 1.0 / 512) {
    const double r = radii.radius_at(p);
    EXPECT_GE(r, radii.min);
    EXPECT_LE(r, radii.max);
    EXPECT_GE(r, last);
    EXPECT_NEAR((share_below(z_of(r)) - a) / (b - a), p, 1e-13);
    last = r;
  }
}

TEST(GrainSizes, NormalRadiiHaveTheirDistribution) {
  for (const NormalRadii& radii :
       {NormalRadii{.mean = 0.01, .deviation = 0.002, .min = 0.005, .max = 0.013},
        NormalRadii{.mean = 0.01, .deviation = 0.02, .min = 0.01, .max = 0.012},
        NormalRadii{.mean = 0.01, .deviation = 1e-4, .min = 1e-3, .max = 1.0}}) {
    expect_quantiles(radii, [&](double r) { return (r - radii.mean) / radii.deviation; });
  }
}

TEST(GrainSizes, NormalRadiiHaveTheirMoments) {
  const NormalRadii radii{.mean = 0.01, .deviation = 0.002, .min = 0.006, .max = 0.011};
  const double a = -2.0;
  const double b = 0.5;
  // Moments of a standard normal z between a and b.
  const double mass = share_below(b) - share_below(a);
  const double m1 = -(density(b) - density(a)) / mass;
  const double m2 = 1.0 - (b * density(b) - a * density(a)) / mass;
  const double m3 = 2.0 * m1 - (b * b * density(b) - a * a * density(a)) / mass;
  const double mean = radii.mean;
  const double s = radii.deviation;
  const double cube =
      mean * mean * mean + 3.0 * mean * mean * s * m1 + 3.0 * mean * s * s * m2 + s * s * s * m3;
  EXPECT_NEAR(radii.mean_cube(), cube, 1e-11 * cube);
  double sum = 0.0;
  double squares = 0.0;
  constexpr int kGrains = 20000;
  for (int i = 0; i < kGrains; ++i) {
    const double r = radii.radius_at((i + 0.5) / kGrains);
    sum += r;
    squares += r * r;
  }
  EXPECT_NEAR(sum / kGrains, mean + s * m1, 1e-8);
  EXPECT_NEAR(squares / kGrains, mean * mean + 2.0 * mean * s * m1 + s * s * m2, 1e-10);
}

TEST(GrainSizes, LognormalRadiiHaveTheirDistributionAndMass) {
  for (const double deviation : {0.05, 0.5, 1.5}) {
    const LognormalRadii radii{
        .median = 0.004, .log_deviation = deviation, .min = 0.001, .max = 0.02};
    const auto z = [&](double r) { return std::log(r / radii.median) / deviation; };
    expect_quantiles(radii, z);
    const double a = z(radii.min);
    const double b = z(radii.max);
    // E[r^3] is that of a normal distribution shifted by 3 sigma.
    const double cube = std::pow(radii.median, 3) * std::exp(4.5 * deviation * deviation) *
                        (share_below(b - 3.0 * deviation) - share_below(a - 3.0 * deviation)) /
                        (share_below(b) - share_below(a));
    EXPECT_NEAR(radii.mean_cube(), cube, 1e-9 * cube) << deviation;
  }
}

/// Share of the mass of grains whose diameter is at most @p diameter, by numbers at equal steps.
double passing(const SieveCurve& curve, double diameter) {
  constexpr int kSteps = 400000;
  double all = 0.0;
  double below = 0.0;
  for (int i = 0; i < kSteps; ++i) {
    const double d = 2.0 * curve.radius_at((i + 0.5) / kSteps);
    all += d * d * d;
    if (d <= diameter) below += d * d * d;
  }
  return below / all;
}

TEST(GrainSizes, ASieveCurveIsThatOfTheMass) {
  SieveCurve curve;
  curve.diameters = {0.002, 0.004, 0.008, 0.012, 0.016};
  curve.passing = {0.0, 0.15, 0.6, 0.6, 1.0};  // gap-graded
  EXPECT_EQ(curve.fault(), "");
  EXPECT_EQ(curve.smallest(), 0.001);
  EXPECT_EQ(curve.largest(), 0.008);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(passing(curve, curve.diameters[k]), curve.passing[k], 2e-3) << k;
  }
  // Straight on a logarithmic axis.
  EXPECT_NEAR(passing(curve, std::sqrt(0.004 * 0.008)), 0.5 * (0.15 + 0.6), 2e-3);
  double cubes = 0.0;
  constexpr int kSteps = 400000;
  for (int i = 0; i < kSteps; ++i) cubes += std::pow(curve.radius_at((i + 0.5) / kSteps), 3);
  EXPECT_NEAR(curve.mean_cube(), cubes / kSteps, 1e-3 * curve.mean_cube());
}

TEST(GrainSizes, ASieveCurveThatIsNoneIsTold) {
  const auto fault = [](std::vector<double> diameters, std::vector<double> share) {
    SieveCurve curve;
    curve.diameters = std::move(diameters);
    curve.passing = std::move(share);
    return curve.fault();
  };
  EXPECT_EQ(fault({0.01}, {1.0}), "needs two sieves or more");
  EXPECT_EQ(fault({0.01, 0.02}, {1.0}), "has 1 entries for 2 diameters; one each is needed");
  EXPECT_EQ(fault({0.02, 0.02}, {0.0, 1.0}), "needs diameters that increase");
  EXPECT_EQ(fault({0.01, 0.02, 0.03}, {0.0, 1.0, 0.5}), "decreases; a wider sieve passes more");
  EXPECT_NE(fault({0.01, 0.02}, {0.1, 1.0}).find("add the diameter of the smallest"),
            std::string::npos);
  EXPECT_NE(fault({0.01, 0.02}, {0.0, 0.9}).find("add the diameter of the largest"),
            std::string::npos);
}

TEST(GrainSizes, TablesListsAndUniformRadii) {
  RadiiTable table;
  table.values = {0.03, 0.01, 0.02};
  table.numbers = {1.0, 6.0, 3.0};
  std::array<int, 4> counts{};
  for (int i = 0; i < 1000; ++i) {
    ++counts[std::lround(table.radius_at(i / 1000.0) / 0.01)];
  }
  EXPECT_NEAR(counts[1], 600, 1);
  EXPECT_NEAR(counts[2], 300, 1);
  EXPECT_NEAR(counts[3], 100, 1);
  EXPECT_NEAR(table.mean_cube(), 1e-6 * (0.1 * 27 + 0.6 + 0.3 * 8), 1e-18);
  EXPECT_EQ(table.smallest(), 0.01);
  EXPECT_EQ(table.largest(), 0.03);
  table.numbers = {0.0, 1.0, 0.0};
  EXPECT_EQ(table.radius_at(0.0), 0.01);
  EXPECT_EQ(table.radius_at(1.0 - 0x1.0p-53), 0.01);
  EXPECT_NEAR((RadiiList{{0.01, 0.03}}).mean_cube(), 14e-6, 1e-18);
  // (b^4 - a^4) / (4 (b - a))
  EXPECT_NEAR((UniformRadii{0.01, 0.03}).mean_cube(), (81e-8 - 1e-8) / 0.08, 1e-18);
}

TEST(CounterRandom, ShufflingIsAPermutation) {
  for (const std::uint64_t n : {1u, 2u, 3u, 16u, 17u, 1000u, 4097u}) {
    std::set<std::uint64_t> places;
    std::uint64_t fixed = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      const std::uint64_t place = shuffled(7, i, n);
      EXPECT_LT(place, n);
      places.insert(place);
      if (place == i) ++fixed;
    }
    EXPECT_EQ(places.size(), n);
    if (n > 100) {
      EXPECT_LT(fixed, 10u);
    }
  }
}

TEST(CounterRandom, EachBlockHasOneNumberInEachPart) {
  constexpr std::uint64_t kBlock = 50;
  std::vector<std::uint64_t> first;
  for (std::uint64_t block = 0; block < 3; ++block) {
    std::vector<std::uint64_t> parts;
    for (std::uint64_t i = 0; i < kBlock; ++i) {
      const double p = stratified_number(3, block * kBlock + i, kBlock, 0);
      ASSERT_GE(p, 0.0);
      ASSERT_LT(p, 1.0);
      parts.push_back(static_cast<std::uint64_t>(p * kBlock));
    }
    EXPECT_EQ((std::set<std::uint64_t>(parts.begin(), parts.end()).size()), kBlock);
    if (block == 0) first = parts;
    if (block > 0) {
      EXPECT_NE(parts, first);
    }
  }
}

TEST(CounterRandom, NestedNumbersAreSpreadOnTwoScales) {
  std::set<std::uint64_t> fine;
  std::vector<double> lags;
  for (std::uint64_t run = 0; run < 64; ++run) {
    std::set<std::uint64_t> coarse;
    for (std::uint64_t i = 32 * run; i < 32 * (run + 1); ++i) {
      const double p = nested_number(5, i, 0);
      ASSERT_GE(p, 0.0);
      ASSERT_LT(p, 1.0);
      coarse.insert(static_cast<std::uint64_t>(32 * p));
      fine.insert(1024 * (run / 32) + static_cast<std::uint64_t>(1024 * p));
      lags.push_back((p - 0.5) * (nested_number(5, i + 1, 0) - 0.5));
    }
    EXPECT_EQ(coarse.size(), 32u);
  }
  EXPECT_EQ(fine.size(), 2048u);
  // The covariance of neighbours is -1/31 of the variance, 1/12, for a random order; and some
  // scatter.
  EXPECT_NEAR(std::accumulate(lags.begin(), lags.end(), 0.0) / 2048, -1.0 / 12 / 31, 0.01);
}

TEST(CounterRandom, PointsInABallAreEvenlySpread) {
  constexpr int kPoints = 20000;
  int inner = 0;
  Vec3 sum = Vec3::Zero();
  Vec3 squares = Vec3::Zero();
  for (std::uint64_t i = 0; i < kPoints; ++i) {
    const Vec3 random(uniform_number(1, i, 0), uniform_number(1, i, 1), uniform_number(1, i, 2));
    const Vec3 p = in_ball(2.0, random);
    EXPECT_LE(p.norm(), 2.0 * (1.0 + 1e-12));
    if (p.norm() < 1.0) ++inner;
    sum += p;
    squares += p.cwiseAbs2();
  }
  EXPECT_NEAR(inner, kPoints / 8, 150);
  EXPECT_LT((sum / kPoints).norm(), 0.03);
  for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(squares[axis] / kPoints, 0.8, 0.03);  // R^2 / 5
  EXPECT_EQ(in_ball(-1.0, Vec3(0.5, 0.5, 0.5)), Vec3::Zero());
}

}  // namespace
}  // namespace scree
