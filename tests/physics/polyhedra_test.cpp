// ranks: 1 2 4, mostly 1 2
/// Polyhedra of mesh files as grains and tools: a cube is a box, and nothing depends on the number
/// of ranks.

#include <array>
#include <fstream>
#include <map>
#include <numbers>

#include "scree/base/parallel.hpp"
#include "scree/io/state/checkpoint.hpp"
#include "scree/step/energies.hpp"
#include "support/folders.hpp"
#include "support/simulate.hpp"
#include "support/temporary_folder.hpp"

namespace scree::test::polyhedra_test {
namespace {

/// A cube of edge 2 at some place of its file, and a rock; a folder with them. Collective.
class Meshes {
 public:
  Meshes() {
    write("cube.off", 1.0);
    if (rank_of(MPI_COMM_WORLD) == 0) {
      std::filesystem::copy_file(test::source_dir() / "configs/rock.off",
                                 folder_.path() / "rock.off");
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }

  /// A block of the edges 2, 2 and 2 @p height. Collective.
  void write(const std::string& name, double height) const {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank_of(MPI_COMM_WORLD) == 0) {
      std::ofstream file(folder_.path() / name);
      file << "OFF\n8 0 0\n";
      for (int i = 0; i < 8; ++i) {
        file << (i & 1 ? 4 : 2) << ' ' << (i & 2 ? 1 : -1) << ' ' << (i & 4 ? height : -height)
             << '\n';
      }
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }

  RunConfig read(const std::string& yaml, const Overrides& overrides = {}) const {
    return read_run_config(yaml, folder_.path() / "test.yaml", overrides);
  }

 private:
  TemporaryFolder folder_{MPI_COMM_WORLD};
};

/// One falls askew, one slides on its face, one tumbles.
std::string three_of(const std::string& shape) {
  return fmt::format(R"(
time: {{dt: 1e-3, end: 1}}
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: 0.3}}]
bodies:
  drop:
    material: stone
    shape: {0}
    orientation: {{axis: [1, 2, 0.5], angle: 0.7}}
    place: {{type: points, positions: [[0, 0, 0.03]]}}
  slide:
    material: stone
    shape: {0}
    place: {{type: points, positions: [[0, 0.1, 0.01]]}}
    velocity: [0.5, 0, 0]
  tumble:
    material: stone
    shape: {0}
    orientation: {{axis: [0, 1, 0], angle: 0.4}}
    place: {{type: points, positions: [[0, 0.2, 0.02]]}}
    velocity: [0.3, 0, 0]
    angular_velocity: [1, 20, 0.5]
tools:
  floor: {{material: stone, shape: {{type: plane}}}}
solver: {{tolerance: 1e-13, friction: associated}}
)",
                     shape);
}

/// Position and rotation of each grain of all ranks, by id.
std::map<std::int64_t, std::array<double, 7>> poses(const Simulation& simulation) {
  const Store& store = simulation.store();
  const auto n = static_cast<std::size_t>(simulation.state().next_id);
  std::vector<double> all(7 * n, 0.0);
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    const auto i = static_cast<std::size_t>(slot);
    const auto k = 7 * static_cast<std::size_t>(store.id[i]);
    std::copy(store.position[i].begin(), store.position[i].end(), &all[k]);
    const auto& q = store.orientation[i].coeffs();
    std::copy(q.begin(), q.end(), &all[k + 3]);
  }
  sum_over_ranks(simulation.comm(), all);
  std::map<std::int64_t, std::array<double, 7>> poses;
  for (std::size_t id = 0; id < n; ++id) {
    std::copy_n(&all[7 * id], 7, poses[static_cast<std::int64_t>(id)].begin());
  }
  return poses;
}

double largest_difference(const Simulation& a, const Simulation& b) {
  auto left = poses(a);
  auto right = poses(b);
  EXPECT_EQ(left.size(), right.size());
  double largest = 0.0;
  for (const auto& [id, pose] : left) {
    for (std::size_t k = 0; k < pose.size(); ++k) {
      largest = std::max(largest, std::abs(pose[k] - right[id][k]));
    }
  }
  return largest;
}

