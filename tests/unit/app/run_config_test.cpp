#include "scree/app/config/run_config.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/run/observers/problems.hpp"
#include "scree/app/commands/check_command.hpp"
#include "scree/config/emit.hpp"
#include "scree/config/reference.hpp"
#include "scree/config/schema.hpp"
#include "scree/geometry/shapes/box.hpp"
#include "small_run.hpp"
#include "support/folders.hpp"

namespace scree {
namespace {

using test::kText;
using test::with;

const std::filesystem::path kSampleConfigs = test::source_dir() / "configs";

TEST(RunConfig, ReadsAllParts) {
  const RunConfig config = read_run_config(kText, "/dir/r.yaml");
  EXPECT_EQ(config.name, "small");
  EXPECT_EQ(config.time.n_steps(), 100);
  EXPECT_EQ(config.gravity, Vec3(0, 0, -9.81));
  ASSERT_TRUE(config.keep_inside.has_value());
  EXPECT_EQ(config.keep_inside->bounds().high, Vec3(1, 1, 1));
  ASSERT_EQ(config.materials.size(), 2U);
  ASSERT_EQ(config.bodies.size(), 2U);
  EXPECT_EQ(std::get<BoxPlaces>(config.bodies[1].place).filling.count, 20);
  EXPECT_EQ(config.bodies[0].fixed(), kFixRotation);
  ASSERT_EQ(config.tools.size(), 3U);
  EXPECT_EQ(as_shape(config.tools[1].shape).get<Box>().half(), Vec3(0.01, 0.15, 0.1));
  EXPECT_EQ(std::get<VelocityMotion>(config.tools[1].motion).start, 0.05);
  EXPECT_EQ(config.solver.method, "nsgs");
  EXPECT_EQ(config.solver.friction, FrictionLaw::associated);
  EXPECT_EQ(config.solver.stop.tolerance, 1e-6);
  EXPECT_EQ(config.output.directory, "/dir/there");
  EXPECT_EQ(config.debug.of<ProblemOptions>().every, 5);
}

TEST(RunConfig, StepsCoverTheTimeAndNoMore) {
  const auto steps = [](double dt, double end) {
    TimeOptions time;
    time.dt = dt;
    time.end = end;
    return time.n_steps();
  };
  EXPECT_EQ(steps(0.1, 0.3), 3);
  EXPECT_EQ(steps(1e-3, 1.0), 1000);
  EXPECT_EQ(steps(3e-4, 1e-3), 4);
  EXPECT_EQ(steps(1.0, 1.0), 1);
}

TEST(RunConfig, ReadsTheLawOfAPair) {
  const std::string text = with("mu: 0.2}",
                                "mu: 0.2, rolling: 1e-3, spinning: 2e-3, cohesion: 3, "
                                "rupture_distance: 4e-3, stiffness: 5e4, "
                                "damping: 0.6}\ncontact: {law: rod, reference_force: 7}");
  const RunConfig config =
      read_run_config(text, "r.yaml",
                      {"materials.gravel.young_modulus=1e8", "materials.gravel.poisson_ratio=0.2",
                       "debug.fclib.every=0"});
  const FrictionPair& pair = config.friction[1];
  EXPECT_EQ(pair.rolling, 1e-3);
  EXPECT_EQ(pair.spinning, 2e-3);
  EXPECT_EQ(pair.cohesion, 3.0);
  EXPECT_EQ(pair.rupture_distance, 4e-3);
  EXPECT_EQ(pair.stiffness, 5e4);
  EXPECT_EQ(pair.damping, 0.6);
  EXPECT_EQ(config.contact.stiffness.law, StiffnessLaw::rod);
  EXPECT_EQ(config.contact.stiffness.reference_force, 7.0);
  EXPECT_EQ(config.materials[0].elastic.young_modulus, 1e8);
  EXPECT_EQ(config.materials[0].elastic.poisson_ratio, 0.2);
  const std::string effective = emit_yaml(config);
  EXPECT_EQ(emit_yaml(read_run_config(effective, "/elsewhere/run.yaml")), effective);
}

TEST(RunConfig, ContactsAreRigidUnlessTheyAreGivenASoftness) {
  const RunConfig config = read_run_config(kText, "r.yaml");
  const ContactLaws laws(config.materials, config.friction, config.contact.stiffness);
  EXPECT_FALSE(laws.law(0, 0).elasticity.compliant());
  EXPECT_FALSE(laws.law(0, 1).elasticity.compliant());
}

TEST(RunConfig, EffectiveConfigurationReadsBack) {
  const RunConfig config = read_run_config(kText, "/dir/r.yaml");
  const std::string text = emit_yaml(config);
  EXPECT_EQ(emit_yaml(read_run_config(text, "/elsewhere/run.yaml")), text);
  EXPECT_NE(text.find("  dt: 0.001  # time step; auto: "), std::string::npos);
}

TEST(RunConfig, AWholeStepIsTheLongestWhereLengthsAreChosen) {
  const RunConfig config =
      read_run_config(kText, "r.yaml", {"time={dt: auto, min: 3e-5, max: 1e-3, end: 0.1}"});
  EXPECT_TRUE(config.time.is_auto);
  EXPECT_EQ(config.time.dt, 1e-3);
  EXPECT_EQ(config.time.n_steps(), 100);
  EXPECT_EQ(config.time.length_within(3e-4), 2.5e-4);
  EXPECT_EQ(config.time.length_within(0.0), 1e-3 / 32);
  const std::string text = emit_yaml(config);
  EXPECT_EQ(emit_yaml(read_run_config(text, "run.yaml")), text);
  EXPECT_EQ(read_run_config(kText, "r.yaml").time.length_within(1e-5), 1e-3) << "of a fixed step";
}

TEST(RunConfig, OverridesReachEveryPart) {
  const RunConfig config =
      read_run_config(kText, "r.yaml",
                      {"solver.tolerance=1e-8", "bodies.pile.place.count=5", "friction.0.mu=0.1",
                       "keep_inside=null", "debug.fclib.every=0"});
  EXPECT_EQ(config.solver.stop.tolerance, 1e-8);
  EXPECT_EQ(std::get<BoxPlaces>(config.bodies[1].place).filling.count, 5);
  EXPECT_EQ(config.friction[0].mu, 0.1);
  EXPECT_FALSE(config.keep_inside.has_value());
  EXPECT_EQ(config.debug.of<ProblemOptions>().every, 0);
}

/// Every key says what it is for: the schema and the reference are the manual.
void expect_descriptions(const nlohmann::ordered_json& schema, const std::string& path) {
  for (const char* several : {"oneOf", "anyOf"}) {
    if (!schema.contains(several)) continue;
    for (const auto& one : schema[several]) expect_descriptions(one, path);
  }
  for (const char* inner : {"items", "additionalProperties"}) {
    if (schema.contains(inner) && schema[inner].is_object()) {
      expect_descriptions(schema[inner], path + ".*");
    }
  }
  if (!schema.contains("properties")) return;
  for (const auto& [key, value] : schema["properties"].items()) {
    const std::string here = path + "." + key;
    if (!value.contains("const")) {
      EXPECT_FALSE(value.value("description", "").empty()) << here;
    }
    expect_descriptions(value, here);
  }
}

TEST(RunConfig, SchemaAndReferenceDescribeEveryKey) {
  const auto schema = json_schema<RunConfig>("run");
  expect_descriptions(schema, "");
  EXPECT_EQ(schema["properties"]["solver"]["properties"]["friction"]["enum"],
            (std::vector<std::string>{"coulomb", "associated", "box", "pyramid"}));
  EXPECT_NE(key_reference<RunConfig>().find("| `tools.NAME.shape.size` (type `box`) | 3 numbers |"),
            std::string::npos);
}

TEST(RunConfig, ExamplesAreValidAndSummarised) {
  const RunConfig settle = load_run_config(MPI_COMM_WORLD, kSampleConfigs / "settle.yaml");
  const std::string text = summarise(MPI_COMM_WORLD, settle);
  EXPECT_NE(text.find("1 s in 500 steps of 0.002 s"), std::string::npos) << text;
  EXPECT_NE(text.find("grains: 5000 grains, radii 0.008"), std::string::npos) << text;
  const RunConfig trench = load_run_config(MPI_COMM_WORLD, kSampleConfigs / "trench.yaml");
  EXPECT_NE(summarise(MPI_COMM_WORLD, trench).find("blade: box, steel"), std::string::npos);
  const RunConfig by_ipm = load_run_config(MPI_COMM_WORLD, kSampleConfigs / "trench-ipm.yaml");
  EXPECT_EQ(by_ipm.solver.fallback, (std::vector<std::string>{"pgj"}));
  EXPECT_TRUE(by_ipm.solver.ipm.strict);
  EXPECT_EQ(by_ipm.solver.matrices, MatrixForm::petsc);
  const RunConfig drum = load_run_config(MPI_COMM_WORLD, kSampleConfigs / "drum.yaml");
  EXPECT_NE(summarise(MPI_COMM_WORLD, drum).find("drum: hollow_cylinder, steel, motion velocity"),
            std::string::npos);
  const RunConfig silo = load_run_config(MPI_COMM_WORLD, kSampleConfigs / "silo.yaml");
  EXPECT_NE(summarise(MPI_COMM_WORLD, silo).find("cone: hollow_cone, steel"), std::string::npos);
}

TEST(RunConfig, SummarySaysWhereARunOfUnevenStepsEnds) {
  const auto time_line = [](const char* end) {
    const std::string text = summarise(
        MPI_COMM_WORLD, read_run_config(kText, "r.yaml", {std::string("time.end=") + end}));
    const std::size_t at = text.find("  time");
    return text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_EQ(time_line("0.1"), "  time        0.1 s in 100 steps of 0.001 s");
  EXPECT_EQ(time_line("0.7"), "  time        0.7 s in 700 steps of 0.001 s");
  EXPECT_EQ(
      time_line("0.0125"),
      "  time        0.0125 s in 13 steps of 0.001 s: the last ends at 0.013 s, as 0.0125 s is "
      "no multiple");
}

TEST(RunConfig, SummaryNamesGrainsThatWouldBeRemoved) {
  const std::string all_inside = summarise(MPI_COMM_WORLD, read_run_config(kText, "r.yaml"));
  EXPECT_EQ(all_inside.find("are removed"), std::string::npos) << all_inside;
  const std::string text = summarise(
      MPI_COMM_WORLD, read_run_config(kText, "r.yaml", {"keep_inside.low=[0.05, -1, -1]"}));
  EXPECT_NE(text.find("    1 of them start outside keep_inside and are removed\n"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace scree
