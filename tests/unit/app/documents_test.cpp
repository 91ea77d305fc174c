/// The tables of the pages in docs that are made from declarations in the code are up to date.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "app/run/observer_list.hpp"
#include "scree/app/config/run_config.hpp"
#include "scree/config/reference.hpp"
#include "scree/fields/means.hpp"
#include "scree/io/tables/records.hpp"
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

TEST(Documents, SolversAreThoseOfTheRegistry) {
  std::string table = "| `solver.method` | what it is |\n| --- | --- |\n";
  for (const SolverEntry& entry : solver_registry()) {
    table += fmt::format("| `{}` | {} |\n", entry.name, entry.help);
  }
  test::expect_section("solvers.md", "solvers", table);
}

}  // namespace
}  // namespace scree
