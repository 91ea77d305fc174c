// ranks: 1 2 4
/// Insertion into a crowd of grains and tools, against trying all pairs, and against one rank.

#include "scree/domain/insertion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "scree/geometry/shapes/sphere.hpp"
#include "support/scenes.hpp"
#include "support/separation.hpp"

namespace scree::test::insertion_test {
namespace {

const std::vector<Material> kMaterials{{"stone", 2600.0}, {"steel", 7850.0}};
const SceneSpec kCrowd{.n_grains = 60, .smallest = 0.02, .largest = 0.06};

InsertionSpec rain() {
  InsertionSpec spec;
  spec.name = "rain";
  spec.populations = {{"fine", "stone", 1.0, UniformRadii{0.02, 0.03}, Ball{}},
                      {"coarse", "steel", 2.0, RadiiList{{0.04}}, Ball{}}};
  spec.region = BoxRegion{{0.05, 0.05, 0.05}, {0.95, 0.95, 0.95}};
  spec.rate = 100.0;
  spec.start = 0.5;
  return spec;
}

/// The crowd on the ranks of @p comm, and where its grains belong.
struct Scene {
  explicit Scene(MPI_Comm comm) : partition(comm), store(dealt_scene(kCrowd, comm)) {
    Exchange exchange(comm);
    partition.cut(store, std::vector<double>(store.n_owned, 1.0));
    exchange.migrate(store, partition.owners(store));
  }
  Partition partition;
  Store store;
};

/// An insertion and what changes of it.
struct Source {
  Insertion insertion;
  InsertionState state = {};

  std::int64_t insert(Store& store, const Partition& partition, const PeriodicCell& cell, double t,
                      std::int64_t next_id) {
    return insertion.insert(state, store, partition, cell, t, next_id);
  }
  double waiting_mass(double t) const { return insertion.waiting_mass(state, t); }
};

/// A grain that came in, for comparison: position, radius, mass, group, material.
using Came = std::array<double, 7>;

/// The grains from the id @p first on, of all ranks, in order of ids; every rank has them.
std::vector<Came> inserted_grains(MPI_Comm comm, const Store& store, std::int64_t first,
                                  std::int64_t n) {
  std::vector<double> rows(7 * n, 0.0);
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    if (store.id[slot] < first) continue;
    const Vec3& p = store.position[slot];
    const Came row{p.x(),
                   p.y(),
                   p.z(),
                   bounding_radius(store, slot),
                   store.mass[slot],
                   static_cast<double>(store.group[slot]),
                   static_cast<double>(store.material[slot])};
    std::copy(row.begin(), row.end(), rows.begin() + 7 * (store.id[slot] - first));
  }
  sum_over_ranks(comm, rows);
  std::vector<Came> all(n);
  for (std::size_t k = 0; k < all.size(); ++k) {
    std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(7 * k), 7, all[k].begin());
  }
  return all;
}

constexpr std::int64_t kFirstId = std::int64_t{8} << 32;

std::vector<Came> insert(MPI_Comm comm, Source& insertion, double t,
                         const PeriodicCell& cell = {}) {
  Scene scene(comm);
  const std::int64_t n = insertion.insert(scene.store, scene.partition, cell, t, kFirstId);
  return inserted_grains(comm, scene.store, kFirstId, n);
}

double gap_to(const Came& a, const Vec3& centre, double r) {
  return (Vec3(a[0], a[1], a[2]) - centre).norm() - a[3] - r;
}

/// Whatever of the crowd and of what came in, and of their images, is that deep in what came in, m.
double deepest_overlap(const std::vector<Came>& came, const PeriodicCell& cell) {
  const Store crowd = whole_scene(kCrowd);
  double deepest = 0.0;
  const auto look = [&](const Vec3& shift) {
    for (std::size_t i = 0; i < came.size(); ++i) {
      for (std::size_t j = 0; j < came.size(); ++j) {
        const Vec3 centre = Vec3(came[j][0], came[j][1], came[j][2]) + shift;
        if (i != j) deepest = std::max(deepest, -gap_to(came[i], centre, came[j][3]));
      }
      const Pose place{Vec3(came[i][0], came[i][1], came[i][2]), Quat::Identity()};
      for (std::int32_t slot = 0; slot < crowd.size(); ++slot) {
        const Shape& other = crowd.shape[slot];
        Pose pose = pose_of(crowd, slot);
        if (!other.is<Plane>()) pose.position += shift;
        deepest = std::max(deepest, -separation(Sphere{came[i][3]}, place, other, pose).gap);
      }
    }
  };
  for (int x = -1; x <= 1; ++x) {
    for (int y = -1; y <= 1; ++y) look(Vec3(x, y, 0).cwiseProduct(cell.period));
  }
  return deepest;
}

// Lengths of a metre, to rounding: 1e-12 m.
TEST(Insert, NothingOverlaps) {
  Source insertion{Insertion(rain(), kMaterials, 3)};
  const std::vector<Came> came = insert(MPI_COMM_WORLD, insertion, 2.0);
  ASSERT_GT(came.size(), 50u);
  EXPECT_LT(deepest_overlap(came, {}), 1e-12);
  for (const Came& grain : came) {
    const Vec3 ball = Vec3::Constant(grain[3] - 1e-12);
    EXPECT_TRUE((Box3{Vec3::Constant(0.05) + ball, Vec3::Constant(0.95) - ball})
                    .contains(Vec3(grain[0], grain[1], grain[2])));
  }
}

