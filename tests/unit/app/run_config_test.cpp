#include "scree/app/run_config.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "scree/app/check_command.hpp"
#include "scree/base/check.hpp"
#include "scree/config/emit.hpp"
#include "scree/config/reference.hpp"
#include "scree/config/schema.hpp"

namespace scree {
namespace {

const std::filesystem::path kConfigs = SCREE_SOURCE_DIR "/configs";

constexpr std::string_view kText = R"(name: small
time: {dt: 1e-3, end: 0.1}
keep_inside: {low: [-1, -1, -1], high: [1, 1, 1]}
materials:
  gravel: {density: 2600}
  steel: {density: 7850}
friction:
  - {between: [gravel, gravel], mu: 0.4}
  - {between: [steel, gravel], mu: 0.2}
bodies:
  bed:
    material: gravel
    radii: {type: list, values: [0.01, 0.02]}
    place: {type: points, positions: [[0, 0, 0], [0.1, 0, 0], [0.2, 0, 0]]}
    fix: [rotation]
  pile:
    material: gravel
    radii: {type: uniform, min: 0.01, max: 0.02}
    place: {type: box, low: [0, 0, 0.1], high: [0.3, 0.3, 0.5], count: 20}
tools:
  floor: {material: steel, shape: {type: plane}, position: [0, 0, -0.1], normal: [0, 0, 1]}
  blade:
    material: steel
    shape: {type: box, size: [0.02, 0.3, 0.2]}
    orientation: {axis: [0, 1, 0], angle: 0.1}
    motion: {type: velocity, velocity: [0.2, 0, 0], start: 0.05}
  ball:
    material: steel
    shape: {type: sphere, radius: 0.1}
    motion: {type: table, times: [0, 1], displacements: [[0, 0, 0], [1, 0, 0]]}
solver: {method: nsgs, friction: associated, tolerance: 1e-6}
output: {directory: there}
debug: {fclib: {every: 5}}
)";

std::string with(std::string_view what, std::string_view by) {
  std::string text(kText);
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

std::string refusal(std::string_view text, const Overrides& overrides = {}) {
  try {
    read_run_config(text, "r.yaml", overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "(accepted)";
}

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
  EXPECT_EQ(std::get<Box>(config.tools[1].shape).half(), Vec3(0.01, 0.15, 0.1));
  EXPECT_EQ(std::get<VelocityMotion>(config.tools[1].motion).start, 0.05);
  EXPECT_EQ(config.solver.method, "nsgs");
  EXPECT_EQ(config.solver.friction, FrictionLaw::associated);
  EXPECT_EQ(config.solver.stop.tolerance, 1e-6);
  EXPECT_EQ(config.output.directory, "/dir/there");
  EXPECT_EQ(config.debug.fclib.every, 5);
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

TEST(RunConfig, RefusesMaterialsThatMeetWithoutFriction) {
  EXPECT_EQ(refusal(with("  - {between: [steel, gravel], mu: 0.2}\n", "")),
            "r.yaml:7: friction: no entry for \"gravel\" with \"steel\"; allowed: an entry for "
            "each two materials that can meet, as in {between: [a, b], mu: 0.5}");
  // Steel meets steel nowhere: tools do not touch each other.
  EXPECT_EQ(refusal(kText), "(accepted)");
}

TEST(RunConfig, RefusesAPairNamedTwice) {
  EXPECT_EQ(refusal(with("[steel, gravel], mu: 0.2}",
                         "[steel, gravel], mu: 0.2}\n  - {between: [gravel, steel], mu: 0.3}")),
            "r.yaml:7: friction: \"gravel\" with \"steel\" stands twice; allowed: one entry for "
            "two materials");
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

TEST(RunConfig, RefusesLawsOfPairsThatCannotBe) {
  const auto steel_gravel = [](std::string_view keys) {
    return refusal(with("mu: 0.2}", "mu: 0.2, " + std::string(keys) + "}"));
  };
  EXPECT_EQ(steel_gravel("cohesion: 2"),
            "r.yaml:9: friction.1.cohesion: needs the gap at which it ends; give a "
            "rupture_distance above 0 m");
  EXPECT_EQ(steel_gravel("rupture_distance: 1e-3"),
            "r.yaml:9: friction.1.rupture_distance: ends a cohesion that is not there; give a "
            "cohesion above 0 N, or leave it out");
  EXPECT_EQ(steel_gravel("damping: 0.1"),
            "r.yaml:7: friction: [steel, gravel] has a damping, but is rigid; give a stiffness, or "
            "a young_modulus to one of the two");
  EXPECT_EQ(steel_gravel("damping: 0.1, stiffness: 1e4"), "(accepted)");
  EXPECT_EQ(steel_gravel("rolling: 1e-3"), "(accepted)");
  for (const char* key :
       {"rolling", "spinning", "cohesion", "rupture_distance", "stiffness", "damping"}) {
    const std::string text = steel_gravel(std::string(key) + ": -1");
    EXPECT_EQ(
        text.find(fmt::format("r.yaml:9: friction.1.{}: -1 is out of range; allowed: a number "
                              "at least 0",
                              key)),
        0U)
        << text;
  }
}

/// What is said of gravel on steel with those @p keys, where no contact problems are written.
std::string refusal_of_steel_on_gravel(std::string_view keys, std::vector<std::string> overrides) {
  overrides.emplace_back("debug.fclib.every=0");
  return refusal(with("mu: 0.2}", fmt::format("mu: 0.2, {}}}", keys)), overrides);
}

TEST(RunConfig, RefusesRollingAndSpinningUnderTheLawOfTheBox) {
  const auto box = [](std::string_view keys) {
    return refusal_of_steel_on_gravel(keys, {"solver.friction=box"});
  };
  for (const char* kind : {"rolling", "spinning"}) {
    EXPECT_EQ(box(fmt::format("{}: 1e-3", kind)),
              fmt::format("r.yaml:7: friction: [steel, gravel] has {} friction, which the law box, "
                          "of each tangent by itself, does not know; allowed: rolling and spinning "
                          "0, or `friction: coulomb` or `associated` under `solver`",
                          kind));
    EXPECT_EQ(refusal_of_steel_on_gravel(fmt::format("{}: 1e-3", kind), {}), "(accepted)");
  }
  EXPECT_EQ(box("rolling: 0, spinning: 0"), "(accepted)");
}

TEST(RunConfig, RefusesMethodsThatDoNotTakeTheConesOfItsPairs) {
  const auto by = [](std::string_view method, std::string_view keys) {
    return refusal_of_steel_on_gravel(keys, {fmt::format("solver.method={}", method)});
  };
  EXPECT_EQ(
      by("ipm", "rolling: 1e-3"),
      "r.yaml:31: solver: [steel, gravel] has rolling friction; ipm solves problems with half "
      "lines, planar friction cones, friction cones only, and this one has rolling cones; "
      "auto, nsgs, apgd, pgj, pgs, psor, amgs would do");
  EXPECT_NE(by("kleinert", "rolling: 1e-3, spinning: 1e-3").find("cones with spinning"),
            std::string::npos);
  EXPECT_EQ(by("ipm", "rolling: 0"), "(accepted)");
  EXPECT_EQ(by("apgd", "rolling: 1e-3, spinning: 1e-3"), "(accepted)");
}

TEST(RunConfig, RefusesFilesOfProblemsThatFclibCannotHold) {
  const std::string spinning = with("mu: 0.2}", "mu: 0.2, spinning: 1e-3}");
  EXPECT_EQ(refusal(spinning, {"debug.fclib.every=5"}),
            "r.yaml:33: debug: fclib.every: 5 asks for FCLIB files, which have no cone for the "
            "spinning friction of [steel, gravel]; allowed: every 0, or spinning 0");
  EXPECT_EQ(refusal(spinning, {"debug.fclib.every=0"}), "(accepted)");
  EXPECT_EQ(refusal(with("mu: 0.2}", "mu: 0.2, rolling: 1e-3}"), {"debug.fclib.every=5"}),
            "(accepted)");
  // two materials of tools never meet
  EXPECT_EQ(
      refusal(with("mu: 0.2}", "mu: 0.2}\n  - {between: [steel, steel], mu: 0.2, spinning: 1e-3}"),
              {"debug.fclib.every=5"}),
      "(accepted)");
}

TEST(RunConfig, RefusesMaterialsAndStiffnessLawsThatCannotBe) {
  const auto gravel = [](std::string_view keys) {
    return refusal(with("{density: 2600}", "{density: 2600, " + std::string(keys) + "}"));
  };
  const std::string place = "r.yaml:5: materials.gravel.";
  EXPECT_EQ(gravel("young_modulus: -1").find(place + "young_modulus: -1 is out of range"), 0U);
  EXPECT_EQ(gravel("poisson_ratio: 0.51").find(place + "poisson_ratio: 0.51 is out of range"), 0U);
  EXPECT_EQ(gravel("poisson_ratio: -1").find(place + "poisson_ratio: -1 is out of range"), 0U);
  EXPECT_EQ(gravel("poisson_ratio: 0.5"), "(accepted)");
  const auto contact = [](std::string_view keys) {
    return refusal(std::string(kText) + "contact: {" + std::string(keys) + "}\n");
  };
  EXPECT_EQ(contact("law: herz").substr(0, 67),
            "r.yaml:34: contact.law: \"herz\" is unknown; did you mean \"hertz\"? al");
  EXPECT_EQ(
      contact("reference_force: 0").find("r.yaml:34: contact.reference_force: 0 is out of range"),
      0U);
}

TEST(RunConfig, RefusesDampingWithoutInertia) {
  const std::string text = with("mu: 0.2}", "mu: 0.2, stiffness: 1e4, damping: 0.1}");
  EXPECT_EQ(
      refusal("dynamics: overdamped\nfluid: {viscosity: 1}\n" + text),
      "r.yaml:9: friction: [steel, gravel] has a damping, which is a ratio to masses that count "
      "for nothing here; allowed: damping 0, or `dynamics: inertial`");
}

TEST(RunConfig, RefusesShapesOfGrainsThatCannotBe) {
  const auto bed = [](std::string_view shape) {
    return refusal(with("    fix: [rotation]\n", fmt::format("    shape: {}\n", shape)));
  };
  const std::string place = "r.yaml:15: bodies.bed.shape";
  EXPECT_EQ(bed("{type: ellipsoid, semi_axes: [2, 1, 1]}"), "(accepted)");
  EXPECT_EQ(bed("{type: cube, size: [1, 1, 1]}").find(place + ".type: \"cube\" is unknown"), 0U);
  EXPECT_EQ(bed("{type: ellipsoid, semi_axes: [1000, 1, 1]}").find(place), 0U);
  EXPECT_EQ(bed("{type: ellipsoid, semi_axes: [1, 1, -1]}").find(place), 0U);
  EXPECT_EQ(bed("{type: capsule, radius: 0, length: 1}").find(place), 0U);
  EXPECT_EQ(bed("{type: box, size: [1, 0, 1]}").find(place), 0U);
  // as it stands, where no radii are given
  const std::string sized = with("    radii: {type: list, values: [0.01, 0.02]}\n",
                                 "    shape: {type: box, size: [0.01, 0.02, 0.03]}\n");
  EXPECT_EQ(refusal(sized), "(accepted)");
}

TEST(RunConfig, RefusesShapesThatHaveNoContactWithATool) {
  std::string text =
      with("shape: {type: plane}, position: [0, 0, -0.1]",
           "shape: {type: hollow_cylinder, radius: 1, length: 4}, position: [0, 0, 0]");
  text.replace(text.find("    fix: [rotation]\n"), 20,
               "    shape: {type: ellipsoid, semi_axes: [2, 1, 1]}\n");
  EXPECT_NE(refusal(text).find("tools: floor: a hollow_cylinder meets no ellipsoid"),
            std::string::npos)
      << refusal(text);
}

TEST(RunConfig, RefusesUnknownMaterialsShapesAndMotions) {
  EXPECT_EQ(refusal(with("material: gravel\n", "material: gravle\n")),
            "r.yaml:12: bodies.bed.material: \"gravle\" is none of the materials; did you mean "
            "\"gravel\"? allowed: gravel, steel");
  EXPECT_EQ(refusal(with("type: plane", "type: plain")),
            "r.yaml:21: tools.floor.shape.type: \"plain\" is unknown; did you mean \"plane\"? "
            "allowed: sphere, plane, box, hollow_cylinder, hollow_cone, orifice, capsule, "
            "ellipsoid, polyhedron");
  EXPECT_EQ(refusal(with("type: velocity", "type: speed")),
            "r.yaml:26: tools.blade.motion.type: \"speed\" is unknown; allowed: fixed, velocity, "
            "table, oscillation");
  EXPECT_EQ(refusal(with("method: nsgs", "method: nsg")).substr(0, 63),
            "r.yaml:31: solver.method: \"nsg\" is unknown; did you mean \"nsgs\"");
}

TEST(RunConfig, RefusesWhatCannotBeRun) {
  EXPECT_EQ(refusal(with("end: 0.1", "end: 1e-4")),
            "r.yaml:2: time.end: is shorter than one step of 0.001 s");
  EXPECT_EQ(refusal(with("high: [1, 1, 1]", "high: [1, -1, 1]")),
            "r.yaml:3: keep_inside.high: must exceed low in every direction");
  EXPECT_EQ(refusal(with("density: 2600", "density: 0")),
            "r.yaml:5: materials.gravel.density: 0 is out of range; allowed: a number above 0, in "
            "kg/m^3");
  EXPECT_EQ(refusal(with("name: small", "name: ../small")),
            "r.yaml:1: name: \"../small\" cannot name a folder; allowed: letters, digits, _, - "
            "and .");
  EXPECT_EQ(refusal(with("  floor:", "  bed:")),
            "r.yaml:20: tools: \"bed\" is also the name of a group of bodies or an insertion; "
            "allowed: another "
            "name");
}

TEST(RunConfig, RefusesOptionsOfIpmThatDoNotGoTogether) {
  const auto solver = [](std::string_view keys) {
    return refusal(with("{method: nsgs, friction: associated, tolerance: 1e-6}", keys));
  };
  EXPECT_NE(solver("{method: kleinert}").find("kleinert solves the relaxed law only"),
            std::string::npos);
  EXPECT_EQ(solver("{ipm: {matrix_free: true, linear_solver: mumps}}"),
            "r.yaml:31: solver.ipm.matrix_free: leaves no matrix for `linear_solver: mumps`");
  EXPECT_EQ(solver("{ipm: {matrix_free: true, preconditioner: multigrid}}"),
            "r.yaml:31: solver.ipm.matrix_free: leaves only `point_jacobi` and `none` as "
            "`preconditioner`");
}

TEST(RunConfig, EffectiveConfigurationReadsBack) {
  const RunConfig config = read_run_config(kText, "/dir/r.yaml");
  const std::string text = emit_yaml(config);
  EXPECT_EQ(emit_yaml(read_run_config(text, "/elsewhere/run.yaml")), text);
  EXPECT_NE(text.find("  dt: 0.001  # time step, above 0, in s\n"), std::string::npos);
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
  EXPECT_EQ(config.debug.fclib.every, 0);
}

/// A list that is missing or empty must not be looked into before it is refused.
TEST(RunConfig, RefusesHollowGroups) {
  for (const std::string_view radii :
       {"{type: list}", "{type: list, values: []}", "{type: list, values: 5}", "{type: uniform}",
        "{type: uniform, min: 0, max: 0}", "{type: uniform, min: 2, max: 1}"}) {
    EXPECT_EQ(refusal(with("{type: uniform, min: 0.01, max: 0.02}", radii)).substr(0, 29),
              "r.yaml:18: bodies.pile.radii.")
        << radii;
  }
}

TEST(RunConfig, MutatedTextIsReadOrRefused) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 1000; ++i) {
    std::string text(kText);
    for (int k = 0; k < 3; ++k) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = static_cast<char>(random() % 256);
          break;
        case 1:
          text.erase(at, random() % 12);
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 12));
      }
    }
    SCOPED_TRACE(text);
    try {
      read_run_config(text, "r.yaml");
    } catch (const InputError& error) {
      ASSERT_EQ(std::string_view(error.what()).substr(0, 7), "r.yaml:");
    }
  }
}

