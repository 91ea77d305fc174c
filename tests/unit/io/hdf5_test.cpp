#include "scree/io/hdf5/hdf5.hpp"

#include <gtest/gtest.h>

#include <array>
#include <fstream>

#include "scree/io/run_folder/whole_file.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

std::string input_error(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no InputError";
}

TEST(Hdf5, OwnerClosesOnceAndIsEmptiedOnMove) {
  h5::Space first(SCREE_HDF5(H5Screate(H5S_SCALAR)));
  const hid_t raw = first.get();
  h5::Space second = std::move(first);
  EXPECT_FALSE(first);  // NOLINT(bugprone-use-after-move): being empty is what is tested
  EXPECT_EQ(second.get(), raw);
  EXPECT_EQ(H5Iget_ref(raw), 1);
  second.reset();
  EXPECT_EQ(H5Iis_valid(raw), 0);
}

TEST(Hdf5, RoundTripOfVectorsScalarsTextsAndAttributes) {
  const test::TemporaryFolder folder;
  const std::vector<double> reals{0.1, -2.5, 1e300, 0.0, 5.0, 6.0};
  const std::vector<std::int64_t> wide{1, std::int64_t{1} << 40, -7};
  const std::vector<std::int32_t> none;
  {
    const h5::File file = h5::create_in_memory();
    h5::write(file.get(), "deep/in/reals", reals, 3);
    h5::write(file.get(), "wide", wide);
    h5::write(file.get(), "none", none);
    h5::write_scalar(file.get(), "one", 3);
    h5::write_text(file.get(), "text", "two\nlines");
    h5::write_attribute(file.get(), "unit", "m/s");
    h5::write_attribute(file.get(), "time", 0.25);
    h5::write_attribute(file.get(), "empty", "");
    write_whole(folder.path() / "a.h5", h5::image(file));
  }
  const h5::File file = h5::open_file(folder.path() / "a.h5");
  EXPECT_EQ(h5::read<double>(file.get(), "deep/in/reals"), reals);
  EXPECT_EQ(h5::extents(file.get(), "deep/in/reals"), (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(h5::count(file.get(), "deep/in/reals"), 6);
  EXPECT_EQ(h5::read<std::int64_t>(file.get(), "wide"), wide);
  EXPECT_EQ(h5::read<std::int32_t>(file.get(), "none"), none);
  EXPECT_EQ(h5::read_scalar<std::int64_t>(file.get(), "one"), 3);
  EXPECT_EQ(h5::read_text(file.get(), "text"), "two\nlines");
  EXPECT_EQ(h5::read_text_attribute(file.get(), "unit"), "m/s");
  EXPECT_EQ(h5::read_text_attribute(file.get(), "empty"), "");
  EXPECT_EQ(h5::read_attribute<double>(file.get(), "time"), std::vector<double>{0.25});
  EXPECT_EQ(h5::children(file.get()),
            (std::vector<std::string>{"deep", "none", "one", "text", "wide"}));
  EXPECT_TRUE(h5::exists(file.get(), "deep/in"));
  EXPECT_TRUE(h5::is_group(file.get(), "/deep/in"));
  EXPECT_FALSE(h5::exists(file.get(), "deep/out/reals"));
  EXPECT_FALSE(h5::is_dataset(file.get(), "deep/in"));
}

TEST(Hdf5, RefusesWhatTheFileLacksNamingFileAndDataset) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "a.h5";
  {
    const h5::File file = h5::create_in_memory();
    h5::write(file.get(), "g/reals", std::vector<double>{0.5});
    h5::write(file.get(), "g/wide", std::vector<std::int64_t>{std::int64_t{1} << 40});
    h5::write(file.get(), "g/two", std::vector<std::int64_t>{1, 2});
    write_whole(path, h5::image(file));
  }
  const h5::File file = h5::open_file(path);
  const h5::Group group = h5::open_group(file.get(), "g");
  EXPECT_EQ(input_error([&] { h5::read<double>(group.get(), "x"); }),
            path.string() + ": /g/x: no such dataset");
  EXPECT_EQ(input_error([&] { h5::read<std::int32_t>(group.get(), "reals"); }),
            path.string() + ": /g/reals: integers expected");
  EXPECT_EQ(input_error([&] { h5::read<std::int32_t>(group.get(), "wide"); }),
            path.string() + ": /g/wide: 1099511627776 is out of range");
  EXPECT_EQ(input_error([&] { h5::read_scalar<std::int64_t>(group.get(), "two"); }),
            path.string() + ": /g/two: one number expected, 2 found");
  EXPECT_EQ(input_error([&] { h5::open_group(file.get(), "g/two"); }),
            path.string() + ": /g/two: no such group");
  EXPECT_EQ(input_error([&] { h5::read_text_attribute(group.get(), "unit"); }),
            path.string() + ": /g/unit: no such attribute");
}

TEST(Hdf5, ChangesOfACopyLeaveTheFileAsItWas) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "a.h5";
  {
    const h5::File file = h5::create_in_memory();
    h5::write_scalar(file.get(), "one", 1);
    write_whole(path, h5::image(file));
  }
  const std::vector<double> more(100000, 0.5);
  const auto change = [&](const std::filesystem::path& target) {
    change_whole_hdf5(
        MPI_COMM_SELF, path, target, {.kind = "test", .bytes = 1 << 20}, [&](hid_t file) {
          h5::write_rows(file, "more", {100000, 0, 100000}, std::span<const double>(more));
        });
  };
  const auto expect_changed = [&](const std::filesystem::path& target) {
    const h5::File file = h5::open_file(target);
    EXPECT_EQ(h5::read_scalar<std::int64_t>(file.get(), "one"), 1);
    EXPECT_EQ(h5::read<double>(file.get(), "more"), more);
    EXPECT_LT(std::filesystem::file_size(target), (1 << 20) - 1000) << "what was reserved is kept";
  };
  change(folder.path() / "b.h5");
  EXPECT_FALSE(h5::exists(h5::open_file(path).get(), "more"));
  expect_changed(folder.path() / "b.h5");
  change(path);  // in its own place
  expect_changed(path);
}

