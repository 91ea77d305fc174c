// ranks: 1 2, mostly 2
/// Compliant contacts of single balls against closed forms.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scree/bodies/elasticity.hpp"
#include "scree/contact/restitution.hpp"
#include "scree/step/energies.hpp"
#include "support/balls.hpp"

namespace scree::test::compliance_test {
namespace {

constexpr double kStiffness = 1e5;  // N/m
const double kWeight = kBallMass * kBallGravity;
const Vec3 kOnFloor(0.0, 0.0, kBallRadius);

/// How long a ball touches a plane: pi sqrt(m/k), s.
const double kDuration = std::numbers::pi * std::sqrt(kBallMass / kStiffness);

/// Falls a little and comes to rest. What is told of the overlap is the spring's share of it, at
/// every step: a linear law's overlap is m g/k, that of Hertz's (3 F/(4 E sqrt(r)))^(2/3), the
/// rod's m g/(pi E r).
void expect_rest(const BallScene& scene, double overlap) {
  Simulation ball = simulation(scene);
  double deepest = 0.0;
  for (int i = 0; i < 1500; ++i) {
    const StepResult& result = ball.step();
    const double at_end = kBallRadius - state(ball).position.z();
    ASSERT_EQ(result.impact.report.status, Status::converged);
    EXPECT_LT(result.figures.penetration, 1e-12) << i;
    EXPECT_NEAR(result.compression.largest, std::max(at_end, 0.0) / kBallRadius, 1e-12) << i;
    deepest = std::max(deepest, result.compression.largest);
  }
  EXPECT_NEAR(state(ball).position.z(), kBallRadius - overlap, 1e-7 * overlap);
  EXPECT_LT(state(ball).velocity.norm(), 1e-9);
  EXPECT_NEAR(ball.result().wrenches.at(0).force.z(), -kWeight, 1e-7 * kWeight);
  EXPECT_GT(deepest, 1.1 * overlap / kBallRadius);
}

TEST(Compliance, ABallRestsAtTheOverlapOfItsWeight) {
  BallScene scene{.pair = "mu: 0.3, stiffness: 1e5, damping: 0.1",
                  .balls = {{.position = kOnFloor + Vec3(0, 0, 1e-4)}}};
  expect_rest(scene, kWeight / kStiffness);
  scene.pair = "mu: 0.3, stiffness: 1e5, restitution: 0.5";
  expect_rest(scene, kWeight / kStiffness);
}

TEST(Compliance, ABallRestsAtTheOverlapOfItsMaterial) {
  constexpr double kModulus = 1e7;
  const double effective = kModulus / (1.0 - 0.09);
  const double hertz = std::pow(0.75 * kWeight / (effective * std::sqrt(kBallRadius)), 2.0 / 3.0);
  const double rod = kWeight / (std::numbers::pi * kModulus * kBallRadius);
  for (const auto& [law, overlap] :
       {std::pair{fmt::format("law: linear, reference_force: {:.17g}", kWeight), hertz},
        std::pair{std::string("law: hertz, reference_force: 1"), hertz},
        std::pair{std::string("reference_force: 1"), hertz},
        std::pair{std::string("law: rod"), rod}}) {
    SCOPED_TRACE(law);
    expect_rest({.balls = {{.position = kOnFloor + Vec3(0, 0, 1e-4)}},
                 .bare = "mu: 0.3, damping: 0.1",
                 .tools = "  floor: {material: bare, shape: {type: plane}}\n",
                 .soft = ", young_modulus: 1e7, poisson_ratio: 0.3",
                 .rest = fmt::format("contact: {{{}}}\n", law)},
                overlap);
  }
}

/// Speed at which the ball of a scene parts from the floor, over @p speed of its approach from the
/// gap @p phase of a step's way. A contact lasts @p duration.
double bounce(BallScene scene, double speed, double duration, double phase) {
  const double dt = scene.dt;
  scene.balls = {
      {.position = kOnFloor + Vec3(0, 0, phase * dt * speed), .velocity = {0, 0, -speed}}};
  scene.gravity = Vec3::Zero();
  Simulation ball = simulation(scene);
  for (double t = 0.0; t < 3.0 * duration + 10.0 * dt; t += dt) {
    ball.step();
    // The spring explains the overlap, even where the dashpot's pull leaves no force to tell of it.
    EXPECT_LT(ball.result().figures.penetration, 1e-12);
  }
  EXPECT_EQ(ball.result().figures.closed, 0);
  return state(ball).velocity.z() / speed;
}

double bounce(const std::string& pair, double dt, double phase) {
  return bounce({.pair = pair, .dt = dt}, 0.5, kDuration, phase);
}

/// The velocity stands still where the force ends, so that half a step too many or too few costs
/// 1 - cos(theta/2) <= q^2/8 of it.
TEST(Compliance, BouncesByStiffnessAndDamping) {
  for (const double steps : {0.01, 0.05, 0.2}) {
    for (const double zeta : {0.0, 0.1, 0.5, 1.0}) {
      for (const double phase : {0.0, 0.7}) {
        const double q = std::numbers::pi * steps;
        const double e = restitution_of({.zeta = zeta}, q);
        const double dt = steps * kDuration;
        EXPECT_NEAR(bounce(fmt::format("mu: 0.3, stiffness: 1e5, damping: {}", zeta), dt, phase), e,
                    e * q * q / 8.0 + 1e-9)
            << steps << " " << zeta << " " << phase;
      }
    }
  }
}

/// Within 0.02 where the step can be so elastic, and else what its least theta has, whose phases
/// count as above.
TEST(Compliance, RestitutionComesOutOrIsTheMostOfTheStep) {
  for (const double e : {0.3, 0.6, 0.9}) {
    for (const double steps : {0.01, 0.04, 0.1, 0.25}) {
      const double q = std::numbers::pi * steps;
      const double most = restitution_of({.theta = least_theta(q)}, q);
      const double spread = most > e ? 0.02 : most * q * q / 8.0 + 1e-9;
      for (const double phase : {0.0, 0.3, 0.99}) {
        const std::string pair = fmt::format("mu: 0.3, stiffness: 1e5, restitution: {}", e);
        EXPECT_NEAR(bounce(pair, steps * kDuration, phase), std::min(e, most), spread)
            << e << " " << steps << " " << phase;
      }
    }
  }
}

/// By Hertz's law the duration, and so the step's loss, hang on the speed. The tests of
/// restitution.hpp have how near e comes; here the mass is that of the ball, and the step that of a
/// run. It is 0.500 to 0.523 by phase at a fifth of the duration.
TEST(Compliance, RestitutionComesOutByHertzAtAnySpeed) {
  constexpr double kModulus = 1e8;  // Pa
  const double effective = kModulus / (1.0 - 0.3 * 0.3);
  for (const double speed : {0.05, 5.0}) {
    const double duration =
        2.94 * hertz_impact_overlap(effective, kBallRadius, kBallMass, speed) / speed;
    for (const double steps : {0.05, 0.2}) {
      for (const double phase : {0.0, 0.3, 0.99}) {
        const BallScene scene{.bare = "mu: 0.3, restitution: 0.5",
                              .tools = "  floor: {material: bare, shape: {type: plane}}\n",
                              .dt = steps * duration,
                              .soft = ", young_modulus: 1e8, poisson_ratio: 0.3",
                              .rest = "contact: {reference_force: 1e-6}\n"};
        EXPECT_NEAR(bounce(scene, speed, duration, phase), 0.5, 0.025)
            << speed << " " << steps << " " << phase;
      }
    }
  }
}

/// The normal velocity of the lower end of a rod along its own z axis, on whatever rank it is, m/s.
double velocity_of_end(const Simulation& simulation, double half_length) {
  const Store& bodies = simulation.store();
  double velocity = 0.0;
  for (std::int32_t slot = bodies.first_owned(); slot < bodies.end_owned(); ++slot) {
    Vec3 arm = bodies.orientation[slot] * Vec3(0, 0, half_length);
    if (arm.z() > 0.0) arm = -arm;
    velocity += (bodies.velocity[slot] + bodies.angular_velocity[slot].cross(arm)).z();
  }
  return sum_over_ranks(simulation.comm(), velocity);
}

/// Where a rod lands on one end the contact moves less than half of its mass: by the whole mass the
/// dashpot would be 1.5 times too strong, and leave 0.48 of the speed.
TEST(Compliance, RestitutionIsThatOfTheContactWhereBodiesTurn) {
  constexpr double kSpeed = 0.5;
  Simulation rod = simulation(fmt::format(R"(
time: {{dt: 2e-5, end: 1}}
gravity: [0, 0, 0]
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: 0, stiffness: 1e5, restitution: 0.6}}]
bodies:
  rod:
    material: stone
    shape: {{type: capsule, radius: 0.01, length: 0.1}}
    orientation: {{axis: [0, 1, 0], angle: 0.8}}
    velocity: [0, 0, -{}]
    place: {{type: points, positions: [[0, 0, 0.0450]]}}
tools:
  floor: {{material: stone, shape: {{type: plane}}}}
solver: {{tolerance: 1e-10}}
)",
                                          kSpeed));
  for (int i = 0; i < 150; ++i) rod.step();
  EXPECT_EQ(rod.result().figures.closed, 0);
  EXPECT_NEAR(velocity_of_end(rod, 0.05) / kSpeed, 0.6, 0.02);
}

