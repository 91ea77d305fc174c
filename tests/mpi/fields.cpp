// ranks: 2 4
/// Fields do not depend on how grains and contacts are dealt over the ranks, to rounding.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "scree/base/parallel.hpp"
#include "scree/fields/sums.hpp"
#include "scree/io/hdf5/hdf5.hpp"
#include "scree/io/paraview/field_image.hpp"
#include "support/file_size_limit.hpp"
#include "support/scenes.hpp"
#include "support/temporary_folder.hpp"

namespace scree::fields_test {
namespace {

/// Three blocks, of which the last is short.
FieldGrid small_grid() {
  return {.axes = {GridAxis{0.0, 1.0, 6, 1.0}, GridAxis{-0.3, 1.3, 1, 0.0},
                   GridAxis{-0.3, 1.3, 90, 0.0}}};
}

/// Too large to be on one rank; blocks end amid lines and layers.
FieldGrid large_grid() {
  FieldGrid grid{.axes = {GridAxis{0.0, 1.0, 37, 1.0}, GridAxis{-0.3, 1.3, 52, 0.0},
                          GridAxis{-0.3, 1.3, 55, 0.0}}};
  SCREE_ASSERT(grid.n_cells() > FieldOptions::kMostRows);
  return grid;
}

/// The sums over those grains and contacts of a scene, the same on every rank, that are dealt to @p
/// rank of @p ranks.
FieldSums dealt(const FieldGrid& grid, int rank, int ranks) {
  FieldSums sums(grid, 0.07);
  test::Uniform uniform(11);
  for (int i = 0; i < 500; ++i) {
    const GrainState grain{uniform.vector(0.0, 1.0), uniform.vector(-1.0, 1.0), uniform(1.0, 9.0),
                           uniform(1.0, 2.0)};
    const GrainForce contact{uniform.vector(-1e3, 1e3), grain.position + uniform.vector(-0.1, 0.1),
                             grain.position};
    // Grains in layers, contacts in turn: as uneven as partitions are.
    if (std::min(static_cast<int>(grain.position.z() * ranks), ranks - 1) == rank) {
      sums.add(grain, 0.5);
    }
    if (i % ranks != rank) continue;
    sums.add(contact, 0.5);
    if (i % 3 == 0) sums.add_wall(contact, 0.5);
  }
  return sums;
}

TEST(Fields, AreTheSameHoweverGrainsAndContactsAreDealt) {
  const MPI_Comm comm = MPI_COMM_WORLD;
  const std::vector<double> together =
      sums_over_ranks(comm, dealt(small_grid(), rank_of(comm), size_of(comm))).numbers;
  if (rank_of(comm) != 0) {
    EXPECT_TRUE(together.empty());
    return;
  }
  const std::vector<double> alone =
      sums_over_ranks(MPI_COMM_SELF, dealt(small_grid(), 0, 1)).numbers;
  ASSERT_EQ(together.size(), alone.size());
  for (int k = 0; k < CellSums::kNumbers; ++k) {
    double largest = 0.0;
    double difference = 0.0;
    for (std::size_t i = k; i < alone.size(); i += CellSums::kNumbers) {
      largest = std::max(largest, std::abs(alone[i]));
      difference = std::max(difference, std::abs(together[i] - alone[i]));
    }
    EXPECT_GT(largest, 0.0) << k;
    EXPECT_LE(difference, 1e-12 * largest) << k;
  }
}

TEST(Fields, OfLargeGridsLieOverTheRanks) {
  const MPI_Comm comm = MPI_COMM_WORLD;
  const FieldGrid grid = large_grid();
  const SumsOfCells own = sums_over_ranks(comm, dealt(grid, rank_of(comm), size_of(comm)));
  const std::int64_t cells = std::ssize(own.numbers) / CellSums::kNumbers;
  EXPECT_EQ(own.first, sum_of_lower_ranks(comm, cells));
  EXPECT_EQ(sum_over_ranks(comm, cells), grid.n_cells());
  EXPECT_LE(cells, grid.n_cells() / size_of(comm) + FieldSums::kBlockCells);
  const SumsOfCells alone = sums_over_ranks(MPI_COMM_SELF, dealt(grid, 0, 1));
  const auto largest = std::ranges::max(alone.numbers, {}, [](double x) { return std::abs(x); });
  for (std::size_t i = 0; i < own.numbers.size(); ++i) {
    const double wanted = alone.numbers[own.first * CellSums::kNumbers + i];
    // rounding of some hundred terms that are added in another order
    ASSERT_NEAR(own.numbers[i], wanted, 1e-12 * std::abs(largest)) << i;
  }
}

/// The largest magnitude among numbers, nan left out.
double largest_of(const std::vector<double>& numbers) {
  double largest = 0.0;
  for (const double x : numbers) largest = std::max(largest, std::isnan(x) ? 0.0 : std::abs(x));
  return largest;
}

/// The image of the whole scene, spread over @p comm.
FieldImage large_image(MPI_Comm comm) {
  const FieldGrid grid = large_grid();
  const SumsOfCells sums = sums_over_ranks(comm, dealt(grid, rank_of(comm), size_of(comm)));
  return {.grid = grid, .first = sums.first, .fields = mean_fields(sums.numbers, grid, 0.5)};
}

// Every number stands in the file where the cell has its place, however the ranks cut the grid. The
// kinetic stress is a difference of two numbers a hundred times as large.
TEST(Fields, OfLargeGridsAreWrittenByAllRanks) {
  const MPI_Comm comm = MPI_COMM_WORLD;
  const test::TemporaryFolder folder(comm);
  const std::filesystem::path path = folder.path() / "together.hdf";
  write_field_image(comm, path, large_image(comm), "name: x\n");
  if (rank_of(comm) != 0) return;
  const h5::File file = h5::open_file(path);
  for (const MeanField& field : large_image(MPI_COMM_SELF).fields) {
    const std::string name = fmt::format("VTKHDF/CellData/{}", field.kind->name);
    const auto numbers = h5::read<double>(file.get(), name);
    ASSERT_EQ(numbers.size(), field.values.size());
    const double largest = largest_of(field.values);
    EXPECT_GT(largest, 0.0) << name;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      ASSERT_EQ(std::isnan(numbers[i]), std::isnan(field.values[i])) << name << " " << i;
      if (std::isnan(numbers[i])) continue;
      ASSERT_NEAR(numbers[i], field.values[i], 1e-10 * largest) << name << " " << i;
    }
  }
}

// The limit is at two thirds of the file, beyond which the last rank writes its cells by itself.
TEST(Fields, OfLargeGridsThatOneRankCannotWriteFailOnAll) {
  const MPI_Comm comm = MPI_COMM_WORLD;
  const test::TemporaryFolder folder(comm);
  const FieldImage image = large_image(comm);
  std::optional<test::FileSizeLimit> limit;
  if (rank_of(comm) == size_of(comm) - 1) limit.emplace(1 << 24);
  EXPECT_THROW(write_field_image(comm, folder.path() / "f.hdf", image, "name: x\n"), Failure);
}

TEST(Fields, AreKeptWhereARankHasGrains) {
  const MPI_Comm comm = MPI_COMM_WORLD;
  const int rank = rank_of(comm);
  FieldGrid grid;
  grid.axes = {GridAxis{0.0, 1.0, 10, 0.0}, GridAxis{0.0, 1.0, 10, 0.0},
               GridAxis{0.0, 1.0, 100, 0.0}};
  FieldSums sums(grid, 0.01);
  // Rank 0 has no grain, each other one at its own height, and block 0 is reached by none.
  const auto height = [&](int of) { return (of + 0.5) / (size_of(comm) + 0.5); };
  if (rank > 0) sums.add(GrainState{{0.5, 0.5, height(rank)}, Vec3::Zero(), 2.0, 1.0}, 1.0);
  std::int64_t blocks = 0;
  for (std::int64_t k = 0; k < sums.n_blocks(); ++k) blocks += sums.block(k).empty() ? 0 : 1;
  EXPECT_EQ(sums.n_blocks(), 40);
  // The function is seven widths high, eight layers of 100 cells at most, that is four blocks and a
  // part at each end.
  EXPECT_LE(blocks, rank > 0 ? 5 : 0);
  EXPECT_EQ(blocks > 0, rank > 0);
  const std::vector<double> all = sums_over_ranks(comm, sums).numbers;
  sums.clear();
  EXPECT_TRUE(
      std::ranges::all_of(sums_over_ranks(comm, sums).numbers, [](double x) { return x == 0; }));
  if (rank != 0) return;
  double mass = 0.0;
  for (std::size_t i = 0; i < all.size(); i += CellSums::kNumbers) mass += all[i];
  EXPECT_NEAR(mass, 2.0 * (size_of(comm) - 1), 1e-13 * size_of(comm));
}

}  // namespace
}  // namespace scree::fields_test
