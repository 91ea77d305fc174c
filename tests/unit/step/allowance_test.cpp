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

TEST(Allowance, AConstraintTakesThePlaceOfItsFeatureOrElseOfTheNearestThatIsFree) {
  const std::vector<Contact> contacts{contact_at(2, 0, 0.0), contact_at(2, 1, 1.0),
                                      contact_at(3, 0, 0.0)};
  const std::vector<Contact> found{contact_at(2, 1, 0.1), contact_at(2, 7, 0.9),
                                   contact_at(2, 8, 0.8), contact_at(4, 0, 0.0)};
  const auto places = places_of(found, contacts);
  ASSERT_EQ(places.size(), 4U);
  ASSERT_TRUE(places[0] && places[1] && places[2]);
  EXPECT_EQ(places[0]->contact, 1U);  // its feature, though another is nearer
  EXPECT_TRUE(places[0]->is_free);
  EXPECT_EQ(places[1]->contact, 0U);  // what is left of the pair
  EXPECT_TRUE(places[1]->is_free);
  EXPECT_EQ(places[2]->contact, 1U);  // none is left: the nearest of all
  EXPECT_FALSE(places[2]->is_free);
  EXPECT_FALSE(places[3]);  // a pair without contacts
}

/// The force turns with the normal, and no two carry it.
TEST(Allowance, AMemoryTurnsAndIsCarriedOnce) {
  const Contact before = contact_at(2, 0, 0.0);
  Contact after = before;
  after.normal = Vec3(0.6, 0.0, 0.8);
  const ContactHistory history{.force = {3.0, 5.0, 4.0}, .rest_gap = -1e-3, .touched = true};
  const ContactHistory taken = history_at({0, true}, before, history, true, after);
  // by atan(3/4) about y
  EXPECT_LE((taken.force - Vec3(0.8 * 3.0 + 0.6 * 4.0, 5.0, 0.8 * 4.0 - 0.6 * 3.0)).norm(), 1e-15);
  EXPECT_TRUE(taken.loaded);
  EXPECT_TRUE(taken.touched);
  EXPECT_EQ(taken.rest_gap, -1e-3);
  EXPECT_EQ(history_at({0, false}, before, history, true, after).force, Vec3::Zero());
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
  EXPECT_EQ(yields.at({0.1, 0.0, 0.0}), -5e-3);
  EXPECT_EQ(yields.at({0.9, 0.0, 0.0}), -1e-3);  // at rest with that
  EXPECT_FALSE(allowed.at({1, 3, 0}).is_compliant());
  EXPECT_EQ(allowed.at({1, 3, 0}).at({0.1, 0.0, 0.0}), -3e-3);
}

}  // namespace
}  // namespace scree
