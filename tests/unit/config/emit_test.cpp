#include "scree/config/emit.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <random>

#include "sample.hpp"
#include "scree/config/reader.hpp"

namespace scree {
namespace {

Sample read_emitted(std::string_view text) {
  Sample s;
  read_yaml(text, "/tmp/c.yaml", {}, s);
  return s;
}

TEST(Emit, ShowsEveryKeyWithHelpRangeAndUnit) {
  const std::string text = emit_yaml(read_emitted(kSampleText));
  EXPECT_EQ(text, R"(name: pile  # name of the run
loud: true  # says more
time:  # time stepping
  dt: 0.001  # time step, above 0, in s
  steps: 5000  # steps, at least 1 and at most 1000000000
gravity: [0, 0, -9.81]  # acceleration, at least -100 and at most 100, in m/s^2
radii: [0.1]  # radii, above 0, in m
counts: [4, 5]  # counts, at least 0
points:  # centres, in m
  - [1, 2, 3]
  - [4, 5, 6]
fix: [x, z]  # held: any of x, y, z
file: ""  # table of grains
folder: "/tmp/out"  # where output goes
limits:  # box
  low: [-1, -1, -1]  # lower corner, in m
materials:  # materials
  gravel:
    density: 2600  # mass per volume, above 0, in kg/m^3
  steel:
    density: 7850  # mass per volume, above 0, in kg/m^3
friction:  # pairs
  - between: [gravel, gravel]  # pair
    mu: 0.4  # friction, at least 0
  - between: [gravel, steel]  # pair
    mu: 0.2  # friction, at least 0
tools:  # tools
  floor:
    material: gravel  # material
    motion:  # how it moves
      type: fixed  # does not move: fixed | velocity
  blade:
    material: steel  # material
    motion:  # how it moves
      type: velocity  # moves at a given velocity: fixed | velocity
      velocity: [0.2, 0, 0]  # of the centre, in m/s
      start: jump  # how it starts: ramp | jump
notes: ["1e-3", "a, b"]  # remarks
)");
}

TEST(Emit, EmptyPartsReadBackEmpty) {
  Sample s = read_emitted("time: {dt: 1}\nmaterials: {}\nradii: []\n");
  const Sample back = read_emitted(emit_yaml(s));
  EXPECT_TRUE(back.radii.empty());
  EXPECT_TRUE(back.points.empty());
  EXPECT_TRUE(back.tools.empty());
  EXPECT_FALSE(back.limits.has_value());
}

// YAML 1.1 wants a point before an exponent, and takes yes, off and their like for truth values.
TEST(Emit, EveryReaderTakesNumbersAndTextsAsSuch) {
  Sample s = read_emitted(kSampleText);
  s.radii = {1e-8, 2.5e-8, 1e20, 3.0, 0.001};
  EXPECT_NE(emit_yaml(s).find("radii: [1.0e-08, 2.5e-08, 1.0e+20, 3, 0.001]"), std::string::npos);
  s.points = {Vec3(1e-8, 0, 0)};
  EXPECT_NE(emit_yaml(s).find("- [1.0e-08, 0, 0]"), std::string::npos);
  for (const std::string name : {"yes", "No", "ON", "off", "True", "null"}) {
    s.name = name;
    EXPECT_NE(emit_yaml(s).find("name: \"" + name + "\""), std::string::npos);
  }
}

/// Numbers of every magnitude come back with the same bits.
TEST(Emit, RoundTripIsExact) {
  std::mt19937_64 random(1);
  Sample s = read_emitted(kSampleText);
  s.radii = {0.1, 1.0 / 3.0, 5e-324, std::numeric_limits<double>::max()};
  s.points.clear();
  while (s.points.size() < 2000) {
    Vec3 v;
    for (double& x : v) x = std::bit_cast<double>(random());
    if (v.allFinite()) s.points.push_back(v);
  }
  s.points.emplace_back(-0.0, 0.0, 1e-5);
  s.counts = {0, std::numeric_limits<std::int64_t>::max()};
  const Sample back = read_emitted(emit_yaml(s));
  EXPECT_EQ(back.radii, s.radii);
  EXPECT_EQ(back.counts, s.counts);
  ASSERT_EQ(back.points.size(), s.points.size());
  for (std::size_t i = 0; i < s.points.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(back.points[i][k]),
                std::bit_cast<std::uint64_t>(s.points[i][k]));
    }
  }
  EXPECT_EQ(emit_yaml(back), emit_yaml(s));
}

TEST(Emit, RoundTripOfAwkwardTexts) {
  Sample s = read_emitted(kSampleText);
  for (const std::string name : {"", " ", "null", "~", "true", "5", "a: b", "# no comment", "\"q\"",
                                 "back\\slash", "two\nlines", "tab\t", "- x", "{a}", "é", "x'y"}) {
    s.name = name;
    EXPECT_EQ(read_emitted(emit_yaml(s)).name, name);
  }
}

struct NumberOrWord {
  std::optional<double> length = 1.5;
  void declare(Declaration& d) {
    d.real_or("auto", "length", length, {.help = "length", .unit = "m", .above = 0.0});
  }
};

TEST(Emit, OfANumberOrAWordIsReadBack) {
  const auto read = [](std::string_view text) {
    NumberOrWord value;
    read_yaml(text, "c.yaml", {}, value);
    return value;
  };
  EXPECT_EQ(emit_yaml(NumberOrWord{}), "length: 1.5  # length, above 0, in m\n");
  EXPECT_EQ(read("length: 2").length, 2.0);
  EXPECT_EQ(read("{}").length, 1.5);
  EXPECT_EQ(read(emit_yaml(read("length: auto"))).length, std::nullopt);
}

struct Endless {
  double stop = std::numeric_limits<double>::infinity();
  void declare(Declaration& d) { d.real("stop", stop, {.help = "end", .unit = "s"}); }
};
struct HasEndless {
  std::vector<Endless> parts{2};
  Endless one;
  void declare(Declaration& d) {
    d.object("one", one, {.help = "one"});
    d.list("parts", parts, {.help = "parts"});
  }
};

TEST(Emit, InfiniteDefaultsAreLeftOut) {
  const HasEndless value;
  EXPECT_EQ(emit_yaml(Endless{}), "# stop: inf  # end, in s\n");
  EXPECT_EQ(emit_yaml(value), "one: {}  # one\nparts:  # parts\n  - {}\n  - {}\n");
  HasEndless back;
  back.parts.clear();
  read_yaml(emit_yaml(value), "c.yaml", {}, back);
  EXPECT_EQ(back.parts.size(), 2U);
}

}  // namespace
}  // namespace scree
