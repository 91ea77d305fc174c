// ranks: 1 2
/// Runs whose stages and motions begin by events: on time, from where tools are, alike on any
/// number of ranks, and over a restart bit for bit on one.
///
/// Bounds: of closed forms 1e-12 is rounding. Ranks may differ by what their solves to 1e-10 leave,
/// which some 280 steps add up: 1e-8 m by judgement.

#include <gtest/gtest.h>

#include <functional>

#include "app/run/step_records.hpp"
#include "scree/base/parallel.hpp"
#include "support/refusal.hpp"
#include "support/simulate.hpp"

namespace scree::test::stages_test {
namespace {

constexpr double kDt = 2e-3;

// The bed settles; the right wall moves; a lid falls on the bed and is then drawn up.
constexpr const char* kStaged = R"yaml(
time: {dt: 2e-3, end: 4}
materials: {stone: {density: 2600, young_modulus: 1e8}}
contact: {law: linear}
friction: [{between: [stone, stone], mu: 0.4, damping: 0.5}]
bodies:
  bed:
    material: stone
    radii: {type: uniform, min: 0.012, max: 0.016}
    place: {type: box, low: [0, 0, 0], high: [0.12, 0.12, 0.2], count: 50, seed: 3}
    velocity: [0, 0, -1]
tools:
  floor: {material: stone, shape: {type: plane}}
  left: {material: stone, shape: {type: plane}, normal: [1, 0, 0]}
  right: {material: stone, shape: {type: plane}, position: [0.12, 0, 0], normal: [-1, 0, 0]}
  front: {material: stone, shape: {type: plane}, normal: [0, 1, 0]}
  back: {material: stone, shape: {type: plane}, position: [0, 0.12, 0], normal: [0, -1, 0]}
  lid:
    material: stone
    shape: {type: box, size: [0.1, 0.1, 0.01]}
    position: [0.06, 0.06, 0.3]
stages:
  - name: settle
    until: {duration: 0.1, kinetic_energy_below: 1.0e-3}
  - name: squeeze
    set:
      tools.right.motion: {type: velocity, velocity: [-0.05, 0, 0]}
      tools.lid.motion: {type: load, force: [0, 0, -2], free: [z]}
      tools.lid.mass: 0.5
      friction[stone,stone].mu: 0.2
    until: {tools: [{tool: lid, quantity: force_z, above: 4}]}
  - name: lift
    set:
      tools.lid.mass: 0
      tools.lid.motion: {type: velocity, velocity: [0, 0, 0.1]}
    until: {duration: 0.02}
solver: {tolerance: 1e-10}
balance: {bound: 1.02}
)yaml";
constexpr std::int32_t kRight = 2;
constexpr std::int32_t kLid = 5;

/// A step, and the events at its end. @returns the kinetic energy there, J
double go(Simulation& scene) {
  const StepResult& result = scene.step();
  const StepRecord record = step_record(scene, result);
  const std::vector<ToolRecord> tools = tool_records(scene, result);
  if (result.clock.ends_step()) scene.pass_events(situation_of(record, tools));
  return record.kinetic_energy;
}

/// Steps until the stage with that many before it is at hand; false where that does not come.
bool go_until_stage(Simulation& scene, std::int64_t ended) {
  for (int i = 0; i < 600 && scene.state().stage.ended < ended; ++i) go(scene);
  return scene.state().stage.ended == ended;
}

void go_on(Simulation& scene, int steps) {
  for (int i = 0; i < steps; ++i) go(scene);
}

double height(const Simulation& scene) {
  return scene.store().position[kLid].z();
}

TEST(Stages, EndWithTheFirstStepInWhichTheirConditionHolds) {
  Simulation scene = simulation(kStaged);
  double before = 1.0;
  double energy = 1.0;
  while (scene.state().stage.ended == 0 && scene.time() < 2.0) {
    before = energy;
    energy = go(scene);
  }
  ASSERT_EQ(scene.state().stage.ended, 1);
  EXPECT_LT(energy, 1e-3);
  EXPECT_GT(scene.time(), 0.1);
  EXPECT_GE(before, 1e-3) << "the condition held a step before";
  EXPECT_EQ(scene.state().stage.began, scene.time());
  EXPECT_EQ(scene.store().position[kRight].x(), 0.12);
  EXPECT_EQ(scene.stage(), 1) << "the step that was taken is of the first stage";
  go_on(scene, 5);
  EXPECT_EQ(scene.stage(), 2);
  EXPECT_NEAR(scene.store().position[kRight].x(), 0.12 - 5 * kDt * 0.05, 1e-12);
  EXPECT_NEAR(scene.store().velocity[kLid].z(), -5 * kDt * (9.81 + 2.0 / 0.5), 1e-12);
}

TEST(Stages, AMotionBeginsWhereTheToolIs) {
  Simulation scene = simulation(kStaged);
  ASSERT_TRUE(go_until_stage(scene, 2));
  const double low = height(scene);
  EXPECT_LT(low, 0.25) << "the lid has come to the bed";
  const double right = scene.store().position[kRight].x();
  go_on(scene, 6);
  EXPECT_NEAR(height(scene), low + 6 * kDt * 0.1, 1e-12);
  EXPECT_NEAR(scene.store().position[kRight].x(), right - 6 * kDt * 0.05, 1e-12)
      << "what an earlier stage set goes on";
  ASSERT_TRUE(go_until_stage(scene, 3));
  EXPECT_TRUE(scene.is_at_end()) << "the last stage has an end";
  EXPECT_NEAR(height(scene), low + 10 * kDt * 0.1, 1e-12);
}

/// The run goes on from a checkpoint after @p prelude; it is that of one that was not interrupted.
void expect_bit_for_bit(const std::function<void(Simulation&)>& prelude) {
  const RunConfig config = read_run_config(kStaged, "test.yaml");
  Simulation scene(MPI_COMM_SELF, config);
  prelude(scene);
  Simulation again(MPI_COMM_SELF, config, checkpoint(scene));
  EXPECT_EQ(again.state().stage.began, scene.state().stage.began);
  while (!scene.is_at_end()) go(scene);
  while (!again.is_at_end()) go(again);
  EXPECT_LT(scene.time(), 3.0);
  const CheckpointContent a = checkpoint(scene);
  const CheckpointContent b = checkpoint(again);
  EXPECT_EQ(a.integers.at("stages_ended"), 3);
  EXPECT_EQ(b.integers, a.integers);
  EXPECT_EQ(b.reals, a.reals);
  ASSERT_EQ(b.groups.size(), a.groups.size());
  for (const StateGroup& group : a.groups) {
    for (std::size_t i = 0; i < group.arrays.size(); ++i) {
      EXPECT_EQ(b.group(group.name)[i].values, group.arrays[i].values)
          << group.name << " " << group.arrays[i].name;
    }
  }
}

TEST(Stages, ARunGoesOnAmidAStage) {
  expect_bit_for_bit([](Simulation& scene) {
    ASSERT_TRUE(go_until_stage(scene, 1));
    go_on(scene, 7);
  });
  expect_bit_for_bit([](Simulation& scene) {
    ASSERT_TRUE(go_until_stage(scene, 2));
    go_on(scene, 3);
  });
}

TEST(Stages, ARunGoesOnFromTheEndOfAStage) {
  expect_bit_for_bit([](Simulation& scene) { ASSERT_TRUE(go_until_stage(scene, 1)); });
  expect_bit_for_bit([](Simulation& scene) { ASSERT_TRUE(go_until_stage(scene, 2)); });
}

TEST(Stages, EndAlikeOnOneRankAndOnAll) {
  const RunConfig config = read_run_config(kStaged, "test.yaml");
  Simulation one(MPI_COMM_SELF, config);
  Simulation all(MPI_COMM_WORLD, config);
  for (std::int64_t ended = 1; ended <= 2; ++ended) {
    ASSERT_TRUE(go_until_stage(one, ended));
    ASSERT_TRUE(go_until_stage(all, ended));
    EXPECT_EQ(all.n_steps(), one.n_steps());
    EXPECT_NEAR(height(all), height(one), 1e-8);
  }
  EXPECT_EQ(min_over_ranks(MPI_COMM_WORLD, height(all)),
            max_over_ranks(MPI_COMM_WORLD, height(all)));
}

TEST(Stages, ARunGoesOnInNoStageThatIsNotThere) {
  Simulation scene = simulation(kStaged);
  ASSERT_TRUE(go_until_stage(scene, 1));
  const CheckpointContent state = checkpoint(scene);
  const std::string fault = refusal_of([&] {
    Simulation(MPI_COMM_WORLD, read_run_config(kStaged, "test.yaml", {"stages=[]"}), state);
  });
  EXPECT_NE(fault.find("stages: the checkpoint is behind 1 of them, and the configuration has 0"),
            std::string::npos)
      << fault;
}

TEST(Stages, AMotionThatBeginsElsewhereIsRefusedBeforeTheRun) {
  for (const std::string motion :
       {"{type: table, times: [0, 1], displacements: [[0, 0, 1], [0, 0, 2]]}",
        "{type: oscillation, amplitude: 0.1, frequency: 1, phase: 1}"}) {
    const std::string fault = refusal_of([&] {
      simulation(kStaged,
                 {"stages[lift].set={tools.lid.mass: 0, tools.lid.motion: " + motion + "}"});
    });
    EXPECT_NE(fault.find("tools.lid.motion: begins"), std::string::npos) << fault;
    EXPECT_NE(fault.find("in the stage \"lift\""), std::string::npos) << fault;
  }
}

// A ball falls freely: only its weight tells which configuration is in force.
constexpr const char* kFall = R"yaml(
time: {dt: 1e-2, end: 10}
gravity: [0, 0, -10]
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0.4}]
bodies:
  ball: {material: stone, radii: {type: list, values: [0.1]}, place: {type: points, positions: [[0, 0, 0]]}}
