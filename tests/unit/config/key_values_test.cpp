/// Values that keys of another file are to take: as lists, and as grids of numbers.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "scree/config/emit.hpp"
#include "scree/config/key_values.hpp"
#include "scree/config/reader.hpp"
#include "scree/config/reference.hpp"
#include "scree/config/schema.hpp"

namespace scree {
namespace {

using Texts = std::vector<std::string>;

struct Varied {
  std::vector<KeyValues> parameters;
  void declare(Declaration& d) {
    d.values_of_keys("parameters", parameters, {.help = "what varies"});
  }
};

Varied read(std::string_view text) {
  Varied varied;
  read_yaml(text, "s.yaml", {}, varied);
  return varied;
}

/// The values of the one key that @p text gives.
Texts values(const std::string& text) {
  return read("parameters: {key: " + text + "}").parameters.at(0).values;
}

std::string refusal(const std::string& text) {
  try {
    values(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "(accepted)";
}

TEST(KeyValues, ListsKeepWhatTheyHold) {
  EXPECT_EQ(values("[1.0e-3, 2, psor, true, 'text with: signs', '1', null]"),
            (Texts{"1.0e-3", "2", "psor", "true", R"("text with: signs")", R"("1")", "null"}));
  EXPECT_EQ(values("[[0, 0, -9.81], {type: ball}]"), (Texts{"[0, 0, -9.81]", R"({"type": ball})"}));
}

TEST(KeyValues, GridsMeetTheirEnds) {
  EXPECT_EQ(values("{linear: [0.1, 0.9, 5]}"), (Texts{"0.1", "0.3", "0.5", "0.7", "0.9"}));
  EXPECT_EQ(values("{linear: [3, 3, 1]}"), (Texts{"3"}));
  EXPECT_EQ(values("{log: [1e-3, 10, 5]}"), (Texts{"0.001", "0.01", "0.1", "1", "10"}));
  EXPECT_EQ(values("{log: [8, 1, 4]}"), (Texts{"8", "4", "2", "1"}));
  EXPECT_EQ(values("{range: [0, 0.3, 0.1]}"), (Texts{"0", "0.1", "0.2", "0.3"}));
  EXPECT_EQ(values("{range: [0, 10, 4]}"), (Texts{"0", "4", "8"}));
  EXPECT_EQ(values("{range: [1, -1, -1]}"), (Texts{"1", "0", "-1"}));
}

TEST(KeyValues, KeysKeepTheirLinesAndBrackets) {
  const auto parameters =
      read("parameters:\n  time.dt: [1]\n  friction[gravel,steel].mu: [2]\n").parameters;
  ASSERT_EQ(parameters.size(), 2U);
  EXPECT_EQ(parameters[0].line, 2);
  EXPECT_EQ(parameters[1].key, "friction[gravel,steel].mu");
  EXPECT_EQ(parameters[1].line, 3);
}

TEST(KeyValues, WhatIsNoListOfValuesIsRefused) {
  const std::string allowed =
      "; allowed: a list of values, {linear: [first, last, count]}, {log: [first, last, count]} or "
      "{range: [first, last, step]}";
  EXPECT_EQ(refusal("3"), "s.yaml:1: parameters.key: \"3\" is a single value" + allowed);
  EXPECT_EQ(refusal("[]"), "s.yaml:1: parameters.key: is an empty list" + allowed);
  EXPECT_EQ(refusal("{liner: [1, 2, 3]}"),
            "s.yaml:1: parameters.key: \"liner\" is no grid; did you mean \"linear\"? allowed: "
            "linear, log, range" +
                allowed);
  for (const char* wrong :
       {"{linear: [1, 2]}", "{linear: [1, 2, 1.5]}", "{linear: [1, 2, 0]}", "{linear: [1, 2, 1e9]}",
        "{linear: [1, x, 3]}", "{log: [0, 1, 3]}", "{log: [-1, 1, 3]}", "{range: [0, 1, 0]}",
        "{range: [0, 1, -1]}", "{range: [0, 1, 1e-9]}", "{log: [1, 2, 3], linear: [1, 2, 3]}"}) {
    EXPECT_TRUE(refusal(wrong).starts_with("s.yaml:1: parameters.key: "))
        << wrong << ": " << refusal(wrong);
  }
}

TEST(KeyValues, EmittedTextReadsBackAsTheSame) {
  const Varied varied = read(
      "parameters: {time.dt: {log: [1e-4, 1e-2, 3]}, 'friction[a,b].mu': [0.1], name: ['a "
      "\"b\"\\n', [1, 'x']]}");
  EXPECT_EQ(read(emit_yaml(varied)).parameters, varied.parameters) << emit_yaml(varied);
}

TEST(KeyValues, AreInSchemaAndReference) {
  const nlohmann::ordered_json schema = json_schema<Varied>("title");
  const auto& values_of_key = schema["properties"]["parameters"]["additionalProperties"]["anyOf"];
  ASSERT_EQ(values_of_key.size(), 4U);
  EXPECT_EQ(values_of_key[1]["required"][0], "linear");
  EXPECT_NE(key_reference<Varied>().find("| `parameters` | map from keys to values |"),
            std::string::npos);
}

}  // namespace
}  // namespace scree
