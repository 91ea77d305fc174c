/// The tables of the pages in docs that are made from declarations in the code are up to date.
/// With SCREE_UPDATE_DOCS=1 in the environment the test writes them instead.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "scree/app/run_config.hpp"
#include "scree/config/reference.hpp"
#include "scree/io/records.hpp"
#include "scree/solver/registry.hpp"

namespace scree {
namespace {

const std::filesystem::path kPages = SCREE_SOURCE_DIR "/docs";

std::string read(const std::filesystem::path& page) {
  std::ifstream file(page);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The text between `<!-- name -->` and `<!-- end name -->`, in @p text.
std::string& replace_section(std::string& text, std::string_view name, std::string_view content) {
  const std::string begin = fmt::format("<!-- {} -->\n", name);
  const std::size_t first = text.find(begin);
  const std::size_t end = text.find(fmt::format("<!-- end {} -->", name));
  if (first == std::string::npos || end == std::string::npos) {
    ADD_FAILURE() << "no section " << name;
    return text;
  }
  return text.replace(first + begin.size(), end - first - begin.size(), content);
}

void expect_section(std::string_view page, std::string_view name, const std::string& content) {
  const std::filesystem::path file = kPages / page;
  const std::string text = read(file);
  std::string renewed = text;
  replace_section(renewed, name, content);
  if (std::getenv("SCREE_UPDATE_DOCS") != nullptr) {
    std::ofstream(file) << renewed;
    return;
  }
  EXPECT_TRUE(renewed == text) << "the table of " << name << " in docs/" << page
                               << " is out of date; to renew it, run\n"
                                  "  SCREE_UPDATE_DOCS=1 build/tests/unit_app "
                                  "--gtest_filter='Documents.*'";
}

TEST(Documents, KeysAreThoseOfTheCode) {
  expect_section("keys.md", "keys", key_reference<RunConfig>());
}

TEST(Documents, ColumnsAreThoseOfTheCode) {
  expect_section("output.md", "columns", column_reference());
}

TEST(Documents, SolversAreThoseOfTheRegistry) {
  std::string table = "| `solver.method` | what it is |\n| --- | --- |\n";
  for (const SolverEntry& entry : solver_registry()) {
    table += fmt::format("| `{}` | {} |\n", entry.name, entry.help);
  }
  expect_section("solvers.md", "solvers", table);
}

}  // namespace
}  // namespace scree