// The same vertices and the same mass: what is left is the solver's tolerance. Points come in
// another order, and Coulomb's law may let a body on four points go on in several ways; the
// associated law has one velocity only.
TEST(Polyhedra, ACubeOfAMeshDropsSlidesAndTumblesLikeABox) {
  const Meshes meshes;
  Simulation boxes(MPI_COMM_WORLD, meshes.read(three_of("{type: box, size: [0.02, 0.02, 0.02]}")));
  Simulation cubes(MPI_COMM_WORLD,
                   meshes.read(three_of("{type: polyhedron, file: cube.off, scale: 0.01}")));
  double least = 1.0;
  for (int k = 0; k < 200; ++k) {
    boxes.step();
    cubes.step();
    ASSERT_LT(largest_difference(boxes, cubes), 1e-9) << k;
    least = std::min(least, poses(cubes)[0][2]);
  }
  EXPECT_LT(least, 0.017);              // the first has met the floor, below its half diagonal,
  EXPECT_GT(poses(cubes)[1][0], 0.03);  // the second has slid,
  EXPECT_GT(std::abs(poses(cubes)[2][4]), 0.3);  // and the third has turned further
}

// An edge of 2 in the file's unit is a grain of the ball's volume, whatever the scale.
TEST(Polyhedra, HaveTheVolumeOfTheirRadii) {
  const Meshes meshes;
  std::string yaml = three_of("{type: polyhedron, file: cube.off, scale: 7}");
  const std::string before = "orientation: {axis: [1, 2, 0.5], angle: 0.7}";
  yaml.replace(yaml.find(before), before.size(), "radii: {type: list, values: [0.02]}");
  const Simulation run(MPI_COMM_WORLD, meshes.read(yaml));
  const Store& store = run.store();
  double mass = 0.0;
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    if (store.id[static_cast<std::size_t>(slot)] == 0)
      mass = store.mass[static_cast<std::size_t>(slot)];
  }
  const double ball = 2600.0 * 4.0 / 3.0 * std::numbers::pi * 8e-6;
  EXPECT_NEAR(sum_over_ranks(MPI_COMM_WORLD, mass), ball, 1e-13 * ball);
}

// Placed by the origin of its file, from x = 2 to 4 there; turned about it by its motion.
TEST(Polyhedra, AToolIsPlacedAndTurnedByTheOriginOfItsFile) {
  const Meshes meshes;
  std::string yaml = three_of("{type: box, size: [0.02, 0.02, 0.02]}");
  yaml.replace(yaml.find("shape: {type: plane}"), 20,
               "shape: {type: polyhedron, file: cube.off, scale: 0.5}, position: [0, 0, -2], "
               "motion: {type: velocity, angular_velocity: [0, 0, 3.141592653589793]}");
  Simulation run(MPI_COMM_WORLD, meshes.read(yaml));
  EXPECT_LT((run.store().position[0] - Vec3(1.5, 0, -2)).norm(), 1e-15);
  test::run(run, 500);
  EXPECT_LT((run.store().position[0] - Vec3(0, 1.5, -2)).norm(), 1e-12);
}

/// Rocks that fall and rain on rocks that lie, and on a rock that stands fast.
constexpr const char* kRocks = R"(
time: {dt: 2e-3, end: 1}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0.4}]
bodies:
  bed:
    populations:
      rocks: {material: stone, share: 2, shape: {type: polyhedron, file: rock.off, scale: 1e-3}}
      cubes: {material: stone, share: 1, shape: {type: polyhedron, file: cube.off},
              radii: {type: uniform, min: 0.006, max: 0.008}}
      balls: {material: stone, share: 1, radii: {type: list, values: [0.008]}}
    place: {type: box, low: [0, 0, 0], high: [0.16, 0.12, 0.1], count: 40, seed: 3}
    velocity: [-0.3, 0.1, -1.0]
insertions:
  rain:
    material: stone
    shape: {type: polyhedron, file: rock.off}
    radii: {type: uniform, min: 0.007, max: 0.01}
    region: {type: box, low: [0.02, 0.02, 0.14], high: [0.14, 0.1, 0.2]}
    rate: 2
    velocity: [0, 0, -1]
