/// The files of a run's observers: which are a run's, and how a run that goes on cuts them back.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "app/run/observer_list.hpp"
#include "app/run/observers/checkpoints.hpp"
#include "app/run/observers/fields.hpp"
#include "app/run/observers/problems.hpp"
#include "app/run/observers/snapshots.hpp"
#include "scree/io/tables/csv.hpp"
#include "support/sample_store.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

TEST(FilesOfObservers, OverwritingRemovesFieldsThatAnIndexNames) {
  const test::TemporaryFolder parent;
  const fs::path root = parent.path() / "run";
  const auto folder =
      RunFolder::create(MPI_COMM_SELF, root, "name: x\n", false, files_of_observers);
  const FieldFiles up(folder, "up");
  const fs::path in = up.images.folder;
  fs::create_directory(in);
  const std::vector<fs::path> old{up.images.of(3), up.images.of(4, 1, 2), up.index, up.table};
  const std::vector<fs::path> others{in / "mine.csv", in / "up_3.png", in / "a(b.xdmf"};
  for (const auto& paths : {old, others}) {
    for (const fs::path& path : paths) std::ofstream(path) << "old";
  }
  RunFolder::create(MPI_COMM_SELF, root, "name: y\n", true, files_of_observers);
  for (const fs::path& path : old) EXPECT_FALSE(fs::exists(path)) << path;
  for (const fs::path& path : others) EXPECT_TRUE(fs::exists(path)) << path;
}

TEST(CutBack, KeepsTheFieldsUntilThePointAndTheirIndex) {
  const test::TemporaryFolder parent;
  const RunFolder folder(parent.path() / "run");
  const FieldFiles up(folder, "up");
  fs::create_directories(up.images.folder);
  FieldImage image{.grid = {}, .width = 0.1, .fields = {}};
  const auto write = [&](const fs::path& path, double time) {
    image.time = time;
    write_field_image(MPI_COMM_SELF, path, image, "name: x\n");
  };
  write(up.images.of(10), 0.1);
  write(up.images.of(12, 1, 2), 0.115);
  write(up.images.of(20), 0.2);
  write(FieldFiles(folder, "upper").images.of(30), 0.3);
  const RunPoint point{.steps = 11, .share = 0.5, .time = 0.115};
  XdmfIndex of_up(up.index, "means");
  cut_indexed(up.images, kept_field_images(up, point), point, of_up);
  const auto left = kept_field_images(up, {.steps = 99});
  ASSERT_EQ(left.size(), 2U);
  EXPECT_EQ(left[0].time, 0.1);
  EXPECT_EQ(left[1].path, up.images.of(12, 1, 2));
  EXPECT_FALSE(fs::exists(up.images.of(20)));
  EXPECT_TRUE(fs::exists(FieldFiles(folder, "upper").images.of(30)));
  const std::string index = text_of(up.index);
  EXPECT_NE(index.find("up_00000012_part_1_of_2.hdf:/VTKHDF/CellData/density"), std::string::npos);
  EXPECT_EQ(index.find("up_00000020"), std::string::npos);
}

TEST(CutBack, KeepsTheProblemsOfPartsThatAreDone) {
  const test::TemporaryFolder parent;
  const RunFolder folder(parent.path() / "run");
  const StepFileNames problems = problem_files(folder);
  fs::create_directories(problems.folder);
  const std::vector<fs::path> done{problems.of(2), problems.of(3, 1, 2), problems.of(3, 3, 4)};
  const std::vector<fs::path> later{problems.of(3), problems.of(3, 4, 4), problems.of(4, 1, 2)};
  for (const fs::path& path : done) std::ofstream(path) << "problem";
  for (const fs::path& path : later) std::ofstream(path) << "problem";
  remove_later(problems, {.steps = 2, .share = 0.75, .time = 0.275});
  for (const fs::path& path : done) EXPECT_TRUE(fs::exists(path)) << path;
  for (const fs::path& path : later) EXPECT_FALSE(fs::exists(path)) << path;
}

/// In the order of a run that goes on (src/app/run/observers/list.cpp).
XdmfIndex cut_back(const RunFolder& folder, const RunPoint& point) {
  cut_checkpoints(folder, point);
  remove_later(problem_files(folder), point);
  XdmfIndex index(folder.xdmf());
  cut_snapshots(folder, point, index);
  cut_table(folder.tools(), csv_header(tool_columns()), point);
  cut_table(folder.steps(), csv_header(step_columns()), point);
  return index;
}

