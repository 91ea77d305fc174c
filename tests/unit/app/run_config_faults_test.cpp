#include "scree/app/config/run_config.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "scree/base/check.hpp"
#include "small_run.hpp"
#include "support/folders.hpp"

namespace scree {
namespace {

using test::kText;
using test::refusal;
using test::with;

const std::filesystem::path kConfigs = test::source_dir() / "configs";

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
  EXPECT_EQ(bed("{type: cylinder, radius: 1, length: 3}"), "(accepted)");
  EXPECT_EQ(bed("{type: cylinder, radius: 1, length: 0}").find(place), 0U);
  EXPECT_EQ(bed("{type: cylinder, radius: 1, length: 1000}").find(place), 0U);
  EXPECT_EQ(bed("{type: cone, radius: 1, length: 0.001}").find(place), 0U);
  const std::string rounded = "{{type: superellipsoid, semi_axes: [2, 1, 1], exponents: [{}]}}";
  EXPECT_EQ(bed(fmt::format(fmt::runtime(rounded), "2, 20")), "(accepted)");
  EXPECT_EQ(bed(fmt::format(fmt::runtime(rounded), "2, 21")).find(place), 0U);
  EXPECT_EQ(bed(fmt::format(fmt::runtime(rounded), "1.5, 2")).find(place), 0U);
  EXPECT_EQ(bed(fmt::format(fmt::runtime(rounded), "2")).find(place), 0U);
  // as it stands, where no radii are given
  const std::string sized = with("    radii: {type: list, values: [0.01, 0.02]}\n",
                                 "    shape: {type: box, size: [0.01, 0.02, 0.03]}\n");
  EXPECT_EQ(refusal(sized), "(accepted)");
}

TEST(RunConfig, RefusesUnknownMaterialsShapesAndMotions) {
  EXPECT_EQ(refusal(with("material: gravel\n", "material: gravle\n")),
            "r.yaml:12: bodies.bed.material: \"gravle\" is none of the materials; did you mean "
            "\"gravel\"? allowed: gravel, steel");
  EXPECT_EQ(refusal(with("type: plane", "type: plain")),
            "r.yaml:21: tools.floor.shape.type: \"plain\" is unknown; did you mean \"plane\"? "
            "allowed: sphere, plane, box, hollow_cylinder, hollow_cone, orifice, capsule, "
            "ellipsoid, polyhedron, ring, mesh, clump, cylinder, cone, superellipsoid");
  EXPECT_EQ(refusal(with("type: velocity", "type: speed")),
            "r.yaml:26: tools.blade.motion.type: \"speed\" is unknown; allowed: fixed, velocity, "
            "table, oscillation, load");
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
            "and ., up to 200");
  EXPECT_EQ(refusal(with("  floor:", "  bed:")),
            "r.yaml:20: tools: \"bed\" is also the name of a group of bodies or an insertion; "
            "allowed: another "
            "name");
}

TEST(RunConfig, RefusesBoundsOfStepsThatDoNotGoTogether) {
  const auto time = [](std::string_view keys) {
    return refusal(with("time: {dt: 1e-3, end: 0.1}", fmt::format("time: {{{}, end: 0.1}}", keys)));
  };
  EXPECT_EQ(time("dt: auto, min: 1e-5, max: 1e-3"), "(accepted)");
  const std::string both =
      "r.yaml:2: time.dt: is auto without a shortest and a longest step; allowed: both, as in {dt: "
      "auto, min: 1e-5, max: 1e-3}";
  EXPECT_EQ(time("dt: auto"), both);
  EXPECT_EQ(time("dt: auto, max: 1e-3"), both);
  EXPECT_EQ(time("dt: auto, min: 0, max: 1e-3"), both);
  EXPECT_EQ(time("dt: auto, min: 1e-2, max: 1e-3"),
            "r.yaml:2: time.min: is longer than max, 0.001 s; allowed: a min up to max");
  EXPECT_EQ(time("dt: auto, min: 1e-12, max: 1e-3"),
            "r.yaml:2: time.min: is shorter than a millionth of max, 0.001 s; allowed: a min from "
            "1e-09 s on");
  EXPECT_EQ(time("dt: 1e-3, min: 1e-5"),
            "r.yaml:2: time.min: is of steps whose length is chosen; allowed: with dt: auto");
  EXPECT_EQ(time("dt: auto, min: -1, max: 1e-3"),
            "r.yaml:2: time.min: -1 is out of range; allowed: a number at least 0, in s");
  EXPECT_EQ(
      time("dt: automatic"),
      "r.yaml:2: time.dt: \"automatic\" is not a number; allowed: `auto`, or a number above 0, in "
      "s");
}