TEST(Hdf5, ReadsPartsOfWhatAnyProgramWrites) {
  const h5::File file = h5::create_in_memory();
  h5::write(file.get(), "wide", std::vector<std::int64_t>{1, 2, 3, 1LL << 40});
  h5::write(file.get(), "single", std::vector<float>{0.5F, 1.5F, 2.5F});
  h5::write(file.get(), "table", std::vector<double>{1, 2, 3, 4, 5, 6}, 3);
  EXPECT_EQ(h5::read_part<std::int32_t>(file.get(), "wide", 1, 2),
            (std::vector<std::int32_t>{2, 3}));
  EXPECT_NE(input_error([&] {
              h5::read_part<std::int32_t>(file.get(), "wide", 2, 2);
            }).find("1099511627776 is out of range"),
            std::string::npos);
  EXPECT_EQ(h5::read_part<double>(file.get(), "single", 2, 1), (std::vector<double>{2.5}));
  EXPECT_EQ(h5::read_part<double>(file.get(), "single", 3, 0), std::vector<double>());
  EXPECT_EQ(h5::read_part<double>(file.get(), "table", 2, 3), (std::vector<double>{3, 4, 5}));
}

TEST(Hdf5, RefusesFilesThatAreNotThereOrNotHdf5) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "text.h5") << "hello";
  EXPECT_NE(input_error([&] { h5::open_file(folder.path() / "none.h5"); }).find("no such file"),
            std::string::npos);
  EXPECT_NE(input_error([&] { h5::open_file(folder.path()); }).find("is a folder"),
            std::string::npos);
  EXPECT_NE(input_error([&] { h5::open_file(folder.path() / "text.h5"); }).find("not an HDF5 file"),
            std::string::npos);
  EXPECT_NE(input_error([&] {
              h5::open_file(MPI_COMM_SELF, folder.path() / "none.h5");
            }).find("no such file"),
            std::string::npos);
}

// A file of nothing but a dataset that claims more than it can hold would have all memory.
TEST(Hdf5, RefusesDatasetsThatTheFileCannotHold) {
  const test::TemporaryFolder folder;
  const fs::path path = folder.path() / "huge.h5";
  {
    const h5::File file = h5::create_in_memory();
    constexpr std::array<hsize_t, 1> kHuge{hsize_t{1} << 40};
    const h5::Space space(SCREE_HDF5(H5Screate_simple(1, kHuge.data(), nullptr)));
    const h5::Properties sparse(SCREE_HDF5(H5Pcreate(H5P_DATASET_CREATE)));
    constexpr std::array<hsize_t, 1> kChunk{1 << 20};
    SCREE_HDF5(H5Pset_chunk(sparse.get(), 1, kChunk.data()));
    const h5::Dataset dataset(SCREE_HDF5(H5Dcreate2(file.get(), "x", H5T_NATIVE_DOUBLE, space.get(),
                                                    H5P_DEFAULT, sparse.get(), H5P_DEFAULT)));
    write_whole(path, h5::image(file));
  }
  const h5::File file = h5::open_file(path);
  const std::string fault = input_error([&] { h5::read<double>(file.get(), "x"); });
  EXPECT_NE(fault.find("/x: claims 1099511627776 entries of 8 bytes, which a file of"),
            std::string::npos)
      << fault;
}

TEST(Hdf5, WhatTheLibraryCannotReadIsTheFilesFault) {
  const test::TemporaryFolder folder;
  const fs::path path = folder.path() / "damaged.h5";
  {
    const h5::File file = h5::create_in_memory();
    h5::write(file.get(), "x", std::vector<double>(10, 0.5));
    std::string bytes = h5::image(file);
    const std::size_t heap = bytes.find("HEAP");  // of the names in the group
    ASSERT_NE(heap, std::string::npos);
    bytes.replace(heap, 4, "PEAH");
    write_whole(path, bytes);
  }
  const std::string fault = input_error(
      [&] { h5::reading(path, [&] { return h5::read<double>(h5::open_file(path).get(), "x"); }); });
  EXPECT_NE(fault.find("damaged.h5: is damaged, or its writing was cut off ("), std::string::npos)
      << fault;
  EXPECT_EQ(fault.find("H5"), std::string::npos) << fault;  // none of the library's calls
}

TEST(Hdf5, FailureNamesCallFileAndReason) {
  const test::TemporaryFolder folder;
  try {
    h5::create_file(MPI_COMM_SELF, folder.path() / "missing" / "a.h5");
    FAIL() << "no exception";
  } catch (const Failure& failure) {
    const std::string text = failure.what();
    EXPECT_NE(text.find("missing/a.h5: cannot be created"), std::string::npos) << text;
    EXPECT_NE(text.find("H5Fcreate("), std::string::npos) << text;
    EXPECT_NE(text.find("such file or directory"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace scree
