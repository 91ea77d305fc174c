/// Rows of joints against differences of their values: bodies anywhere, so that the equations need
/// not hold.

#include "scree/joints/joint_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "scree/joints/coordinate_spec.hpp"
#include "scree/joints/joint_frame.hpp"
#include "scree/joints/joint_spec.hpp"

namespace scree {
namespace {

/// Numbers that are the same with every standard library.
struct RandomPoses {
  double uniform() { return static_cast<double>(generator()) / 2147483648.0 - 1.0; }
  Vec3 vector() {
    const double x = uniform();
    const double y = uniform();
    return {x, y, uniform()};
  }
  Pose pose() {
    const Vec3 place = vector();
    return {place, rotation_by(vector())};
  }
  std::mt19937 generator{11};
};

struct RandomJoint {
  explicit RandomJoint(RandomPoses& random) : a(random.pose()), b(random.pose()), frame{} {
    frame.length = 0.3;
    frame.distance = 0.7;
    frame.a = anchor_at(0, a, random.vector(), axes_about(random.vector()));
    frame.b = anchor_at(1, b, random.vector(), axes_about(random.vector()));
  }
  Pose a;
  Pose b;
  JointFrame frame;
};

using RowOf = std::function<JointRow(const JointEnds&)>;

/// Central differences err by h^2 of third derivatives, some 10, and by rounding over h.
void expect_derivative(const RowOf& row_of) {
  constexpr double kStep = 1e-5;
  RandomPoses random;
  for (int trial = 0; trial < 50; ++trial) {
    const RandomJoint joint(random);
    const JointRow row = row_of(ends_of(joint.frame, joint.a, joint.b));
    const Vec3 va = random.vector();
    const Vec3 wa = random.vector();
    const Vec3 vb = random.vector();
    const Vec3 wb = random.vector();
    const auto value = [&](double t) {
      return row_of(ends_of(joint.frame, moved(joint.a, va, wa, t), moved(joint.b, vb, wb, t)))
          .value;
    };
    Vec6 velocity_a;
    Vec6 velocity_b;
    velocity_a << va, wa;
    velocity_b << vb, wb;
    EXPECT_NEAR(row.rate(velocity_a, velocity_b), (value(kStep) - value(-kStep)) / (2.0 * kStep),
                1e-8);
  }
}

TEST(JointRows, PointsAlongAnAxisHaveTheirDerivative) {
  for (int k = 0; k < 3; ++k) {
    expect_derivative([k](const JointEnds& e) { return along(e, k); });
  }
}

TEST(JointRows, AxesAtRightAnglesHaveTheirDerivative) {
  for (int j = 0; j < 3; ++j) {
    for (int k = 0; k < 3; ++k) {
      expect_derivative([j, k](const JointEnds& e) { return square(e, j, k); });
    }
  }
}

TEST(JointRows, ADistanceHasItsDerivative) {
  expect_derivative([](const JointEnds& e) { return apart(e); });
}

TEST(JointRows, ASwingHasItsDerivative) {
  expect_derivative([](const JointEnds& e) { return swung(e); });
}

/// Axes that agree have no direction of their swing: one across them is taken.
TEST(JointRows, ASwingBeginsAtNought) {
  JointFrame frame;
  frame.length = 0.5;
  const Pose pose{Vec3(1, 0, 0), rotation_by(Vec3(0.4, 0.1, -0.3))};
  frame.a = frame.b = anchor_at(0, pose, Vec3(0, 1, 0), axes_about(Vec3(1, 2, 3)));
  const JointEnds ends = ends_of(frame, pose, pose);
  EXPECT_EQ(swung(ends).value, 0.0);
  EXPECT_NEAR(swung(ends).a.tail<3>().norm(), 0.5, 1e-15);
  EXPECT_NEAR(swung(ends).a.tail<3>().dot(ends.b.axes.col(0)), 0.0, 1e-15);
}

/// An angle has that of its row where the axes agree, as they do in the joints that leave it free.
TEST(JointRows, ATurnAboutTheAxisIsItsAngle) {
  RandomPoses random;
  for (int trial = 0; trial < 50; ++trial) {
    const Pose b = random.pose();
    const Vec3 axis = random.vector().normalized();
    const Vec3 point = random.vector();
    JointFrame frame;
    frame.length = 0.5;
    frame.a = anchor_at(0, b, point, axes_about(axis));
    frame.b = frame.a;
    const double angle = 3.0 * random.uniform();
    const Pose a{point + rotation_by(angle * axis) * (b.position - point),
                 rotation_by(angle * axis) * b.orientation};
    const JointEnds ends = ends_of(frame, a, b);
    const JointRow row = coordinate_row(Coordinate::turn, ends);
    EXPECT_NEAR(row.value, 0.5 * angle, 1e-14);
    EXPECT_LE((row.a.tail<3>() - 0.5 * axis).norm(), 1e-15);
    EXPECT_EQ(row.a, -row.b);
    EXPECT_NEAR(row_per_unit(Coordinate::turn, ends), 0.5, 0.0);
  }
}

/// Equations of a joint vanish where it is placed, and for the motions that it leaves free.
TEST(JointRows, FreeMotionsLeaveWhatIsHeld) {
  const Vec3 point(0.3, -0.2, 0.5);
  const Vec3 axis(1, 2, -2);
  const Pose b{Vec3(1, 0, 0), rotation_by(Vec3(0.4, 0.1, -0.3))};
  JointFrame frame;
  frame.length = 0.5;
  frame.b = anchor_at(1, b, point, axes_about(axis));
  const Pose a{Vec3(0, 1, 0), rotation_by(Vec3(-0.2, 0.7, 0.1))};
  frame.a = anchor_at(0, a, point, axes_about(axis));
  const Quat turn = rotation_by(0.8 * axis.normalized());
  const Vec3 slide = 0.3 * axis.normalized();
  const Pose turned_a{point + turn * (a.position - point), turn * a.orientation};
  const Pose slid{a.position + slide, a.orientation};
  const Pose both{turned_a.position + slide, turned_a.orientation};
  const auto misfit = [&](const JointType& type, const Pose& of_a) {
    JointSpec spec;
    spec.type = type;
    return misfit_of(spec, ends_of(frame, of_a, b));
  };
  constexpr double kRounding = 1e-15;
  EXPECT_LE(misfit(FixedJoint{}, a), kRounding);
  EXPECT_LE(misfit(BallJoint{}, turned_a), kRounding);
  EXPECT_LE(misfit(HingeJoint{}, turned_a), kRounding);
  EXPECT_LE(misfit(SliderJoint{}, slid), kRounding);
  EXPECT_LE(misfit(CylinderJoint{}, both), kRounding);
  EXPECT_GT(misfit(HingeJoint{}, slid), 0.29);
  EXPECT_GT(misfit(SliderJoint{}, turned_a), 0.1);
  EXPECT_GT(misfit(FixedJoint{}, turned_a), 0.1);
}

TEST(GrainName, IsAGroupAndANumber) {
  EXPECT_EQ(grain_name("stones[12]")->group, "stones");
  EXPECT_EQ(grain_name("stones[12]")->index, 12);
  for (const char* text :
       {"stones", "[3]", "stones[", "stones[]", "stones[-1]", "stones[1x]", "stones[1]x"}) {
    EXPECT_FALSE(grain_name(text)) << text;
  }
}

}  // namespace
}  // namespace scree