TEST(RunConfig, RefusesOptionsOfIpmThatDoNotGoTogether) {
  const auto solver = [](std::string_view keys) {
    return refusal(with("{method: nsgs, friction: associated, tolerance: 1e-6}", keys));
  };
  EXPECT_NE(solver("{method: kleinert}").find("kleinert solves the relaxed law only"),
            std::string::npos);
  EXPECT_NE(solver("{ipm: {strict: true}}").find("solver.ipm.strict: leaves nothing to"),
            std::string::npos);
  EXPECT_EQ(solver("{ipm: {strict: true, linear_solver: bicgstab}}"), "(accepted)");
  EXPECT_EQ(solver("{ipm: {matrix_free: true, linear_solver: mumps}}"),
            "r.yaml:31: solver.ipm.matrix_free: leaves no matrix for `linear_solver: mumps`");
  EXPECT_EQ(solver("{ipm: {matrix_free: true, preconditioner: multigrid}}"),
            "r.yaml:31: solver.ipm.matrix_free: leaves only `point_jacobi` and `none` as "
            "`preconditioner`");
  const auto fault = [](std::string_view method) {
    return fmt::format(
        "r.yaml:31: solver.matrices: is `petsc`, which `{}` has no use for; allowed: with apgd, "
        "pgj, ipm, kleinert as `method` and in `fallback`",
        method);
  };
  EXPECT_EQ(solver("{matrices: petsc, method: psor}"), fault("psor"));
  EXPECT_EQ(solver("{matrices: petsc}"), fault("auto"));
  EXPECT_EQ(solver("{matrices: petsc, method: ipm}"), fault("auto"));  // it would fall back to it
  EXPECT_EQ(solver("{matrices: petsc, method: ipm, fallback: [pgj]}"), "(accepted)");
  EXPECT_EQ(solver("{matrices: petsc, method: ipm, on_not_converged: warn}"), "(accepted)");
}

/// A list that is missing or empty must not be looked into before it is refused.
TEST(RunConfig, RefusesKeysOfImpactsThatNothingReads) {
  const auto impact = [](std::string_view keys) {
    return refusal(std::string(kText) + fmt::format("impact: {}\n", keys));
  };
  EXPECT_EQ(impact("{law: energetic, operator: reflections, threshold: 0.1}"), "(accepted)");
  EXPECT_EQ(impact("{law: energetic, order: random, seed: 3}"), "(accepted)");
  EXPECT_NE(impact("{seed: 5}").find("impact: has keys that only the law energetic"),
            std::string::npos);
  EXPECT_NE(impact("{operator: reflections}").find("impact: has keys that only the law energetic"),
            std::string::npos);
  EXPECT_NE(impact("{law: energetic, operator: reflections, order: random}")
                .find("impact: has an order, which the operator reflections does not read"),
            std::string::npos);
  EXPECT_NE(impact("{law: energetc}").find("did you mean \"energetic\"?"), std::string::npos);
}

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

TEST(RunConfig, MissingFileIsRefused) {
  EXPECT_THROW(load_run_config(MPI_COMM_WORLD, kConfigs / "none.yaml"), InputError);
}

}  // namespace
}  // namespace scree
