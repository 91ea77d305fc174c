#include "scree/config/suggest.hpp"

#include <gtest/gtest.h>

#include <array>

namespace scree {
namespace {

constexpr std::array<std::string_view, 5> kMethods = {"auto", "pgj", "apgd", "nsgs", "ipm"};

TEST(Suggest, FindsTheNearestWord) {
  EXPECT_EQ(nearest_word("nsg", kMethods), "nsgs");
  EXPECT_EQ(nearest_word("adpg", kMethods), "apgd");
  EXPECT_EQ(nearest_word("nssg", kMethods), "nsgs");  // neighbours exchanged
  EXPECT_EQ(nearest_word("IPM", kMethods), "ipm");
}

TEST(Suggest, IsSilentWhenNothingIsNear) {
  EXPECT_EQ(nearest_word("multigrid", kMethods), "");
  EXPECT_EQ(nearest_word("", kMethods), "");
  EXPECT_EQ(nearest_word("nsgs", {}), "");
  EXPECT_EQ(nearest_word(std::string(100000, 'n'), kMethods), "");
}

TEST(Suggest, WordsAPhrase) {
  EXPECT_EQ(suggestion("nsg", kMethods), "did you mean \"nsgs\"?");
  EXPECT_EQ(suggestion("multigrid", kMethods), "");
  EXPECT_EQ(suggestion_and_list("nsg", kMethods),
            "did you mean \"nsgs\"? allowed: auto, pgj, apgd, nsgs, ipm");
  EXPECT_EQ(suggestion_and_list("multigrid", kMethods), "allowed: auto, pgj, apgd, nsgs, ipm");
}

}  // namespace
}  // namespace scree