TEST(RunConfig, ExamplesAreValidAndSummarised) {
  const RunConfig settle = load_run_config(MPI_COMM_WORLD, kConfigs / "settle.yaml");
  const std::string text = summarise(MPI_COMM_WORLD, settle);
  EXPECT_NE(text.find("1 s in 500 steps of 0.002 s"), std::string::npos) << text;
  EXPECT_NE(text.find("grains: 5000 grains, radii 0.008"), std::string::npos) << text;
  const RunConfig trench = load_run_config(MPI_COMM_WORLD, kConfigs / "trench.yaml");
  EXPECT_NE(summarise(MPI_COMM_WORLD, trench).find("blade: box, steel"), std::string::npos);
  const RunConfig drum = load_run_config(MPI_COMM_WORLD, kConfigs / "drum.yaml");
  EXPECT_NE(summarise(MPI_COMM_WORLD, drum).find("drum: hollow_cylinder, steel, motion velocity"),
            std::string::npos);
  const RunConfig silo = load_run_config(MPI_COMM_WORLD, kConfigs / "silo.yaml");
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

TEST(RunConfig, MissingFileIsRefused) {
  EXPECT_THROW(load_run_config(MPI_COMM_WORLD, kConfigs / "none.yaml"), InputError);
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
            (std::vector<std::string>{"coulomb", "associated", "box"}));
  EXPECT_NE(key_reference<RunConfig>().find("| `tools.NAME.shape.size` (type `box`) | 3 numbers |"),
            std::string::npos);
}

}  // namespace
}  // namespace scree
