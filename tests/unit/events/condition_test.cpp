/// Conditions at the end of a step: what holds when, and what cannot be asked.

#include "scree/events/condition.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scree/config/emit.hpp"
#include "scree/config/reader.hpp"
#include "support/refusal.hpp"

namespace scree {
namespace {

struct NamedTool {
  std::string name;
  void declare(Declaration&) {}
};

/// A file with tools, and a condition that may name them.
struct Conditioned {
  std::vector<NamedTool> tools;
  Condition when;
  void declare(Declaration& d) {
    d.named("tools", tools, {.help = "tools"});
    d.object("when", when, {.help = "a condition"});
  }
};

Condition condition(const std::string& text) {
  Conditioned read;
  read_yaml("tools: {lid: {}, wall: {}}\nwhen: " + text, "c.yaml", {}, read);
  return read.when;
}

std::string fault(const std::string& text) {
  return test::refusal_of([&] { condition(text); });
}

Situation at(double time, double kinetic_energy = 0.0, const ToolSituation& lid = {}) {
  Situation now{.time = time, .kinetic_energy = kinetic_energy, .tools = {{.name = "wall"}, lid}};
  now.tools[1].name = "lid";
  return now;
}

TEST(Condition, TimesAreMetAtTheStepThatEndsThere) {
  const Condition after = condition("{time_after: 0.3}");
  EXPECT_FALSE(after.holds(at(299 * 1e-3), 0.0));
  EXPECT_TRUE(after.holds(at(3 * 0.1), 0.0));
  const Condition lasts = condition("{duration: 0.1}");
  EXPECT_TRUE(lasts.holds(at(0.3), 0.2)) << "0.3 - 0.2 is less than 0.1 by rounding alone";
  EXPECT_FALSE(lasts.holds(at(0.299), 0.2));
}

TEST(Condition, HoldsWhereAllThatItNamesDo) {
  const Condition both = condition("{time_after: 1, kinetic_energy_below: 2}");
  EXPECT_TRUE(both.holds(at(1.0, 1.9), 0.0));
  EXPECT_FALSE(both.holds(at(0.9, 1.9), 0.0));
  EXPECT_FALSE(both.holds(at(1.0, 2.0), 0.0));
}

TEST(Condition, LooksAtTheValuesOfATool) {
  const ToolSituation lid{.name = "lid",
                          .force = Vec3(1, 2, 3),
                          .torque = Vec3(4, 5, 6),
                          .position = Vec3(7, 8, 9),
                          .velocity = Vec3(10, 11, 12)};
  const auto holds = [&](const std::string& quantity, double value) {
    const Condition one =
        condition(fmt::format("{{tools: [{{tool: lid, quantity: {}, above: {}, below: {}}}]}}",
                              quantity, value - 0.5, value + 0.5));
    return one.holds(at(0.0, 0.0, lid), 0.0);
  };
  double value = 1.0;
  for (const std::string vector : {"force", "torque", "position", "velocity"}) {
    for (const char axis : {'x', 'y', 'z'}) {
      EXPECT_TRUE(holds(vector + "_" + axis, value)) << vector << axis;
      EXPECT_FALSE(holds(vector + "_" + axis, value + 1.0)) << vector << axis;
      value += 1.0;
    }
  }
}

TEST(Condition, BoundsDoNotHoldThemselves) {
  const Condition low = condition("{tools: [{tool: lid, quantity: position_z, below: 0.5}]}");
  EXPECT_FALSE(low.holds(at(0.0, 0.0, {.name = "lid", .position = Vec3(0, 0, 0.5)}), 0.0));
  EXPECT_TRUE(low.holds(at(0.0, 0.0, {.name = "lid", .position = Vec3(0, 0, 0.4)}), 0.0));
}

TEST(Condition, WithoutAConditionIsRefused) {
  EXPECT_NE(fault("{}").find("c.yaml:2: when.time_after: is 0, and there is no other condition"),
            std::string::npos)
      << fault("{}");
  EXPECT_NE(fault("{kinetic_energy_below: 0}").find("above 0"), std::string::npos);
}

TEST(Condition, ThatCannotComeIsRefused) {
  EXPECT_NE(fault("{tools: [{tool: lit, quantity: force_z, above: 1}]}")
                .find("when.tools.0.tool: \"lit\" is none of the tools; did you mean \"lid\"?"),
            std::string::npos);
  EXPECT_NE(fault("{tools: [{tool: lid, quantity: force_z}]}").find("has no bound"),
            std::string::npos);
  EXPECT_NE(fault("{tools: [{tool: lid, quantity: force_z, above: 1, below: 1}]}")
                .find("nothing lies between"),
            std::string::npos);
  EXPECT_NE(fault("{tools: [{tool: lid, quantity: speed, above: 1}]}").find("is unknown"),
            std::string::npos);
}

TEST(Condition, ReadsBackAsItIsWritten) {
  Conditioned one;
  read_yaml(
      "tools: {lid: {}}\nwhen: {duration: 0.1, tools: [{tool: lid, quantity: force_z, above: 1}]}",
      "c.yaml", {}, one);
  Conditioned again;
  read_yaml(emit_yaml(one), "again.yaml", {}, again);
  EXPECT_EQ(emit_yaml(again), emit_yaml(one));
  EXPECT_EQ(again.when.in_words(), "after 0.1 s, force_z of lid above 1 N");
}

}  // namespace
}  // namespace scree
