#include "scree/io/tables/csv.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>

#include "support/temporary_folder.hpp"

namespace scree {
namespace {

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  return cells;
}

template <class Record>
std::string cell(const std::vector<std::string>& lines, std::span<const Column<Record>> columns,
                 std::string_view name) {
  const auto at = std::find_if(columns.begin(), columns.end(),
                               [&](const auto& column) { return column.name == name; });
  return cells_of(lines.at(1)).at(at - columns.begin());
}

TEST(Csv, NumbersReadBackAsTheyWere) {
  for (const double value : {0.1, 1.0 / 3.0, 1e-300, -2.5e17, 5e-324, 0.0}) {
    EXPECT_EQ(std::strtod(csv_text(value).c_str(), nullptr), value);
  }
  EXPECT_EQ(csv_text(0.1), "0.1");
  EXPECT_EQ(csv_text(std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(csv_text("a, \"b\""), "\"a, \"\"b\"\"\"");
}

TEST(Csv, StepsHaveOneRowEachUnderTheirNames) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "steps.csv";
  CsvWriter<StepRecord> writer(path, step_columns());
  StepRecord record;
  record.time = 0.25;
  record.step = 250;
  record.status = "converged";
  record.measures.residual = 3e-5;
  record.seconds.solve = 0.5;
  record.bytes = 12;
  writer.write(record);
  const auto lines = lines_of(path);  // read while the writer lives: rows are flushed
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(cells_of(lines[0]).size(), step_columns().size());
  EXPECT_EQ(cell(lines, step_columns(), "time"), "0.25");
  EXPECT_EQ(cell(lines, step_columns(), "step"), "250");
  EXPECT_EQ(cell(lines, step_columns(), "status"), "converged");
  EXPECT_EQ(cell(lines, step_columns(), "residual"), "3e-05");
  EXPECT_EQ(cell(lines, step_columns(), "seconds_solve"), "0.5");
  EXPECT_EQ(cell(lines, step_columns(), "bytes"), "12");
}

TEST(Csv, ToolsHaveOneRowAStepAndTool) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "tools.csv";
  {
    CsvWriter<ToolRecord> writer(path, tool_columns());
    writer.write({.tool = "blade", .force = {1, 2, 3}, .torque = {4, 5, 6}});
  }
  {
    CsvWriter<ToolRecord> writer(path, tool_columns(), /*append=*/true);
    writer.write({.tool = "floor"});
  }
  const auto lines = lines_of(path);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(cell(lines, tool_columns(), "tool"), "blade");
  EXPECT_EQ(cell(lines, tool_columns(), "force_y"), "2");
  EXPECT_EQ(cell(lines, tool_columns(), "torque_z"), "6");
}

TEST(Csv, EveryColumnIsDocumentedOnce) {
  const std::vector<TableHelp> tables{table_help("steps.csv", "table of steps", step_columns())};
  const std::string reference = column_reference(tables);
  std::set<std::string_view> names;
  for (const auto& column : step_columns()) {
    EXPECT_TRUE(names.insert(column.name).second) << column.name;
    EXPECT_FALSE(column.help.empty()) << column.name;
    EXPECT_NE(reference.find('`' + std::string(column.name) + '`'), std::string::npos);
  }
}

TEST(Csv, AWriterOfOtherRanksWritesNothing) {
  CsvWriter<StepRecord> silent;
  EXPECT_NO_THROW(silent.write({}));
}

TEST(Csv, FullDiskIsAFailureThatNamesTheFile) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  LineFile file("/dev/full", true);
  try {
    file.write("row");
    FAIL() << "no exception";
  } catch (const Failure& failure) {
    EXPECT_STREQ(failure.what(), "/dev/full: cannot be written: No space left on device");
  }
}

}  // namespace
}  // namespace scree
