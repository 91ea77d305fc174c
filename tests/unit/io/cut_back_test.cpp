#include "scree/io/run_folder/cut_back.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "scree/base/check.hpp"
#include "scree/io/paraview/snapshot.hpp"
#include "scree/io/tables/csv.hpp"
#include "scree/io/tables/records.hpp"
#include "support/refusal.hpp"
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
  cut_table(path, "time,step,tool", {.steps = step});
  return text_of(path);
}

TEST(CutTable, KeepsTheRowsUntilTheStep) {
  const std::string rows = "time,step,tool\n0.1,1,a\n0.1,1,b\n0.2,2,a\n0.2,2,b\n";
  EXPECT_EQ(after_cut(rows, 2), rows);
  EXPECT_EQ(after_cut(rows, 7), rows);
  EXPECT_EQ(after_cut(rows, 1), "time,step,tool\n0.1,1,a\n0.1,1,b\n");
  EXPECT_EQ(after_cut(rows, 0), "time,step,tool\n");
}

// Amid step 3, of which three quarters are done.
TEST(CutTable, KeepsThePartsOfAStepThatAreDone) {
  const test::TemporaryFolder folder;
  const fs::path path = folder.path() / "t.csv";
  const std::string done = "time,step,tool\n0.2,2,a\n0.25,3,a\n0.275,3,a\n";
  std::ofstream(path, std::ios::binary) << done << "0.3,3,a\n0.4,4,a\n";
  cut_table(path, "time,step,tool", {.steps = 2, .share = 0.75, .time = 0.275});
  EXPECT_EQ(text_of(path), done);
}

TEST(CutBack, KeepsTheFieldsUntilThePointAndTheirIndex) {
  const test::TemporaryFolder parent;
  const RunFolder folder(parent.path() / "run");
  fs::create_directories(folder.fields());
  FieldImage image{.grid = {}, .width = 0.1, .fields = {}};
  const auto write = [&](const fs::path& path, double time) {
    image.time = time;
    write_field_image(path, image, "name: x\n");
  };
  write(folder.field_image("up", 10), 0.1);
  write(folder.field_image("up", 12, 1, 2), 0.115);
  write(folder.field_image("up", 20), 0.2);
  write(folder.field_image("upper", 30), 0.3);
  const RunPoint point{.steps = 11, .share = 0.5, .time = 0.115};
  XdmfIndex of_up(folder.field_index("up"), "means");
  cut_field_images(folder, "up", point, of_up);
  const auto left = kept_field_images(folder, "up", {.steps = 99});
  ASSERT_EQ(left.size(), 2U);
  EXPECT_EQ(left[0].time, 0.1);
  EXPECT_EQ(left[1].path, folder.field_image("up", 12, 1, 2));
  EXPECT_FALSE(fs::exists(folder.field_image("up", 20)));
  EXPECT_TRUE(fs::exists(folder.field_image("upper", 30)));
  const std::string index = text_of(folder.field_index("up"));
  EXPECT_NE(index.find("up_00000012_part_1_of_2.hdf:/VTKHDF/CellData/density"), std::string::npos);
  EXPECT_EQ(index.find("up_00000020"), std::string::npos);
}

TEST(CutBack, KeepsTheProblemsOfPartsThatAreDone) {
  const test::TemporaryFolder parent;
  const RunFolder folder(parent.path() / "run");
  fs::create_directories(folder.problems());
  const std::vector<fs::path> done{folder.problem(2), folder.problem(3, 1, 2),
                                   folder.problem(3, 3, 4)};
  const std::vector<fs::path> later{folder.problem(3), folder.problem(3, 4, 4),
                                    folder.problem(4, 1, 2)};
  for (const fs::path& path : done) std::ofstream(path) << "problem";
  for (const fs::path& path : later) std::ofstream(path) << "problem";
  cut_problems(folder, {.steps = 2, .share = 0.75, .time = 0.275});
  for (const fs::path& path : done) EXPECT_TRUE(fs::exists(path)) << path;
  for (const fs::path& path : later) EXPECT_FALSE(fs::exists(path)) << path;
}

