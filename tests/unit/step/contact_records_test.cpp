#include "scree/step/contact_records.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace scree {
namespace {

/// Every n-th of the keys of a few pairs, from the first on; all numbers tell records and @p mark
/// apart. Without @p rare none has numbers that balls do not have.
std::vector<BoxedRecord> records_of(int every, bool rare, int mark) {
  std::vector<BoxedRecord> records;
  for (int i = 0; i < 60; i += every) {
    BoxedRecord boxed;
    ContactRecord& record = boxed.record;
    record.key = {.id_a = i / 6, .id_b = 100 + i % 6, .image = i % 2};
    record.force = Vec3(mark, i, 0.0);
    record.normal = Vec3(0.0, mark, i);
    record.rest_gap = mark + 0.01 * i;
    if (rare) {
      record.key.feature = i % 5;
      record.key.recursion = i % 3;
      record.touched = 1;
      record.arm = Eigen::Vector3f::Constant(static_cast<float>(i));
      record.moment = Eigen::Vector3f::Constant(static_cast<float>(mark));
    }
    const Vec3 corner(static_cast<double>(i / 6), mark, 0.0);
    boxed.box = OuterBox({corner, corner});
    records.push_back(boxed);
  }
  std::ranges::sort(records, {}, &BoxedRecord::key);
  return records;
}

ContactRecords held(const std::vector<BoxedRecord>& records) {
  ContactRecords result;
  for (BoxedRecord one : records) {
    one.record.where = result.place_of(one.box);
    result.push_back(one.record);
  }
  return result;
}

/// What merge() gives, by adding one after the other and sorting.
std::vector<BoxedRecord> merged(std::vector<BoxedRecord> records,
                                const std::vector<BoxedRecord>& others) {
  for (const BoxedRecord& other : others) {
    if (std::ranges::find(records, other.key(), &BoxedRecord::key) == records.end()) {
      records.push_back(other);
    }
  }
  std::ranges::sort(records, {}, &BoxedRecord::key);
  return records;
}

void expect_held(const ContactRecords& records, const std::vector<BoxedRecord>& expected) {
  ASSERT_EQ(records.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const ContactRecord record = records[i];
    const ContactRecord& other = expected[i].record;
    EXPECT_EQ(record.key, other.key);
    EXPECT_EQ(record.force, other.force);
    EXPECT_EQ(record.normal, other.normal);
    EXPECT_EQ(record.rest_gap, other.rest_gap);
    EXPECT_EQ(record.touched, other.touched);
    EXPECT_EQ(record.arm, other.arm);
    EXPECT_EQ(record.moment, other.moment);
    EXPECT_EQ(records.box(record), expected[i].box);
  }
}

TEST(ContactRecords, MergesThoseOfOtherKeys) {
  for (const bool mine_rare : {false, true}) {
    for (const bool others_rare : {false, true}) {
      for (const auto& [mine_every, others_every] :
           {std::pair{2, 3}, {3, 2}, {1, 7}, {7, 1}, {100, 1}, {1, 100}}) {
        const auto mine = records_of(mine_every, mine_rare, 1);
        const auto others = records_of(others_every, others_rare, 2);
        ContactRecords records = held(mine);
        records.merge(others);
        expect_held(records, merged(mine, others));
      }
    }
  }
}

TEST(ContactRecords, MergeWithNone) {
  ContactRecords records;
  records.merge({});
  EXPECT_TRUE(records.empty());
  records.merge(records_of(5, true, 1));
  expect_held(records, records_of(5, true, 1));
}

TEST(ContactRecords, WhatIsMergedAgainAddsNothing) {
  ContactRecords records = held(records_of(2, false, 1));
  records.merge(records_of(3, false, 2));
  const std::size_t boxes = records.boxes().size();
  const std::size_t size = records.size();
  for (int k = 0; k < 3; ++k) records.merge(records_of(3, false, 2));
  EXPECT_EQ(records.size(), size);
  EXPECT_EQ(records.boxes().size(), boxes);
}

}  // namespace
}  // namespace scree
