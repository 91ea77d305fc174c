#include "scree/step/contact_memory.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace scree {
namespace {

/// One of the points of bodies 1 and 2, which lies at @p arm of body 1.
Contact contact_at(std::int32_t feature, const Vec3& arm) {
  return {.normal = Vec3::UnitZ(),
          .gap = 0.0,
          .a = 0,
          .b = 1,
          .arm_a = arm,
          .arm_b = Vec3::Zero(),
          .key = {1, 2, feature}};
}

ContactRecord record_at(std::int32_t feature, const Vec3& arm, double force) {
  ContactRecord record;
  record.key = {1, 2, feature};
  record.arm = arm.cast<float>();
  record.force = force * Vec3::UnitZ();
  return record;
}

ContactMemory memory_of(const std::vector<ContactRecord>& records) {
  ContactMemory memory;
  memory.restore(ContactRecords(records));
  return memory;
}

double force_of(const FoundRecords& found, std::size_t i) {
  return found.is_new(i) ? 0.0 : found[i].force.z();
}

const Vec3 kLeft(-1.0, 0.0, 0.0);
const Vec3 kRight(1.0, 0.0, 0.0);

TEST(ContactMemory, APointFindsItsOwnRecord) {
  const ContactMemory memory = memory_of({record_at(1, kLeft, 3.0), record_at(2, kRight, 5.0)});
  const std::vector<Contact> contacts = {contact_at(1, kLeft + Vec3(0.1, 0, 0)),
                                         contact_at(2, kRight)};
  const FoundRecords found = memory.find(contacts);
  EXPECT_EQ(force_of(found, 0), 3.0);
  EXPECT_EQ(force_of(found, 1), 5.0);
}

/// A checkpoint has what a step that was not taken sent to others on each of them.
TEST(ContactMemory, WhatIsRestoredTwiceIsHeldOnce) {
  const ContactMemory memory = memory_of({record_at(2, kRight, 5.0), record_at(1, kLeft, 3.0),
                                          record_at(2, kRight, 5.0), record_at(1, kLeft, 3.0)});
  EXPECT_EQ(memory.records().size(), 2U);
  EXPECT_TRUE(memory.records().are_sorted());
}

/// The ends of a body that stands along a hole may be counted from the other one.
TEST(ContactMemory, PointsThatChangeTheirFeaturesKeepTheirRecords) {
  const ContactMemory memory = memory_of({record_at(1, kLeft, 3.0), record_at(2, kRight, 5.0)});
  const std::vector<Contact> contacts = {contact_at(1, kRight), contact_at(2, kLeft)};
  const FoundRecords found = memory.find(contacts);
  EXPECT_EQ(force_of(found, 0), 5.0);
  EXPECT_EQ(force_of(found, 1), 3.0);
}

TEST(ContactMemory, ANewPointElsewhereInheritsNoForce) {
  const ContactMemory memory = memory_of({record_at(1, kLeft, 3.0)});
  const std::vector<Contact> contacts = {contact_at(2, kRight)};
  const FoundRecords found = memory.find(contacts);
  ASSERT_FALSE(found.is_new(0)) << "the pair is known";
  EXPECT_EQ(force_of(found, 0), 0.0);
}

TEST(ContactMemory, APointIsKnownHoweverFarItGoesWhereNoOtherIsNearer) {
  for (const std::int32_t feature : {0, 1}) {
    const ContactMemory memory = memory_of({record_at(feature, kLeft, 3.0)});
    const std::vector<Contact> contacts = {contact_at(feature, kRight)};
    EXPECT_EQ(force_of(memory.find(contacts), 0), 3.0);
  }
}

/// Each comes to where the one before it was: two keep what they bore, as the foremost cannot give
/// its own away.
TEST(ContactMemory, PointsInARowLoseNoRecord) {
  const Vec3 step(1.0, 0.0, 0.0);
  const Vec3 first(0.0, 0.0, 8.0);
  const ContactMemory memory =
      memory_of({record_at(1, first, 3.0), record_at(2, first + step, 5.0)});
  const std::vector<Contact> contacts = {contact_at(1, first + step),
                                         contact_at(2, first + 2.0 * step)};
  const FoundRecords found = memory.find(contacts);
  EXPECT_EQ(force_of(found, 0) + force_of(found, 1), 8.0);
}

/// Of a ball in the middle of a cone the nearest side is by rounding any of three.
TEST(ContactMemory, ThreePointsThatAreCountedFromAnotherKeepTheirRecords) {
  const Vec3 back(0.0, 1.0, 0.0);
  const ContactMemory memory =
      memory_of({record_at(0, kLeft, 3.0), record_at(1, kRight, 5.0), record_at(2, back, 7.0)});
  const std::vector<Contact> contacts = {contact_at(0, back), contact_at(1, kLeft),
                                         contact_at(2, kRight)};
  const FoundRecords found = memory.find(contacts);
  EXPECT_EQ(force_of(found, 0), 7.0);
  EXPECT_EQ(force_of(found, 1), 3.0);
  EXPECT_EQ(force_of(found, 2), 5.0);
}

bool are_same(const ContactRecord& a, const ContactRecord& b) {
  return a.key == b.key && a.force == b.force && a.normal == b.normal && a.rest_gap == b.rest_gap &&
         a.touched == b.touched && a.arm == b.arm && a.moment == b.moment && a.where == b.where;
}

/// The record of a contact of balls with the grain @p b.
ContactRecord ball_record(std::int64_t b) {
  const auto x = static_cast<double>(b);
  return {.key = {.id_a = 1, .id_b = b, .image = 3},
          .force = {x, 2.0 * x, 3.0 * x},
          .normal = Vec3::UnitX(),
          .rest_gap = -x,
          .where = static_cast<std::int32_t>(b)};
}

/// One with numbers that balls do not have.
ContactRecord rich_record(std::int64_t b) {
  const auto x = static_cast<float>(b);
  ContactRecord record = ball_record(b);
  record.key.feature = 10 + b;
  record.key.recursion = static_cast<std::int32_t>(b);
  record.touched = 1;
  record.arm = {x, 2.0F * x, 3.0F * x};
  record.moment = {-x, -2.0F * x, -3.0F * x};
  return record;
}

void expect_same(const ContactRecords& held, const std::vector<ContactRecord>& records) {
  ASSERT_EQ(held.size(), records.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    EXPECT_TRUE(are_same(held[i], records[i])) << i;
    EXPECT_EQ(held.key(i), records[i].key);
    EXPECT_EQ(held.force(i), records[i].force);
    EXPECT_EQ(held.touched(i), records[i].touched != 0);
  }
}

/// Wherever the first with rare numbers stands, and others after it: each has its own.
TEST(ContactRecords, GiveWhatTheyWereGiven) {
  constexpr std::uint32_t kKinds = 1U << 5;
  ContactRecords again;
  for (std::uint32_t kinds = 0; kinds < kKinds; ++kinds) {
    std::vector<ContactRecord> records;
    for (std::uint32_t i = 0; i < 5; ++i) {
      const std::int64_t b = 9 - i;
      records.push_back((kinds >> i & 1U) != 0 ? rich_record(b) : ball_record(b));
    }
    ContactRecords held(records);
    expect_same(held, records);
    again.replace(records);
    expect_same(again, records);
    held.sort();
    std::ranges::sort(records, {}, &ContactRecord::key);
    EXPECT_TRUE(held.are_sorted());
    expect_same(held, records);
    held.erase_if([](std::size_t i) { return i % 2 == 0; });
    expect_same(held, {records[1], records[3]});
  }
}

/// Wherever the box stands: by sides that are off by two roundings at most.
TEST(OuterBox, HoldsTheBoxThatItIsMadeOf) {
  constexpr double kRounding = 2.0 * std::numeric_limits<float>::epsilon();
  for (const double at : {0.1, -0.1, 1234.56789, -1e-9, 0.0}) {
    const Box3 box{Vec3(at, 0.5, -1.0 / 3.0), Vec3(at + 1e-3, 2.0 / 3.0, 1e5 / 7.0)};
    const Box3 outer = OuterBox(box).box();
    EXPECT_TRUE(outer.contains(box));
    const Box3 again = OuterBox(outer).box();  // as a checkpoint brings it back
    EXPECT_EQ(again.low, outer.low);
    EXPECT_EQ(again.high, outer.high);
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(outer.low[axis], box.low[axis], kRounding * std::abs(box.low[axis]));
      EXPECT_NEAR(outer.high[axis], box.high[axis], kRounding * std::abs(box.high[axis]));
    }
  }
  EXPECT_TRUE(OuterBox(kNowhere).box().is_empty());
}

}  // namespace
}  // namespace scree