/// A pair that comes with an overlap is at rest in it; the rest gap then goes to 0 at the recovery
/// speed v. Seen from a frame that goes along, a spring without a pull that starts at rest parts at
/// no more than v: the two part at no more than 2 v, and their kinetic energy is at most m/4 (2
/// v)^2.
TEST(Compliance, AnOverlapAtTheStartDecaysAtTheRecoverySpeed) {
  constexpr double kRecovery = 0.1;
  const double overlap = 0.1 * kBallRadius;
  for (const char* loss : {"damping: 0", "damping: 0.3", "restitution: 0.5", "restitution: 1"}) {
    SCOPED_TRACE(loss);
    const double half = kBallRadius - 0.5 * overlap;
    Simulation balls = simulation(
        BallScene{.pair = fmt::format("mu: 0.3, stiffness: 1e5, {}", loss),
                  .balls = {{.position = {-half, 0, 0}}, {.position = {half, 0, 0}}},
                  .tools = "  far: {material: bare, shape: {type: plane}, position: [0, 0, -1]}\n",
                  .gravity = Vec3::Zero(),
                  .rest = fmt::format("contact: {{recovery_speed: {}}}\n", kRecovery)});
    const double bound = kBallMass * kRecovery * kRecovery;
    double last = overlap / kBallRadius;
    for (int i = 0; i < 100; ++i) {
      const StepResult& result = balls.step();
      ASSERT_LT(energies(balls.comm(), balls.store(), Vec3::Zero()).kinetic, bound);
      EXPECT_LE(result.figures.penetration, last + 1e-12);
      last = result.figures.penetration;
    }
    const std::vector<BallState> end = states(balls, 2);
    EXPECT_GT((end[1].position - end[0].position).norm(), 2.0 * kBallRadius);
    EXPECT_LT(last, 1e-9);
    EXPECT_GT(end[1].velocity.x() - end[0].velocity.x(), 0.1 * kRecovery);
  }
}