TEST(CutTable, DropsALineThatWasNotFinished) {
  EXPECT_EQ(after_cut("time,step,tool\n0.1,1,a\n0.2,2", 5), "time,step,tool\n0.1,1,a\n");
  EXPECT_EQ(after_cut("time,step,tool\n0.1,1,a\n0.", 5), "time,step,tool\n0.1,1,a\n");
  EXPECT_EQ(after_cut("time,ste", 5), "");
  EXPECT_EQ(after_cut("", 5), "");
}

TEST(CutTable, RefusesWhatIsNotItsOwn) {
  EXPECT_THROW(after_cut("time,step\n0.1,1\n", 5), InputError);
  EXPECT_THROW(after_cut("time,step,tool\n0.1,one,a\n0.2,2,a\n", 5), InputError);
  EXPECT_NO_THROW(cut_table("/absent/t.csv", "time,step,tool", {.steps = 5}));
}

std::string fault_of(const std::string& rows) {
  const test::TemporaryFolder folder;
  const fs::path path = folder.path() / "t.csv";
  std::ofstream(path, std::ios::binary) << "time,step,tool\n" << rows;
  return test::refusal_of(
      [&] { kept_of_table(path, "time,step,tool", {.steps = 5, .time = 0.5}); });
}

TEST(KeptTable, DamagedRowsAreNamedWithTheirLine) {
  for (const auto& [rows, fault] : {
           std::pair{"0.1,1,a\n0.2,2\n0.3,3,a\n", "t.csv:3: 2 values under 3 names"},
           std::pair{"0.1,1,a\n0.2,2,a,b\n0.3,3,a\n", "t.csv:3: 4 values under 3 names"},
           std::pair{"0.1,1x,a\n0.3,3,a\n", "t.csv:2: \"1x\" is no step"},
           std::pair{"0..1,1,a\n0.3,3,a\n", "t.csv:2: \"0..1\" is no time"},
           std::pair{"0.2,2,a\n0.1,1,a\n", "t.csv:3: step 1 stands behind a later one"},
           std::pair{"0.9,9,a\n0.1,1,a\n", "t.csv:3: step 1 stands behind a later one"},
       }) {
    const std::string told = fault_of(rows);
    EXPECT_NE(told.find(fault), std::string::npos) << told;
    EXPECT_NE(told.find("move the file away"), std::string::npos) << told;
  }
  EXPECT_EQ(fault_of("0.1,1,\"a, b\"\n0.2,2,a\n0.9,9,a\n0.8,8,to"), "(accepted)");
}

// What a machine that went down leaves behind the last row that had reached the disk: pages of zeros, pieces of rows.
TEST(KeptTable, WhatStandsBehindTheRowsThatAreKeptMayBeAnything) {
  const std::string zeros(100, '\0');
  const std::string kept = "time,step,tool\n0.1,1,a\n0.2,2,a\n";
  EXPECT_EQ(after_cut(kept + zeros + "\n", 2), kept);
  EXPECT_EQ(after_cut(kept + zeros + ",3,a\n0.4,4,a\n", 2), kept);
  EXPECT_EQ(after_cut(kept + "0.3,3\n0.4,4,a\n", 2), kept);
  EXPECT_EQ(after_cut(kept + "0.3,3,a\n0.4,x,a\n", 2), kept);
  EXPECT_THROW(after_cut(kept + zeros + "\n0.3,3,a\n", 3), InputError);
  EXPECT_THROW(after_cut(kept + "0.4,4,a\n" + zeros + "\n0.3,3,a\n", 3), InputError);
}

