/// Keys of a file with the value that each is to take at some time.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "scree/config/emit.hpp"
#include "scree/config/key_values.hpp"
#include "scree/config/reader.hpp"
#include "scree/config/reference.hpp"
#include "scree/config/schema.hpp"
#include "support/refusal.hpp"

namespace scree {
namespace {

struct WithSettings {
  std::vector<Setting> set;
  void declare(Declaration& d) { d.settings("set", set, {.help = "what changes"}); }
};

WithSettings with_settings(std::string_view text, const Overrides& overrides = {}) {
  WithSettings read;
  read_yaml(text, "/dir/s.yaml", overrides, read);
  return read;
}

TEST(Settings, KeepValuesOfAnyKindAndWhereTheyStand) {
  const auto set = with_settings("set:\n  a.b: 1.5\n  c[x,y].d: [0, {k: v}]\n").set;
  ASSERT_EQ(set.size(), 2U);
  EXPECT_EQ(set[0].key, "a.b");
  EXPECT_EQ(set[0].value, "1.5");
  EXPECT_EQ(set[0].place, "/dir/s.yaml:2");
  EXPECT_EQ(set[0].folder, "/dir");
  EXPECT_EQ(set[1].key, "c[x,y].d");
  EXPECT_EQ(set[1].value, R"([0, {"k": v}])");
}

TEST(Settings, GivenFromOutsideNameThat) {
  const auto set = with_settings("{}", {"set={a: 1}"}).set;
  ASSERT_EQ(set.size(), 1U);
  EXPECT_EQ(set[0].place, "--set set={a: 1}");
  EXPECT_EQ(set[0].folder, std::filesystem::current_path());
}

TEST(Settings, ReadBackAsTheyAreWritten) {
  const WithSettings one = with_settings("set: {'a[b,c].d': [1, 'two: 3'], e: null}");
  EXPECT_EQ(with_settings(emit_yaml(one)).set, one.set);
  EXPECT_EQ(emit_yaml(with_settings("{}")), "set: {}  # what changes\n");
}

TEST(Settings, OthersThanAMapAreRefused) {
  const auto refusal = test::refusal_of([] { with_settings("set: [1]"); });
  EXPECT_NE(refusal.find("s.yaml:1: set: is a list; allowed: a map from keys to values"),
            std::string::npos)
      << refusal;
}

TEST(Settings, StandInSchemaAndReference) {
  EXPECT_EQ(json_schema<WithSettings>("t")["properties"]["set"]["type"], "object");
  EXPECT_NE(key_reference<WithSettings>().find("| `set` | map from keys to values |"),
            std::string::npos);
}

TEST(ValueInLine, FollowsKeysNumbersAndNames) {
  constexpr std::string_view kYaml = R"(
time: {dt: 1.0e-3}
friction:
  - between: [a, b]
    mu: 0.4
  - between: [b, b]
    mu: 0.2
tools:
  lid:
    motion:
      type: load
      force: ["0", "t > 1 ? 2 : 3", "0"]
)";
  EXPECT_EQ(value_in_line(kYaml, "time.dt"), "1.0e-3");
  EXPECT_EQ(value_in_line(kYaml, "friction[b,a].mu"), "0.4");
  EXPECT_EQ(value_in_line(kYaml, "friction.1.mu"), "0.2");
  EXPECT_EQ(value_in_line(kYaml, "tools.lid.motion"),
            R"({"type": load, "force": ["0", "t > 1 ? 2 : 3", "0"]})");
}

TEST(ValueInLine, OfWhatIsNotThereIsRefused) {
  EXPECT_THROW(value_in_line("a: {b: 1}", "a.c"), InputError);
  EXPECT_THROW(value_in_line("a: {b: 1}", "a.b.c"), InputError);
  EXPECT_THROW(value_in_line("a: [1]", "a.1"), InputError);
  EXPECT_EQ(value_in_line("a: {b: null}", "a.b"), "null");
}

}  // namespace
}  // namespace scree
