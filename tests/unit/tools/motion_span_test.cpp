/// Motions that begin and end while a run goes on: their own time, and where tools are then.

#include "scree/tools/motion_span.hpp"

#include <gtest/gtest.h>

#include "scree/config/declaration.hpp"
#include "scree/geometry/shapes/all_declared_shapes.hpp"
#include "scree/tools/tool.hpp"

namespace scree {
namespace {

ToolSpec moving_box() {
  ToolSpec spec;
  spec.name = "box";
  spec.shape = Box{{0.1, 0.2, 0.3}};
  spec.position = Vec3(1, 2, 3);
  VelocityMotion velocity;
  velocity.velocity = Vec3(2, 0, 0);
  velocity.start = 0.5;
  spec.motion = velocity;
  return spec;
}

TEST(MotionSpan, CountsItsTimeFromTheStartUntilTheStop) {
  const MotionSpan span{.given = 1.0, .start = 1.5, .stop = 2.5, .from = std::nullopt};
  EXPECT_EQ(span.own_time(1.0), 0.0);
  EXPECT_EQ(span.own_time(2.0), 0.5);
  EXPECT_EQ(span.own_time(9.0), 1.0);
  EXPECT_FALSE(span.runs_at(1.4));
  EXPECT_TRUE(span.runs_at(1.5));
  EXPECT_FALSE(span.runs_at(2.5));
}

TEST(MotionSpan, ThatWaitsStandsStill) {
  MotionSpan span;
  span.start = MotionSpan::kWaits;
  EXPECT_FALSE(span.has_started());
  EXPECT_EQ(span.own_time(1e6), 0.0);
  EXPECT_FALSE(span.runs_at(1e6));
}

TEST(MotionSpan, LeadsATool) {
  ToolSpec spec = moving_box();
  EXPECT_EQ(spec.body_at(0.75).position, Vec3(1.5, 2, 3));
  spec.span = {.given = 10.0, .start = 10.0, .stop = 11.0, .from = Pose{Vec3(0, 0, 7), Quat()}};
  spec.span.from->orientation.setIdentity();
  EXPECT_EQ(spec.body_at(10.5).position, Vec3(0, 0, 7)) << "its own start is 0.5 s later";
  EXPECT_EQ(spec.body_at(10.75).position, Vec3(0.5, 0, 7));
  EXPECT_EQ(spec.body_at(20.0).position, Vec3(1, 0, 7)) << "it has stopped";
}

TEST(MotionSpan, WaitsWhereTheMotionHasAnEventToStartIt) {
  ToolSpec spec = moving_box();
  EXPECT_EQ(span_of(spec.motion, 3.0, std::nullopt).start, 3.0);
  std::get<VelocityMotion>(spec.motion).events.start_when.emplace();
  EXPECT_FALSE(span_of(spec.motion, 3.0, std::nullopt).has_started());
  EXPECT_EQ(events_of(Motion(FixedMotion{})), nullptr);
}

TEST(MotionSpan, ALoadActsWhileItRuns) {
  ToolSpec spec = moving_box();
  LoadMotion load;
  load.force = {"0", "0", "1 + t"};
  load.load();
  spec.motion = load;
  spec.span.start = 2.0;
  spec.span.stop = 3.0;
  EXPECT_EQ(spec.load_at(1.0), Vec6(Vec6::Zero()));
  EXPECT_EQ(spec.load_at(2.5)[2], 1.5);
  EXPECT_EQ(spec.load_at(3.0), Vec6(Vec6::Zero()));
}

// Bounds: rounding.
TEST(MotionSpan, TheOriginOfABodyIsWhereItWasPlaced) {
  ToolSpec spec = moving_box();
  spec.orientation = {Vec3(1, 2, 3), 0.7};
  const Pose origin = spec.origin_of(spec.body_at(0.0));
  EXPECT_LT((origin.position - spec.position).norm(), 1e-15);
  EXPECT_LT(rotation_vector(origin.orientation * spec.placed().orientation.conjugate()).norm(),
            1e-15);
}

}  // namespace
}  // namespace scree
