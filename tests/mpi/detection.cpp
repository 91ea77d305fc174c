// ranks: 1 2 3 4 8 16
//
// Over all ranks no contact is missed and none is found twice: what the ranks find together is what
// trying all pairs of the whole scene on one rank finds, bit by bit.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <set>

#include "scree/contact/broadphase.hpp"
#include "scree/contact/narrowphase.hpp"
#include "scree/geometry/shapes/sphere.hpp"
#include "support/scenes.hpp"

namespace scree::detection_test {
namespace {

const MPI_Comm kWorld = MPI_COMM_WORLD;

/// A contact as comparable numbers: the ids, the feature, then the bits of the gap and of the
/// normal.
using Record = std::array<std::int64_t, 7>;

std::vector<Record> records_of(ContactView contacts) {
  std::vector<Record> records;
  for (const Contact& c : contacts) {
    records.push_back({c.key.id_a, c.key.id_b, c.key.feature, std::bit_cast<std::int64_t>(c.gap),
                       std::bit_cast<std::int64_t>(c.normal.x()),
                       std::bit_cast<std::int64_t>(c.normal.y()),
                       std::bit_cast<std::int64_t>(c.normal.z())});
  }
  return records;
}

/// All ranks' records, sorted, on rank 0.
std::vector<Record> gather(const std::vector<Record>& mine) {
  const int n = static_cast<int>(mine.size() * Record{}.size());
  const std::size_t ranks = size_of(kWorld);
  std::vector<int> counts(ranks);
  std::vector<int> offsets(ranks);
  SCREE_MPI(MPI_Gather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, kWorld));
  for (std::size_t p = 1; p < ranks; ++p) offsets[p] = offsets[p - 1] + counts[p - 1];
  std::vector<Record> all;
  if (rank_of(kWorld) == 0) {
    all.resize(static_cast<std::size_t>(offsets.back() + counts.back()) / Record{}.size());
  }
  SCREE_MPI(MPI_Gatherv(mine.data(), n, MPI_INT64_T, all.data(), counts.data(), offsets.data(),
                        MPI_INT64_T, 0, kWorld));
  std::sort(all.begin(), all.end());
  return all;
}

ContactList contacts_by_trying_all(Store whole, const Reach& reach) {
  update_boxes(whole, reach);
  return narrowphase(whole, all_pairs(whole), reach);
}

/// Two balls no farther from each other than the rupture distance, or whose straight ways bring
/// them together within the step, by the formula for balls and nothing of the program's. Of other
/// shapes, the balls inside them.
std::set<std::pair<std::int64_t, std::int64_t>> balls_that_meet(const Store& whole,
                                                                const Reach& reach) {
  std::set<std::pair<std::int64_t, std::int64_t>> meeting;
  for (std::int32_t i = whole.first_owned(); i < whole.end_owned(); ++i) {
    for (std::int32_t j = i + 1; j < whole.end_owned(); ++j) {
      const int held = whole.fixed[i] & whole.fixed[j] & (kFixX | kFixY | kFixZ);
      if (held == (kFixX | kFixY | kFixZ)) continue;  // neither can give way
      const Vec3 x = whole.position[i] - whole.position[j];
      const Vec3 v = whole.velocity[i] - whole.velocity[j];
      const double t = std::clamp(-x.dot(v) / std::max(v.squaredNorm(), 1e-300), 0.0, reach.dt);
      const double radii = inscribed_radius(whole, i) + inscribed_radius(whole, j);
      if ((x + t * v).norm() > radii && x.norm() > radii + reach.rupture_distance) continue;
      meeting.insert(std::minmax(whole.id[i], whole.id[j]));
    }
  }
  return meeting;
}

double smallest_inscribed(const Store& store) {
  double smallest = 1.0;  // m: more than any
  for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
    smallest = std::min(smallest, inscribed_radius(store, i));
  }
  return smallest;
}

void move(Store& store, double dt) {
  for (std::int32_t s = 0; s < store.end_owned(); ++s) {
    store.position[s] += dt * store.velocity[s];
  }
}