keep_inside: {low: [0.01, -1, -1], high: [1, 1, 1]}
tools:
  floor: {material: stone, shape: {type: plane}}
  right: {material: stone, shape: {type: plane}, position: [0.16, 0, 0], normal: [-1, 0, 0]}
  boulder: {material: stone, shape: {type: polyhedron, file: rock.off, scale: 2e-3}, position: [0.1, 0.05, 0]}
solver: {tolerance: 1e-10, friction: associated}
)";

/// Contacts are solved to 1e-10, and tens of steps of a loose bed enlarge that (as in
/// insertion_test.cpp). The relaxed law, whose velocities are unique: bodies that touch at several
/// points have more than one solution of the exact one, and the order of contacts says which is
/// found.
void expect_alike(const Simulation& a, const Simulation& b) {
  const Energies one = energies(a.comm(), a.store(), a.config().gravity);
  const Energies all = energies(b.comm(), b.store(), b.config().gravity);
  ASSERT_EQ(sum_over_ranks(b.comm(), std::int64_t{b.store().n_owned}),
            sum_over_ranks(a.comm(), std::int64_t{a.store().n_owned}));
  ASSERT_EQ(a.state().insertions[0].count, b.state().insertions[0].count);
  ASSERT_EQ(a.state().removed.left, b.state().removed.left);
  ASSERT_NEAR(all.mass, one.mass, 1e-12 * one.mass);
  ASSERT_NEAR(all.potential, one.potential, 1e-8 * one.potential);
  ASSERT_NEAR(all.kinetic, one.kinetic, 1e-6 * one.kinetic);
}

TEST(Polyhedra, FallAndRainAlikeOnOneRankAndOnAll) {
  const Meshes meshes;
  const RunConfig config = meshes.read(kRocks);
  Simulation alone(MPI_COMM_SELF, config);
  Simulation together(MPI_COMM_WORLD, config);
  std::int64_t contacts = 0;
  for (int k = 0; k < 40; ++k) {
    contacts += alone.step().figures.closed;
    together.step();
    expect_alike(alone, together);
  }
  EXPECT_GT(alone.state().insertions[0].count, 5);
  EXPECT_GT(alone.state().removed.left, 0);
  EXPECT_GT(contacts, 100);
}

/// The checkpoint of a run of 15 steps.
CheckpointContent interrupted(const std::filesystem::path& file, const RunConfig& config) {
  Simulation first(MPI_COMM_WORLD, config);
  run(first, 15);
  write_checkpoint(MPI_COMM_WORLD, file, checkpoint(first));
  return read_checkpoint(MPI_COMM_WORLD, file);
}

TEST(Polyhedra, GoOnFromACheckpoint) {
  const Meshes meshes;
  const TemporaryFolder folder(MPI_COMM_WORLD);
  const RunConfig config = meshes.read(kRocks);
  const CheckpointContent content = interrupted(folder.path() / "a.h5", config);
  Simulation whole(MPI_COMM_SELF, config);
  run(whole, 15);
  Simulation continued(MPI_COMM_WORLD, config, content);
  for (int k = 0; k < 15; ++k) {
    whole.step();
    continued.step();
    expect_alike(whole, continued);
  }
  if (size_of(MPI_COMM_WORLD) == 1) {
    EXPECT_EQ(largest_difference(whole, continued), 0.0);
  }
}

TEST(Polyhedra, AFileThatHasChangedIsRefusedAtARestart) {
  const Meshes meshes;
  const TemporaryFolder folder(MPI_COMM_WORLD);
  const CheckpointContent content = interrupted(folder.path() / "a.h5", meshes.read(kRocks));
  const auto message = [&] {
    try {
      Simulation(MPI_COMM_WORLD, meshes.read(kRocks), content);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message(), "");
  meshes.write("cube.off", 1.0001);
  const std::string refused = message();
  EXPECT_NE(refused.find("bodies.bed.populations.cubes.shape.file: "), std::string::npos)
      << refused;
  EXPECT_NE(refused.find("cube.off holds another polyhedron than the checkpoint"),
            std::string::npos);
  meshes.write("cube.off", 1.0);
  EXPECT_EQ(message(), "");
  meshes.write("rock.off", 1.0);  // a hull that the checkpoint has, but not there
  EXPECT_NE(message().find("bodies.bed.populations.rocks.shape.file: "), std::string::npos);
}

}  // namespace
}  // namespace scree::test::polyhedra_test