tools:
  wall:
    material: stone
    shape: {type: box, size: [0.1, 0.1, 0.1]}
    position: [5, 0, 0]
    motion:
      type: velocity
      velocity: [0, 2, 0]
      start_when: {time_after: 0.1}
      stop_when: {tools: [{tool: wall, quantity: position_y, above: 0.39}]}
stages:
  - {name: fall, until: {duration: 0.2}}
  - {name: fly, set: {gravity: [0, 0, 0]}, until: {duration: 0.3}}
  - {name: rise, set: {gravity: [0, 0, 20]}}
)yaml";

double speed_of_ball(const Simulation& scene) {
  const Store& store = scene.store();
  const double local = store.n_owned == 1 ? store.velocity[store.first_owned()].z() : 0.0;
  return sum_over_ranks(MPI_COMM_WORLD, local);
}

TEST(Stages, EachStepIsThatOfItsStage) {
  Simulation scene = simulation(kFall);
  go_on(scene, 20);
  EXPECT_NEAR(speed_of_ball(scene), -2.0, 1e-12);
  go_on(scene, 30);
  EXPECT_NEAR(speed_of_ball(scene), -2.0, 1e-12);
  go_on(scene, 10);
  EXPECT_NEAR(speed_of_ball(scene), 0.0, 1e-12);
  EXPECT_EQ(scene.setup().gravity.z(), 20.0);
  EXPECT_EQ(scene.config().gravity.z(), -10.0);
}

