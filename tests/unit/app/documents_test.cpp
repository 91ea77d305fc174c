/// The tables of the pages in docs that are made from declarations in the code are up to date, and
/// the table of methods, which is written by hand, has those of the registry with the laws that
/// they solve.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "app/run/observer_list.hpp"
#include "scree/app/config/run_config.hpp"
#include "scree/config/reference.hpp"
#include "scree/fields/means.hpp"
#include "scree/io/tables/columns.hpp"
#include "scree/solver/registry.hpp"
#include "support/documents.hpp"

namespace scree {
namespace {

TEST(Documents, KeysAreThoseOfTheCode) {
  test::expect_section("keys.md", "keys", key_reference<RunConfig>());
}

TEST(Documents, ColumnsAreThoseOfTheCode) {
  test::expect_section("output.md", "columns", column_reference(tables_of_runs()));
}

TEST(Documents, FieldsAreThoseOfTheCode) {
  test::expect_section("fields.md", "fields", field_reference());
}

/// The laws of friction that a method solves, as its needs say.
std::string laws_of(const SolverEntry& entry) {
  std::vector<std::string> laws;
  for (const std::string_view name : kNamesOf<FrictionLaw>) {
    const FrictionLaw law = *value_named<FrictionLaw>(name);
    if (unmet(entry.needs, traits_of(law)).empty()) laws.push_back(fmt::format("`{}`", name));
  }
  if (laws.size() == kNamesOf<FrictionLaw>.size()) return "all";
  return laws.empty() ? "none" : fmt::format("{}", fmt::join(laws, ", "));
}

TEST(Documents, SolversAreThoseOfTheRegistry) {
  std::istringstream table(test::section(test::read_page(test::kPages / "solvers.md"), "solvers"));
  std::string line;
  std::getline(table, line);
  std::getline(table, line);
  for (const SolverEntry& entry : solver_registry()) {
    std::getline(table, line);
    const std::string row = fmt::format("| `{}` | {} | ", entry.name, laws_of(entry));
    EXPECT_EQ(line.substr(0, row.size()), row) << "in the table of docs/solvers.md";
  }
  EXPECT_FALSE(std::getline(table, line)) << "no method of the registry: " << line;
}

}  // namespace
}  // namespace scree
