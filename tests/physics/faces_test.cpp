// ranks: 1 2, mostly 2
/// A ball touches flat faces of a plane, of a box and of a polyhedron: it bounces, slides,
/// rolls and rests on the three alike.
///
/// The three find the contact by different routines, whose gaps and normals differ by rounding,
/// 1e-16 of the floor's size; the solves end at 1e-13 of the impulses. Over some thousand steps
/// that stays below 1e-9 of each quantity's scale (m, m/s, rad/s, and N s over the ball's mass).

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "app/run/start.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/shapes/all_declared_shapes.hpp"
#include "scree/geometry/shapes/box.hpp"
#include "scree/geometry/shapes/polyhedron.hpp"
#include "support/balls.hpp"
#include "support/hulls.hpp"

namespace scree::test::faces_test {
namespace {

constexpr double kSame = 1e-9;
constexpr double kThick = 0.5;  ///< of a floor that has a lower side, m

/// A floor whose upper side goes through the origin.
enum class Floor { plane, box, polyhedron };

const Quat& incline() {
  static const Quat turn(Eigen::AngleAxisd(0.15, Vec3(0.3, 1.0, 0.0).normalized()));
  return turn;
}

AxisAngle axis_angle(const Quat& q) {
  const Eigen::AngleAxisd turn(q);
  return {turn.axis(), turn.angle()};
}

/// Shapes with handles: number 0 is a prism, 12 m wide, its axis along z.
std::shared_ptr<const ShapeLibrary> library() {
  std::vector<Vec3> corners = prism(7, kThick);
  for (Vec3& corner : corners) corner.head<2>() *= 6.0;
  auto made = std::make_shared<ShapeLibrary>();
  made->add(hull_of(corners, "prism"));
  return made;
}

/// Makes @p tool the floor, its upper side's normal along @p turn's z axis.
void lay(Floor floor, const Quat& turn, const ShapeLibrary& shapes, ToolSpec& tool) {
  tool.normal = turn * Vec3::UnitZ();
  if (floor == Floor::plane) return;
  tool.position = turn * Vec3(0.1, -0.2, -0.5 * kThick);
  const Quat about_normal = turn * Quat(Eigen::AngleAxisd(0.7, Vec3::UnitZ()));
  tool.orientation = axis_angle(about_normal);
  tool.shape = Box{{4.0, 5.0, 0.5 * kThick}};
  if (floor == Floor::box) return;
  MeshPolyhedron prism;
  prism.hull = std::make_shared<const Hull>(shapes.hull(0));
  prism.handle = 0;
  tool.shape = prism;
}

RunConfig config_of(const BallScene& scene, Floor floor, const Quat& turn,
                    const ShapeLibrary& shapes) {
  RunConfig config = read_run_config(scene.yaml(), "test.yaml");
  lay(floor, turn, shapes, config.tools[0]);
  return config;
}

/// A scene on one of the floors, taken step by step.
class Run {
 public:
  Run(const BallScene& scene, Floor floor, const Quat& turn)
      : shapes_(library()),
        config_(config_of(scene, floor, turn, *shapes_)),
        setup_(setup_of(config_)),
        machinery_(MPI_COMM_WORLD, config_.solver),
        state_(starting_state(MPI_COMM_WORLD, config_, setup_)) {
    state_.bodies.shapes = shapes_;
  }

  /// Position, velocity, spin, and the impulse and moment about the origin that the floor gives the
  /// ball, over the ball's mass. Collective.
  std::array<Vec3, 5> step() {
    result_ = take_step(state_, setup_, machinery_, seconds_);
    std::vector<double> own(9, 0.0);
    const Store& store = state_.bodies;
    for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
      const auto slot = static_cast<std::size_t>(i);
      Eigen::Map<Eigen::Vector<double, 9>>(own.data()) << store.position[slot],
          store.velocity[slot], store.angular_velocity[slot];
    }
    sum_over_ranks(MPI_COMM_WORLD, own);
    const Wrench& wrench = result_.wrenches[0];
    const double dt = result_.clock.dt;
    const Vec3 moment = wrench.torque + store.position[0].cross(wrench.force);
    return {Vec3(&own[0]), Vec3(&own[3]), Vec3(&own[6]), -dt / kBallMass * wrench.force,
            -dt / kBallMass * moment};
  }

  std::int64_t closed() const { return result_.figures.closed; }

