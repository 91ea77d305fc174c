// ranks: 1 2 4 7
//
// Contacts of many shapes in a periodic cell: what the ranks find together is, bit by bit and each
// once, what trying every pair in every image finds.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>

#include "contact/sharing.hpp"
#include "scree/contact/broadphase.hpp"
#include "scree/contact/narrowphase.hpp"
#include "scree/contact/penetration.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"
#include "scree/geometry/shapes/polyhedron.hpp"
#include "support/hulls.hpp"
#include "support/scenes.hpp"

namespace scree::periodic_shapes_test {
namespace {

const MPI_Comm kWorld = MPI_COMM_WORLD;

/// A contact as comparable numbers: ids, image and feature, then the bits of its gap, its normal
/// and both arms.
using Record = std::array<std::int64_t, 14>;
constexpr std::size_t kNameLength = 4;

Record record_of(const ContactKey& key, double gap, const Vec3& normal, const Vec3& arm_a,
                 const Vec3& arm_b) {
  Record record{key.id_a, key.id_b, key.image, key.feature, std::bit_cast<std::int64_t>(gap)};
  std::size_t next = kNameLength + 1;
  for (const Vec3* v : {&normal, &arm_a, &arm_b}) {
    for (const double x : *v) record[next++] = std::bit_cast<std::int64_t>(x);
  }
  return record;
}

std::vector<Record> records_of(ContactView contacts) {
  std::vector<Record> records;
  for (const Contact& c : contacts) {
    records.push_back(record_of(c.key, c.gap, c.normal, c.arm_a, c.arm_b));
  }
  return records;
}

/// All ranks' records, sorted, on every rank.
std::vector<Record> gather(const std::vector<Record>& mine) {
  const int n = static_cast<int>(mine.size() * Record{}.size());
  std::vector<int> counts(static_cast<std::size_t>(size_of(kWorld)));
  SCREE_MPI(MPI_Allgather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, kWorld));
  std::vector<int> first(counts.size() + 1, 0);
  for (std::size_t p = 0; p < counts.size(); ++p) first[p + 1] = first[p] + counts[p];
  std::vector<Record> all(static_cast<std::size_t>(first.back()) / Record{}.size());
  SCREE_MPI(MPI_Allgatherv(mine.data(), n, MPI_INT64_T, all.data(), counts.data(), first.data(),
                           MPI_INT64_T, kWorld));
  std::sort(all.begin(), all.end());
  return all;
}

/// Whether the two are the same contacts, each with the same numbers to rounding: the narrow phase
/// works balls out by vector instructions, which contract products and sums.
bool are_alike(const std::vector<Record>& found, const std::vector<Record>& expected) {
  constexpr double kRounding = 1e-13;  // of lengths about 1 m and of unit vectors
  const auto is_alike = [](const Record& r, const Record& s) {
    if (!std::equal(r.begin(), r.begin() + kNameLength, s.begin())) return false;
    return std::equal(r.begin() + kNameLength, r.end(), s.begin() + kNameLength,
                      [](std::int64_t x, std::int64_t y) {
                        return std::abs(std::bit_cast<double>(x) - std::bit_cast<double>(y)) <=
                               kRounding;
                      });
  };
  return std::equal(found.begin(), found.end(), expected.begin(), expected.end(), is_alike);
}

/// Visits every image that may be near the cell: none in directions that do not repeat.
template <class Visit>
void for_each_near_image(const PeriodicCell& cell, Visit&& visit) {
  const auto far = [&cell](int axis) { return cell.repeats(axis) ? 2 : 0; };
  for (int z = -far(2); z <= far(2); ++z) {
    for (int y = -far(1); y <= far(1); ++y) {
      for (int x = -far(0); x <= far(0); ++x) visit(Vec3i(x, y, z));
    }
  }
}

/// A grain and another body where one of its images is.
struct Meeting {
  std::int32_t grain;
  std::int32_t other;
  Vec3i image;
};

/// Appends what the pair's geometry gives within its margins. @pre margins are not capped, so that
/// they alone decide.
void try_pair(const Store& whole, const Reach& reach, const Meeting& pair,
              std::vector<Record>& found) {
  const auto a = static_cast<std::size_t>(pair.grain);
  const auto b = static_cast<std::size_t>(pair.other);
  const double margins = margin(whole, pair.grain, reach) + margin(whole, pair.other, reach);
  const Pose pose_b{whole.position[b] + reach.cell.shift(pair.image), whole.orientation[b]};
  // points that share a stiffness with those within the margins may be further off
  const double sharing = kSharingReach * smaller_radius(whole, pair.grain, pair.other);
  const Manifold manifold =
      contacts_between(whole.shape[a], pose_of(whole, pair.grain), whole.shape[b], pose_b,
                       *whole.shapes, margins + sharing);
  ASSERT_EQ(manifold.status, SeparationStatus::solved);
  if (manifold.deepest().gap >= margins) return;
  const bool tool = whole.is_tool(pair.other);
  const Vec3i wraps_b = tool ? Vec3i(Vec3i::Zero()) : whole.wraps[b];
  for (const ContactPoint& p : manifold) {
    if (p.gap >= margins) continue;
    const Vec3 point = tool ? p.point_a : Vec3(0.5 * (p.point_a + p.point_b));
    const ContactKey key{whole.id[a], whole.id[b], p.feature,
                         image_code(pair.image + whole.wraps[a] - wraps_b)};
    found.push_back(
        record_of(key, p.gap, p.normal, point - whole.position[a], point - pose_b.position));
  }
}

/// Each rank tries the pairs of its share of grains; all get what all find.
std::vector<Record> by_trying_all(const Store& whole, const Reach& reach) {
  std::vector<Record> found;
  const int n_ranks = size_of(kWorld);
  for (std::int32_t i = whole.first_owned() + rank_of(kWorld); i < whole.end_owned();
       i += n_ranks) {
    for (std::int32_t j = 0; j < whole.end_owned(); ++j) {
      const auto a = static_cast<std::size_t>(i);
      const auto b = static_cast<std::size_t>(j);
      if (whole.id[a] >= whole.id[b]) continue;
      const bool endless = whole.shape[b].is<Plane>();
      for_each_near_image(reach.cell, [&](const Vec3i& image) {
        if (!endless || image.isZero()) try_pair(whole, reach, {i, j, image}, found);
      });
    }
  }
  return gather(found);
}

/// Balls, ellipsoids, capsules, boxes and polyhedra, a fifth each; every rank knows the polyhedron.
struct Scene {
  std::vector<Body> tools;
  std::vector<Body> grains;
  std::shared_ptr<ShapeLibrary> shapes = std::make_shared<ShapeLibrary>();

