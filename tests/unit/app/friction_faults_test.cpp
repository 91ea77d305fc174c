#include "scree/app/config/run_config.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scree/config/emit.hpp"
#include "small_run.hpp"

namespace scree {
namespace {

using test::kText;
using test::refusal;
using test::with;

TEST(RunConfig, RefusesMaterialsThatMeetWithoutFriction) {
  EXPECT_EQ(refusal(with("  - {between: [steel, gravel], mu: 0.2}\n", "")),
            "r.yaml:7: friction: no entry for \"gravel\" with \"steel\"; allowed: an entry for "
            "each two materials that can meet, as in {between: [a, b], mu: 0.5}, or one for all "
            "without their own, {between: default, mu: 0.5}");
  // Steel meets steel nowhere: tools do not touch each other.
  EXPECT_EQ(refusal(kText), "(accepted)");
}

TEST(RunConfig, ADefaultIsTheLawOfPairsWithoutTheirOwn) {
  const std::string text = with("  - {between: [steel, gravel], mu: 0.2}\n",
                                "  - {between: default, mu: 0.3, restitution: 0.5}\n");
  const RunConfig config = read_run_config(text, "r.yaml", {"friction[default].mu=0.7"});
  ASSERT_EQ(config.friction.size(), 2u);
  EXPECT_TRUE(config.friction[1].is_default());
  EXPECT_EQ(config.friction[1].mu, 0.7);
  const std::string written = emit_yaml(config);
  EXPECT_NE(written.find("  - between: default"), std::string::npos) << written;
  EXPECT_EQ(emit_yaml(read_run_config(written, "r.yaml")), written);
  const auto twice =
      with("[steel, gravel], mu: 0.2}", "default, mu: 0.2}\n  - {between: default, mu: 0.2}");
  EXPECT_EQ(refusal(twice), "r.yaml:7: friction: default stands twice; allowed: one default");
  EXPECT_EQ(refusal(with("[steel, gravel]", "all")),
            "r.yaml:9: friction.1.between: \"all\" is a single value; allowed: `default`, or a "
            "list of names of materials, 2 entries");
  // what it is the law of is judged with it, and a default that is no pair's law is not
  const std::string of_box = "solver={friction: box, method: nsgs}";
  EXPECT_EQ(
      refusal(with("[steel, gravel], mu: 0.2}", "default, mu: 0.2, rolling: 1e-3}"), {of_box}),
      "r.yaml:7: friction: [default] has rolling friction, and the law box has none; "
      "allowed: rolling and spinning 0, or `friction: coulomb`, `associated` or `pyramid` under "
      "`solver`");
  EXPECT_EQ(refusal(with("mu: 0.2}", "mu: 0.2}\n  - {between: default, mu: 0.2, rolling: 1e-3}"),
                    {of_box}),
            "(accepted)");
}

TEST(RunConfig, MaterialsNeedNoFrictionWhereTheyDoNotMeet) {
  EXPECT_EQ(refusal(with("[steel, gravel], mu: 0.2}", "[steel, gravel], contact: none}")),
            "(accepted)");
  const std::string written = emit_yaml(read_run_config(
      with("[steel, gravel], mu: 0.2}", "[steel, gravel], contact: none}"), "r.yaml"));
  EXPECT_EQ(emit_yaml(read_run_config(written, "r.yaml")), written);
  EXPECT_EQ(refusal(with("mu: 0.2}", "mu: 0.2, contact: none}")),
            "r.yaml:9: friction.1.contact: is none, and numbers of a contact are given; leave out "
            "all keys but between and contact, or let the two meet: `contact: unilateral`");
  EXPECT_EQ(refusal(with("mu: 0.2}", "contact: unilateral}")),
            "r.yaml:9: friction.1.mu: is missing; allowed: a number at least 0 and at most "
            "1000000");
  EXPECT_EQ(refusal(kText, {"friction[steel,gravel]={between: [steel, gravel], contact: none}"}),
            "(accepted)");
  EXPECT_TRUE(refusal(with("mu: 0.2}", "contact: never}"))
                  .starts_with("r.yaml:9: friction.1.contact: \"never\" is unknown; allowed: "
                               "unilateral, none"));
}

// Tools do not meet tools, and a material may be nobody's.
TEST(RunConfig, AsksForNoFrictionOfWhatCannotMeet) {
  EXPECT_EQ(refusal(with("  steel: {density: 7850}\n",
                         "  steel: {density: 7850}\n  brass: {density: 8500}\n")),
            "(accepted)");
  const std::string brass =
      with("  steel: {density: 7850}\n", "  steel: {density: 7850}\n  brass: {density: 8500}\n");
  EXPECT_EQ(refusal(brass, {"tools.ball.material=brass",
                            "friction.1={between: [steel, gravel], contact: none}"}),
            "r.yaml:8: friction: no entry for \"brass\" with \"gravel\"; allowed: an entry for "
            "each two materials that can meet, as in {between: [a, b], mu: 0.5}, or one for all "
            "without their own, {between: default, mu: 0.5}");
}

TEST(RunConfig, RefusesGrainsThatBallsDoNotFill) {
  const auto of_shape = [](std::string_view shape) {
    return refusal(
        with("radii: {type: list, values: [0.01, 0.02]}", fmt::format("shape: {}", shape)),
        {"contact.constraints=multisphere", "contact.balls=4"});
  };
  EXPECT_EQ(of_shape("{type: ring, major_radius: 0.01, minor_radius: 0.001}"), "(accepted)");
  EXPECT_NE(of_shape("{type: capsule, length: 0.01, radius: 0.01}")
                .find("constraints: multisphere: \"bed\" has a cluster of 4 balls for a capsule; "
                      "allowed: odd numbers"),
            std::string::npos);
  EXPECT_NE(of_shape("{type: box, size: [0.01, 0.01, 0.01]}").find("for a box"), std::string::npos);
}

TEST(RunConfig, RefusesAPairNamedTwice) {
  EXPECT_EQ(refusal(with("[steel, gravel], mu: 0.2}",
                         "[steel, gravel], mu: 0.2}\n  - {between: [gravel, steel], mu: 0.3}")),
            "r.yaml:7: friction: \"gravel\" with \"steel\" stands twice; allowed: one entry for "
            "two materials");
}

TEST(RunConfig, RefusesLawsOfPairsThatCannotBe) {
  const auto steel_gravel = [](std::string_view keys) {
    return refusal(with("mu: 0.2}", "mu: 0.2, " + std::string(keys) + "}"));
  };
  EXPECT_EQ(steel_gravel("cohesion: 2"),
            "r.yaml:9: friction.1.cohesion: needs the gap at which it ends; give a "
            "rupture_distance above 0 m");
  EXPECT_EQ(
      steel_gravel("rupture_distance: 1e-3"),
      "r.yaml:9: friction.1.rupture_distance: is that of a cohesion, and there is none; give a "
      "cohesion above 0 N, or leave it out");
  EXPECT_EQ(steel_gravel("damping: 0.1"),
            "r.yaml:7: friction: [steel, gravel] has a damping, but is rigid; give a stiffness, or "
            "a young_modulus to one of the two");
  EXPECT_EQ(steel_gravel("damping: 0.1, stiffness: 1e4"), "(accepted)");
  EXPECT_EQ(steel_gravel("damping: 0.1, stiffness: 1e4, restitution: 0.5"),
            "r.yaml:7: friction: [steel, gravel] has a damping and a restitution, which sets the "
            "damping of a compliant pair; leave out one of the two");
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

/// The faults of gravel on steel with those @p keys, where no contact problems are written.
std::string refusal_of_steel_on_gravel(std::string_view keys, Overrides overrides) {
  overrides.emplace_back("debug.fclib.every=0");
  return refusal(with("mu: 0.2}", fmt::format("mu: 0.2, {}}}", keys)), overrides);
}

TEST(RunConfig, RefusesRollingAndSpinningUnderTheLawOfTheBox) {
  const auto box = [](std::string_view keys) {
    return refusal_of_steel_on_gravel(keys, {"solver.friction=box"});
  };
  for (const char* kind : {"rolling", "spinning"}) {
    EXPECT_EQ(box(fmt::format("{}: 1e-3", kind)),
              fmt::format("r.yaml:7: friction: [steel, gravel] has {} friction, and the law box "
                          "has none; allowed: rolling and spinning "
                          "0, or `friction: coulomb`, `associated` or `pyramid` under `solver`",
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

// lemke, minmap and fischer know contacts without friction: refused before anything is written.
TEST(RunConfig, RefusesMethodsThatDoNotTakeFriction) {
  std::string frictionless = with("mu: 0.4}", "mu: 0}");
  frictionless.replace(frictionless.find("mu: 0.2}"), 8, "mu: 0}");
  for (const char* method : {"lemke", "minmap", "fischer"}) {
    const Overrides overrides{fmt::format("solver.method={}", method)};
    const std::string fault = refusal(kText, overrides);
    EXPECT_NE(
        fault.find(fmt::format("solver: [gravel, gravel] has friction; {} solves problems with "
                               "half lines only",
                               method)),
        std::string::npos)
        << fault;
    EXPECT_EQ(refusal(frictionless, overrides), "(accepted)");
  }
}

// friction in linear form is an LCP: what is none is refused
TEST(RunConfig, TakesMethodsForLcpsWhereFrictionIsThatOfAPyramid) {
  const auto by = [](std::string_view method, std::string_view directions = "6") {
    return refusal(kText, {"solver.friction=pyramid", fmt::format("solver.method={}", method),
                           fmt::format("solver.directions={}", directions)});
  };
  for (const char* method : {"auto", "nsgs", "pac", "lemke", "minmap", "fischer"}) {
    EXPECT_EQ(by(method), "(accepted)") << method;
  }
  EXPECT_NE(by("ipm").find("ipm solves problems with half lines, planar friction cones, friction "
                           "cones only, and this one has faceted friction cones; auto"),
            std::string::npos)
      << by("ipm");
  EXPECT_NE(by("baraff").find("half lines only"), std::string::npos) << by("baraff");
  EXPECT_NE(by("lemke", "5").find("solver.directions: is odd"), std::string::npos)
      << by("lemke", "5");
  EXPECT_NE(by("lemke", "2").find("solver.directions: 2 is out of range"), std::string::npos);
}

// what a method falls back to must do as well as the method itself
TEST(RunConfig, RefusesMethodsToFallBackToThatDoNotTakeItsContacts) {
  const auto to = [](std::string_view fallback) {
    return refusal(kText, {"solver.method=ipm", fmt::format("solver.fallback={}", fallback)});
  };
  EXPECT_EQ(to("[pgj]"), "(accepted)");
  EXPECT_EQ(to("[]"), "(accepted)");
  EXPECT_EQ(to("[kleinert, auto]"), "(accepted)");
  EXPECT_NE(to("[pac]").find("solver.fallback: pac solves exact friction only"), std::string::npos)
      << to("[pac]");
  EXPECT_NE(to("[lemke]").find("[gravel, gravel] has friction; lemke"), std::string::npos)
      << to("[lemke]");
  EXPECT_NE(to("[pjg]").find("\"pjg\" is unknown; did you mean \"pgj\""), std::string::npos)
      << to("[pjg]");
}

TEST(RunConfig, RefusesFrictionBeyondAllMeasure) {
  EXPECT_EQ(refusal(with("mu: 0.2}", "mu: 1e6}")), "(accepted)");
  EXPECT_NE(refusal(with("mu: 0.2}", "mu: 1e17}")).find("friction.1.mu: 1e17 is out of range"),
            std::string::npos);
  EXPECT_NE(
      refusal(with("mu: 0.2}", "mu: 0.2, rolling: 1e4}")).find("rolling: 1e4 is out of range"),
      std::string::npos);
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
    return refusal(fmt::format("{}contact: {{{}}}\n", kText, keys));
  };
  EXPECT_EQ(contact("law: herz").substr(0, 67),
            "r.yaml:34: contact.law: \"herz\" is unknown; did you mean \"hertz\"? al");
  EXPECT_EQ(
      contact("reference_force: 0").find("r.yaml:34: contact.reference_force: 0 is out of range"),
      0U);
}

TEST(RunConfig, RefusesDampingWithoutInertia) {
  const std::string text = with("mu: 0.2}", "mu: 0.2, stiffness: 1e4, damping: 0.1}");
  EXPECT_EQ(refusal("dynamics: overdamped\nfluid: {viscosity: 1}\n" + text),
            "r.yaml:9: friction: [steel, gravel] has a damping, which is relative to masses, and "
            "overdamped grains have none; allowed: damping 0, or `dynamics: inertial`");
}

}  // namespace
}  // namespace scree