double way_of_wall(const Simulation& scene) {
  return scene.store().position[0].y();
}

TEST(MotionEvents, StartAndStopAMotion) {
  Simulation scene = simulation(kFall);
  go_on(scene, 10);
  EXPECT_EQ(way_of_wall(scene), 0.0);
  go_on(scene, 5);
  EXPECT_NEAR(way_of_wall(scene), 0.1, 1e-12);
  go_on(scene, 50);
  EXPECT_NEAR(way_of_wall(scene), 0.4, 1e-12) << "0.38 is not above 0.39, and 0.4 is";
  EXPECT_EQ(scene.store().velocity[0], Vec3::Zero());
}

TEST(MotionEvents, AreStateThatCheckpointsHold) {
  const RunConfig config = read_run_config(kFall, "test.yaml");
  for (const int before : {5, 10, 15, 30, 40}) {
    Simulation scene(MPI_COMM_WORLD, config);
    go_on(scene, before);
    Simulation again(MPI_COMM_WORLD, config, checkpoint(scene));
    go_on(scene, 25);
    go_on(again, 25);
    EXPECT_EQ(way_of_wall(again), way_of_wall(scene)) << "from step " << before;
    EXPECT_EQ(speed_of_ball(again), speed_of_ball(scene)) << "from step " << before;
  }
}

