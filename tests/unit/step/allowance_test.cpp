#include "step/allowance.hpp"

#include <gtest/gtest.h>

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
  EXPECT_EQ(yields.at(contact_at(2, 0, 0.1)), -5e-3);
  EXPECT_EQ(yields.at(contact_at(2, 0, 0.9)), -1e-3);  // at rest with that
  EXPECT_FALSE(allowed.at({1, 3, 0}).is_compliant());
  EXPECT_EQ(allowed.at({1, 3, 0}).at(contact_at(3, 0, 0.1)), -3e-3);
}

/// Of springs that share the pair's stiffness the deepest counts, but no more than by a hundredth
/// beyond one spring that bears what all do.
TEST(Allowance, SpringsThatShareAllowWhatOneWould) {
  Trial still{std::vector<Pose>(2), std::vector<Vec6>(2, Vec6::Zero())};
  std::vector<Contact> contacts{contact_at(2, 0, 0.0), contact_at(2, 0, 1.0)};
  contacts[1].key.recursion = 1;
  for (Contact& contact : contacts) {
    contact.b = 1;
    contact.sharing = 2.0;
  }
  contacts[0].gap = -1e-3;
  contacts[1].gap = -1.001e-3;
  const std::vector<SpringState> springs{{true, true, 0.0}, {true, true, 0.0}};
  const Contact point = contact_at(2, 0, 0.0);
  EXPECT_EQ(allowances(contacts, springs, std::vector<double>(contacts.size(), 0.0), still, 1e-2)
                .at({1, 2, 0})
                .at(point),
            -1.001e-3);
  contacts[1].gap = -2e-3;
  EXPECT_NEAR(allowances(contacts, springs, std::vector<double>(contacts.size(), 0.0), still, 1e-2)
                  .at({1, 2, 0})
                  .at(point),
              -1.01 * 1.5e-3, 1e-15);
}

}  // namespace
}  // namespace scree
