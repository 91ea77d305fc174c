#include "scree/problem/body_pattern.hpp"

#include <gtest/gtest.h>

#include <array>
#include <span>
#include <vector>

namespace scree {
namespace {

std::vector<std::int32_t> bodies_of(const BodyPattern& pattern, std::size_t cone) {
  const BodiesOfCone bodies = pattern.bodies(cone);
  EXPECT_EQ(bodies.empty(), bodies.size() == 0);
  return {bodies.begin(), bodies.end()};
}

/// Frames come first, of more than one block here; the cones behind them have any number of bodies.
TEST(BodyPattern, NamesTheBodiesOfFramesAndOfOthers) {
  BodyPattern pattern;
  pattern.n_frames = kBlock + 2;
  pattern.frames.resize(2);
  for (std::size_t i = 0; i < pattern.n_frames; ++i) {
    const auto a = static_cast<std::int32_t>(i);
    pattern.frames[i / kBlock].a[i % kBlock] = a;
    pattern.frames[i / kBlock].b[i % kBlock] = i % 2 == 0 ? a + 1 : -1;
  }
  pattern.append(std::array{4, 2, 7});
  pattern.append(std::span<const std::int32_t>());
  pattern.append(std::array{9});
  ASSERT_EQ(pattern.n_cones(), kBlock + 5);
  using Bodies = std::vector<std::int32_t>;
  EXPECT_EQ(bodies_of(pattern, 0), Bodies({0, 1}));
  EXPECT_EQ(bodies_of(pattern, kBlock), Bodies({64, 65}));
  EXPECT_EQ(bodies_of(pattern, kBlock + 1), Bodies({65}));
  EXPECT_EQ(bodies_of_frame(pattern, kBlock + 1), (std::array{65, -1}));
  EXPECT_EQ(bodies_of(pattern, kBlock + 2), Bodies({4, 2, 7}));
  EXPECT_EQ(bodies_of(pattern, kBlock + 3), Bodies());
  EXPECT_EQ(bodies_of(pattern, kBlock + 4), Bodies({9}));
  EXPECT_EQ(pattern.of_frames().size(), kBlock + 2);
  EXPECT_EQ(pattern.of_others().first(1).size(), 1U);
}

}  // namespace
}  // namespace scree
