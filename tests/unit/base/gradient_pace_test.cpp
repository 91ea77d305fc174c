#include "scree/base/gradient_pace.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace scree {
namespace {

/// t follows d^T D d / d^T N d; one far too long ends the momentum.
TEST(GradientPace, KeepsStepsAsLongAsTheCurvatureAllows) {
  GradientPace pace;
  EXPECT_EQ(pace.step(), 1.0);
  EXPECT_EQ(pace.momentum(), 0.0);
  pace.update({.moved = 1.0, .along = 1.0, .curvature = 4.0});
  EXPECT_DOUBLE_EQ(pace.step(), 0.25);
  EXPECT_EQ(pace.momentum(), 0.0);
  for (int s = 0; s < 20; ++s) pace.update({.moved = 1.0, .along = 1.0, .curvature = 1.0});
  EXPECT_DOUBLE_EQ(pace.step(), 0.25 * std::pow(1.002, 20));
  const double momentum = pace.momentum();
  EXPECT_GT(momentum, 0.8);  // that of Nesterov's k-th step is about (k - 1)/(k + 2)
  pace.update({.moved = 1.0, .along = 1.0, .curvature = 1.01 / pace.step()});
  EXPECT_DOUBLE_EQ(pace.step(), 0.95 * 0.25 * std::pow(1.002, 20));
  EXPECT_GT(pace.momentum(), momentum);
  const double length = pace.step();
  pace.update({.moved = 0.0, .along = 0.0, .curvature = 0.0});    // nothing moves
  pace.update({.moved = 0.0, .along = 0.0, .curvature = 1e-30});  // but by rounding
  EXPECT_GE(pace.step(), length);
  pace.update({.moved = 1e-40, .along = 0.0, .curvature = 1.0});
  EXPECT_GT(pace.step(), 0.09 * length);  // a cut is to a tenth at the least
}

TEST(GradientPace, DropsMomentumThatPointsUphill) {
  for (const bool restarts : {true, false}) {
    GradientPace pace(restarts);
    for (int s = 0; s < 5; ++s) pace.update({.moved = 1.0, .along = 1.0, .curvature = 0.1});
    EXPECT_GT(pace.momentum(), 0.3);
    pace.update({.moved = 1.0, .along = -0.1, .curvature = 0.1});
    EXPECT_EQ(pace.momentum() == 0.0, restarts);
  }
}

}  // namespace
}  // namespace scree