/// A run of five steps with everything that can be later than step 3.
RunFolder run_of_five(const fs::path& root) {
  RunFolder folder = RunFolder::create(MPI_COMM_SELF, root, "name: x\n", false, files_of_observers);
  CsvWriter<StepRecord> steps(folder.steps(), step_columns());
  CsvWriter<ToolRecord> tools(folder.tools(), tool_columns());
  XdmfIndex index(folder.xdmf());
  fs::create_directory(problem_files(folder).folder);
  for (std::int64_t step = 1; step <= 5; ++step) {
    StepRecord row;
    row.step = step;
    row.time = 0.1 * static_cast<double>(step);
    steps.write(row);
    ToolRecord tool;
    tool.step = step;
    tool.time = row.time;
    tools.write(tool);
    index.add(write_snapshot(MPI_COMM_SELF, folder.snapshot_files().of(step),
                             test::sample_store(0, 5, 1),
                             {.time = 0.1 * static_cast<double>(step), .step = step}));
    std::ofstream(folder.checkpoint_files().of(step)) << "checkpoint";
    std::ofstream(problem_files(folder).of(step)) << "problem";
  }
  std::ofstream(folder.snapshot_files().of(6).string() + ".part") << "torn";
  std::ofstream(folder.checkpoint_files().of(2).string() + ".part") << "torn";
  for (const char* ending : {".part.data.0", ".part.metadata.12"}) {
    std::ofstream(folder.snapshot_files().of(6).string() + ending) << "of Open MPI";
  }
  std::ofstream(folder.snapshot_files().of(6).string() + ".part.data") << "mine";
  std::ofstream(folder.snapshots() / "mine.hdf") << "mine";
  return folder;
}

TEST(CutBack, LeavesTheRunAsItWasAfterTheStep) {
  const test::TemporaryFolder parent;
  const RunFolder folder = run_of_five(parent.path() / "run");
  const XdmfIndex index = cut_back(folder, {.steps = 3, .time = 0.3});
  EXPECT_EQ(step_files(folder.snapshot_files()).size(), 3U);
  EXPECT_EQ(step_files(folder.checkpoint_files()).size(), 3U);
  EXPECT_EQ(step_files(problem_files(folder)).size(), 3U);
  EXPECT_FALSE(fs::exists(folder.snapshot_files().of(6).string() + ".part"));
  EXPECT_FALSE(fs::exists(folder.checkpoint_files().of(2).string() + ".part"));
  EXPECT_FALSE(fs::exists(folder.snapshot_files().of(6).string() + ".part.data.0"));
  EXPECT_FALSE(fs::exists(folder.snapshot_files().of(6).string() + ".part.metadata.12"));
  EXPECT_TRUE(fs::exists(folder.snapshot_files().of(6).string() + ".part.data"))
      << "no name of Open MPI's";
  EXPECT_TRUE(fs::exists(folder.snapshots() / "mine.hdf"));
  const std::string steps = text_of(folder.steps());
  EXPECT_EQ(std::count(steps.begin(), steps.end(), '\n'), 4);
  EXPECT_EQ(text_of(folder.xdmf()).find("snapshot_00000004"), std::string::npos);
}

TEST(CutBack, TheIndexGoesOnAsIfItHadNotBeenCut) {
  const test::TemporaryFolder parent;
  const RunFolder folder = run_of_five(parent.path() / "run");
  const std::string whole = text_of(folder.xdmf());
  fs::resize_file(folder.xdmf(), whole.size() / 2);  // the machine went down amid an entry
  XdmfIndex index = cut_back(folder, {.steps = 3, .time = 0.3});
  for (std::int64_t step = 4; step <= 5; ++step) {
    index.add(write_snapshot(MPI_COMM_SELF, folder.snapshot_files().of(step),
                             test::sample_store(0, 5, 1),
                             {.time = 0.1 * static_cast<double>(step), .step = step}));
  }
  EXPECT_EQ(text_of(folder.xdmf()), whole);
}

}  // namespace
}  // namespace scree
