// ranks: 1 2 4
#include "scree/base/node_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <vector>

#include "geometry/meshes/mesh_file.hpp"
#include "scree/app/config/run_config.hpp"
#include "scree/base/parallel.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"
#include "scree/geometry/shapes/all_grain_shapes.hpp"
#include "support/mesh_files.hpp"
#include "support/scenes.hpp"

namespace scree::node_memory_test {
namespace {

MPI_Comm world() {
  return MPI_COMM_WORLD;
}

std::vector<std::byte> numbered(std::size_t n) {
  std::vector<std::byte> bytes;
  for (std::size_t k = 0; k < n; ++k) bytes.push_back(static_cast<std::byte>(k % 251));
  return bytes;
}

/// The tests run on one computer: what its first rank writes, all see.
TEST(NodeMemory, IsTheSameForAllRanksOfAComputer) {
  const std::vector<std::byte> bytes = numbered(100'003);
  const bool is_first = rank_of(world()) == 0;
  const auto held =
      once_a_node(world(), is_first ? std::span(bytes) : std::span<const std::byte>());
  EXPECT_TRUE(std::ranges::equal(bytes, std::span(held.get(), bytes.size())));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(held.get()) % 64, 0U);
  SCREE_MPI(MPI_Barrier(world()));
  if (is_first) const_cast<std::byte*>(held.get())[7] = std::byte{200};
  SCREE_MPI(MPI_Barrier(world()));
  EXPECT_EQ(held.get()[7], std::byte{200});
}

/// Pairs of ranks stand for computers: each has its own copy, which came in pieces.
TEST(NodeMemory, IsThereOnceForEachOfSeveralComputers) {
  const std::vector<std::byte> bytes = numbered(100'003);
  const int rank = rank_of(world());
  MPI_Comm pair = MPI_COMM_NULL;
  SCREE_MPI(MPI_Comm_split(world(), rank / 2, rank, &pair));
  const auto held = once_a_group(world(), pair,
                                 rank == 0 ? std::span(bytes) : std::span<const std::byte>(), 1000);
  EXPECT_TRUE(std::ranges::equal(bytes, std::span(held.get(), bytes.size())));
  SCREE_MPI(MPI_Barrier(world()));
  if (rank % 2 == 0) const_cast<std::byte*>(held.get())[7] = static_cast<std::byte>(100 + rank);
  SCREE_MPI(MPI_Barrier(world()));
  EXPECT_EQ(held.get()[7], static_cast<std::byte>(100 + rank - rank % 2));
  SCREE_MPI(MPI_Comm_free(&pair));
}

/// A run with one mesh twice, as a wall in two places.
std::string scene(const std::string& shape) {
  return fmt::format(R"(
name: shared
time: {{dt: 1.0e-3, end: 1.0e-3}}
materials:
  rock: {{density: 2600}}
friction:
  - {{between: [rock, rock], mu: 0.4}}
bodies:
  grains:
    material: rock
    radii: {{type: uniform, min: 0.01, max: 0.01}}
    place: {{type: box, low: [0, 0, 0], high: [0.1, 0.1, 0.1], count: 1, seed: 1}}
tools:
  one: {{material: rock, shape: {0}}}
  other: {{material: rock, shape: {0}, position: [5, 0, 0]}}
)",
                     shape);
}

TEST(NodeMemory, AMeshOfOneReaderHasTheContactsOfAMeshOfOnesOwn) {
  const MeshFile sphere = test::sphere_mesh(24);
  const test::OffFile off(sphere);
  const test::TemporaryFolder folder(world());
  const std::filesystem::path yaml = folder.path() / "run.yaml";
  if (rank_of(world()) == 0) std::ofstream(yaml) << scene(off.shape());
  SCREE_MPI(MPI_Barrier(world()));
  const RunConfig config = load_run_config(world(), yaml, {});
  ASSERT_EQ(config.shapes->meshes().size(), 1U);
  ShapeLibrary own;
  own.add(std::make_shared<const SearchableMesh>(triangle_mesh(sphere, 1.0, "a test")));
  const std::vector<Shape> grains = {Sphere{0.1}, Ellipsoid{{0.15, 0.1, 0.07}}, Capsule{0.05, 0.15},
                                     Box{{0.1, 0.07, 0.05}}, Cone{0.1, 0.12}};
  test::Uniform random(3);
  for (int k = 0; k < 500; ++k) {
    const Vec3 place = random(0.9, 1.15) * (random.rotation() * Vec3::UnitX());
    const Pose pose{place, random.rotation()};
    const Shape& grain = grains[static_cast<std::size_t>(k) % grains.size()];
    const Manifold a = contacts_between(grain, pose, Mesh{0, 0}, Pose{}, *config.shapes, 0.02);
    const Manifold b = contacts_between(grain, pose, Mesh{0, 0}, Pose{}, own, 0.02);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].feature, b[i].feature);
      EXPECT_NEAR(a[i].gap, b[i].gap, 1e-15);  // coordinates are in the file to all digits
    }
  }
}

}  // namespace
}  // namespace scree::node_memory_test
