/// From the file of a sweep to its cases: combinations, names, configurations, and what is wrong
/// with them.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "scree/base/check.hpp"
#include "scree/config/emit.hpp"
#include "scree/config/reader.hpp"
#include "support/temporary_folder.hpp"
#include "sweep/cases.hpp"
#include "sweep/slurm_script.hpp"

namespace scree {
namespace {

using Texts = std::vector<std::string>;

constexpr std::string_view kBase = R"(time: {dt: 1e-3, end: 0.01}
materials: {stone: {density: 2600}, steel: {density: 7800}}
friction:
  - {between: [stone, stone], mu: 0.4}
  - {between: [stone, steel], mu: 0.2}
bodies:
  stones: {material: stone, radii: {type: list, values: [0.05]}, place: {type: box, low: [0, 0, 0], high: [1, 1, 1], count: 2}}
tools:
  floor: {material: steel, shape: {type: plane}, normal: [0, 0, 1]}
)";

class Cases : public ::testing::Test {
 protected:
  Cases() { write("base.yaml", kBase); }

  std::filesystem::path write(const std::string& name, std::string_view text) {
    const std::filesystem::path file = folder_.path() / name;
    std::ofstream(file) << text;
    return file;
  }
  std::filesystem::path sweep_file(std::string_view text) {
    return write("sweep.yaml", fmt::format("base: base.yaml\n{}", text));
  }
  std::vector<CaseSettings> expanded(std::string_view text) {
    const auto file = sweep_file(text);
    return expand(read_sweep(file), file);
  }
  Texts names(std::string_view text) {
    Texts names;
    for (const CaseSettings& one : expanded(text)) names.push_back(one.name);
    return names;
  }
  std::vector<Case> prepared(std::string_view text) {
    const auto file = sweep_file(text);
    return prepare(read_sweep(file), file, folder_.path() / "runs");
  }
  /// Without the folder.
  std::string refusal(std::string_view text) {
    try {
      prepared(text);
    } catch (const InputError& error) {
      std::string what = error.what();
      const std::string folder = folder_.path().string() + "/";
      for (std::size_t k; (k = what.find(folder)) != std::string::npos;)
        what.erase(k, folder.size());
      return what;
    }
    return "(accepted)";
  }