  explicit Scene(const test::SceneSpec& spec)
      : tools(test::some_tools(spec)), grains(test::random_grains(spec)) {
    const std::int32_t handle = shapes->add(hull_of(test::prism(5, 1.5), "prism"));
    for (std::size_t i = 0; i < grains.size(); i += 5) {
      grains[i].shape = Polyhedron{handle, i % 2 == 0 ? spec.smallest : spec.largest};
    }
  }

  /// Every @p n th grain, from the number @p first.
  Store store(std::size_t first, std::size_t n) const {
    Store store;
    store.shapes = shapes;
    for (const Body& tool : tools) append_tool(store, tool);
    for (std::size_t i = first; i < grains.size(); i += n) append_grain(store, grains[i]);
    return store;
  }
};

double smallest_inscribed(const Store& whole) {
  double smallest = 1.0;  // m: more than any
  for (std::int32_t i = whole.first_owned(); i < whole.end_owned(); ++i) {
    smallest = std::min(smallest, inscribed_radius(whole, i));
  }
  return smallest;
}

void move(Store& store, double dt) {
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    const auto i = static_cast<std::size_t>(slot);
    store.position[i] += dt * store.velocity[i];
  }
}

class Ranks {
 public:
  explicit Ranks(const Scene& scene)
      : store(scene.store(static_cast<std::size_t>(rank_of(kWorld)),
                          static_cast<std::size_t>(size_of(kWorld)))) {}