 private:
  std::shared_ptr<const ShapeLibrary> shapes_;
  RunConfig config_;
  Setup setup_;
  Machinery machinery_;
  State state_;
  StageClock seconds_;
  StepResult result_;
};

/// The result of a run on all floors.
struct Outcome {
  BallState end;     ///< on the plane
  int closed = 0;    ///< steps in which the ball was borne
  int meetings = 0;  ///< how often such steps begin
};

Outcome expect_alike(const BallScene& scene, const Quat& turn, int steps) {
  Run plane(scene, Floor::plane, turn);
  Run box(scene, Floor::box, turn);
  Run polyhedron(scene, Floor::polyhedron, turn);
  Outcome outcome;
  bool closed_before = false;
  for (int k = 0; k < steps && !testing::Test::HasFailure(); ++k) {
    const auto expected = plane.step();
    const auto on_box = box.step();
    const auto on_polyhedron = polyhedron.step();
    for (std::size_t q = 0; q < expected.size(); ++q) {
      const double scale = std::max(1.0, expected[q].norm());
      EXPECT_LT((on_box[q] - expected[q]).norm(), kSame * scale)
          << "quantity " << q << ", step " << k;
      EXPECT_LT((on_polyhedron[q] - expected[q]).norm(), kSame * scale)
          << "quantity " << q << ", step " << k;
    }
    const bool closed = plane.closed() > 0;
    outcome.closed += closed ? 1 : 0;
    outcome.meetings += closed && !closed_before ? 1 : 0;
    closed_before = closed;
    outcome.end = {expected[0], expected[1], expected[2]};
  }
  return outcome;
}

BallScene a_ball(const BallSpec& ball, const std::string& pair) {
  BallScene scene;
  scene.pair = pair;
  scene.balls = {ball};
  scene.solver = "tolerance: 1e-13";
  return scene;
}

TEST(Faces, ADroppedBallBouncesAlike) {
  for (const Quat& turn : {Quat(Quat::Identity()), incline()}) {
    const Outcome outcome =
        expect_alike(a_ball({.position = turn * Vec3(0.0, 0.0, 0.3), .spin = {0.0, 5.0, 3.0}},
                            "mu: 0.2, restitution: 0.8"),
                     turn, 1500);
    EXPECT_GE(outcome.meetings, 4);
  }
}

// mu g t until 5/7 of the speed is left, t = 2 v / (7 mu g) = 0.19 s: then it rolls, v = w r.
TEST(Faces, AThrownBallSlidesUntilItRollsAlike) {
  const Outcome outcome = expect_alike(
      a_ball({.position = {0.0, 0.0, kBallRadius}, .velocity = {2.0, 0.5, 0.0}}, "mu: 0.3"),
      Quat::Identity(), 500);
  EXPECT_EQ(outcome.closed, 500);
  EXPECT_NEAR((outcome.end.velocity - 5.0 / 7.0 * Vec3(2.0, 0.5, 0.0)).norm(), 0.0, 1e-9);
  EXPECT_NEAR((outcome.end.velocity - kBallRadius * outcome.end.spin.cross(Vec3::UnitZ())).norm(),
              0.0, 1e-9);
}

TEST(Faces, ABallThatHitsAslantSlidesUntilItRollsAlike) {
  const Outcome outcome = expect_alike(a_ball({.position = incline() * Vec3(0.0, 0.0, 0.2),
                                               .velocity = {1.5, -0.7, -1.0},
                                               .spin = {2.0, -30.0, 10.0}},
                                              "mu: 0.3, restitution: 0.4"),
                                       incline(), 1000);
  EXPECT_GE(outcome.meetings, 3);
  EXPECT_GE(outcome.closed, 500) << "it rolls down";
}

TEST(Faces, ABallRestsAlike) {
  const Outcome outcome =
      expect_alike(a_ball({.position = {0.3, 0.2, kBallRadius}}, "mu: 0.3"), Quat::Identity(), 300);
  EXPECT_EQ(outcome.closed, 300);
  EXPECT_LT((outcome.end.position - Vec3(0.3, 0.2, kBallRadius)).norm(), 1e-9);
  EXPECT_LT(outcome.end.velocity.norm() + outcome.end.spin.norm(), 1e-9);
}

// A spring keeps what it bears from step to step: the tangential force, too.
TEST(Faces, ACompliantBallSinksAndRollsAlike) {
  BallScene scene = a_ball({.position = incline() * Vec3(0.0, 0.0, kBallRadius)}, "mu: 0.3");
  scene.soft = ", young_modulus: 1e7";
  const Outcome outcome = expect_alike(scene, incline(), 1000);
  EXPECT_GE(outcome.closed, 990);
  EXPECT_GT(outcome.end.velocity.norm(), 0.5);
}

}  // namespace
}  // namespace scree::test::faces_test