/// Two plates that close on a grain: no rigid contact could bear it.
TEST(Compliance, AWedgedGrainBearsWhatItsSpringsDo) {
  constexpr double kSpeed = 0.01;
  for (const char* friction : {"coulomb", "associated", "box"}) {
    SCOPED_TRACE(friction);
    Simulation grain = simulation(BallScene{
        .pair = "mu: 0.3, stiffness: 1e5",
        .balls = {{.position = kOnFloor}},
        .tools = fmt::format(
            "  low: {{material: stone, shape: {{type: plane}}, motion: {{type: velocity, velocity: "
            "[0, 0, {}]}}}}\n"
            "  high: {{material: stone, shape: {{type: plane}}, position: [0, 0, {}], normal: [0, "
            "0, -1], motion: {{type: velocity, velocity: [0, 0, -{}]}}}}\n",
            kSpeed, 2.0 * kBallRadius, kSpeed),
        .gravity = Vec3::Zero(),
        .solver = fmt::format("friction: {}, tolerance: 1e-12", friction)});
    for (int i = 1; i <= 200; ++i) {
      const StepResult& result = grain.step();
      ASSERT_EQ(result.impact.report.status, Status::converged) << i;
      const double force = kStiffness * kSpeed * grain.time();
      ASSERT_NEAR(result.wrenches.at(0).force.z(), -force, 1e-8 * force) << i;
      ASSERT_NEAR(result.wrenches.at(1).force.z(), force, 1e-8 * force) << i;
    }
    EXPECT_LT((state(grain).position - kOnFloor).norm(), 1e-9);
  }
}

constexpr double kLidSpeed = 0.1;  // m/s

/// The force of a lid that presses a ball on a floor, 2 mm after they met, N.
double pressed(const std::string& loss, double dt) {
  Simulation ball = simulation(BallScene{
      .pair = "mu: 0, stiffness: 1e5, " + loss,
      .balls = {{.position = kOnFloor + Vec3(0, 0, 1e-4)}},
      .tools = fmt::format(
          "  floor: {{material: stone, shape: {{type: plane}}}}\n"
          "  lid: {{material: stone, shape: {{type: plane}}, position: [0, 0, {}], normal: [0, 0, "
          "-1], motion: {{type: velocity, velocity: [0, 0, -{}]}}}}\n",
          2.0 * kBallRadius + 3e-4, kLidSpeed),
      .gravity = Vec3::Zero(),
      .dt = dt,
      .solver = "tolerance: 1e-10"});
  while (ball.time() < 23e-3 - 0.5 * dt) ball.step();
  return ball.result().wrenches.at(1).force.z();
}

