// ranks: 1 2 4
/// Grains from HDF5 files: what a snapshot holds comes back bit for bit, on any number of ranks.

#include "scree/io/state/grain_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/run/simulation.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/shapes/box.hpp"
#include "scree/geometry/shapes/polyhedron.hpp"
#include "scree/geometry/shapes/sphere.hpp"
#include "scree/io/hdf5/hdf5.hpp"
#include "scree/io/paraview/snapshot.hpp"
#include "scree/io/run_folder/whole_file.hpp"
#include "scree/sources/generators.hpp"
#include "support/hulls.hpp"
#include "support/refusal.hpp"
#include "support/sample_store.hpp"
#include "support/scenes.hpp"
#include "support/temporary_folder.hpp"

namespace scree::test::grain_file_test {
namespace {

const std::vector<Material> kMaterials{{"stone", 2600.0}};
const SceneSpec kSpec{.n_grains = 97};

BodyGroup from(const std::filesystem::path& file, const std::string& population = "") {
  BodyGroup group;
  group.name = "old";
  group.material = "stone";
  group.velocity = Vec3(1, 2, 3);
  Hdf5Places place;
  place.file = file;
  place.population = population;
  group.place = place;
  return group;
}

/// This rank's grains of one group.
std::vector<Body> read(const BodyGroup& group) {
  std::vector<BodyGroup> groups{group};
  ShapeLibrary shapes;
  load_grain_files(MPI_COMM_WORLD, groups, shapes);
  return generate(groups, kMaterials, {rank_of(MPI_COMM_WORLD), size_of(MPI_COMM_WORLD)}, shapes);
}

std::string error_of(const BodyGroup& group) {
  return test::refusal_of([&] { read(group); });
}

std::filesystem::path snapshot_in(const TemporaryFolder& folder) {
  const auto path = folder.path() / "a.hdf";
  write_snapshot(MPI_COMM_WORLD, path, dealt_scene(kSpec, MPI_COMM_WORLD),
                 {.materials = {"a", "b", "c"},
                  .groups = {"p", "q", "r", "s.coarse", "s.fine"},
                  .content = SnapshotContent::exact()});
  return path;
}

/// The truth by id; the ids of the scene leave gaps.
const Body& original(const std::vector<Body>& all, std::int64_t id) {
  return *std::find_if(all.begin(), all.end(), [id](const Body& body) { return body.id == id; });
}

TEST(GrainFile, ASnapshotComesBackBitForBit) {
  const TemporaryFolder folder(MPI_COMM_WORLD);
  const auto path = snapshot_in(folder);
  const std::vector<Body> all = random_grains(kSpec);
  const std::vector<Body> mine = read(from(path));
  EXPECT_EQ(sum_over_ranks(MPI_COMM_WORLD, static_cast<std::int64_t>(mine.size())), 97);
  EXPECT_LE(mine.size(), 97u / static_cast<unsigned>(size_of(MPI_COMM_WORLD)) + 1);
  for (const Body& body : mine) {
    const Body& truth = original(all, body.id);
    EXPECT_EQ(body.position, truth.position);
    EXPECT_EQ(body.velocity, truth.velocity);
    EXPECT_EQ(body.angular_velocity, truth.angular_velocity);
    EXPECT_EQ(body.orientation.coeffs(), truth.orientation.normalized().coeffs());
    EXPECT_EQ(body.shape.get<Sphere>().radius, truth.shape.get<Sphere>().radius);
    EXPECT_EQ(body.density, 2600.0);  // the group's material
  }
}

TEST(GrainFile, ASnapshotInSinglePrecisionComesBackRounded) {
  const TemporaryFolder folder(MPI_COMM_WORLD);
  const auto path = folder.path() / "a.hdf";
  write_snapshot(MPI_COMM_WORLD, path, dealt_scene(kSpec, MPI_COMM_WORLD),
                 {.materials = {"a"}, .groups = {"p"}});
  const std::vector<Body> all = random_grains(kSpec);
  for (const Body& body : read(from(path))) {
    const Body& truth = original(all, body.id);
    EXPECT_EQ(body.position, truth.position);
    EXPECT_EQ(body.velocity, truth.velocity.cast<float>().cast<double>());
    EXPECT_EQ(body.shape.get<Sphere>().radius,
              static_cast<float>(truth.shape.get<Sphere>().radius));
  }
}

TEST(GrainFile, ASnapshotThatDoesNotTellShapesIsRefused) {
  const TemporaryFolder folder(MPI_COMM_WORLD);
  const auto path = folder.path() / "a.hdf";
  write_snapshot(MPI_COMM_WORLD, path, dealt_scene(kSpec, MPI_COMM_WORLD),
                 {.materials = {"a"}, .groups = {"p"}, .content = {.arrays = {"velocity"}}});
  EXPECT_NE(error_of(from(path)).find("has no array shape"), std::string::npos);
}

// Lying along the axes they would be another bed; balls look the same in each orientation.
TEST(GrainFile, ASnapshotOfGrainsThatAreNoBallsNeedsTheirOrientations) {
  const TemporaryFolder folder(MPI_COMM_WORLD);
  const auto path = folder.path() / "a.hdf";
  Store store;
  for (std::int64_t id = rank_of(MPI_COMM_WORLD); id < 8; id += size_of(MPI_COMM_WORLD)) {
    Body body = sample_grain(id);
    body.group = id == 5 ? 1 : 0;
    body.shape = id == 5 ? Shape(Box{.half_size = {0.1, 0.2, 0.3}}) : Shape(Sphere{0.1});
    append_grain(store, body);
  }
  write_snapshot(MPI_COMM_WORLD, path, store,
                 {.materials = {"a", "b"},
                  .groups = {"balls", "bricks"},
                  .content = {.arrays = {"velocity", "group", "shape", "semi_axes"}}});
  EXPECT_NE(error_of(from(path)).find("has no array orientation: the run that wrote it"),
            std::string::npos);
  EXPECT_EQ(error_of(from(path, "balls")), "(accepted)");
}

// The file's hulls come after those that the run has already, and are there once.
TEST(GrainFile, PolyhedraComeBackBitForBit) {
  const TemporaryFolder folder(MPI_COMM_WORLD);
  ShapeLibrary known;
  known.add(cuboid({1, 2, 3}));
  known.add(hull_of(prism(7, 0.5), "prism"));
  ShapeLibrary of_file;
  of_file.add(known.hull(1));
  of_file.add(hull_of(icosahedron(), "icosahedron"));
  Store store;
  store.shapes = std::make_shared<const ShapeLibrary>(of_file);
  const int ranks = size_of(MPI_COMM_WORLD);
  for (std::int64_t id = rank_of(MPI_COMM_WORLD); id < 20; id += ranks) {
    Body body = sample_grain(id);
    const double scale = 0.01 / static_cast<double>(id + 3);
    if (id % 3 < 2) body.shape = Polyhedron{static_cast<std::int32_t>(id % 3), scale};
    append_grain(store, body);
  }
  const auto path = folder.path() / "p.hdf";
  write_snapshot(
      MPI_COMM_WORLD, path, store,
      {.materials = {"a", "b"}, .groups = {"p", "q", "r"}, .content = SnapshotContent::exact()});
  std::vector<BodyGroup> groups{from(path)};
  load_grain_files(MPI_COMM_WORLD, groups, known);
  ASSERT_EQ(known.size(), 3);
  EXPECT_EQ(known.hull(2).vertices, of_file.hull(1).vertices);
  std::int64_t seen = 0;
  for (const Body& body : generate(groups, kMaterials, {rank_of(MPI_COMM_WORLD), ranks}, known)) {
    ++seen;
    const Body truth = sample_grain(body.id);
    EXPECT_EQ(body.orientation.coeffs(), truth.orientation.normalized().coeffs());
    if (body.id % 3 == 2) {
      EXPECT_EQ(body.shape.get<Sphere>().radius, truth.shape.get<Sphere>().radius);
      continue;
    }
    EXPECT_EQ(body.shape.get<Polyhedron>().handle, body.id % 3 == 0 ? 1 : 2);
    EXPECT_EQ(body.shape.get<Polyhedron>().scale, 0.01 / static_cast<double>(body.id + 3));
  }
  EXPECT_EQ(sum_over_ranks(MPI_COMM_WORLD, seen), 20);
}

TEST(GrainFile, OnePopulationOfSeveral) {
  const TemporaryFolder folder(MPI_COMM_WORLD);
  const auto path = snapshot_in(folder);
  const std::vector<Body> all = random_grains(kSpec);
  const std::vector<Body> mine = read(from(path, "s.coarse"));
  for (const Body& body : mine) EXPECT_EQ(original(all, body.id).group, 3);
  EXPECT_EQ(sum_over_ranks(MPI_COMM_WORLD, static_cast<std::int64_t>(mine.size())),
            std::count_if(all.begin(), all.end(), [](const Body& b) { return b.group == 3; }));
  EXPECT_NE(error_of(from(path, "s.coarsee")).find("did you mean \"s.coarse\"?"),
            std::string::npos);
}

/// A file as another program writes it.
class Foreign {
 public:
  std::vector<double> position{0, 0, 0, 1, 0, 0, 2, 0, 0};
  std::vector<double> radius{0.1, 0.2, 0.3};
  std::vector<std::int64_t> id;

