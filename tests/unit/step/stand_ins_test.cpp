#include "step/constraints/stand_ins.hpp"

#include <gtest/gtest.h>

#include "scree/geometry/shapes/sphere.hpp"

namespace scree {
namespace {

constexpr double kRadius = 0.1;

/// Rows of two balls, whose centres are on the x axis, and what stand-ins make of them.
class RowsOfTwo {
 public:
  explicit RowsOfTwo(bool rows_of_start_may_go = true)
      : stand_ins([=](const Contact&) { return rows_of_start_may_go; }) {
    for (const std::int64_t id : {0, 1}) {
      append_grain(store, {.id = id,
                           .position = Vec3(0.2 * static_cast<double>(id), 0.0, 0.0),
                           .shape = Sphere{kRadius},
                           .density = 1000.0});
    }
  }

  /// A row at @p height over the line of centres that @p recursion found.
  static Contact row(std::int32_t recursion, double height, double gap = 0.0) {
    Contact one;
    one.normal = -Vec3::UnitX();
    one.gap = gap;
    one.a = 0;
    one.b = 1;
    one.arm_a = Vec3(kRadius, 0.0, height);
    one.arm_b = Vec3(-kRadius, 0.0, height);
    one.key = {.id_a = 0, .id_b = 1, .recursion = recursion};
    return one;
  }
  static ContactRecord record(const Contact& contact, double force) {
    ContactRecord one;
    one.key = contact.key;
    one.force = Vec3(force, 0.0, 0.0);
    one.moment = Eigen::Vector3f(0.0F, 0.0F, static_cast<float>(force));
    return one;
  }
  void take(const Contact& found, double overlap, std::vector<double> recovered = {}) {
    recovered.resize(contacts.size());
    stand_ins.take_places(store, {&found, 1}, {&overlap, 1}, recovered, contacts, impulses);
  }

  Store store;
  StandIns stand_ins;
  std::vector<Contact> contacts;
  std::vector<ContactRecord> impulses;
};

TEST(StandIns, APointTakesThePlaceOfTheNearestRowThatIsLikeItWithItsImpulse) {
  RowsOfTwo two;
  two.contacts = {two.row(0, 0.0), two.row(1, 0.02), two.row(2, 0.05)};
  for (const Contact& contact : two.contacts) {
    two.impulses.push_back(two.record(contact, 1.0 + contact.key.recursion));
  }
  const Contact found = two.row(3, 0.014);
  two.take(found, 1e-3);
  ASSERT_EQ(two.contacts.size(), 2u);
  EXPECT_EQ(two.contacts[0].key.recursion, 0);
  EXPECT_EQ(two.contacts[1].key.recursion, 2);
  ASSERT_EQ(two.impulses.size(), 3u);
  EXPECT_EQ(two.impulses[2].key, found.key);
  EXPECT_EQ(two.impulses[2].force.x(), 2.0);
  EXPECT_EQ(two.impulses[2].moment.z(), 2.0F);
}

TEST(StandIns, OfSeveralPointsEachTakesOneRow) {
  RowsOfTwo two;
  two.contacts = {two.row(0, 0.0), two.row(1, 0.05)};
  const std::vector<Contact> found = {two.row(2, 0.01), two.row(3, 0.0)};
  const std::vector<double> overlaps = {1e-3, 1e-4};
  const std::vector<double> recovered = {0.0, 0.0};
  two.stand_ins.take_places(two.store, found, overlaps, recovered, two.contacts, two.impulses);
  ASSERT_EQ(two.contacts.size(), 1u);  // the second point is too far from what the first leaves
  EXPECT_EQ(two.contacts.front().key.recursion, 1);
}

TEST(StandIns, ARowWithAnotherNormalOrOfAnotherPairStays) {
  RowsOfTwo two;
  Contact turned = two.row(0, 0.0);
  turned.normal = Vec3(-1.0, 0.4, 0.0).normalized();
  Contact image = two.row(0, 0.0);
  image.key.image = 1;
  two.contacts = {turned, image};
  two.take(two.row(1, 0.0), 1e-3);
  EXPECT_EQ(two.contacts.size(), 2u);
}

TEST(StandIns, RowsOfTheStartThatMayNotGoStay) {
  RowsOfTwo two(false);
  two.contacts = {two.row(0, 0.0), two.row(1, 0.0)};
  two.take(two.row(2, 0.0), 1e-3);
  ASSERT_EQ(two.contacts.size(), 1u);
  EXPECT_EQ(two.contacts.front().key.recursion, 0);
}

/// The recursion in which a pair keeps its row, of which each leaves @p ratio of the overlap
/// before; 0 where none does.
std::int32_t recursion_that_adds(double ratio) {
  RowsOfTwo two;
  double overlap = 1e-3;
  for (std::int32_t recursion = 1; recursion < 40; ++recursion, overlap *= ratio) {
    two.contacts = {two.row(recursion - 1, 0.0)};
    two.take(two.row(recursion, 0.0), overlap);
    if (!two.contacts.empty()) return recursion;
  }
  return 0;
}

TEST(StandIns, APairThatDoesNotComeToRestKeepsItsRows) {
  EXPECT_EQ(recursion_that_adds(1.0), 6);  // five times in vain after the first
  EXPECT_EQ(recursion_that_adds(0.81), 6);
  EXPECT_EQ(recursion_that_adds(0.79), 0);
}

TEST(StandIns, WhatARowOfTheStartLeavesToItsPairIsKept) {
  RowsOfTwo two;
  two.contacts = {two.row(0, 0.0, -3e-4)};
  two.take(two.row(1, 0.0), 1e-3, {1e-4});
  two.contacts = {two.row(1, 0.0, 5e-4)};
  two.take(two.row(2, 0.0), 1e-4);
  Allowances allowed;
  two.stand_ins.add_to(allowed);
  ASSERT_EQ(allowed.size(), 1u);
  EXPECT_DOUBLE_EQ(allowed.begin()->second.gap, -2e-4);
}

TEST(StandIns, ARowOfTheStartIsKnownByTheLastThatStandsInForIt) {
  RowsOfTwo two;
  two.contacts = {two.row(0, 0.0, -3e-4)};
  two.take(two.row(1, 0.01), 1e-3);
  two.contacts = {two.row(1, 0.01, 5e-4)};
  two.take(two.row(2, 0.02), 1e-4);
  const std::vector<Contact> last = {two.row(2, 0.02, 6e-4), two.row(3, 0.09, 1e-4)};
  const ContactList known = two.stand_ins.known_by_the_start(ContactList(last));
  ASSERT_EQ(known.size(), 2u);
  EXPECT_EQ(known[0].key, two.row(0, 0.0).key);
  EXPECT_EQ(known[0].gap, -3e-4);
  EXPECT_EQ(known[0].arm_a, last[0].arm_a);
  EXPECT_EQ(known[1].key, last[1].key);
  EXPECT_EQ(known[1].gap, 1e-4);
}

}  // namespace
}  // namespace scree
