#include "scree/io/run_folder/cut_back.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "scree/base/check.hpp"
#include "support/refusal.hpp"
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

// The bytes that a machine which went down leaves behind the last row that had reached the disk:
// pages of zeros, pieces of rows.
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

}  // namespace
}  // namespace scree
