#include "step/constraints/single.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scree/contact/reach.hpp"
#include "scree/geometry/shapes/round_hole.hpp"
#include "scree/geometry/shapes/sphere.hpp"

namespace scree {
namespace {

/// A large ball on the rim of an orifice, off its axis: two further points of the rim are too far
/// to be contacts, and near enough to share the stiffness of the pair.
Store ball_on_rim() {
  constexpr double kRadius = 5.0;
  constexpr double kHole = 3.0;
  constexpr double kOff = 0.07;
  Store store;
  append_tool(store, {.id = kFirstToolId, .shape = Orifice{{kHole, kHole, -10.0, 0.0}}});
  const double across = kHole - kOff;  // to the nearest point of the rim
  const double height = std::sqrt(kRadius * kRadius - across * across);
  append_grain(
      store, {.id = 0, .position = {kOff, 0, height}, .shape = Sphere{kRadius}, .density = 1000.0});
  return store;
}

TEST(SingleConstraints, TheDeepestPointHasTheWholeStiffness) {
  Store store = ball_on_rim();
  const Reach reach{.dt = 1e-3, .smallest_radius = 1.0};
  update_boxes(store, reach);
  const std::vector<Pair> pairs{{1, 0}};
  const ContactList all = narrowphase(store, pairs, reach);
  ASSERT_EQ(all.size(), 1U);
  ASSERT_GT(all[0].sharing, 1.1);
  const ContactList deepest = SingleConstraints(ConstraintOptions()).find(store, pairs, reach);
  ASSERT_EQ(deepest.size(), 1U);
  EXPECT_EQ(deepest[0].key, all[0].key);
  EXPECT_EQ(deepest[0].sharing, 1.0);
}

}  // namespace
}  // namespace scree
