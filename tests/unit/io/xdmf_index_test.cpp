#include "scree/io/paraview/xdmf.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <sstream>

#include "scree/base/check.hpp"
#include "support/file_size_limit.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// A file that is there, and what the index says of it.
struct Output {
  fs::path path;
  std::string grid;
};

XdmfEntry xdmf_entry(const fs::path& /*folder*/, const Output& output) {
  return {output.path, output.grid};
}

std::string index_text(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

ino_t inode_of(const fs::path& path) {
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0);
  return status.st_ino;
}

class Index : public testing::Test {
 protected:
  Output output(int number) const {
    const fs::path file = folder_.path() / fmt::format("{}.hdf", number);
    std::ofstream(file) << number;
    return {file, fmt::format("    <Grid Name=\"{}\"/>\n", number)};
  }
  std::vector<Output> outputs(int first, int last) const {
    std::vector<Output> all;
    for (int i = first; i <= last; ++i) all.push_back(output(i));
    return all;
  }
  /// The text of an index of them that is written at once.
  std::string written(const std::vector<Output>& all) const {
    const fs::path other = folder_.path() / "other.xdmf";
    XdmfIndex(other).write(all);
    return index_text(other);
  }
  void add(int first, int last) {
    for (const Output& one : outputs(first, last)) index_.add(one);
  }

  test::TemporaryFolder folder_;
  fs::path path_ = folder_.path() / "run.xdmf";
  XdmfIndex index_{path_};
};

TEST_F(Index, GrowsInPlaceAsIfWrittenAtOnce) {
  add(1, 1);
  const ino_t first = inode_of(path_);
  for (int i = 2; i <= 30; ++i) {
    add(i, i);
    EXPECT_EQ(index_text(path_), written(outputs(1, i)));
  }
  EXPECT_EQ(inode_of(path_), first);
  // The last file once more stands there once.
  add(30, 30);
  EXPECT_EQ(index_text(path_), written(outputs(1, 30)));
}

TEST_F(Index, GoesOnBehindThoseThatAreLeft) {
  add(1, 9);
  index_.write(outputs(1, 4));
  add(5, 6);
  EXPECT_EQ(index_text(path_), written(outputs(1, 6)));
}

TEST_F(Index, BeginsAnewWhateverStandsUnderItsName) {
  add(1, 3);
  XdmfIndex another(path_);
  another.add(output(7));
  EXPECT_EQ(index_text(path_), written(outputs(7, 7)));
}

TEST_F(Index, ThatIsTornOrGoneOrALinkIsWrittenAnew) {
  add(1, 5);
  fs::resize_file(path_, fs::file_size(path_) - 3);  // amid the tags at the end
  add(6, 6);
  EXPECT_EQ(index_text(path_), written(outputs(1, 6)));
  fs::remove(path_);
  add(7, 7);
  EXPECT_EQ(index_text(path_), written(outputs(1, 7)));
  const fs::path others = folder_.path() / "others";
  fs::copy_file(path_, others);
  fs::remove(path_);
  fs::create_symlink(others, path_);
  add(8, 8);
  EXPECT_FALSE(fs::is_symlink(path_));
  EXPECT_EQ(index_text(path_), written(outputs(1, 8)));
  EXPECT_EQ(index_text(others), written(outputs(1, 7)));
}

// Eight are looked for when one is added: of twenty all in three times.
TEST_F(Index, LeavesOutWhatHasGone) {
  add(1, 20);
  for (int i = 3; i <= 12; ++i) fs::remove(folder_.path() / fmt::format("{}.hdf", i));
  add(21, 23);
  std::vector<Output> left = outputs(1, 2);
  for (const Output& one : outputs(13, 23)) left.push_back(one);
  EXPECT_EQ(index_text(path_), written(left));
}

TEST_F(Index, IsAsItWasWhereTheDiskIsFull) {
  add(1, 9);
  const std::string before = index_text(path_);
  const Output last = output(10);
  {
    const test::FileSizeLimit limit(before.size() + 5);  // some of the new entry fits, no more
    EXPECT_THROW(index_.add(last), Failure);
  }
  EXPECT_EQ(index_text(path_), before);
  index_.add(last);
  EXPECT_EQ(index_text(path_), written(outputs(1, 10)));
}

}  // namespace
}  // namespace scree
