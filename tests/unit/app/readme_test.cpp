/// The tables of README.md that are made from declarations in the code are up to date.
/// With SCREE_UPDATE_README=1 in the environment the test writes them instead.

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

const std::filesystem::path kReadme = SCREE_SOURCE_DIR "/README.md";

std::string read_readme() {
  std::ifstream file(kReadme);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The text between `<!-- name -->` and `<!-- end name -->`, in @p readme.
std::string& replace_section(std::string& readme, std::string_view name, std::string_view content) {
  const std::string begin = fmt::format("<!-- {} -->\n", name);
  const std::size_t first = readme.find(begin);
  const std::size_t end = readme.find(fmt::format("<!-- end {} -->", name));
  if (first == std::string::npos || end == std::string::npos) {
    ADD_FAILURE() << "README.md has no section " << name;
    return readme;
  }
  return readme.replace(first + begin.size(), end - first - begin.size(), content);
}

void expect_section(std::string_view name, const std::string& content) {
  const std::string readme = read_readme();
  std::string renewed = readme;
  replace_section(renewed, name, content);
  if (std::getenv("SCREE_UPDATE_README") != nullptr) {
    std::ofstream(kReadme) << renewed;
    return;
  }
  EXPECT_TRUE(renewed == readme) << "the table of " << name
                                 << " in README.md is out of date; to renew it, run\n"
                                    "  SCREE_UPDATE_README=1 build/tests/unit_app "
                                    "--gtest_filter='Readme.*'";
}

TEST(Readme, KeysAreThoseOfTheCode) {
  expect_section("keys", key_reference<RunConfig>());
}

TEST(Readme, ColumnsAreThoseOfTheCode) {
  expect_section("columns", column_reference());
}

TEST(Readme, SolversAreThoseOfTheRegistry) {
  std::string table = "| `solver.method` | what it is |\n| --- | --- |\n";
  for (const SolverEntry& entry : solver_registry()) {
    table += fmt::format("| `{}` | {} |\n", entry.name, entry.help);
  }
  expect_section("solvers", table);
}

}  // namespace
}  // namespace scree