/// Steps of @p dt; new cuts every other step.
void expect_all_found_once(const test::SceneSpec& spec, double dt, int n_steps,
                           double rupture_distance = 0.0) {
  Store whole = test::whole_scene(spec);
  const Reach reach{
      .dt = dt, .smallest_radius = smallest_inscribed(whole), .rupture_distance = rupture_distance};
  Store mine = test::dealt_scene(spec, kWorld);
  Partition partition(kWorld);
  Exchange exchange(kWorld);
  for (int step = 0; step < n_steps; ++step) {
    if (step % 2 == 0) test::send_home(mine, partition, exchange);
    exchange.migrate(mine, partition.owners(mine));
    test::bring_ghosts(mine, reach, partition, exchange);

    const ContactList contacts = test::own_contacts(mine, reach, partition);
    const std::vector<Record> found = gather(records_of(contacts));
    if (rank_of(kWorld) == 0) {
      const std::vector<Record> expected = records_of(contacts_by_trying_all(whole, reach));
      EXPECT_EQ(found.size(), expected.size()) << "seed " << spec.seed << " step " << step;
      EXPECT_TRUE(found == expected) << "seed " << spec.seed << " step " << step;
      std::set<std::pair<std::int64_t, std::int64_t>> keys;
      for (const Record& r : found) keys.emplace(r[0], r[1]);
      const auto twice =
          std::adjacent_find(found.begin(), found.end(), [](const Record& r, const Record& s) {
            return std::equal(r.begin(), r.begin() + 3, s.begin());
          });
      EXPECT_TRUE(twice == found.end()) << "found twice";
      for (const auto& pair : balls_that_meet(whole, reach)) {
        EXPECT_TRUE(keys.contains(pair)) << pair.first << " and " << pair.second << " missed";
      }
    }
    const bool sorted = std::is_sorted(contacts.begin(), contacts.end(),
                                       [](const auto& x, const auto& y) { return x.key < y.key; });
    EXPECT_TRUE(sorted);
    move(whole, dt);
    move(mine, dt);
  }
}

TEST(Detection, EvenlySpread) {
  for (const std::uint32_t seed : {1U, 2U, 3U}) {
    expect_all_found_once({.seed = seed, .n_grains = 500}, 0.01, 6);
  }
}

TEST(Detection, ManyShapes) {
  for (const std::uint32_t seed : {21U, 22U}) {
    const test::SceneSpec spec{.seed = seed, .n_grains = 400, .largest = 0.06, .mixed = true};
    expect_all_found_once(spec, 0.01, 4);
  }
}

TEST(Detection, ManySizes) {
  for (const std::uint32_t seed : {4U, 5U}) {
    const test::SceneSpec spec{.seed = seed, .n_grains = 400, .smallest = 0.005, .largest = 0.2};
    expect_all_found_once(spec, 0.01, 4);
  }
}

TEST(Detection, Clusters) {
  for (const int n_clusters : {1, 2, 5}) {
    const test::SceneSpec spec{
        .seed = 6, .n_grains = 300, .largest = 0.04, .n_clusters = n_clusters};
    expect_all_found_once(spec, 0.01, 4);
  }
}

TEST(Detection, FastBodiesAndLongSteps) {
  const test::SceneSpec spec{
      .seed = 7, .n_grains = 200, .largest = 0.04, .edge = 2.0, .speed = 20.0};
  expect_all_found_once(spec, 0.02, 4);
}

/// A pair that may pull is known as far as it may, at rest and in motion, beyond its grains' radii,
/// too.
TEST(Detection, UpToTheRuptureDistance) {
  for (const double rupture_distance : {0.01, 0.1}) {
    for (const double speed : {0.0, 2.0}) {
      const test::SceneSpec spec{
          .seed = 10, .n_grains = 250, .smallest = 0.02, .largest = 0.05, .speed = speed};
      expect_all_found_once(spec, 0.01, 4, rupture_distance);
    }
  }
}

TEST(Detection, RanksLeftEmpty) {
  for (const int n : {0, 1, 2, 3, 7}) {
    const test::SceneSpec spec{.seed = 8, .n_grains = n, .smallest = 0.2, .largest = 0.4};
    expect_all_found_once(spec, 0.01, 4);
  }
}

TEST(Detection, OneSpot) {
  const test::SceneSpec spec{.seed = 9, .n_grains = 30, .smallest = 0.1, .edge = 1e-9};
  expect_all_found_once(spec, 1e-3, 3);
}

/// A packed block: hundreds of contacts lie on each cut, edge and corner of the regions.
std::vector<Body> block() {
  std::vector<Body> grains;
  for (int i = 0; i < 1000; ++i) {
    const double shift = i % 2 == 0 ? 0.05 : 0.0;
    grains.push_back({.id = i,
                      .position = 0.2 * Vec3(i % 10, i / 10 % 10 + shift, i / 100 - shift),
                      .shape = Sphere{0.1},
                      .density = 1.0});
  }
  return grains;
}

TEST(Detection, AcrossEdgesAndCorners) {
  const Reach reach{.dt = 1e-3, .smallest_radius = 0.1};
  Store mine;
  Store whole;
  for (const Body& grain : block()) {
    append_grain(whole, grain);
    if (grain.id % size_of(kWorld) == rank_of(kWorld)) append_grain(mine, grain);
  }
  Partition partition(kWorld);
  Exchange exchange(kWorld);
  test::send_home(mine, partition, exchange);
  test::bring_ghosts(mine, reach, partition, exchange);
  const std::vector<Record> found = gather(records_of(test::own_contacts(mine, reach, partition)));
  if (rank_of(kWorld) != 0) return;
  EXPECT_TRUE(found == records_of(contacts_by_trying_all(whole, reach)));
  EXPECT_GT(found.size(), 2000U);
}

}  // namespace
}  // namespace scree::detection_test
