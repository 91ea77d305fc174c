// ranks: 1 2 4 7
//
// Records of contacts go to all ranks that may own their contacts next, and to no other; what is
// sent again adds nothing.

#include "scree/step/contact_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "scree/base/parallel.hpp"
#include "support/scenes.hpp"

namespace scree {
namespace {

const MPI_Comm kWorld = MPI_COMM_WORLD;
constexpr int kRecords = 3000;
constexpr double kEdge = 1.0;
constexpr double kSkin = 0.01;

struct Made {
  ContactKey key;
  Box3 box;
};

/// The same on all ranks: boxes of all sizes, some of them partly or quite outside of the cell.
/// Three records in turn share one.
std::vector<Made> all_records() {
  test::Uniform random(3);
  std::vector<Made> records;
  Box3 box;
  for (int i = 0; i < kRecords; ++i) {
    if (i % 3 == 0) {
      box.low = random.vector(-0.05 * kEdge, 1.05 * kEdge);
      box.high = box.low + random.vector(0.0, i % 100 == 0 ? 0.8 * kEdge : 0.05 * kEdge);
      if (i % 50 == 0) box = kNowhere;
    }
    records.push_back({{.id_a = i / 3, .id_b = 10000 + i}, OuterBox(box).box()});
  }
  return records;
}

/// Whether rank @p rank may have the contact of a record next: tried in all images in the cell.
bool may_own(const Partition& partition, const PeriodicCell& cell, const Box3& box, int rank) {
  if (box.is_empty()) return false;
  std::vector<int> ranks;
  const Vec3 skin = Vec3::Constant(kSkin);
  for (int x = -2; x <= 2; ++x) {
    for (int y = -2; y <= 2; ++y) {
      const Vec3 shift = cell.shift(Vec3i(cell.repeats(0) ? x : 0, cell.repeats(1) ? y : 0, 0));
      const Box3 image = Box3{box.low - skin, box.high + skin}.shifted(shift);
      if (!image.meets(cell.box())) continue;
      partition.ranks_meeting(image, ranks);
      if (std::ranges::find(ranks, rank) != ranks.end()) return true;
    }
  }
  return false;
}

void expect_sent_where_needed(const PeriodicCell& cell) {
  const Store store = test::dealt_scene({.n_grains = 500, .edge = kEdge, .tools = false}, kWorld);
  Partition partition(kWorld);
  partition.cut(store, std::vector<double>(store.n_owned, 1.0));
  const int self = rank_of(kWorld);
  const auto holder = [](std::size_t i) {
    return static_cast<int>(i / 3) % size_of(kWorld);  // any rank may have owned the contact so far
  };
  const std::vector<Made> made = all_records();
  ContactRecords mine;
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (holder(i) != self) continue;
    ContactRecord record{.key = made[i].key, .force = Vec3::Constant(static_cast<double>(i))};
    record.where = mine.place_of(OuterBox(made[i].box));
    mine.push_back(record);
  }
  ContactMemory memory;
  memory.restore(std::move(mine));
  for (int times = 0; times < 3; ++times) {
    memory.redistribute(partition, cell, kSkin);
    const ContactRecords& records = memory.records();
    std::vector<std::size_t> expected;
    for (std::size_t i = 0; i < made.size(); ++i) {
      if (holder(i) == self || may_own(partition, cell, made[i].box, self)) expected.push_back(i);
    }
    EXPECT_EQ(records.size(), expected.size());
    for (std::size_t k = 0; k < std::min(records.size(), expected.size()); ++k) {
      const std::size_t i = expected[k];
      EXPECT_EQ(records.key(k), made[i].key);
      EXPECT_EQ(records.force(k).x(), static_cast<double>(i));
      EXPECT_EQ(memory.box(records[k]), made[i].box);
    }
  }
}

TEST(ContactMemory, GoesToThoseWhoMayOwnItsContactsNext) {
  expect_sent_where_needed({});
}

TEST(ContactMemory, GoesThroughSidesOfTheCell) {
  PeriodicOptions options;
  options.x = {0.0, kEdge};
  expect_sent_where_needed(options.cell());
  options.y = {0.0, kEdge};
  expect_sent_where_needed(options.cell());
}

}  // namespace
}  // namespace scree