  test::TemporaryFolder folder_;
};

TEST_F(Cases, AllCombinationsWithTheLastKeyFastest) {
  EXPECT_EQ(
      names("parameters: {time.dt: [1.0e-3, 2.0e-3], friction.0.mu: {linear: [0.1, 0.5, 3]}}"),
      (Texts{"dt_0.001-mu_0.1", "dt_0.001-mu_0.3", "dt_0.001-mu_0.5", "dt_0.002-mu_0.1",
             "dt_0.002-mu_0.3", "dt_0.002-mu_0.5"}));
}

TEST_F(Cases, ZipTakesValuesTogether) {
  EXPECT_EQ(names("combine: zip\nparameters: {time.dt: [1e-3, 2e-3], time.end: [0.01, 0.02]}"),
            (Texts{"dt_0.001-end_0.01", "dt_0.002-end_0.02"}));
  EXPECT_EQ(refusal("combine: zip\nparameters: {time.dt: [1e-3, 2e-3], time.end: [0.01]}"),
            "sweep.yaml:2: combine: is zip, and the parameters have 2, 1 values; allowed: as many "
            "of each, or combine: all");
}

TEST_F(Cases, RowsOfATableWithSeeds) {
  write("design.csv",
        "# made elsewhere\ntime.dt,\"friction[steel,stone].mu\",gravity\n1e-3,0.1,\"[0, 0, "
        "-1]\"\n2e-3,0.2,\"[0, 0, -2]\"");
  const auto cases =
      prepared("table: design.csv\nrepeat: {times: 2, first: 7, keys: [bodies.stones.place.seed]}");
  ASSERT_EQ(cases.size(), 4U);
  EXPECT_EQ(cases[0].name, "dt_0.001-mu_0.1-gravity_0_0_-1-seed_7");
  EXPECT_EQ(cases[3].name, "dt_0.002-mu_0.2-gravity_0_0_-2-seed_8");
  const RunConfig config = read_run_config(cases[3].yaml, "case.yaml");
  EXPECT_EQ(config.time.dt, 2e-3);
  EXPECT_EQ(config.friction[1].mu, 0.2);
  EXPECT_EQ(config.gravity, Vec3(0, 0, -2));
  EXPECT_EQ(std::get<BoxPlaces>(config.bodies[0].place).filling.seed, 8);
}

TEST_F(Cases, KeysAreAsShortAsTellsThemApart) {
  EXPECT_EQ(short_keys({"time.dt", "friction[a,b].mu"}), (Texts{"dt", "mu"}));
  EXPECT_EQ(short_keys({"friction[a,b].mu", "friction[a,a].mu", "tools.x.mu"}),
            (Texts{"a-b.mu", "a-a.mu", "x.mu"}));
  EXPECT_EQ(short_keys({"a.seed", "b.a.seed"}), (Texts{"a.seed", "b.a.seed"}));
}

TEST_F(Cases, NamesAreReadableAndOnlyTheirOwn) {
  EXPECT_EQ(names("parameters: {materials.stone.young_modulus: [1e8, 2.5e10], solver.method: "
                  "[psor, \"nsgs\"]}"),
            (Texts{"young_modulus_1e8-method_psor", "young_modulus_1e8-method_nsgs",
                   "young_modulus_2.5e10-method_psor", "young_modulus_2.5e10-method_nsgs"}));
  // The same in six digits: a fingerprint tells the second from the first.
  const Texts close = names("parameters: {time.dt: [0.001, 0.0010000001]}");
  EXPECT_EQ(close[0], "dt_0.001");
  EXPECT_TRUE(close[1].starts_with("dt_0.001-")) << close[1];
  EXPECT_EQ(close[1].size(), close[0].size() + 9);
  std::string many = "parameters:\n";
  for (int k = 0; k < 11; ++k)
    many += fmt::format("  materials.stone_with_a_long_name.key_{}: [1, 2]\n", k);
  std::set<std::string> different;
  for (const std::string& name : names(many)) {
    EXPECT_LE(name.size(), 80U);
    different.insert(name);
  }
  EXPECT_EQ(different.size(), 2048U);
}

TEST_F(Cases, FaultsNameTheirPlaceOnceAndTheCasesThatHaveThem) {
  EXPECT_EQ(refusal("parameters:\n  time.dtt: [1, 2]\n"),
            "sweep.yaml:3: time.dtt: unknown key; did you mean \"dt\"? allowed: dt, min, max, end");
  EXPECT_EQ(
      refusal("parameters:\n  time.end: [0.01, 0.02]\n  friction[stone,stone].mu: [-1, 0.1]\n"),
      "sweep.yaml:4: friction.0.mu: -1 is out of range; allowed: a number at least 0 and at most "
      "1000000 (case "
      "end_0.01-mu_-1 and 1 more)");
  EXPECT_EQ(refusal("parameters:\n  friction[stone,sand].mu: [0.1]\n"),
            "sweep.yaml:3: [stone,sand] is held by no entries of the list; allowed: the names that "
            "one entry holds, or its "
            "number, 0 to 1");
  write("design.csv", "time.dt\n1e-3\n-1\n");
  EXPECT_EQ(refusal("table: design.csv"),
            "design.csv:3: time.dt: -1 is out of range; allowed: `auto`, or a number above 0, in s "
            "(case dt_-1)");
}

TEST_F(Cases, WhatIsNoSweepIsRefused) {
  EXPECT_EQ(refusal(""),
            "sweep.yaml:1: base: is all there is: nothing varies; allowed: one or more of "
            "parameters, table and repeat");
  EXPECT_EQ(refusal("parameters: {time.dt: [1, 1]}"),
            "sweep.yaml:2: the case time.dt: 1 stands twice; allowed: different values");
  write("design.csv", "time.dt\n1e-3\n");
  EXPECT_EQ(
      refusal("parameters: {time.dt: [1]}\ntable: design.csv"),
      "design.csv:2: time.dt is set twice; allowed: once among parameters, table and repeat.keys");
  EXPECT_EQ(
      refusal("parameters: {time.dt: {linear: [1, 2, 1000]}, time.end: {linear: [3, 4, 1000]}}"),
      "sweep.yaml: has more than 20000 cases; allowed: several sweeps, or fewer values");
  EXPECT_EQ(refusal("repeat: {times: 3}").substr(0, 22), "sweep.yaml:2: repeat.t");
  EXPECT_NE(refusal("paramters: {}")
                .find("sweep.yaml:2: paramters: unknown key; did you mean \"parameters\"?"),
            std::string::npos);
}

TEST_F(Cases, ObservablesThatARunCannotHaveAreRefused) {
  const std::string one = "parameters: {time.dt: [1e-3, 2e-3]}\nobservables: {o: ";
  EXPECT_TRUE(
      refusal(one + "{column: kinetic_enrgy}}")
          .starts_with(
              "sweep.yaml:3: observables.o.column: \"kinetic_enrgy\" is unknown; did you mean "
              "\"kinetic_energy\"?"));
  EXPECT_EQ(refusal(one + "{column: force_x}}"),
            "sweep.yaml:3: observables.o.column: force_x is a column of tools.csv; allowed: with "
            "the name of a `tool`");
  EXPECT_EQ(refusal(one + "{column: kinetic_energy, tool: floor}}"),
            "sweep.yaml:3: observables.o.column: kinetic_energy is a column of steps.csv; allowed: "
            "without a `tool`");
  EXPECT_EQ(refusal(one + "{column: force_x, tool: flor}}"),
            "sweep.yaml: observables.o: tool: \"flor\" is none of the tools; did you mean "
            "\"floor\"? allowed: floor");
  EXPECT_EQ(refusal(one + "{column: angular_velocity_x}}"),
            "sweep.yaml:3: observables.o.column: angular_velocity_x is a column of followed.csv; "
            "allowed: with a `grain`");
  EXPECT_EQ(refusal(one + "{column: kinetic_energy, grain: 0}}"),
            "sweep.yaml:3: observables.o.column: kinetic_energy is a column of steps.csv; allowed: "
            "without a `grain`");
  EXPECT_EQ(refusal(one + "{column: force_x, grain: 0, tool: floor}}"),
            "sweep.yaml:3: observables.o.grain: and tool are given, and a column is of one table; "
            "allowed: one of the two");
  EXPECT_EQ(refusal(one + "{column: force_x, grain: 0}}"),
            "sweep.yaml: observables.o: grain: the run follows no grains; name them in "
            "output.follow");
  EXPECT_EQ(refusal(one + "{column: bodies, from: 1}}"),
            "sweep.yaml: observables.o: from: 1 s is not before the end of the run at 0.01 s");
  EXPECT_EQ(
      refusal(one + "{type: discharge_rate}}"),
      "sweep.yaml: observables.o: the run has no removal_boxes, into which grains are discharged");
  EXPECT_EQ(refusal(one + "{column: bodies, from: 1, to: 0.5}}"),
            "sweep.yaml:3: observables.o.to: is not after from");
}

TEST_F(Cases, TheFingerprintIsOfWhatIsRun) {
  write("grains.csv", "x,y,z,r\n0.5,0.5,0.5,0.05\n");
  std::string base(kBase);
  base.replace(base.find("radii: {type"), std::string("radii: {type: list, values: [0.05]}").size(),
               "radii: {type: file}");
  base.replace(base.find("{type: box"),
               base.find("}}", base.find("{type: box")) + 1 - base.find("{type: box"),
               "{type: csv, file: grains.csv}");
  write("base.yaml", base);
  const std::string sweep = "parameters: {time.dt: [1e-3, 2e-3]}";
  const auto first = prepared(sweep);
  EXPECT_NE(first[0].fingerprint, first[1].fingerprint);
  EXPECT_EQ(prepared(sweep)[0].fingerprint, first[0].fingerprint);
  write("base.yaml", "# a remark\n" + base);
  EXPECT_EQ(prepared(sweep)[0].fingerprint, first[0].fingerprint);
  EXPECT_EQ(prepared(sweep + "\nobservables: {n: {column: bodies}}")[0].fingerprint,
            first[0].fingerprint);
  write("grains.csv", "x,y,z,r\n0.5,0.5,0.6,0.05\n");
  EXPECT_NE(prepared(sweep)[0].fingerprint, first[0].fingerprint);
  write("grains.csv", "x,y,z,r\n0.5,0.5,0.5,0.05\n");
  EXPECT_EQ(prepared(sweep)[0].fingerprint, first[0].fingerprint);
  write("base.yaml", base + "gravity: [0, 0, -1]\n");
  EXPECT_NE(prepared(sweep)[0].fingerprint, first[0].fingerprint);
}

/// The configuration that a run is started with is written into its folder unchanged, by which a
/// restart knows it.
TEST_F(Cases, TheConfigurationOfACaseReadsBackAsItself) {
  const auto cases = prepared("parameters: {time.dt: [1e-3, 2e-3]}");
  EXPECT_EQ(emit_yaml(read_run_config(cases[1].yaml, folder_.path() / "cases/x.yaml")),
            cases[1].yaml);
}

TEST_F(Cases, TheEffectiveSweepReadsBackAsTheSame) {
  const auto file = sweep_file(
      "parameters: {'friction[stone,steel].mu': {log: [0.01, 1, 3]}}\nslurm: {options: "
      "[--time=01:00:00]}\n"
      "observables: {e: {column: kinetic_energy, of: mean, from: 0.001}, p: {type: "
      "packing_fraction, low: [0, 0, 0], high: [1, 1, 1]}}");
  const std::string text = emit_yaml(read_sweep(file));
  SweepConfig again;
  read_yaml(text, "again.yaml", {}, again);
  EXPECT_EQ(emit_yaml(again), text);
}

TEST_F(Cases, ASweepIsToldFromAConfiguration) {
  EXPECT_TRUE(is_sweep(sweep_file("")));
  EXPECT_FALSE(is_sweep(folder_.path() / "base.yaml"));
  EXPECT_FALSE(is_sweep(folder_.path() / "none.yaml"));
}

TEST_F(Cases, WordsOfAShellAreQuoted) {
  EXPECT_EQ(shell_word("/a b/$x"), "'/a b/$x'");
  EXPECT_EQ(shell_word("it's"), R"('it'\''s')");
}

}  // namespace
}  // namespace scree
