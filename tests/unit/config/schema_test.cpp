#include "scree/config/schema.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sample.hpp"
#include "scree/config/reference.hpp"

namespace scree {
namespace {

TEST(Schema, SaysTypesBoundsDefaultsAndUnits) {
  const auto schema = json_schema<Sample>("sample");
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(schema["additionalProperties"], false);
  EXPECT_EQ(schema["required"], (std::vector<std::string>{"time", "materials"}));
  const auto& keys = schema["properties"];
  EXPECT_EQ(keys["time"]["properties"]["dt"].dump(),
            R"({"type":"number","exclusiveMinimum":0.0,"description":"time step [s]"})");
  EXPECT_EQ(keys["time"]["properties"]["steps"].dump(),
            R"({"type":"integer","minimum":1.0,"maximum":1000000000.0,"default":10,)"
            R"("description":"steps"})");
  EXPECT_EQ(keys["time"]["additionalProperties"], false);
  EXPECT_EQ(keys["fix"]["items"]["enum"], (std::vector<std::string>{"x", "y", "z"}));
  EXPECT_EQ(keys["gravity"]["default"], (std::vector<double>{0, 0, -9.81}));
  EXPECT_EQ(keys["gravity"]["minItems"], 3);
  EXPECT_EQ(keys["friction"]["items"]["required"], (std::vector<std::string>{"between", "mu"}));
  EXPECT_EQ(keys["limits"]["anyOf"][1]["type"], "null");
  const auto& motion = keys["tools"]["additionalProperties"]["properties"]["motion"]["oneOf"];
  ASSERT_EQ(motion.size(), 2U);
  EXPECT_EQ(motion[1]["properties"]["type"]["const"], "velocity");
  EXPECT_EQ(motion[1]["required"], (std::vector<std::string>{"type", "velocity"}));
  EXPECT_EQ(motion[0]["properties"].size(), 1U);
}

struct InlineObject {
  double mass = 1.0;
  std::variant<SampleFixed, SampleMoving> motion;
  void declare(Declaration& d) {
    d.one_of("", motion, {.help = "motion"});
    d.real("mass", mass, {.help = "mass", .unit = "kg"});
  }
};

TEST(Schema, AChoiceWithoutAKeySharesTheOtherKeys) {
  const auto schema = json_schema<InlineObject>("inline");
  ASSERT_EQ(schema["oneOf"].size(), 2U);
  for (const auto& one : schema["oneOf"]) EXPECT_TRUE(one["properties"].contains("mass"));
  EXPECT_FALSE(schema["oneOf"][0].contains("required"));  // the default type need not be named
  EXPECT_EQ(schema["oneOf"][1]["required"], (std::vector<std::string>{"type", "velocity"}));
}

struct PairOrAll {
  std::string way = "rests";
  std::vector<std::string> between;
  double mu = 0.0;
  void declare(Declaration& d) {
    static constexpr std::array<std::string_view, 2> kWays = {"rests", "passes"};
    d.word("way", way, kWays, {.help = "way"});
    d.names_of("materials", "between", between,
               {.help = "pair", .required = true, .count = 2, .instead = "all"});
    d.real("mu", mu, {.help = "friction", .required = true, .unless = {"way", "passes"}});
  }
};

TEST(Schema, TakesAWordForAListAndExcusesAKey) {
  const auto schema = json_schema<PairOrAll>("pair");
  EXPECT_EQ(schema["required"], (std::vector<std::string>{"between"}));
  EXPECT_EQ(schema["allOf"].dump(),
            R"([{"anyOf":[{"properties":{"way":{"const":"passes"}},"required":["way"]},)"
            R"({"required":["mu"]}]}])");
  EXPECT_EQ(schema["properties"]["between"]["anyOf"][0].dump(), R"({"const":"all"})");
  EXPECT_EQ(schema["properties"]["between"]["anyOf"][1]["minItems"], 2);
  const std::string table = key_reference<PairOrAll>();
  EXPECT_NE(table.find("| `between` | list of names from `materials`, or `all` |  | required |"),
            std::string::npos);
  EXPECT_NE(table.find("| `mu` | number |  | required, unless `way: passes` |"), std::string::npos);
}

TEST(Reference, HasARowForEachKey) {
  const std::string table = key_reference<Sample>();
  const auto has = [&](std::string_view row) { return table.find(row) != std::string::npos; };
  EXPECT_TRUE(has("| `time.dt` | number | s | required | above 0 | time step |\n"));
  EXPECT_TRUE(
      has("| `gravity` | 3 numbers | m/s^2 | `[0, 0, -9.81]` | at least -100 and at most "
          "100 | acceleration |\n"));
  EXPECT_TRUE(has("| `materials.NAME.density` | number | kg/m^3 | required | above 0 |"));
  EXPECT_TRUE(has("| `notes` | 2 texts |  | `[x, 2*y]` |  | remarks |\n"));
  EXPECT_TRUE(has("| `friction.N.mu` | number |"));
  EXPECT_TRUE(
      has("| `tools.NAME.motion.type` | `fixed` or `velocity` |  | `fixed` |  | how it "
          "moves. `fixed`: does not move; `velocity`: moves at a given velocity |\n"));
  EXPECT_TRUE(has("| `tools.NAME.motion.velocity` (type `velocity`) | 3 numbers | m/s | required"));
}

}  // namespace
}  // namespace scree