// A restart may give a tool a motion that waits, as it may give it another.
TEST(MotionEvents, MayBeGivenAtARestart) {
  Simulation still = simulation(kFall, {"tools.wall.motion={type: fixed}"});
  go_on(still, 12);
  Simulation again(
      MPI_COMM_WORLD,
      read_run_config(kFall, "test.yaml", {"tools.wall.motion.start_when.time_after=0.15"}),
      checkpoint(still));
  go_on(again, 3);
  EXPECT_EQ(way_of_wall(again), 0.0);
  go_on(again, 5);
  EXPECT_NEAR(way_of_wall(again), 0.1, 1e-12);
}

/// A punch alone, in the @p stages.
std::string punch(const std::string& stages) {
  return R"yaml(
time: {dt: 2e-3, end: 4}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0.4}]
bodies:
  far: {material: stone, radii: {type: list, values: [0.01]}, place: {type: points, positions: [[50, 0, 0]]}}
tools:
  punch: {material: stone, shape: {type: box, size: [0.1, 0.1, 0.1]}}
)yaml" + stages;
}

double stroke(const Simulation& scene) {
  return scene.store().position[0].x();
}

const std::string kStroke =
    "tools.punch.motion: {type: table, times: [0, 0.01], displacements: [[0, 0, 0], [0.3, 0, 0]]}";

TEST(Stages, AMotionThatIsSetAgainBeginsAgain) {
  Simulation scene = simulation(punch(fmt::format(R"yaml(
stages:
  - {{name: first, set: {{{0}}}, until: {{duration: 0.02}}}}
  - {{name: pause, until: {{duration: 0.02}}}}
  - {{name: second, set: {{{0}}}, until: {{duration: 0.02}}}}
)yaml",
                                                  kStroke)));
  go_on(scene, 20);
  EXPECT_NEAR(stroke(scene), 0.3, 1e-12);
  go_on(scene, 10);
  EXPECT_NEAR(stroke(scene), 0.6, 1e-12);
}

// A run without stages, or that has ended its last one, is given another: its motion begins then.
TEST(Stages, AStageThatARestartAddsBeginsThere) {
  const std::string first = "stages:\n  - {name: rest, until: {duration: 0.02}}\n";
  for (const std::string& before : {std::string(), first}) {
    Simulation scene = simulation(punch(before));
    go_on(scene, 10);
    const std::string more =
        fmt::format("  - {{name: strike, set: {{{}}}, until: {{duration: 0.02}}}}\n", kStroke);
    const std::string stages = (before.empty() ? "stages:\n" : before) + more;
    Simulation again(MPI_COMM_WORLD, read_run_config(punch(stages), "test.yaml"),
                     checkpoint(scene));
    EXPECT_FALSE(again.is_at_end());
    go_on(again, 1);
    EXPECT_NEAR(stroke(again), 0.06, 1e-12) << before;
    go_on(again, 9);
    EXPECT_NEAR(stroke(again), 0.3, 1e-12) << before;
    EXPECT_TRUE(again.is_at_end()) << before;
  }
}

}  // namespace
}  // namespace scree::test::stages_test
