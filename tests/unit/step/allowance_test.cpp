#include "step/allowance.hpp"

#include <gtest/gtest.h>

#include <array>

namespace scree {
namespace {

Contact contact_at(std::int64_t id_b, std::int32_t feature, double x) {
  Contact contact{};
  contact.key = {.id_a = 1, .id_b = id_b, .feature = feature};
  contact.arm_a = {x, 0.0, 0.0};
  contact.normal = Vec3::UnitZ();
  return contact;
}

/// A spring's compression is allowed where it is; a rigid pair's overlap of the start as far as it
/// is not undone.
TEST(Allowance, IsThatOfTheNearestSpring) {
  Trial still{std::vector<Pose>(2), std::vector<Vec6>(2, Vec6::Zero())};
  std::vector<Contact> contacts{contact_at(2, 0, 0.0), contact_at(2, 1, 1.0),
                                contact_at(3, 0, 0.0)};
  for (Contact& contact : contacts) contact.b = 1;
  contacts[0].gap = -5e-3;
  contacts[1].gap = 2e-3;
  contacts[2].gap = -4e-3;
  const std::vector<SpringState> springs{{true, true, 0.0}, {true, false, -1e-3}, {}};
  const Allowances allowed =
      allowances(contacts, springs, std::vector<double>(contacts.size(), 1e-3), still, 1e-2);
  const Allowance& yields = allowed.at({1, 2, 0});
  EXPECT_TRUE(yields.is_compliant());
  EXPECT_EQ(yields.at(contact_at(2, 0, 0.1), -5e-3), -5e-3);
  EXPECT_EQ(yields.at(contact_at(2, 0, 0.9), 0.0), -1e-3);  // at rest with that
  EXPECT_FALSE(allowed.at({1, 3, 0}).is_compliant());
  EXPECT_EQ(allowed.at({1, 3, 0}).at(contact_at(3, 0, 0.1), -4e-3), -3e-3);
}

/// Two points of a pair that share its stiffness, the first of the start, at these gaps and with
/// these loads.
Allowance of_two(const std::array<double, 2>& gaps, const std::array<double, 2>& loads,
                 double bias_share) {
  const Trial still{std::vector<Pose>(2), std::vector<Vec6>(2, Vec6::Zero())};
  std::vector<Contact> contacts{contact_at(2, 0, 0.0), contact_at(2, 0, 1.0)};
  std::vector<SpringState> springs;
  contacts[1].key.recursion = 1;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    contacts[i].b = 1;
    contacts[i].gap = gaps[i];
    springs.push_back(
        {.is_compliant = true, .bears = true, .load = loads[i], .bias_share = bias_share});
  }
  return allowances(contacts, springs, {{0.0, 0.0}}, still, 1e-2).at({1, 2, 0});
}

/// Of springs that share the pair's stiffness the deepest counts, but no more than by a hundredth
/// beyond one spring that bears what all do.
TEST(Allowance, SpringsThatShareAllowWhatOneWould) {
  const Contact point = contact_at(2, 0, 0.0);
  EXPECT_EQ(of_two({-1e-3, -1.001e-3}, {0.5e-3, 0.5005e-3}, 1.0).at(point, 0.0), -1.001e-3);
  EXPECT_NEAR(of_two({-1e-3, -2e-3}, {0.5e-3, 1e-3}, 1.0).at(point, 0.0), -1.01 * 1.5e-3, 1e-15);
}

/// A dashpot bears a part of what parts bodies that were compressed at the start.
TEST(Allowance, ADashpotHoldsBackAPointThatOpens) {
  const Contact point = contact_at(2, 0, 0.0);
  const Allowance pair = of_two({-3e-3, -2e-3}, {0.5e-3, 0.5e-3}, 0.6);
  EXPECT_NEAR(pair.at(point, -1e-3), -1.01e-3 - 0.4e-3, 1e-15);
  EXPECT_NEAR(pair.at(point, 1e-3), -1.01e-3, 1e-15);
}

/// One that opens faster than its dashpot lets it bears nothing, and is compressed still; what was
/// apart at the start may not be.
TEST(Allowance, AnOpeningSpringIsCompressedStill) {
  const Trial still{std::vector<Pose>(2), std::vector<Vec6>(2, Vec6::Zero())};
  std::vector<Contact> contacts{contact_at(2, 0, 0.0), contact_at(3, 0, 0.0)};
  for (Contact& contact : contacts) contact.b = 1;
  contacts[0].gap = -1e-3;
  contacts[1].gap = 1e-3;
  const std::vector<SpringState> springs(2, {.is_compliant = true});
  const Allowances allowed = allowances(contacts, springs, {{0.0, 0.0}}, still, 1e-2);
  EXPECT_EQ(allowed.at({1, 2, 0}).at(contacts[0], -1e-3), -1e-3);
  EXPECT_EQ(allowed.at({1, 3, 0}).at(contacts[1], 1e-3), 0.0);
}

}  // namespace
}  // namespace scree
