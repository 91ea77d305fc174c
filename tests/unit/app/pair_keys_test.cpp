/// The keys under output.pairs: what is refused, where, why, and what is allowed.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/run/observers/pairs.hpp"
#include "small_run.hpp"

namespace scree {
namespace {

std::string with_pairs(std::string_view pairs) {
  return test::with("{directory: there}",
                    fmt::format("{{directory: there, pairs: {{{}}}}}", pairs));
}

TEST(PairKeys, NamesOfNothingAreRefused) {
  EXPECT_EQ(
      test::refusal(with_pairs("draft: {between: [bed, blad]}")),
      "r.yaml:32: output: pairs.draft: \"blad\" is no group of bodies, no population, no "
      "insertion and no tool; did you mean \"blade\"? allowed: bed, pile, floor, blade, ball");
  const std::string told = test::refusal(with_pairs("two: {materials: [gravel, stel]}"));
  EXPECT_EQ(told.substr(0, 38), "r.yaml:32: output.pairs.two.materials.");
  EXPECT_NE(told.find("did you mean \"steel\"?"), std::string::npos) << told;
}

TEST(PairKeys, APairIsOfTwoThatAreApart) {
  for (const auto& [pair, fault] : {
           std::pair{"{between: [bed, bed]}", "has bodies that are on both sides"},
           std::pair{"{between: [floor, floor]}", "has bodies that are on both sides"},
           std::pair{"{materials: [gravel, gravel]}", "has bodies that are on both sides"},
           std::pair{"{between: [floor, blade]}", "is of two tools, which do not meet"},
       }) {
    const std::string told = test::refusal(with_pairs(fmt::format("p: {}", pair)));
    EXPECT_EQ(told.find(fmt::format("r.yaml:32: output: pairs.p: {}", fault)), 0U) << told;
    EXPECT_NE(told.find("allowed: "), std::string::npos) << told;
  }
}

TEST(PairKeys, APopulationIsNamedWithItsGroup) {
  std::string text = with_pairs("p: {between: [pile.big, pile.small]}, q: {between: [bed, pile]}");
  const std::string radii =
      "    material: gravel\n    radii: {type: uniform, min: 0.01, max: 0.02}\n";
  text.replace(text.find(radii), radii.size(),
               "    populations:\n"
               "      big: {share: 1, material: gravel, radii: {type: list, values: [0.02]}}\n"
               "      small: {share: 1, material: gravel, radii: {type: list, values: [0.01]}}\n");
  EXPECT_EQ(test::refusal(text), "(accepted)");
  const std::size_t at = text.find("pile.small]");
  const std::string overlapping = std::string(text).replace(at, 10, "pile");
  EXPECT_NE(test::refusal(overlapping).find("pairs.p: has bodies that are on both sides"),
            std::string::npos);
  const std::string unknown = test::refusal(std::string(text).replace(at, 10, "pile.smal"));
  EXPECT_NE(unknown.find("did you mean \"pile.small\"? allowed: bed, pile, pile.big, pile.small, "
                         "floor, blade, ball"),
            std::string::npos)
      << unknown;
}

TEST(PairKeys, APairHasTwoNames) {
  for (const char* pair : {"{between: [bed]}", "{between: [bed, pile, floor]}",
                           "{materials: [steel]}", "{between: [bed], materials: [steel]}",
                           "{between: [bed, pile], materials: [gravel, steel]}"}) {
    EXPECT_EQ(test::refusal(with_pairs(fmt::format("p: {}", pair))),
              "r.yaml:32: output.pairs.p.between: and materials name no pair; allowed: two names "
              "in one of them")
        << pair;
  }
}

TEST(PairKeys, PairsAreTakenInTheirOrder) {
  const RunConfig config = read_run_config(
      with_pairs("b: {between: [pile, blade]}, a: {materials: [steel, gravel]}"), "r.yaml");
  const std::vector<PairSpec>& pairs = config.output.of<PairOptions>().pairs;
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].name, "b");
  EXPECT_EQ(pairs[0].between, (std::vector<std::string>{"pile", "blade"}));
  EXPECT_EQ(pairs[1].materials, (std::vector<std::string>{"steel", "gravel"}));
}

TEST(BodySet, IsOfPopulationsOrAToolOrAMaterial) {
  const BodySet grains{.populations = {1, 2}, .tool = {}, .material = {}};
  EXPECT_TRUE(grains.has({.is_tool = false, .group = 2, .material = 0}));
  EXPECT_FALSE(grains.has({.is_tool = false, .group = 0, .material = 1}));
  EXPECT_FALSE(grains.has({.is_tool = true, .group = 1, .material = 0}));
  const BodySet tool{.populations = {}, .tool = 1, .material = {}};
  EXPECT_TRUE(tool.has({.is_tool = true, .group = 1, .material = 0}));
  EXPECT_FALSE(tool.has({.is_tool = true, .group = 0, .material = 1}));
  EXPECT_FALSE(tool.has({.is_tool = false, .group = 1, .material = 1}));
  const BodySet steel{.populations = {}, .tool = {}, .material = 3};
  EXPECT_TRUE(steel.has({.is_tool = true, .group = 0, .material = 3}));
  EXPECT_TRUE(steel.has({.is_tool = false, .group = 7, .material = 3}));
  EXPECT_FALSE(steel.has({.is_tool = false, .group = 3, .material = 0}));
}

}  // namespace
}  // namespace scree
