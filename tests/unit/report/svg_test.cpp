#include "report/svg.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>

namespace scree::svg {
namespace {

/// The first group of each match of @p pattern.
std::vector<std::string> all(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> result;
  for (std::sregex_iterator it(text.begin(), text.end(), expression), end; it != end; ++it) {
    result.push_back((*it)[1]);
  }
  return result;
}

/// The path of the first curve.
std::string path_of(const Plot& plot) {
  const std::string drawn = draw(plot);
  const std::string before = "<path d=\"";
  const std::size_t begin = drawn.find(before) + before.size();
  return drawn.substr(begin, drawn.find('"', begin) - begin);
}

TEST(Svg, ACurveGoesFromCornerToCorner) {
  EXPECT_EQ(path_of({"x", "y", false, {{"", {0, 1, 2}, {5, 7.5, 10}}}}),
            "M78.0 216.0L411.0 123.0L744.0 30.0");
  EXPECT_EQ(path_of({"x", "y", true, {{"", {0, 1, 2}, {1e-4, 1e-3, 1e-2}}}}),
            "M78.0 216.0L411.0 123.0L744.0 30.0");
}

TEST(Svg, WhatCannotBeDrawnInterrupts) {
  const double nan = std::nan("");
  EXPECT_EQ(path_of({"x", "y", false, {{"", {0, 1, 2, 3, 4}, {1, nan, 2, nan, 1}}}}),
            "M78.0 216.0L78.0 216.0M411.0 30.0L411.0 30.0M744.0 216.0L744.0 216.0");
  EXPECT_EQ(path_of({"x", "y", true, {{"", {0, 1, 2, 4}, {1, 10, 0, -1}}}}),
            "M78.0 216.0L244.5 30.0");
  for (const std::vector<double>& none : {std::vector<double>{}, std::vector<double>{nan}}) {
    EXPECT_EQ(path_of({"x", "y", false, {{"", std::vector<double>(none.size(), 1.0), none}}}), "");
  }
}

TEST(Svg, NoPeakIsLostAmongManyPoints) {
  Series series;
  for (int k = 0; k < 200000; ++k) {
    series.x.push_back(k);
    series.y.push_back(k == 123456 ? 9.0 : 0.5 * std::sin(k));
  }
  const std::string path = path_of({"x", "y", false, {series}});
  EXPECT_NE(path.find(" 30.0L"), std::string::npos);  // the top of the drawing
  EXPECT_LT(path.size(), 100000U);
}

TEST(Svg, TicksAreRoundAndInside) {
  const std::string drawn = draw({"time, s", "y", false, {{"", {0.0, 0.97}, {-3.0, 11.0}}}});
  const auto ticks = all(drawn, "text-anchor=\"end\">([^<]*)<");
  EXPECT_EQ(ticks, (std::vector<std::string>{"0", "5", "10"}));
  EXPECT_EQ(all(drawn, "text-anchor=\"middle\">([^<]*)<"),
            (std::vector<std::string>{"0", "0.2", "0.4", "0.6", "0.8", "time, s"}));
  const auto decades =
      all(draw({"", "", true, {{"", {0, 1}, {2e-5, 0.03}}}}), "text-anchor=\"end\">([^<]*)<");
  EXPECT_EQ(decades, (std::vector<std::string>{"1e-5", "1e-4", "1e-3", "1e-2", "1e-1"}));
  const auto far = all(draw({"", "", false, {{"", {0, 1}, {1000.01, 1000.05}}}}),
                       "text-anchor=\"end\">([^<]*)<");
  EXPECT_EQ(far, (std::vector<std::string>{"1000.01", "1000.02", "1000.03", "1000.04", "1000.05"}));
  const auto constant =
      all(draw({"", "", false, {{"", {0, 1}, {7, 7}}}}), "text-anchor=\"end\">([^<]*)<");
  EXPECT_NE(std::find(constant.begin(), constant.end(), "7"), constant.end());
}

TEST(Svg, NamesAreEscaped) {
  const std::string drawn = draw({"x", "<b>", false, {{"a&b", {0}, {0}}, {"\"c\"", {0}, {0}}}});
  EXPECT_NE(drawn.find("&lt;b&gt;"), std::string::npos);
  EXPECT_NE(drawn.find("a&amp;b"), std::string::npos);
  EXPECT_EQ(drawn.find("<b>"), std::string::npos);
}

// The floor under a ball of radius 1 at the height 1: a line at the lower end of what is drawn,
// behind the ball.
TEST(Svg, WallsStandBehindTheBalls) {
  const std::vector<WallTriangle> floor{{Vec3(-1, -1, 0), Vec3(1, -1, 0), Vec3(1, 1, 0)}};
  const std::string drawn = draw({{{0, 0, 1}, 1.0, 0}}, "v", floor);
  const auto wall = drawn.find("<polygon points=\"");
  ASSERT_NE(wall, std::string::npos);
  EXPECT_LT(wall, drawn.find("<circle"));
  const auto numbers = all(drawn, "points=\"[0-9.]+,([0-9.]+) [0-9.]+,([0-9.]+) ");
  ASSERT_EQ(numbers.size(), 1U);
  // 760 wide for 2 + 2 * 3 % of 2, and 28 above: the floor is 1.03 * 2 below the top
  EXPECT_NEAR(std::stod(numbers[0]), 28.0 + 760.0 * 2.06 / 2.12, 0.1);
}

TEST(Svg, NearBallsHideFarOnes) {
  // a wide bed: seen along y; the ball at the least y is the nearest and drawn last
  const std::string drawn =
      draw({{{0, 0, 0}, 0.1, 0}, {{1, 0.5, 0}, 0.1, 1}, {{0.5, 0.2, 0}, 0.1, 2}}, "v");
  EXPECT_EQ(all(drawn, "circle cx=\"([^\"]*)\""),
            (std::vector<std::string>{"696.7", "380.0", "63.3"}));
  EXPECT_EQ(all(drawn, "circle [^>]*fill=\"([^\"]*)\""),
            (std::vector<std::string>{"#21918c", "#fde725", "#440154"}));
  EXPECT_EQ(draw(std::vector<Ball>{}, "v"), "");
}

}  // namespace
}  // namespace scree::svg
