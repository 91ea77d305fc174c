// ranks: 1 2 4
#include "scree/io/hdf5/number_rows.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <new>
#include <tuple>

#include "scree/base/parallel.hpp"
#include "scree/io/hdf5/hdf5.hpp"
#include "scree/io/run_folder/whole_file.hpp"
#include "scree/io/state/state_group.hpp"
#include "support/temporary_folder.hpp"

namespace scree::number_rows_test {
namespace {

const MPI_Comm kComm = MPI_COMM_WORLD;
const WholeFileSpec kSpec{.kind = "test", .bytes = 1 << 26};
constexpr int kWidth = 3;

/// Several pieces on the last rank, none on the first of several, and no whole number of them.
std::int64_t rows_of_rank() {
  constexpr std::int64_t kRows = 200'003;
  return size_of(kComm) == 1 ? kRows : rank_of(kComm) * kRows;
}

double number_of(std::int64_t row, int k) {
  return std::sqrt(static_cast<double>(3 * row + k));
}

/// Rows of this rank of numbers that tell their row among all.
NumberRows numbers(const h5::RowLayout& layout) {
  return rows_by<double>("numbers", "1", kWidth, layout.local,
                         [first = layout.first](std::int64_t row, double* to) {
                           for (int k = 0; k < kWidth; ++k) to[k] = number_of(first + row, k);
                         });
}

std::filesystem::path written(const std::filesystem::path& folder) {
  std::filesystem::path path = folder / "rows.h5";
  const h5::RowLayout layout = h5::row_layout(kComm, rows_of_rank());
  write_whole_hdf5(kComm, path, kSpec, [&](hid_t file) {
    const NumberRows rows = numbers(layout);
    h5::write_rows(file, "plain", layout, rows);
    h5::write_rows(file, "packed", layout, rows, h5::Storage::packed);
    h5::write_rows(file, "single", layout, in_single(rows));
    const NumberArray one{
        .name = "one", .unit = "1", .width = 1, .values = std::vector<std::int32_t>{7, 8}};
    h5::write_rows(file, "one", h5::rows_of_first_rank(kComm, 2), rows_of(one));
  });
  return path;
}

/// The peak of this process's memory, bytes.
std::int64_t peak() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{1024} * usage.ru_maxrss;
}

// First of all, since a peak stays. The bound is eight pieces of half a MiB.
TEST(NumberRows, TakeNoMemoryWhileTheyAreWritten) {
  const test::TemporaryFolder folder(kComm);
  const h5::RowLayout layout = h5::row_layout(kComm, 1 << 21);
  const NumberRows rows =
      rows_by<double>("rows", "1", 1, layout.local,
                      [](std::int64_t row, double* to) { *to = static_cast<double>(row); });
  write_whole_hdf5(kComm, folder.path() / "rows.h5", kSpec, [&](hid_t file) {
    const std::int64_t before = peak();
    h5::write_rows(file, "rows", layout, rows);
    EXPECT_LT(peak() - before, std::int64_t{1} << 22);
  });
}

// Every number of every rank is in its place, whatever the pieces are in which it was written.
TEST(NumberRows, OfUnevenRanksAreWrittenWhole) {
  const test::TemporaryFolder folder(kComm);
  const h5::File file = h5::open_file(written(folder.path()));
  const auto plain = h5::read<double>(file.get(), "plain");
  ASSERT_EQ(std::ssize(plain), kWidth * sum_over_ranks(kComm, rows_of_rank()));
  const auto single = h5::read<float>(file.get(), "single");
  ASSERT_EQ(single.size(), plain.size());
  for (std::size_t i = 0; i < plain.size(); ++i) {
    ASSERT_EQ(plain[i], std::sqrt(static_cast<double>(i))) << i;
    ASSERT_EQ(single[i], static_cast<float>(plain[i])) << i;
  }
  EXPECT_EQ(h5::read<double>(file.get(), "packed"), plain);
  EXPECT_EQ(h5::read<std::int32_t>(file.get(), "one"), (std::vector<std::int32_t>{7, 8}));
}

/// Rows for which the last rank has no memory.
NumberRows unmakeable(std::int64_t rows) {
  return rows_by<double>("rows", "1", 1, rows, [](std::int64_t row, double* to) {
    if (row > 0 && rank_of(kComm) == size_of(kComm) - 1) throw std::bad_alloc();
    *to = 1.0;
  });
}

class NumberRowsThatOneRankCannotMake
    : public testing::TestWithParam<std::tuple<std::int64_t, h5::Storage>> {};

// The other ranks would wait for it where all write at once.
TEST_P(NumberRowsThatOneRankCannotMake, FailOnAll) {
  const test::TemporaryFolder folder(kComm);
  const auto [n, storage] = GetParam();
  const h5::RowLayout layout = h5::row_layout(kComm, n);
  const auto write = [&](hid_t file) {
    together(kComm, [&] { h5::write_rows(file, "rows", layout, unmakeable(n), storage); });
  };
  EXPECT_THROW(write_whole_hdf5(kComm, folder.path() / "rows.h5", kSpec, write), Failure);
}

// All ranks write together what a group has beside its rows: not where one of them has failed.
TEST_P(NumberRowsThatOneRankCannotMake, FailOnAllInAGroup) {
  const test::TemporaryFolder folder(kComm);
  const StateRows group{.name = "group", .arrays = {unmakeable(std::get<0>(GetParam()))}};
  const auto write = [&](hid_t file) { write_group(kComm, file, group); };
  EXPECT_THROW(write_whole_hdf5(kComm, folder.path() / "rows.h5", kSpec, write), Failure);
}

INSTANTIATE_TEST_SUITE_P(FewAndMany, NumberRowsThatOneRankCannotMake,
                         testing::Combine(testing::Values(2'000, 200'000),
                                          testing::Values(h5::Storage::plain,
                                                          h5::Storage::packed)));

}  // namespace
}  // namespace scree::number_rows_test
