#include "scree/contact/contact_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace scree {
namespace {

/// More than two blocks of contacts among some bodies, the last of which is prescribed.
class Contacts {
 public:
  static constexpr std::int32_t kTool = 20;

  explicit Contacts(bool of_balls, int count = 150) {
    for (int i = 0; i < count; ++i) add(of_balls);
  }

  std::vector<Contact> all;

 private:
  Vec3 vector() { return {any_(random_), any_(random_), any_(random_)}; }

  void add(bool of_balls) {
    Contact contact{};
    contact.normal = vector().normalized();
    contact.gap = any_(random_);
    contact.a = slot_(random_);
    contact.b = all.size() % 3 == 0 ? kTool : slot_(random_);
    contact.key = {.id_a = 100 + contact.a, .id_b = 100 + contact.b};
    contact.arm_a = of_balls ? Vec3(any_(random_) * contact.normal) : vector();
    contact.arm_b = vector();
    if (of_balls && contact.b != kTool) contact.arm_b = any_(random_) * contact.normal;
    all.push_back(contact);
  }

  std::mt19937 random_{5};
  std::normal_distribution<double> any_;
  std::uniform_int_distribution<std::int32_t> slot_{0, kTool - 1};
};

void expect_alike(const Contact& found, const Contact& expected, double rounding) {
  EXPECT_EQ(found.normal, expected.normal);
  EXPECT_EQ(found.gap, expected.gap);
  EXPECT_EQ(found.a, expected.a);
  EXPECT_EQ(found.b, expected.b);
  EXPECT_LE((found.arm_a - expected.arm_a).norm(), rounding);
  EXPECT_LE((found.arm_b - expected.arm_b).norm(), rounding);
  EXPECT_EQ(found.key, expected.key);
  EXPECT_EQ(found.sharing, expected.sharing);
  EXPECT_EQ(found.on_path, expected.on_path);
}

void expect_alike(ContactView found, ContactView expected, double rounding) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    expect_alike(found[i], expected[i], rounding);
    EXPECT_EQ(found.key(i), expected.key(i));
  }
}

TEST(ContactList, GivesContactsOfAnyShapeAsTheyWere) {
  std::vector<Contact> contacts = Contacts(false).all;
  contacts[70].sharing = 1.5;
  contacts[140].on_path = true;
  contacts[149].key.feature = 3;
  const ContactList list(contacts);
  EXPECT_FALSE(list.are_of_balls());
  expect_alike(list, contacts, 0.0);
}

/// Arms of some units are numbers along unit vectors: what is left is rounding.
TEST(ContactList, GivesContactsOfBallsAndThoseOfToolsWithAnyArm) {
  const std::vector<Contact> contacts = Contacts(true).all;
  const ContactList list(contacts, true);
  EXPECT_TRUE(list.are_of_balls());
  EXPECT_EQ(list.ball_arms().size(), list.blocks().size());
  expect_alike(list, contacts, 1e-14);
}

TEST(ContactList, GivesKeysThatIdsDoNotTell) {
  std::vector<Contact> contacts = Contacts(true).all;
  contacts[5].key.image = 7;
  expect_alike(ContactList(contacts, true), contacts, 1e-14);
  contacts[5].key = {.id_a = 1, .id_b = 2};  // a slot of two ids
  expect_alike(ContactList(contacts, true), contacts, 1e-14);
}

TEST(ContactList, PartsAreThoseContacts) {
  const std::vector<Contact> contacts = Contacts(true).all;
  const ContactList list(contacts, true);
  const ContactView part = ContactView(list).part(60, 10);
  expect_alike(part, ContactView(contacts).part(60, 10), 1e-14);
  expect_alike(part.part(3, 4), ContactView(&contacts[63], 4), 1e-14);
  EXPECT_TRUE(std::ranges::equal(list.copy(), list, {}, &Contact::key, &Contact::key));
}

TEST(ContactList, WithoutContactsIsEmpty) {
  EXPECT_TRUE(ContactList().empty());
  EXPECT_TRUE(ContactView(ContactList(std::vector<Contact>{})).empty());
  EXPECT_TRUE(ContactList().are_of_balls());
}

}  // namespace
}  // namespace scree
