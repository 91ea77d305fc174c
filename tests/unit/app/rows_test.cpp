/// Rows of lists that a configuration names: each impact law and each way of constraints brings its
/// keys, columns and words, and nothing else has to name it.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "scree/app/config/run_config.hpp"
#include "scree/app/run/records.hpp"
#include "scree/config/reference.hpp"
#include "scree/config/schema.hpp"
#include "scree/io/tables/csv.hpp"
#include "scree/step/constraints.hpp"
#include "scree/step/impact.hpp"
#include "support/documents.hpp"

namespace scree {
namespace {

/// The rows of the key reference that are those of the keys that @p entry declares under @p
/// section.
template <class Entry>
std::vector<std::string> rows_of_keys(const Entry& entry, std::string_view section) {
  std::istringstream table(reference_of_declared([&entry](Declaration& d) {
    OptionSet options;
    entry.add_options(options);
    entry.declare(d, options);
  }));
  std::vector<std::string> rows;
  for (std::string line; std::getline(table, line);) {
    if (line.starts_with("| `")) rows.push_back(fmt::format("| `{}.{}", section, line.substr(3)));
  }
  return rows;
}

/// The part of keys, pages and tables that is of a list whose keys stand under @p section.
template <class Entry>
void expect_rows_everywhere(std::span<const Entry> list, std::string_view section) {
  const std::string keys = key_reference<RunConfig>();
  const std::string schema = json_schema<RunConfig>("scree").dump();
  const std::string model = test::read_page(test::kPages / "model.md");
  const std::string columns = test::read_page(test::kPages / "output.md");
  const std::string header = "," + csv_header(step_columns()) + ",";
  std::set<std::string> known_rows;
  std::set<std::string_view> known_columns;
  for (const Entry& entry : list) {
    SCOPED_TRACE(entry.name);
    EXPECT_NE(schema.find(fmt::format("\"{}\"", entry.name)), std::string::npos);
    EXPECT_NE(keys.find(entry.help), std::string::npos);
    EXPECT_NE(model.find(fmt::format("| `{}` |", entry.name)), std::string::npos);
    for (const std::string& row : rows_of_keys(entry, section)) {
      EXPECT_TRUE(known_rows.insert(row).second) << row;
      EXPECT_NE(keys.find(row), std::string::npos) << row;
    }
    for (const FigureColumn& column : entry.columns()) {
      EXPECT_TRUE(known_columns.insert(column.name).second) << column.name;
      EXPECT_NE(header.find(fmt::format(",{},", column.name)), std::string::npos) << column.name;
      EXPECT_NE(
          columns.find(fmt::format("| `{}` | {} | {} |", column.name, column.unit, column.help)),
          std::string::npos)
          << column.name;
    }
  }
  EXPECT_FALSE(known_rows.empty());
  EXPECT_FALSE(known_columns.empty());
}

TEST(Rows, ImpactLawsAreInKeysColumnsAndPages) {
  expect_rows_everywhere(impact_laws(), "impact");
}

TEST(Rows, WaysOfConstraintsAreInKeysColumnsAndPages) {
  expect_rows_everywhere(ways_of_constraints(), "contact");
}

TEST(Rows, EachMakesWhatItNames) {
  for (const ImpactLawEntry& entry : impact_laws()) {
    ImpactLawOptions options;
    options.law = entry.name;
    EXPECT_NE(make_impact_law(options, 9.81), nullptr) << entry.name;
    EXPECT_EQ(options.faults(true), std::vector<std::string>()) << entry.name;
    EXPECT_EQ(options.faults(false).empty(), !entry.needs_inertia) << entry.name;
  }
  for (const ConstraintsEntry& entry : ways_of_constraints()) {
    ConstraintOptions options;
    options.way = entry.name;
    EXPECT_NE(make_constraints(options), nullptr) << entry.name;
  }
}

}  // namespace
}  // namespace scree