  std::filesystem::path write() const {
    const auto path = folder_.path() / "f.h5";
    if (rank_of(MPI_COMM_WORLD) == 0) {
      const h5::File file = h5::create_in_memory();
      h5::write(file.get(), "position", position, 3);
      if (!radius.empty()) h5::write(file.get(), "radius", radius);
      if (!id.empty()) h5::write(file.get(), "id", id);
      write_whole(path, h5::image(file));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return path;
  }

 private:
  TemporaryFolder folder_{MPI_COMM_WORLD};
};

TEST(GrainFile, OfAnotherProgram) {
  const Foreign file;
  std::int64_t seen = 0;
  for (const Body& body : read(from(file.write()))) {
    EXPECT_EQ(body.position, Vec3(static_cast<double>(body.id), 0, 0));
    EXPECT_EQ(body.shape.get<Sphere>().radius, file.radius[body.id]);
    EXPECT_EQ(body.velocity, Vec3(1, 2, 3));
    ++seen;
  }
  EXPECT_EQ(sum_over_ranks(MPI_COMM_WORLD, seen), 3);
}

TEST(GrainFile, FaultsAreToldOnAllRanks) {
  const auto says = [](const Foreign& file, const std::string& part) {
    const std::string error = error_of(from(file.write()));
    EXPECT_NE(error.find(part), std::string::npos) << error;
  };
  Foreign file;
  file.radius[2] = -1.0;
  says(file, "f.h5: grain 2: -1 is no radius; it must be above 0");
  file.radius = {0.1, 0.2};
  says(file, "f.h5: the dataset position has 3 rows and radius has 2");
  file.radius.clear();
  says(file, "f.h5: has no dataset radius; allowed: a snapshot of scree");
  file.radius = {0.1, 0.2, 0.3};
  file.id = {4, 5, 4};
  says(file, "f.h5: id 4 stands twice");
  file.id = {4, 5, -1};
  says(file, "f.h5: id -1 is below 0");
  file.id.clear();
  file.position[4] = std::nan("");
  says(file, "f.h5: grain 1: its position or motion is not finite");
}

}  // namespace
}  // namespace scree::test::grain_file_test
