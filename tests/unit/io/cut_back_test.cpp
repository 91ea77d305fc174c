#include "scree/io/cut_back.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "scree/base/check.hpp"
#include "scree/io/csv.hpp"
#include "scree/io/records.hpp"
#include "scree/io/snapshot.hpp"
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

std::string after_cut(const std::string& text, std::int64_t step) {
  const test::TemporaryFolder folder;
  const fs::path path = folder.path() / "t.csv";
  std::ofstream(path, std::ios::binary) << text;
  cut_table(path, "time,step,tool", step);
  return text_of(path);
}

TEST(CutTable, KeepsTheRowsUntilTheStep) {
  const std::string rows = "time,step,tool\n0.1,1,a\n0.1,1,b\n0.2,2,a\n0.2,2,b\n";
  EXPECT_EQ(after_cut(rows, 2), rows);
  EXPECT_EQ(after_cut(rows, 7), rows);
  EXPECT_EQ(after_cut(rows, 1), "time,step,tool\n0.1,1,a\n0.1,1,b\n");
  EXPECT_EQ(after_cut(rows, 0), "time,step,tool\n");
}

TEST(CutTable, DropsALineThatWasNotFinished) {
  EXPECT_EQ(after_cut("time,step,tool\n0.1,1,a\n0.2,2", 5), "time,step,tool\n0.1,1,a\n");
  EXPECT_EQ(after_cut("time,step,tool\n0.1,1,a\n0.", 5), "time,step,tool\n0.1,1,a\n");
  EXPECT_EQ(after_cut("time,ste", 5), "");
  EXPECT_EQ(after_cut("", 5), "");
}

TEST(CutTable, RefusesWhatIsNotItsOwn) {
  EXPECT_THROW(after_cut("time,step\n0.1,1\n", 5), InputError);
  EXPECT_THROW(after_cut("time,step,tool\n0.1,one,a\n", 5), InputError);
  EXPECT_NO_THROW(cut_table("/absent/t.csv", "time,step,tool", 5));
}

/// A run of five steps with everything that can be later than step 3.
RunFolder run_of_five(const fs::path& root) {
  RunFolder folder = RunFolder::create(MPI_COMM_SELF, root, "name: x\n", false);
  CsvWriter<StepRecord> steps(folder.steps(), step_columns());
  CsvWriter<ToolRecord> tools(folder.tools(), tool_columns());
  XdmfIndex index(folder.xdmf());
  fs::create_directory(folder.problems());
  for (std::int64_t step = 1; step <= 5; ++step) {
    StepRecord row;
    row.step = step;
    steps.write(row);
    ToolRecord tool;
    tool.step = step;
    tools.write(tool);
    index.add(write_snapshot(MPI_COMM_SELF, folder.snapshot(step), test::sample_store(0, 5, 1),
                             {.time = 0.1 * static_cast<double>(step), .step = step}));
    std::ofstream(folder.checkpoint(step)) << "checkpoint";
    std::ofstream(folder.problem(step)) << "problem";
  }
  std::ofstream(folder.snapshot(6).string() + ".part") << "torn";
  std::ofstream(folder.checkpoint(2).string() + ".part") << "torn";
  std::ofstream(folder.snapshots() / "mine.hdf") << "mine";
  return folder;
}

TEST(CutBack, LeavesTheRunAsItWasAfterTheStep) {
  const test::TemporaryFolder parent;
  const RunFolder folder = run_of_five(parent.path() / "run");
  const XdmfIndex index = cut_back(folder, 3);
  EXPECT_EQ(step_files(folder.snapshots(), "snapshot", "hdf").size(), 3U);
  EXPECT_EQ(step_files(folder.checkpoints(), "checkpoint", "h5").size(), 3U);
  EXPECT_EQ(step_files(folder.problems(), "step", "hdf5").size(), 3U);
  EXPECT_FALSE(fs::exists(folder.snapshot(6).string() + ".part"));
  EXPECT_FALSE(fs::exists(folder.checkpoint(2).string() + ".part"));
  EXPECT_TRUE(fs::exists(folder.snapshots() / "mine.hdf"));
  const std::string steps = text_of(folder.steps());
  EXPECT_EQ(std::count(steps.begin(), steps.end(), '\n'), 4);
  EXPECT_EQ(text_of(folder.xdmf()).find("snapshot_00000004"), std::string::npos);
}

TEST(CutBack, TheIndexGoesOnAsIfItHadNotBeenCut) {
  const test::TemporaryFolder parent;
  const RunFolder folder = run_of_five(parent.path() / "run");
  const std::string whole = text_of(folder.xdmf());
  XdmfIndex index = cut_back(folder, 3);
  for (std::int64_t step = 4; step <= 5; ++step) {
    index.add(write_snapshot(MPI_COMM_SELF, folder.snapshot(step), test::sample_store(0, 5, 1),
                             {.time = 0.1 * static_cast<double>(step), .step = step}));
  }
  EXPECT_EQ(text_of(folder.xdmf()), whole);
}

}  // namespace
}  // namespace scree