/// A spring under load is pressed as any other: what restitution sets is its dashpot. Two springs
/// in series are compressed by 2 mm, at the lid's speed; the ball that came up to it still swings
/// by some hundredths where it is damped less.
TEST(Compliance, RestitutionDampsASpringUnderLoad) {
  const auto force = [](double zeta) {
    const double damping = 2.0 * zeta * std::sqrt(kStiffness * kBallMass);
    return 0.5 * (kStiffness * 2e-3 + damping * kLidSpeed);
  };
  for (const double dt : {1e-5, 1e-4, 1e-3}) {
    EXPECT_NEAR(pressed("damping: 0.3", dt), force(0.3), 0.01 * force(0.3)) << dt;
    const SpringLoss loss =
        loss_within_step(damping_ratio_of(0.5), dt * std::sqrt(kStiffness / kBallMass));
    EXPECT_NEAR(pressed("restitution: 0.5", dt), force(loss.zeta), 0.05 * force(loss.zeta)) << dt;
  }
}

/// A ball that strikes the floor so hard that a soft spring is compressed by more than its radius
/// allows.
BallScene struck(const std::string& contact) {
  return {.pair = "mu: 0.3, stiffness: 1e3",
          .balls = {{.position = kOnFloor + Vec3(0, 0, 1e-4), .velocity = {0, 0, -1.2}}},
          .rest = contact};
}

TEST(Compliance, AStepThatCompressesASpringTooFarIsNotConverged) {
  Simulation ball = simulation(struck(""));
  int too_soft = 0;
  for (int i = 0; i < 40; ++i) {
    const StepResult& result = ball.step();
    const double at_end = 1.0 - state(ball).position.z() / kBallRadius;
    const SolverReport& report = result.impact.report;
    EXPECT_EQ(report.status, at_end > 0.5 ? Status::too_soft : Status::converged) << at_end;
    EXPECT_EQ(result.compression.leaves_unsolved, at_end > 0.5);
    if (at_end <= 0.5) continue;
    ++too_soft;
    EXPECT_NE(report.reason.find("a spring of grain 0 and floor is compressed by 0."),
              std::string::npos)
        << report.reason;
    EXPECT_TRUE(code_of(report.attempts).ends_with(":too-soft")) << code_of(report.attempts);
    ASSERT_TRUE(result.worst);
    EXPECT_EQ(result.worst->key.id_a, 0);
    EXPECT_EQ(result.worst->key.id_b, result.compression.id_b);
  }
  EXPECT_GT(too_soft, 2);
}

TEST(Compliance, TheBoundOfCompressionIsAKey) {
  Simulation ball = simulation(struck("contact: {max_compression: 3}\n"));
  double deepest = 0.0;
  for (int i = 0; i < 40; ++i) {
    const StepResult& result = ball.step();
    EXPECT_EQ(result.impact.report.status, Status::converged);
    deepest = std::max(deepest, result.compression.largest);
  }
  EXPECT_GT(deepest, 0.6);
  EXPECT_LT(deepest, 3.0);
}

/// Overlap that an unsolved step left stays a load of springs: balls that were placed apart have no
/// overlap at which a spring is at rest, however deep a solver of one sweep lets them sink.
TEST(Compliance, NoSpringRestsInAnOverlapThatAStepLeft) {
  Simulation bed = simulation(R"(
time: {dt: 1e-3, end: 10}
gravity: [0, 0, -9.81]
materials: {gravel: {density: 2600, young_modulus: 1e7}}
friction: [{between: [gravel, gravel], mu: 0.4, damping: 0.3}]
bodies:
  grains: {material: gravel, radii: {type: uniform, min: 0.008, max: 0.016}, place: {type: box, low: [0, 0, 0], high: [0.15, 0.15, 0.8], count: 80, seed: 1}}
tools:
  floor: {material: gravel, shape: {type: plane}, normal: [0, 0, 1]}
  left:  {material: gravel, shape: {type: plane}, position: [0, 0, 0],    normal: [1, 0, 0]}
  right: {material: gravel, shape: {type: plane}, position: [0.15, 0, 0], normal: [-1, 0, 0]}
  front: {material: gravel, shape: {type: plane}, position: [0, 0, 0],    normal: [0, 1, 0]}
  back:  {material: gravel, shape: {type: plane}, position: [0, 0.15, 0], normal: [0, -1, 0]}
solver: {method: pgs, max_iterations: 1, on_not_converged: continue}
)");
  double compression = 0.0;
  for (int i = 0; i < 200; ++i) {
    const StepResult& result = bed.step();
    EXPECT_LT(result.figures.penetration, 1e-12) << i;
    compression = std::max(compression, result.compression.largest);
  }
  EXPECT_GT(compression, 0.1);
}

}  // namespace
}  // namespace scree::test::compliance_test
