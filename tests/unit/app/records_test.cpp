#include "scree/app/run/records.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "scree/io/tables/csv.hpp"
#include "scree/step/constraints.hpp"
#include "scree/step/impact.hpp"
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
  const auto at = std::ranges::find(columns, name, &Column<Record>::name);
  return cells_of(lines.at(1)).at(at - columns.begin());
}

TEST(Records, StepsHaveOneRowEachUnderTheirNames) {
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

// Counts are whole numbers in the table, however large, and figures of what a run does not use 0.
TEST(Records, FiguresOfLawsAndConstraintsStandUnderTheirColumns) {
  std::vector<FigureColumn> figures = impact_columns();
  for (const FigureColumn& one : constraint_columns()) figures.push_back(one);
  ASSERT_GT(figures.size(), 1U);
  for (const FigureColumn& one : figures) {
    StepRecord record;
    record.figures.add(one.name, 123456789012.0);
    for (const FigureColumn& other : figures) {
      const auto column = std::ranges::find(step_columns(), other.name, &Column<StepRecord>::name);
      ASSERT_NE(column, step_columns().end());
      EXPECT_EQ(column->text(record), other.name == one.name ? "123456789012" : "0");
    }
  }
}

TEST(Records, ToolsHaveOneRowAStepAndTool) {
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

TEST(Records, EveryColumnIsDocumentedOnce) {
  const std::vector<TableHelp> tables{table_help("steps.csv", "table of steps", step_columns())};
  const std::string reference = column_reference(tables);
  std::set<std::string_view> names;
  for (const auto& column : step_columns()) {
    EXPECT_TRUE(names.insert(column.name).second) << column.name;
    EXPECT_FALSE(column.help.empty()) << column.name;
    EXPECT_NE(reference.find('`' + std::string(column.name) + '`'), std::string::npos);
  }
}

}  // namespace
}  // namespace scree
