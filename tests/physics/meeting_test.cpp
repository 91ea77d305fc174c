// ranks: 1 2
/// Materials that do not meet: bodies pass through each other as if alone, whatever finds the
/// constraints and whatever law impacts have, and rest on those that they meet. Bounds are those of
/// the solver's tolerance, 1e-9.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "app/checks/overlap.hpp"
#include "scree/base/parallel.hpp"
#include "support/simulate.hpp"

namespace scree::test::meeting_test {
namespace {

constexpr double kRadius = 0.05;

/// A sieve above a floor in a periodic cell. Dust falls through the sieve, on which stones rest,
/// and through stones; the last stone stands within the sieve's upper side and some dust.
const char* const kSieve = R"(
time: {dt: 2e-3, end: 1}
periodic: {x: [0, 1], y: [0, 1]}
materials:
  stone: {density: 2600}
  dust: {density: 2600}
  steel: {density: 7850}
  mesh: {density: 7850}
friction:
  - {between: default, mu: 0.3}
  - {between: [dust, mesh], contact: none}
  - {between: [stone, dust], contact: none}
bodies:
  stones:
    material: stone
    radii: {type: list, values: [0.05]}
    place: {type: points, positions: [[0.1, 0.5, 0.451], [0.45, 0.5, 0.451], [0.9, 0.5, 0.47]]}
  dust:
    material: dust
    radii: {type: list, values: [0.05]}
    place: {type: points, positions: [[0.12, 0.52, 0.46], [0.5, 0.5, 0.6], [0.98, 0.5, 0.4]]}
tools:
  sieve: {material: mesh, shape: {type: box, size: [1, 1, 0.1]}, position: [0.5, 0.5, 0.35]}
  floor: {material: steel, shape: {type: plane}}
solver: {method: nsgs, tolerance: 1e-9, max_iterations: 10000, on_not_converged: abort}
)";

/// The heights of all grains, by id, on every rank.
std::map<std::int64_t, double> heights(const Simulation& scene) {
  std::vector<double> values(6, 0.0);
  const Store& store = scene.store();
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    values[static_cast<std::size_t>(store.id[slot])] = store.position[slot].z();
  }
  sum_over_ranks(MPI_COMM_WORLD, values);
  std::map<std::int64_t, double> result;
  for (std::size_t id = 0; id < values.size(); ++id) {
    result[static_cast<std::int64_t>(id)] = values[id];
  }
  return result;
}

class NoContact : public ::testing::TestWithParam<const char*> {};

TEST_P(NoContact, PassThroughEachOther) {
  Simulation scene = simulation(kSieve, {GetParam()});
  EXPECT_EQ(overlap_at_start(scene), "");
  double deepest = 0.0;
  std::int64_t contacts = 0;
  for (int step = 0; step < 200; ++step) {
    const StepResult& result = scene.step();
    deepest = std::max(deepest, result.projected.overlap);
    deepest = std::max(deepest, result.figures.penetration);
    if (step < 10) contacts += sum_over_ranks(MPI_COMM_WORLD, std::ssize(result.contacts));
  }
  // three stones above the sieve, and none of the dust
  EXPECT_LE(contacts, 30);
  EXPECT_LT(deepest, 1e-6);
  const std::map<std::int64_t, double> height = heights(scene);
  for (const std::int64_t stone : {0, 1, 2}) {
    EXPECT_NEAR(height.at(stone), 0.4 + kRadius, 1e-6) << stone;
  }
  for (const std::int64_t dust : {3, 4, 5}) {
    EXPECT_NEAR(height.at(dust), kRadius, 1e-6) << dust;
  }
}

INSTANTIATE_TEST_SUITE_P(All, NoContact,
                         ::testing::Values("contact.constraints=single",
                                           "contact.constraints=relcp",
                                           "contact={constraints: multisphere, balls: 4}",
                                           "impact.law=energetic", "contact.law=linear"));

TEST(MaterialsThatMeet, AreHeldByTheSieve) {
  Simulation scene = simulation(kSieve, {"friction[dust,mesh]={between: [dust, mesh], mu: 0.3}"});
  EXPECT_NE(overlap_at_start(scene), "");
  run(scene, 200);
  EXPECT_NEAR(heights(scene).at(4), 0.4 + kRadius, 1e-6);
}

// Grains that come in may take a place in which something is that they do not meet, a tool as well
// as grains.
TEST(MaterialsThatMeet, MayNotBePlacedWithinEachOther) {
  const std::string rain = R"(
insertions:
  rain:
    material: MATERIAL
    radii: {type: list, values: [0.05]}
    region: {type: box, low: [0.02, 0.42, 0.29], high: [0.98, 0.58, 0.41]}
    rate: 1e4
    count: 4
)";
  const auto inserted = [&](const std::string& material) {
    std::string text = rain;
    text.replace(text.find("MATERIAL"), 8, material);
    Simulation scene = simulation(kSieve + text);
    scene.step();
    return scene.state().insertions[0].count;
  };
  EXPECT_EQ(inserted("dust"), 4);
  EXPECT_EQ(inserted("stone"), 0);
}

}  // namespace
}  // namespace scree::test::meeting_test