TEST(KeptTable, TellsOfRowsThatAreMissing) {
  const KeptTable kept{.bytes = 0, .steps = {1, 1, 2, 4, 4, 5, 5}};
  EXPECT_EQ(missing_rows(kept, {.steps = 2, .every = 1, .rows = 1}), "");
  EXPECT_EQ(
      missing_rows(kept, {.steps = 5, .every = 1, .rows = 1}),
      "rows are missing, of 1 of the 5 steps until 5 that should have them; the first is step 3");
  EXPECT_EQ(
      missing_rows(kept, {.steps = 5, .every = 1, .rows = 2}),
      "rows are missing, of 2 of the 5 steps until 5 that should have them; the first is step 2");
  EXPECT_EQ(missing_rows(kept, {.steps = 5, .every = 4, .rows = 2}), "");
  EXPECT_EQ(
      missing_rows({}, {.steps = 9, .every = 3, .rows = 1}),
      "rows are missing, of 3 of the 3 steps until 9 that should have them; the first is step 3");
  EXPECT_EQ(missing_rows({}, {.steps = 9, .every = 3, .rows = 0}), "");
}

/// In the order of a run that goes on (src/app/run/observers/list.cpp).
XdmfIndex cut_back(const RunFolder& folder, const RunPoint& point) {
  cut_checkpoints(folder, point);
  cut_problems(folder, point);
  XdmfIndex index(folder.xdmf());
  cut_snapshots(folder, point, index);
  cut_table(folder.tools(), csv_header(tool_columns()), point);
  cut_table(folder.steps(), csv_header(step_columns()), point);
  return index;
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
    row.time = 0.1 * static_cast<double>(step);
    steps.write(row);
    ToolRecord tool;
    tool.step = step;
    tool.time = row.time;
    tools.write(tool);
    index.add(write_snapshot(MPI_COMM_SELF, folder.snapshot(step), test::sample_store(0, 5, 1),
                             {.time = 0.1 * static_cast<double>(step), .step = step}));
    std::ofstream(folder.checkpoint(step)) << "checkpoint";
    std::ofstream(folder.problem(step)) << "problem";
  }
  std::ofstream(folder.snapshot(6).string() + ".part") << "torn";
  std::ofstream(folder.checkpoint(2).string() + ".part") << "torn";
  for (const char* ending : {".part.data.0", ".part.metadata.12"}) {
    std::ofstream(folder.snapshot(6).string() + ending) << "of Open MPI";
  }
  std::ofstream(folder.snapshot(6).string() + ".part.data") << "mine";
  std::ofstream(folder.snapshots() / "mine.hdf") << "mine";
  return folder;
}

TEST(CutBack, LeavesTheRunAsItWasAfterTheStep) {
  const test::TemporaryFolder parent;
  const RunFolder folder = run_of_five(parent.path() / "run");
  const XdmfIndex index = cut_back(folder, {.steps = 3, .time = 0.3});
  EXPECT_EQ(step_files(folder.snapshots(), "snapshot", "hdf").size(), 3U);
  EXPECT_EQ(step_files(folder.checkpoints(), "checkpoint", "h5").size(), 3U);
  EXPECT_EQ(step_files(folder.problems(), "step", "hdf5").size(), 3U);
  EXPECT_FALSE(fs::exists(folder.snapshot(6).string() + ".part"));
  EXPECT_FALSE(fs::exists(folder.checkpoint(2).string() + ".part"));
  EXPECT_FALSE(fs::exists(folder.snapshot(6).string() + ".part.data.0"));
  EXPECT_FALSE(fs::exists(folder.snapshot(6).string() + ".part.metadata.12"));
  EXPECT_TRUE(fs::exists(folder.snapshot(6).string() + ".part.data")) << "no name of Open MPI's";
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
    index.add(write_snapshot(MPI_COMM_SELF, folder.snapshot(step), test::sample_store(0, 5, 1),
                             {.time = 0.1 * static_cast<double>(step), .step = step}));
  }
  EXPECT_EQ(text_of(folder.xdmf()), whole);
}

}  // namespace
}  // namespace scree
