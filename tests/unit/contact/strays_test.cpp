/// Bodies that go further than their margins, and boxes that meet any of others.

#include "scree/contact/strays.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "scenes.hpp"
#include "scree/geometry/shapes/all_shapes.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree::testing {
namespace {

const Reach kReach{.dt = 0.1, .smallest_radius = 0.01};

Vec6 moving(const Vec3& velocity, const Vec3& spin = Vec3::Zero()) {
  Vec6 both;
  both << velocity, spin;
  return both;
}

/// Some five roundings of ways of up to two centimetres.
constexpr double kRounding = 2e-17;

TEST(Excursion, GoesBeyondTheMargin) {
  Store store;
  append_grain(store, ball(0, Vec3::Zero(), 0.01, {0.03, 0.0, 0.0}));
  const auto beyond = [&](const Vec6& velocity) {
    return excursion(store, 0, velocity, kReach).beyond();
  };
  // its way of 3 mm and a fiftieth of the radius
  EXPECT_NEAR(beyond(moving({0.0, 0.05, 0.0})), 0.005 - 0.0032, kRounding);
  EXPECT_NEAR(beyond(moving({0.0, 0.03, 0.0})), -0.0002, kRounding);
  EXPECT_NEAR(beyond(moving(Vec3::Zero(), {0.0, 0.0, 90.0})), -0.0032, kRounding);
}

TEST(Excursion, CountsHowFarTheSurfaceTurns) {
  Store store;
  Body capsule = ball(0, Vec3::Zero(), 0.01);
  capsule.shape = Capsule{0.01, 0.04};
  append_grain(store, capsule);
  const double arm = spin_radius(store.shape[0], *store.shapes);
  const Excursion across = excursion(store, 0, moving({0.01, 0.0, 0.0}, {2.0, 0.0, 0.0}), kReach);
  EXPECT_NEAR(across.beyond(), 0.1 * (0.01 + 2.0 * arm) - 0.0002, kRounding);
  EXPECT_NEAR(across.off_path, 0.1 * (0.01 + 2.0 * arm), kRounding);
  // about its own axis it stays in place
  const Excursion about = excursion(store, 0, moving({0.01, 0.0, 0.0}, {0.0, 0.0, 2.0}), kReach);
  EXPECT_NEAR(about.beyond(), 0.0008, kRounding);
  EXPECT_NEAR(about.off_path, 0.001, kRounding);
}

TEST(Excursion, OffItsPathIsWhatTheForcesDidNotPredict) {
  Store store;
  append_grain(store, ball(0, Vec3::Zero(), 0.01, {0.4, 0.0, 0.0}));
  store.free_velocity[0] = {0.4, 0.1, 0.0};
  const Excursion flight = excursion(store, 0, moving({0.4, 0.1, 0.0}), kReach);
  EXPECT_GT(flight.beyond(), 0.03 - 0.0002);  // of 4 cm and more 1 cm
  EXPECT_EQ(flight.off_path, 0.0);
  EXPECT_FALSE(flight.may_leave_box());
  const Excursion thrown = excursion(store, 0, moving({0.4, -0.1, 0.0}), kReach);
  EXPECT_NEAR(thrown.off_path, 0.02, kRounding);
  EXPECT_TRUE(thrown.may_leave_box());
}

TEST(Strays, AreOfGrainsAndOfToolsThatGoTheirWay) {
  Store store;
  append_grain(store, ball(0, Vec3::Zero(), 0.01));
  std::vector<double> end(6, 0.0);
  end[1] = 0.01;  // a tenth of the radius in the step, a fiftieth of it within the margin
  EXPECT_EQ(any_strays(store, end, kReach, 0.0007), (Strays{true, true}));
  EXPECT_EQ(any_strays(store, end, kReach, 0.0009), (Strays{false, true}));
  EXPECT_EQ(any_strays(store, end, kReach, 0.0011), (Strays{false, false}));
  append_tool(store, tool(0, Plane{}, {0.0, 0.0, -1.0}));
  store.velocity[0] = {0.0, 0.0, 1.0};  // ten radii, of which the margin is one
  EXPECT_EQ(any_strays(store, end, kReach, 0.08), (Strays{true, false}));
  EXPECT_EQ(any_strays(store, end, kReach, 0.1), (Strays{false, false}));
}

/// A ball that is stopped stands in the path of another, which goes on as predicted.
TEST(Strays, OneOfAPairMayGoBeyondAndTheOtherLeaveItsPath) {
  Store store;
  append_grain(store, ball(0, Vec3::Zero(), 0.01, {0.5, 0.0, 0.0}));
  append_grain(store, ball(1, {0.0, 0.05, 0.0}, 0.01, {0.0, -0.5, 0.0}));
  store.free_velocity[0] = store.velocity[0];
  store.free_velocity[1] = store.velocity[1];
  const Strays stopped = strays(excursion(store, 0, moving(Vec3::Zero()), kReach), 0.0005);
  const Strays goes_on = strays(excursion(store, 1, moving(store.velocity[1]), kReach), 0.0005);
  EXPECT_EQ(stopped, (Strays{false, true}));
  EXPECT_EQ(goes_on, (Strays{true, false}));
  EXPECT_TRUE((stopped | goes_on).may_meet());
}

/// Boxes of edges up to @p edge in the cube [-1, 1]^3.
std::vector<Box3> some_boxes(Random& random, int count, double edge) {
  std::vector<Box3> boxes;
  for (int k = 0; k < count; ++k) {
    const Vec3 low = vector_in(random, Vec3::Constant(-1.0), Vec3::Constant(1.0));
    boxes.push_back({low, low + vector_in(random, Vec3::Zero(), Vec3::Constant(edge))});
  }
  return boxes;
}

std::vector<std::int32_t> by_trying_all(const std::vector<Box3>& boxes,
                                        const std::vector<Box3>& targets) {
  std::vector<std::int32_t> meeting;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const auto meets = [&](const Box3& target) { return target.meets(boxes[i]); };
    if (std::ranges::any_of(targets, meets)) meeting.push_back(static_cast<std::int32_t>(i));
  }
  return meeting;
}

