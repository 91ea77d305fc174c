#include "problem/spring_block.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace scree {
namespace {

constexpr double kDt = 1e-4;  ///< s
/// Rounding: some ten operations, fused or not.
constexpr double kRelative = 1e-14;

PairElasticity law_of(StiffnessLaw law) {
  const std::vector<Material> materials{{"a", 1.0, {.young_modulus = 1e8}}};
  const std::vector<FrictionPair> pairs{{.between = {"a", "a"}, .damping = 0.1}};
  return ContactLaws(materials, pairs, {.law = law, .reference_force = 1e-3}).law(0, 0).elasticity;
}

/// The site of the contact @p i: gaps of both signs and none, some on a wall.
ContactSite site_of(std::size_t i) {
  const double overlap = 1e-6 * (static_cast<double>(i % 7) - 2.0);
  return {.radius_a = 0.01 + 1e-4 * static_cast<double>(i),
          .radius_b = i % 5 == 0 ? kFlat : 0.01,
          .mass = 0.002 + 1e-5 * static_cast<double>(i),
          .gap = -overlap,
          .sharing = i % 3 == 0 ? 2.0 : 1.0};
}

/// Speeds of both signs and none, m/s.
double approach_of(std::size_t i) {
  return 0.1 * (static_cast<double>(i % 4) - 1.0);
}

void expect_near(double found, double expected) {
  EXPECT_NEAR(found, expected, kRelative * std::abs(expected));
}

/// Contacts by Hertz's law beside linear and rigid ones, so that the lanes differ.
TEST(SpringBlock, GivesEachContactWhatItHasByItself) {
  const std::array<PairElasticity, 2> laws{law_of(StiffnessLaw::hertz),
                                           law_of(StiffnessLaw::linear)};
  ContactBlock contacts{};
  HistoryBlock histories{};
  SpringBlock block(kDt);
  for (std::size_t i = 0; i < kBlock; ++i) {
    contacts.normal.set(i, Vec3(0.0, 0.0, 1.0));
    contacts.gap[i] = site_of(i).gap;
    if (i % 6 == 5) continue;
    const bool is_hertz = i % 2 == 0;
    block.set(i, laws[is_hertz ? 0 : 1], site_of(i), is_hertz ? approach_of(i) : 0.0);
  }
  block.work_out(contacts, histories);
  for (std::size_t i = 0; i < kBlock; ++i) {
    if (i % 6 == 5) block.set_rigid(i, -0.5);
  }

  int n_deepened = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    SCOPED_TRACE(i);
    if (i % 6 == 5) {
      EXPECT_EQ(block.normal_bias[i], -0.5);
      EXPECT_EQ(block.normal_compliance[i], 0.0);
      continue;
    }
    const PairElasticity& law = laws[i % 2];
    ContactSite site = site_of(i);
    if (i % 2 == 0) {
      site.deepening = expected_deepening(terms_of(law, site.radius_a, site.radius_b), site,
                                          approach_of(i), kDt);
      n_deepened += site.deepening != 0.0 ? 1 : 0;
    }
    const ContactStiffness spring = stiffness_of(law, site, kDt);
    expect_near(block.normal_compliance[i], spring.normal_compliance(kDt));
    expect_near(block.tangential_compliance[i], spring.tangential_compliance(kDt));
    expect_near(block.normal_bias[i], spring.normal_bias(site.gap, kDt));
  }
  EXPECT_GT(n_deepened, 10);
}

/// A speed of approach is that of one block, not of the next one.
TEST(SpringBlock, ForgetsTheApproachOfTheBlockBefore) {
  const PairElasticity law = law_of(StiffnessLaw::hertz);
  ContactBlock contacts{};
  HistoryBlock histories{};
  SpringBlock block(kDt);
  std::array<BlockNumbers, 2> softness;
  for (std::size_t turn = 0; turn < 2; ++turn) {
    for (std::size_t i = 0; i < kBlock; ++i) {
      contacts.normal.set(i, Vec3(0.0, 0.0, 1.0));
      block.set(i, law, site_of(i), turn == 0 ? 1.0 : 0.0);
    }
    block.work_out(contacts, histories);
    softness[turn] = block.normal_compliance;
  }
  for (std::size_t i = 0; i < kBlock; ++i) {
    EXPECT_NE(softness[0][i], softness[1][i]);
    expect_near(softness[1][i], stiffness_of(law, site_of(i), kDt).normal_compliance(kDt));
  }
}

}  // namespace
}  // namespace scree
