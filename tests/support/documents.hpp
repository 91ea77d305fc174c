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
#include <utility>

#include "support/folders.hpp"

namespace scree::test {

inline const std::filesystem::path kPages = source_dir() / "docs";

inline std::string read_page(const std::filesystem::path& page) {
  std::ifstream file(page);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Where the text between `<!-- name -->` and `<!-- end name -->` stands in @p text: its place and
/// its length. The place is 0 where there is no such section.
inline std::pair<std::size_t, std::size_t> place_of_section(const std::string& text,
                                                            std::string_view name) {
  const std::string begin = fmt::format("<!-- {} -->\n", name);
  const std::size_t first = text.find(begin);
  const std::size_t end = text.find(fmt::format("<!-- end {} -->", name));
  if (first == std::string::npos || end == std::string::npos) {
    ADD_FAILURE() << "no section " << name;
    return {0, 0};
  }
  return {first + begin.size(), end - first - begin.size()};
}

inline std::string section(const std::string& text, std::string_view name) {
  const auto [first, length] = place_of_section(text, name);
  return text.substr(first, length);
}

/// With SCREE_UPDATE_DOCS=1 in the environment this writes the section instead of comparing it.
inline void expect_section(std::string_view page, std::string_view name,
                           const std::string& content) {
  const std::filesystem::path file = kPages / page;
  const std::string text = read_page(file);
  std::string renewed = text;
  const auto [first, length] = place_of_section(text, name);
  if (first == 0) return;
  renewed.replace(first, length, content);
  if (std::getenv("SCREE_UPDATE_DOCS") != nullptr) {
    std::ofstream(file) << renewed;
    return;
  }
  EXPECT_TRUE(renewed == text) << "the table of " << name << " in docs/" << page
                               << " is out of date; to renew it, run this program with "
                                  "SCREE_UPDATE_DOCS=1 and --gtest_filter='Documents.*'";
}

}  // namespace scree::test