std::vector<std::int32_t> meeting_some(const std::vector<Box3>& boxes,
                                       const std::vector<Box3>& targets) {
  return meeting_any({boxes.size(), [&](std::size_t i) { return boxes[i]; }},
                     {targets.size(), [&](std::size_t i) { return targets[i]; }});
}

TEST(MeetingAny, GivesTheBoxesThatMeetATarget) {
  Random random(7);
  const Box3 endless{Vec3(-0.1, -0.1, -std::numeric_limits<double>::infinity()),
                     Vec3(0.1, 0.1, std::numeric_limits<double>::infinity())};
  for (const double edge : {0.001, 0.01, 0.1, 1.0}) {
    for (const double edge_of_targets : {0.0, 0.01, 0.1, 1.0}) {
      std::vector<Box3> boxes = some_boxes(random, 400, edge);
      boxes.push_back(endless);
      std::vector<Box3> targets = some_boxes(random, 20, edge_of_targets);
      EXPECT_EQ(meeting_some(boxes, targets), by_trying_all(boxes, targets));
      EXPECT_EQ(meeting_some(targets, boxes), by_trying_all(targets, boxes));
      targets.push_back(endless);
      EXPECT_EQ(meeting_some(boxes, targets), by_trying_all(boxes, targets));
      EXPECT_EQ(meeting_some(targets, boxes), by_trying_all(targets, boxes));
    }
  }
  EXPECT_TRUE(meeting_some(some_boxes(random, 10, 1.0), {}).empty());
}

TEST(MeetingAny, FindsOneOrTwoTargetsInBoxesThatAreManyTimesAsWide) {
  Random random(11);
  for (const int n_targets : {1, 2}) {
    for (int k = 0; k < 4000; ++k) {
      const std::vector<Box3> targets = some_boxes(random, n_targets, 0.1);
      double edge = 0.0;
      for (const Box3& target : targets) {
        edge = std::max(edge, (target.high - target.low).maxCoeff());
      }
      std::vector<Box3> boxes;
      for (double wide = 6.0; wide <= 9.0; wide += 0.25) {
        const Vec3 low = vector_in(random, Vec3::Constant(-1.0), Vec3::Constant(1.0));
        boxes.push_back({low, low + Vec3(wide * edge, 0.5 * edge, 0.5 * edge)});
        // beside a target, since few would meet one else
        const Vec3 near = targets[0].low - vector_in(random, Vec3::Zero(), Vec3::Constant(edge));
        boxes.push_back({near, near + Vec3(wide * edge, 0.5 * edge, 0.5 * edge)});
        boxes.push_back({near - Vec3(wide * edge, 0.0, 0.0), near});
      }
      ASSERT_EQ(meeting_some(boxes, targets), by_trying_all(boxes, targets));
      ASSERT_EQ(meeting_some(targets, boxes), by_trying_all(targets, boxes));
    }
  }
}

}  // namespace
}  // namespace scree::testing
