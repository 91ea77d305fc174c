#pragma once

/// Sections of the pages in docs that are made from declarations in the code.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "support/folders.hpp"

namespace scree::test {

inline const std::filesystem::path kPages = source_dir() / "docs";

inline std::string read_page(const std::filesystem::path& page) {
  std::ifstream file(page);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The text between `<!-- name -->` and `<!-- end name -->`, in @p text.
inline std::string& replace_section(std::string& text, std::string_view name,
                                    std::string_view content) {
  const std::string begin = fmt::format("<!-- {} -->\n", name);
  const std::size_t first = text.find(begin);
  const std::size_t end = text.find(fmt::format("<!-- end {} -->", name));
  if (first == std::string::npos || end == std::string::npos) {
    ADD_FAILURE() << "no section " << name;
    return text;
  }
  return text.replace(first + begin.size(), end - first - begin.size(), content);
}

/// With SCREE_UPDATE_DOCS=1 in the environment this writes the section instead of comparing it.
inline void expect_section(std::string_view page, std::string_view name,
                           const std::string& content) {
  const std::filesystem::path file = kPages / page;
  const std::string text = read_page(file);
  std::string renewed = text;
  replace_section(renewed, name, content);
  if (std::getenv("SCREE_UPDATE_DOCS") != nullptr) {
    std::ofstream(file) << renewed;
    return;
  }
  EXPECT_TRUE(renewed == text) << "the table of " << name << " in docs/" << page
                               << " is out of date; to renew it, run this program with "
                                  "SCREE_UPDATE_DOCS=1 and --gtest_filter='Documents.*'";
}

}  // namespace scree::test
