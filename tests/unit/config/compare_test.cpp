#include "scree/config/compare.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scree/base/check.hpp"

namespace scree {
namespace {

std::vector<std::string> compared(std::string_view before, std::string_view after) {
  std::vector<std::string> lines;
  for (const Difference& d : differences(before, after)) {
    lines.push_back(fmt::format("{}: {} -> {}", d.key, d.before, d.after));
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(Compare, CommentsAndLayoutAreNoDifference) {
  EXPECT_EQ(compared("a: 1  # one\nb: {c: [1, 2]}\n", "a: 1\nb:\n  c:  # two\n  - 1\n  - 2\n"),
            Lines{});
  EXPECT_EQ(compared("", ""), Lines{});
}

TEST(Compare, NamesEachKeyWithBothValues) {
  EXPECT_EQ(compared("a: {b: 1, c: x}\nd: [1, 2]\n", "a: {b: 2, c: x}\nd: [1, 3]\n"),
            (Lines{"a.b: 1 -> 2", "d: [1, 2] -> [1, 3]"}));
}

TEST(Compare, KeysOfOneDocumentAlone) {
  EXPECT_EQ(compared("a: 1\nb: {c: 2}\n", "a: 1\nd: null\n"),
            (Lines{"b: {c: 2} -> ", "d:  -> null"}));
}

TEST(Compare, TheOrderOfAMapCounts) {
  EXPECT_EQ(compared("a: {x: 1, y: 2}\n", "a: {y: 2, x: 1}\n"), Lines{"a: x, y -> y, x"});
}

TEST(Compare, WhatIsNoYamlIsRefused) {
  EXPECT_THROW(compared("a: [1\n", "a: 1\n"), InputError);
}

}  // namespace
}  // namespace scree