TEST(Insert, NothingOverlapsAcrossPeriodicSides) {
  InsertionSpec spec = rain();
  spec.region = BoxRegion{{0, 0, 0.1}, {1, 1, 0.9}};
  const PeriodicCell cell{Vec3::Zero(), Vec3(1, 1, 0)};
  Source across{Insertion(spec, kMaterials, 3)};
  EXPECT_LT(deepest_overlap(insert(MPI_COMM_WORLD, across, 2.0, cell), cell), 1e-12);
  Source unaware{Insertion(spec, kMaterials, 3)};
  EXPECT_GT(deepest_overlap(insert(MPI_COMM_WORLD, unaware, 2.0), cell), 1e-3);
}

TEST(Insert, MayOverlapWhatItDoesNotMeet) {
  // the crowd is of the first three
  const std::vector<Material> materials{{"a", 1.0}, {"steel", 7850.0}, {"b", 1.0}, {"stone", 2600}};
  MeetingMaterials meetings(materials.size());
  for (std::int32_t other = 0; other < 3; ++other) meetings.part(3, other);
  Source source{Insertion(rain(), materials, 3, meetings)};
  Source alone{Insertion(rain(), materials, 3, meetings)};
  const std::vector<Came> came = insert(MPI_COMM_WORLD, source, 2.0);
  EXPECT_EQ(came, insert(MPI_COMM_SELF, alone, 2.0));
  std::vector<Came> stone;
  std::vector<Came> steel;
  for (const Came& grain : came) (grain[6] == 3.0 ? stone : steel).push_back(grain);
  EXPECT_GT(deepest_overlap(stone, {}), 1e-3);
  ASSERT_GT(steel.size(), 10u);
  EXPECT_LT(deepest_overlap(steel, {}), 1e-12);
  // those that come in together take places of their own
  for (std::size_t i = 0; i < came.size(); ++i) {
    for (std::size_t j = i + 1; j < came.size(); ++j) {
      const Vec3 centre(came[j][0], came[j][1], came[j][2]);
      EXPECT_GT(gap_to(came[i], centre, came[j][3]), -1e-12);
    }
  }
}

TEST(Insert, IsTheSameOnOneRankAndOnAll) {
  Source together{Insertion(rain(), kMaterials, 3)};
  Source alone{Insertion(rain(), kMaterials, 3)};
  const std::vector<Came> came = insert(MPI_COMM_WORLD, together, 0.7);
  EXPECT_EQ(came, insert(MPI_COMM_SELF, alone, 0.7));
  EXPECT_EQ(together.state.mass, alone.state.mass);
}

// Sums of some hundred masses of a kg, to rounding; the shares of populations scatter by a few
// grains.
TEST(Insert, MassFollowsTheRateWithinAGrain) {
  Source insertion{Insertion(rain(), kMaterials, 3)};
  const double largest = 7850.0 * Sphere{0.04}.volume();
  Scene scene(MPI_COMM_WORLD);
  std::int64_t next_id = kFirstId;
  for (double t = 0.4; t < 1.0; t += 0.02) {
    next_id += insertion.insert(scene.store, scene.partition, {}, t, next_id);
    const double due = 100.0 * std::max(0.0, t - 0.5);
    EXPECT_LE(insertion.state.mass, due);
    EXPECT_GT(insertion.state.mass, due - largest);
    EXPECT_NEAR(insertion.waiting_mass(t), due - insertion.state.mass, 1e-12);
  }
  const auto came = inserted_grains(MPI_COMM_WORLD, scene.store, kFirstId, insertion.state.count);
  double mass[2] = {};
  double sum = 0.0;
  for (const Came& grain : came) {
    EXPECT_EQ(grain[6], grain[5] == 3.0 ? 0.0 : 1.0);  // material of the population
    mass[grain[5] == 3.0 ? 0 : 1] += grain[4];
    sum += grain[4];
  }
  EXPECT_NEAR(sum, insertion.state.mass, 1e-9);
  EXPECT_NEAR(mass[1] / mass[0], 2.0, 0.3);
}

TEST(Insert, EndsByNumberOrTime) {
  InsertionSpec spec = rain();
  spec.count = 17;
  Source by_number{Insertion(spec, kMaterials, 0)};
  EXPECT_EQ(insert(MPI_COMM_WORLD, by_number, 5.0).size(), 17u);
  EXPECT_TRUE(by_number.state.ended);
  EXPECT_EQ(insert(MPI_COMM_WORLD, by_number, 6.0).size(), 0u);
  spec.count = 0;
  spec.stop = 0.6;
  Source by_time{Insertion(spec, kMaterials, 0)};
  const auto n = insert(MPI_COMM_WORLD, by_time, 0.8).size();
  EXPECT_GT(n, 0u);
  EXPECT_LE(by_time.state.mass, 10.0);
  EXPECT_TRUE(by_time.state.ended);
  EXPECT_EQ(insert(MPI_COMM_WORLD, by_time, 0.9).size(), 0u);
  EXPECT_EQ(by_time.waiting_mass(0.9), 0.0);
}

TEST(Insert, WhatFindsNoRoomWaits) {
  InsertionSpec spec = rain();
  spec.region = CylinderRegion{{0.5, 0.5, 3.0}, Vec3::UnitZ(), 0.1, 0.1};
  Source insertion{Insertion(spec, kMaterials, 0)};
  Scene scene(MPI_COMM_WORLD);
  const std::int64_t first = insertion.insert(scene.store, scene.partition, {}, 5.0, kFirstId);
  EXPECT_GT(first, 0);
  EXPECT_EQ(insertion.insert(scene.store, scene.partition, {}, 5.0, kFirstId + first), 0);
  EXPECT_GT(insertion.waiting_mass(5.0), 10.0 * insertion.state.mass);
  for (Vec3& p : scene.store.position) p.z() -= 1.0;  // they fall out of the region
  EXPECT_GT(insertion.insert(scene.store, scene.partition, {}, 5.0, kFirstId + first), 0);
}

}  // namespace
}  // namespace scree::test::insertion_test
