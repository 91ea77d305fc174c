/// Stages of a run: each has a whole configuration of its own, and faults are told with their
/// place.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "scree/app/config/run_config.hpp"
#include "scree/config/emit.hpp"
#include "small_run.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

std::string run_with(const std::string& stages) {
  return fmt::format("{}stages:\n{}", test::kText, stages);
}

const std::string kTwo = R"(  - name: settle
    until: {kinetic_energy_below: 1.0e-3, duration: 0.01}
  - name: shear
    set:
      friction[gravel,steel].mu: 0.7
      gravity: [0, 0, -1]
      tools.floor.motion: {type: velocity, velocity: [0.1, 0, 0]}
)";

void expect_stage_fault(const std::string& stages, const std::string& part) {
  const std::string fault = test::refusal(run_with(stages));
  EXPECT_NE(fault.find(part), std::string::npos) << fault << "\nlacks " << part;
}

TEST(Stages, EachHasTheConfigurationWithWhatIsSetUntilThere) {
  const std::string third = "  - name: stop\n    set: {gravity: [0, 0, -2]}\n";
  const std::string two =
      std::string(kTwo).replace(kTwo.find("    set:"), 0, "    until: {time_after: 0.05}\n");
  const RunConfig config = read_run_config(run_with(two + third), "r.yaml");
  ASSERT_EQ(config.stages.size(), 3U);
  const RunConfig& settle = *config.stages[0].config;
  const RunConfig& shear = *config.stages[1].config;
  const RunConfig& stop = *config.stages[2].config;
  EXPECT_EQ(settle.gravity.z(), -9.81);
  EXPECT_EQ(shear.gravity.z(), -1.0);
  EXPECT_EQ(shear.friction[1].mu, 0.7);
  EXPECT_EQ(stop.gravity.z(), -2.0);
  EXPECT_EQ(stop.friction[1].mu, 0.7) << "what a stage sets stays";
  EXPECT_EQ(config.gravity.z(), -9.81);
  EXPECT_FALSE(config.stages[0].moves("floor"));
  EXPECT_TRUE(config.stages[1].moves("floor"));
  EXPECT_FALSE(config.stages[1].moves("flo"));
  EXPECT_FALSE(config.stages[2].moves("floor"));
}

TEST(Stages, TheEffectiveConfigurationReadsBackAsItself) {
  const RunConfig config = read_run_config(run_with(kTwo), "/dir/r.yaml");
  const std::string text = emit_yaml(config);
  const RunConfig again = read_run_config(text, "/elsewhere/run.yaml");
  EXPECT_EQ(emit_yaml(again), text);
  RunConfig shear = *config.stages[1].config;
  RunConfig shear_again = *again.stages[1].config;
  shear.stages.clear();
  shear_again.stages.clear();
  EXPECT_EQ(emit_yaml(shear_again), emit_yaml(shear));
}

TEST(Stages, FilesThatAreSetDoNotDependOnWhereTheyWereWritten) {
  const test::TemporaryFolder folder(MPI_COMM_SELF);
  const auto csv = folder.path() / "way.csv";
  std::ofstream(csv) << "t,x,y,z\n0,0,0,0\n1,1,0,0\n";
  const std::string stages =
      "  - name: go\n    set: {tools.floor.motion: {type: table, file: way.csv}}\n";
  const RunConfig config = read_run_config(run_with(stages), folder.path() / "r.yaml");
  EXPECT_NE(config.stages[0].set[0].value.find(csv.string()), std::string::npos);
}

TEST(Stages, AnUnknownKeyIsRefusedWithItsPlace) {
  std::string stages = kTwo;
  stages.replace(stages.find("motion:"), 6, "motoin");
  expect_stage_fault(stages, "r.yaml:41: tools.floor.motoin: unknown key; did you mean \"motion\"");
  expect_stage_fault(stages, "in the stage \"shear\"");
}

TEST(Stages, AnUnfitValueIsRefusedWithItsPlace) {
  expect_stage_fault("  - {name: a, set: {solver.tolerance: -1}}\n",
                     "r.yaml:35: solver.tolerance: -1 is out of range");
  expect_stage_fault("  - {name: a, set: {'friction.7.mu': 1}}\n",
                     "r.yaml:35: \"7\" is no entry of a list");
  expect_stage_fault("  - {name: a, set: {tools.floor.mass: 1}}\n",
                     "tools.floor.mass: is for `motion: {type: load}` alone");
}

TEST(Stages, MayChangeWhatARestartMay) {
  for (const std::string set :
       {"time.dt: 2.0e-3", "time.end: 2", "materials.gravel.density: 1", "name: other",
        "tools.floor.position: [0, 0, 1]", "tools.blade.orientation.angle: 1",
        "tools.ball.shape.radius: 1", "output.csv.every: 2", "bodies.bed.fix: []",
        "debug.fclib.every: 1", "periodic.x: [-5, 5]"}) {
    expect_stage_fault("  - {name: a, set: {" + set + "}}\n",
                       "r.yaml:35: " + set.substr(0, set.find(':')) + ": no stage may change it");
  }
  for (const std::string set :
       {"gravity: [0, 0, 0]", "solver.tolerance: 1.0e-3", "fluid: {viscosity: 1}",
        "keep_inside: null", "contact.max_compression: 1", "friction.0.mu: 0",
        "tools.blade.motion: {type: fixed}", "forces: {f: {force: [1, 0, 0]}}",
        "balance.bound: 2"}) {
    const std::string text = run_with("  - {name: a, set: {" + set + "}}\n");
    EXPECT_EQ(test::refusal(text), "(accepted)") << set;
  }
  expect_stage_fault("  - {name: a, set: {stages: []}}\n", "stages: no stage may change it");
}

TEST(Stages, NeedNamesAndEnds) {
  expect_stage_fault("  - {name: a}\n  - {name: b}\n", "stages: \"a\" has no `until`");
  expect_stage_fault("  - {name: a, until: {duration: 1}}\n  - {name: a}\n",
                     "stages: \"a\" is the name of two");
  expect_stage_fault("  - {until: {duration: 1}}\n", "stages.0.name: is missing");
  expect_stage_fault("  - {name: '', until: {duration: 1}}\n", "stages.0.name: is empty");
  expect_stage_fault("  - {name: a, until: {}}\n", "stages.0.until.time_after: is 0");
}

TEST(Stages, EventsOfToolsThatAreNotThereAreRefused) {
  expect_stage_fault(
      "  - {name: a, until: {tools: [{tool: flor, quantity: force_z, below: -1}]}}\n",
      "stages.0.until.tools.0.tool: \"flor\" is none of the tools; did you mean \"floor\"");
}

TEST(Stages, CanBeSetFromOutside) {
  const RunConfig config = read_run_config(
      run_with(kTwo), "r.yaml",
      {"stages[settle].until.duration=0.5", "stages[shear].set={gravity: [0, 0, -3]}"});
  EXPECT_EQ(config.stages[0].until->duration, 0.5);
  EXPECT_EQ(config.stages[1].config->gravity.z(), -3.0);
  const std::string fault =
      test::refusal(run_with(kTwo), {"stages[shear].set={gravitty: [0, 0, -3]}"});
  EXPECT_NE(fault.find("--set stages[shear].set={gravitty: [0, 0, -3]}: gravitty: unknown key"),
            std::string::npos)
      << fault;
}

}  // namespace
}  // namespace scree