  ContactList contacts(const Reach& reach) {
    wrap_into(store, reach.cell);
    test::send_home(store, partition_, exchange_);
    test::bring_ghosts(store, reach, partition_, exchange_);
    return test::own_contacts(store, reach, partition_);
  }

  Store store;

 private:
  Partition partition_{kWorld};
  Exchange exchange_{kWorld};
};

/// How many contacts of @p found lead to an image other than the body itself.
std::int64_t across(const std::vector<Record>& found) {
  return std::count_if(found.begin(), found.end(), [](const Record& r) { return r[2] != 0; });
}

void expect_all_found_once(const test::SceneSpec& spec, const PeriodicCell& cell) {
  const Scene scene(spec);
  Store whole = scene.store(0, 1);
  Ranks ranks(scene);
  const Reach reach{.dt = 1e-3, .smallest_radius = smallest_inscribed(whole), .cell = cell};
  for (int step = 0; step < 3; ++step) {
    wrap_into(whole, cell);
    const std::vector<Record> found = gather(records_of(ranks.contacts(reach)));
    const std::vector<Record> expected = by_trying_all(whole, reach);
    EXPECT_EQ(found.size(), expected.size()) << "seed " << spec.seed << ", step " << step;
    EXPECT_TRUE(are_alike(found, expected)) << "seed " << spec.seed << ", step " << step;
    EXPECT_GT(found.size(), 30U);
    EXPECT_GT(across(found), 4);
    const auto twice =
        std::adjacent_find(found.begin(), found.end(), [](const Record& r, const Record& s) {
          return std::equal(r.begin(), r.begin() + kNameLength, s.begin());
        });
    EXPECT_TRUE(twice == found.end()) << "found twice";
    move(whole, 0.1);
    move(ranks.store, 0.1);
  }
}

PeriodicCell cell_of(std::vector<double> x, std::vector<double> y, std::vector<double> z) {
  return PeriodicOptions{std::move(x), std::move(y), std::move(z)}.cell();
}

test::SceneSpec scene_of(std::uint32_t seed) {
  return {.seed = seed, .n_grains = 250, .largest = 0.07, .held = false, .mixed = true};
}

TEST(PeriodicShapes, AcrossOneDirection) {
  expect_all_found_once(scene_of(31), cell_of({0.0, 1.0}, {}, {}));
  expect_all_found_once(scene_of(32), cell_of({}, {-0.2, 0.9}, {}));
}

TEST(PeriodicShapes, AcrossTwoDirections) {
  expect_all_found_once(scene_of(33), cell_of({0.0, 1.0}, {0.0, 1.0}, {}));
}

TEST(PeriodicShapes, AcrossThreeDirections) {
  test::SceneSpec spec = scene_of(34);
  spec.tools = false;   // a floor has no place there
  spec.n_grains = 110;  // few and large: all pairs of 27 images are tried
  spec.largest = 0.1;
  expect_all_found_once(spec, cell_of({0.0, 1.0}, {0.0, 1.0}, {0.0, 1.0}));
}

TEST(PeriodicShapes, InACellAsNarrowAsGrainsAllow) {
  test::SceneSpec spec = scene_of(35);
  spec.tools = false;
  spec.n_grains = 60;
  const double period =
      4.0 * 1.02 * 2.0 * spec.largest;  // of the longest: a capsule, less than 2 radii
  expect_all_found_once(spec, cell_of({0.2, 0.2 + period}, {0.0, period}, {}));
}

}  // namespace
}  // namespace scree::periodic_shapes_test
