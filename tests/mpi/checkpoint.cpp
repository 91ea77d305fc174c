// ranks: 1 2 3 4
/// The file of a checkpoint: what was put in comes out, on any number of ranks, or it is refused.

#include "scree/io/state/checkpoint.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <sstream>

#include "scree/base/parallel.hpp"
#include "scree/io/paraview/snapshot.hpp"
#include "scree/io/run_folder/seal.hpp"
#include "scree/io/state/store_arrays.hpp"
#include "support/file_size_limit.hpp"
#include "support/made_rows.hpp"
#include "support/sample_store.hpp"
#include "support/temporary_folder.hpp"

namespace scree::checkpoint_test {
namespace {

namespace fs = std::filesystem;

const MPI_Comm kComm = MPI_COMM_WORLD;

/// Grains 0 to n - 1 in the order of ranks; rank 1 has none where there are more than two.
Store sample_part(MPI_Comm comm, std::int64_t n) {
  const int rank = rank_of(comm);
  const int size = size_of(comm);
  const int parts = size > 2 ? size - 1 : size;
  const int part = size > 2 && rank > 0 ? rank - 1 : rank;
  const bool none = size > 2 && rank == 1;
  return none ? test::sample_store(0, 0, 1)
              : test::sample_store(n * part / parts, n * (part + 1) / parts, 1);
}

/// The content of a checkpoint of @p store, whose rows are yet to be made.
CheckpointContent content_to_make(const Store& store) {
  return {
      .configuration = "name: sample\n",
      .integers = {{"step", std::int64_t{1} << 53}, {"removed", 3}},
      .reals = {{"smallest_radius", 0.1 + 0.2}},
      .rows = {
          {.name = "grains", .arrays = store_rows(store, store.first_owned(), store.end_owned())},
          {.name = "tools", .common = true, .arrays = store_rows(store, 0, store.n_tools)}}};
}

CheckpointContent sample_content(MPI_Comm comm, std::int64_t n) {
  const Store store = sample_part(comm, n);
  return test::made(content_to_make(store));
}

/// The rows of an array of all ranks, one after the other, on every rank.
std::vector<std::byte> gathered(MPI_Comm comm, const NumberArray& array) {
  return std::visit(
      [comm](const auto& values) {
        const auto bytes = static_cast<int>(values.size() * sizeof(values[0]));
        std::vector<int> counts(size_of(comm));
        MPI_Allgather(&bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
        std::vector<int> first(counts.size(), 0);
        std::partial_sum(counts.begin(), counts.end() - 1, first.begin() + 1);
        std::vector<std::byte> all(first.back() + counts.back());
        MPI_Allgatherv(values.data(), bytes, MPI_BYTE, all.data(), counts.data(), first.data(),
                       MPI_BYTE, comm);
        return all;
      },
      array.values);
}

/// @p found, spread over @p comm, is what sample_content() gives on one rank.
void expect_sample(MPI_Comm comm, const CheckpointContent& found, std::int64_t n) {
  const CheckpointContent wanted = sample_content(MPI_COMM_SELF, n);
  EXPECT_EQ(found.configuration, wanted.configuration);
  EXPECT_EQ(found.integers, wanted.integers);
  EXPECT_EQ(found.reals, wanted.reals);
  ASSERT_EQ(found.groups.size(), wanted.groups.size());
  for (const StateGroup& group : wanted.groups) {
    const MPI_Comm spread = group.common ? MPI_COMM_SELF : comm;
    const std::vector<NumberArray>& arrays = found.group(group.name);
    ASSERT_EQ(arrays.size(), group.arrays.size());
    for (const NumberArray& array : group.arrays) {
      const auto same = std::find_if(arrays.begin(), arrays.end(),
                                     [&](const NumberArray& a) { return a.name == array.name; });
      ASSERT_NE(same, arrays.end()) << array.name;
      EXPECT_EQ(same->width, array.width);
      EXPECT_EQ(same->unit, array.unit);
      EXPECT_EQ(same->values.index(), array.values.index());
      EXPECT_EQ(gathered(spread, *same), gathered(MPI_COMM_SELF, array)) << array.name;
    }
  }
}

TEST(Checkpoint, ReadsBackBitForBitOnAnyNumberOfRanks) {
  for (const std::int64_t n : {0, 1, 61}) {
    const test::TemporaryFolder folder(kComm);
    const fs::path path = folder.path() / "c.h5";
    write_checkpoint(kComm, path, sample_content(kComm, n));
    EXPECT_FALSE(fs::exists(path.string() + ".part"));
    EXPECT_EQ(fault_of_seal(kComm, path), "");
    expect_sample(kComm, read_checkpoint(kComm, path), n);
    EXPECT_EQ(fault_of_seal(MPI_COMM_SELF, path), "");
    expect_sample(MPI_COMM_SELF, read_checkpoint(MPI_COMM_SELF, path), n);
    for (int size = 1; size < size_of(kComm); ++size) {
      MPI_Comm part = MPI_COMM_NULL;
      MPI_Comm_split(kComm, rank_of(kComm) < size ? 0 : MPI_UNDEFINED, 0, &part);
      if (part == MPI_COMM_NULL) continue;
      expect_sample(part, read_checkpoint(part, path), n);
      MPI_Comm_free(&part);
    }
  }
}

TEST(Checkpoint, WrittenOnOneRankItIsReadOnAll) {
  const test::TemporaryFolder folder(kComm);
  const fs::path path = folder.path() / "c.h5";
  if (rank_of(kComm) == 0) write_checkpoint(MPI_COMM_SELF, path, sample_content(MPI_COMM_SELF, 9));
  MPI_Barrier(kComm);
  EXPECT_EQ(fault_of_seal(kComm, path), "");
  expect_sample(kComm, read_checkpoint(kComm, path), 9);
}

TEST(Checkpoint, RowsThatAreMadeAsTheyAreWrittenReadBackLikewise) {
  for (const std::int64_t n : {0, 1, 20'000}) {  // the last in several pieces
    const test::TemporaryFolder folder(kComm);
    const fs::path path = folder.path() / "c.h5";
    const Store store = sample_part(kComm, n);
    write_checkpoint(kComm, path, content_to_make(store));
    EXPECT_EQ(fault_of_seal(kComm, path), "");
    expect_sample(kComm, read_checkpoint(kComm, path), n);
  }
}

std::string bytes_of(const fs::path& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

/// A checkpoint of more than one block, and damaged copies of it.
class Damage : public ::testing::Test {
 protected:
  Damage() : folder_(kComm), path_(folder_.path() / "c.h5") {
    write_checkpoint(kComm, path_, sample_content(kComm, 8000));
    whole_ = bytes_of(path_);
  }

  std::string fault_of(const std::string& bytes) {
    const fs::path copy = folder_.path() / "copy.h5";
    if (rank_of(kComm) == 0) std::ofstream(copy, std::ios::binary) << bytes;
    MPI_Barrier(kComm);
    const std::string fault = fault_of_seal(kComm, copy);
    MPI_Barrier(kComm);
    return fault;
  }

  const test::TemporaryFolder folder_;
  const fs::path path_;
  std::string whole_;
};

TEST_F(Damage, TheWholeFileIsTaken) {
  ASSERT_GT(whole_.size(), 1U << 20U);
  EXPECT_EQ(fault_of(whole_), "");
}

TEST_F(Damage, AnyBitThatFlipsIsSeen) {
  const auto flipped = [this](std::size_t at, int bit) {
    std::string bytes = whole_;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
    return fault_of(bytes);
  };
  for (std::size_t at = 0; at < 512; at += 37) EXPECT_NE(flipped(at, 0), "") << at;
  for (std::size_t i = 0; i < 40; ++i) {
    const std::size_t at = 512 + i * (whole_.size() - 513) / 39;
    EXPECT_NE(flipped(at, static_cast<int>(i % 8)), "") << at;
  }
  EXPECT_NE(flipped(whole_.size() / 2, 3).find("checksum"), std::string::npos);
}

TEST_F(Damage, AnyLengthButItsOwnIsSeen) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{30}, std::size_t{511},
                                 std::size_t{512}, whole_.size() / 2, whole_.size() - 1}) {
    EXPECT_NE(fault_of(whole_.substr(0, size)), "") << size;
  }
  EXPECT_NE(fault_of(whole_ + '\0').find("bytes long and not"), std::string::npos);
}

TEST_F(Damage, PartsThatNeverReachedTheDiskAreSeen) {
  std::string bytes = whole_;
  bytes.replace(bytes.size() / 2, 4096, 4096, '\0');
  EXPECT_NE(fault_of(bytes), "");
  bytes = whole_;
  bytes.replace(0, 512, 512, '\0');
  EXPECT_NE(fault_of(bytes), "");
}

TEST_F(Damage, BlocksThatAreExchangedAreSeen) {
  std::string bytes = whole_;
  for (std::size_t i = 0; i < 4096; ++i) std::swap(bytes[512 + 8192 + i], bytes[512 + 65536 + i]);
  EXPECT_NE(fault_of(bytes), "");
}

TEST_F(Damage, OtherFilesAreNamedForWhatTheyAre) {
  EXPECT_NE(fault_of("name: trench\n").find("no checkpoint"), std::string::npos);
  EXPECT_NE(fault_of("").find("no checkpoint"), std::string::npos);
  EXPECT_NE(fault_of_seal(kComm, folder_.path()).find("folder"), std::string::npos);
  EXPECT_NE(fault_of_seal(kComm, folder_.path() / "absent.h5"), "");
  write_snapshot(kComm, folder_.path() / "s.hdf", test::sample_store(0, 0, 1), {});
  EXPECT_NE(fault_of_seal(kComm, folder_.path() / "s.hdf").find("no checkpoint"),
            std::string::npos);
  std::string later = whole_;
  later.replace(later.find("format 2"), 8, "format 3");
  EXPECT_NE(fault_of(later).find("format 3"), std::string::npos);
}

TEST(Checkpoint, AFullDiskFailsOnAllRanksAndLeavesEarlierFilesAlone) {
  const test::TemporaryFolder folder(kComm);
  const fs::path path = folder.path() / "c.h5";
  write_checkpoint(kComm, path, sample_content(kComm, 5));
  const std::string before = bytes_of(path);
  MPI_Barrier(kComm);
  std::string text = "no Failure";
  {
    const test::FileSizeLimit limit(500'000);
    try {
      write_checkpoint(kComm, path, sample_content(kComm, 20000));
    } catch (const Failure& failure) {
      text = failure.what();
    }
  }
  EXPECT_NE(text.find("c.h5 was not written"), std::string::npos) << text;
  MPI_Barrier(kComm);
  EXPECT_FALSE(fs::exists(path.string() + ".part"));
  EXPECT_EQ(bytes_of(path), before);
}

}  // namespace
}  // namespace scree::checkpoint_test
