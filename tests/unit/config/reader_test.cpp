#include "scree/config/reader.hpp"

#include <gtest/gtest.h>

#include <ctime>
#include <filesystem>
#include <fstream>

#include "sample.hpp"
#include "support/folders.hpp"
#include "support/refusal.hpp"

namespace scree {
namespace {

const std::filesystem::path kThisFile = test::source_dir() / "tests/unit/config/reader_test.cpp";

/// The refusal of @p text.
std::string refusal_of_text(std::string_view text, const Overrides& overrides = {}) {
  Sample s;
  return test::refusal_of([&] { read_yaml(text, "c.yaml", overrides, s); });
}

/// The valid text with @p line (from 1) replaced.
std::string with_line(int line, std::string_view replacement) {
  std::string result;
  std::string_view rest = kSampleText;
  for (int i = 1; !rest.empty(); ++i) {
    const std::size_t end = rest.find('\n');
    result += i == line ? replacement : rest.substr(0, end);
    result += '\n';
    rest.remove_prefix(end + 1);
  }
  return result;
}

Sample read_sample(std::string_view text, const Overrides& overrides = {}) {
  Sample s;
  read_yaml(text, "c.yaml", overrides, s);
  return s;
}

TEST(Reader, FillsEveryType) {
  const Sample s = read_sample(kSampleText);
  EXPECT_EQ(s.name, "pile");
  EXPECT_TRUE(s.loud);
  EXPECT_EQ(s.time.dt, 1e-3);
  EXPECT_EQ(s.time.steps, 5000);
  EXPECT_EQ(s.gravity, Vec3(0, 0, -9.81));
  EXPECT_EQ(s.radii, std::vector<double>{0.1});
  EXPECT_EQ(s.counts, (std::vector<std::int64_t>{4, 5}));
  ASSERT_EQ(s.points.size(), 2U);
  EXPECT_EQ(s.points[1], Vec3(4, 5, 6));
  EXPECT_EQ(s.fix, (std::vector<std::string>{"x", "z"}));
  EXPECT_EQ(s.folder, std::filesystem::current_path() / "out");
  ASSERT_TRUE(s.limits.has_value());
  EXPECT_EQ(s.limits->low, Vec3(-1, -1, -1));
  ASSERT_EQ(s.materials.size(), 2U);
  EXPECT_EQ(s.materials[1].name, "steel");
  EXPECT_EQ(s.materials[1].density, 7850.0);
  ASSERT_EQ(s.friction.size(), 2U);
  EXPECT_EQ(s.friction[1].between, (std::vector<std::string>{"gravel", "steel"}));
  ASSERT_EQ(s.tools.size(), 2U);
  EXPECT_TRUE(std::holds_alternative<SampleFixed>(s.tools[0].motion));
  const auto& motion = std::get<SampleMoving>(s.tools[1].motion);
  EXPECT_EQ(motion.velocity, Vec3(0.2, 0, 0));
  EXPECT_EQ(motion.word, "jump");
  EXPECT_EQ(s.notes, (std::vector<std::string>{"1e-3", "a, b"}));
}

TEST(Reader, TakesLineEndsOfWindowsAndAByteOrderMark) {
  std::string text = "\xef\xbb\xbf";
  for (const char c : kSampleText) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(read_sample(text).name, "pile");
  EXPECT_EQ(refusal_of_text("time: {dt: 1}\r\nmaterials: 5\r\n"),
            "c.yaml:2: materials: \"5\" is a single value; allowed: a map from names");
}

TEST(Reader, NumbersInManyNotations) {
  for (const auto& [word, value] : std::vector<std::pair<std::string, double>>{
           {"5", 5.0}, {"1.0", 1.0}, {"1e-3", 1e-3}, {"1E+0", 1.0}, {".5", 0.5}, {"+2.", 2.0}}) {
    EXPECT_EQ(read_sample(with_line(3, "time: {dt: " + word + "}")).time.dt, value) << word;
  }
  for (const std::string word : {"0x10", "1_000", "1d3", "5 m", "1e", "--1", "++1"}) {
    EXPECT_EQ(
        refusal_of_text(with_line(3, "time: {dt: " + word + "}")),
        "c.yaml:3: time.dt: \"" + word + "\" is not a number; allowed: a number above 0, in s");
  }
}

TEST(Reader, KeepsDefaultsOfKeysThatAreNotGiven) {
  const Sample s = read_sample("time: {dt: 1}\nmaterials:\n");
  EXPECT_EQ(s.name, "unnamed");
  EXPECT_EQ(s.radii, (std::vector<double>{0.5, 0.25}));
  EXPECT_FALSE(s.limits.has_value());
}

TEST(Reader, UnknownKey) {
  EXPECT_EQ(refusal_of_text(with_line(3, "time: {dt: 1, stesp: 5}")),
            "c.yaml:3: time.stesp: unknown key; did you mean \"steps\"? allowed: dt, steps");
  EXPECT_EQ(refusal_of_text(with_line(3, "time: {dt: 1, banana: 5}")),
            "c.yaml:3: time.banana: unknown key; allowed: dt, steps");
}

TEST(Reader, DuplicatedKey) {
  EXPECT_EQ(refusal_of_text(with_line(2, "name: other")),
            "c.yaml:2: name: stands twice, first in line 1; allowed: once");
  EXPECT_EQ(refusal_of_text(with_line(14, "  gravel: {density: 1}")),
            "c.yaml:14: materials.gravel: stands twice, first in line 13; allowed: once\n"
            "c.yaml:17: friction.1.between.1: \"steel\" is none of the materials; "
            "allowed: gravel\n"
            "c.yaml:21: tools.blade.material: \"steel\" is none of the materials; "
            "allowed: gravel");
}

TEST(Reader, WrongTypes) {
  EXPECT_EQ(refusal_of_text(with_line(3, "time: {dt: abc}")),
            "c.yaml:3: time.dt: \"abc\" is not a number; allowed: a number above 0, in s");
  EXPECT_EQ(refusal_of_text(with_line(3, "time: {dt: true}")),
            "c.yaml:3: time.dt: \"true\" is not a number; allowed: a number above 0, in s");
  EXPECT_EQ(refusal_of_text(with_line(3, "time: {dt: '1'}")),
            "c.yaml:3: time.dt: \"1\" is text, since it is in quotes; allowed: a number above 0, "
            "in s");
  EXPECT_EQ(refusal_of_text(with_line(3, "time: {dt: [1]}")),
            "c.yaml:3: time.dt: is a list; allowed: a number above 0, in s");
  EXPECT_EQ(refusal_of_text(with_line(3, "time: {dt: }")),
            "c.yaml:3: time.dt: is empty; allowed: a number above 0, in s");
  EXPECT_EQ(refusal_of_text(with_line(3, "time: 5")),
            "c.yaml:3: time: \"5\" is a single value; allowed: a map of keys");
  EXPECT_EQ(refusal_of_text(with_line(3, "time: {dt: 1, steps: 1.5}")),
            "c.yaml:3: time.steps: 1.5 is not a whole number; allowed: a whole number at least 1 "
            "and at most 1000000000");
  EXPECT_EQ(refusal_of_text(with_line(2, "loud: 1")),
            "c.yaml:2: loud: \"1\" is neither; allowed: true or false");
  EXPECT_EQ(refusal_of_text(with_line(1, "name: [a]")),
            "c.yaml:1: name: is a list; allowed: a text");
  EXPECT_EQ(refusal_of_text(with_line(4, "gravity: -9.81")),
            "c.yaml:4: gravity: \"-9.81\" is a single value; allowed: three numbers at least -100 "
            "and at most 100, in m/s^2");
  EXPECT_EQ(refusal_of_text(with_line(4, "gravity: [0, 1]")),
            "c.yaml:4: gravity: has 2 entries; allowed: three numbers at least -100 and at most "
            "100, in m/s^2");
  EXPECT_EQ(refusal_of_text(with_line(5, "radii: 0.1")),
            "c.yaml:5: radii: \"0.1\" is a single value; allowed: a list, each entry a number "
            "above 0, in m");
  EXPECT_EQ(refusal_of_text(with_line(16, "  - {between: [gravel], mu: 0.4}")),
            "c.yaml:16: friction.0.between: has 1 entries; allowed: a list of names of materials, "
            "2 entries");
}

TEST(Reader, OutOfRangeSaysRangeAndUnit) {
  EXPECT_EQ(refusal_of_text(with_line(3, "time: {dt: -1e-3}")),
            "c.yaml:3: time.dt: -1e-3 is out of range; allowed: a number above 0, in s");
  EXPECT_EQ(refusal_of_text(with_line(3, "time: {dt: 1, steps: 0}")),
            "c.yaml:3: time.steps: 0 is out of range; allowed: a whole number at least 1 and at "
            "most 1000000000");
  EXPECT_EQ(refusal_of_text(with_line(4, "gravity: [0, 0, -981]")),
            "c.yaml:4: gravity.2: -981 is out of range; allowed: a number at least -100 and at "
            "most 100, in m/s^2");
  EXPECT_EQ(refusal_of_text(with_line(5, "radii: [0.1, 0]")),
            "c.yaml:5: radii.1: 0 is out of range; allowed: a number above 0, in m");
}

TEST(Reader, NanAndInfinity) {
  for (const std::string bad : {".nan", ".inf", "-.inf", "nan", "inf", "-Infinity"}) {
    EXPECT_EQ(refusal_of_text(with_line(3, "time: {dt: " + bad + "}")),
              "c.yaml:3: time.dt: " + bad +
                  " is not a finite number; allowed: a number above 0, "
                  "in s");
  }
  EXPECT_EQ(refusal_of_text(with_line(3, "time: {dt: 1e999}")),
            "c.yaml:3: time.dt: \"1e999\" is beyond what a number can hold; allowed: a number "
            "above 0, in s");
}

TEST(Reader, MissingRequiredKey) {
  EXPECT_EQ(refusal_of_text(with_line(14, "  steel: {}")),
            "c.yaml:14: materials.steel.density: is missing; allowed: a number above 0, in "
            "kg/m^3");
  EXPECT_EQ(refusal_of_text(""),
            "c.yaml:1: time: is missing; allowed: a map of keys\n"
            "c.yaml:1: materials: is missing; allowed: a map from names");
}

TEST(Reader, MissingFile) {
  const std::string there = std::filesystem::current_path() / "no.csv";
  EXPECT_EQ(refusal_of_text(with_line(8, "file: no.csv")),
            "c.yaml:8: file: there is no file \"" + there +
                "\"; allowed: a file that exists, its "
                "path absolute or relative to the folder of the YAML file");
}

TEST(Reader, FilesAreRelativeToTheYamlFile) {
  Sample s;
  const std::filesystem::path here = kThisFile;
  read_yaml(with_line(8, "file: " + here.filename().string()), here.parent_path() / "c.yaml", {},
            s);
  EXPECT_EQ(s.file, here);
  Sample from_override;
  read_yaml(kSampleText, here.parent_path() / "c.yaml", {"folder=there"}, from_override);
  EXPECT_EQ(from_override.folder, std::filesystem::current_path() / "there");
}

TEST(Reader, UnknownNamesTypesAndWords) {
  EXPECT_EQ(refusal_of_text(with_line(19, "  floor: {material: gravl}")),
            "c.yaml:19: tools.floor.material: \"gravl\" is none of the materials; did you mean "
            "\"gravel\"? allowed: gravel, steel");
  EXPECT_EQ(refusal_of_text(with_line(22, "    motion: {type: velocty, velocity: [0, 0, 0]}")),
            "c.yaml:22: tools.blade.motion.type: \"velocty\" is unknown; did you mean "
            "\"velocity\"? allowed: fixed, velocity");
  EXPECT_EQ(refusal_of_text(with_line(22, "    motion: {velocity: [0, 0, 0]}")),
            "c.yaml:22: tools.blade.motion.type: is missing; allowed: one of fixed, velocity");
  EXPECT_EQ(refusal_of_text(with_line(22, "    motion: {type: fixed, velocity: [0, 0, 0]}")),
            "c.yaml:22: tools.blade.motion.velocity: unknown key; allowed: type");
  EXPECT_EQ(refusal_of_text(with_line(8, "fix: [x, w, x]")),
            "c.yaml:8: fix.1: \"w\" is unknown; allowed: x, y, z\n"
            "c.yaml:8: fix.2: \"x\" stands twice; allowed: once");
  EXPECT_EQ(refusal_of_text(with_line(19, "  the floor: {material: gravel}")),
            "c.yaml:19: tools.the floor: \"the floor\" is no name; allowed: letters, digits, _ "
            "and -");
}

TEST(Reader, ChecksOverSeveralKeys) {
  EXPECT_EQ(refusal_of_text(with_line(3, "time: {dt: 1,\n steps: 101}")),
            "c.yaml:4: time.steps: times dt is more than 100 s; allowed: less");
}

struct Inline {
  double mass = 1.0;
  std::variant<SampleFixed, SampleMoving> motion{SampleMoving{}};
  void declare(Declaration& d) {
    d.one_of("", motion, {.help = "motion"});
    d.real("mass", mass, {.help = "mass", .unit = "kg"});
  }
};

TEST(Reader, AChoiceWithoutAKeyStandsInTheObjectItself) {
  Inline given;
  read_yaml("type: fixed\nmass: 2\n", "c.yaml", {}, given);
  EXPECT_TRUE(std::holds_alternative<SampleFixed>(given.motion));
  EXPECT_EQ(given.mass, 2.0);
  Inline standard;
  read_yaml("velocity: [1, 0, 0]\n", "c.yaml", {}, standard);
  EXPECT_EQ(std::get<SampleMoving>(standard.motion).velocity, Vec3(1, 0, 0));
}

TEST(Reader, SyntaxErrorsHaveALine) {
  EXPECT_EQ(refusal_of_text("a: 1\nb: [1, 2\nc: 3\n").substr(0, 28),
            "c.yaml:3: not valid YAML: en");
  EXPECT_EQ(refusal_of_text("a: 1\n---\nb: 2\n"),
            "c.yaml:2: a second document (`---`); allowed: one");
  // yaml-cpp would take these for documents without end.
  EXPECT_EQ(refusal_of_text(",name: pile"), "c.yaml:1: not valid YAML: no value can begin here");
  EXPECT_EQ(refusal_of_text("# two\n, a"), "c.yaml:2: not valid YAML: no value can begin here");
  EXPECT_EQ(refusal_of_text("[1, 2]"), "c.yaml:1: is a list; allowed: a map of keys");
  EXPECT_EQ(refusal_of_text("? [a]\n: 1\n"), "c.yaml:1: a key must be a word");
}

TEST(Reader, GathersAllFaultsInTheOrderOfTheFile) {
  EXPECT_EQ(refusal_of_text(R"(nmae: x
time:
  dt: -1
  steps: many
materials:
  gravel: {density: 0}
tools:
  floor:
    material: gravle
    motion: {type: fly}
)",
                            {"loud=loud", "radii.7=1"}),
            "c.yaml:1: nmae: unknown key; did you mean \"name\"? allowed: name, loud, time, "
            "gravity, radii, counts, points, fix, file, folder, limits, materials, friction, "
            "tools, notes\n"
            "c.yaml:3: time.dt: -1 is out of range; allowed: a number above 0, in s\n"
            "c.yaml:4: time.steps: \"many\" is not a number; allowed: a whole number at least 1 "
            "and at most 1000000000\n"
            "c.yaml:6: materials.gravel.density: 0 is out of range; allowed: a number above 0, "
            "in kg/m^3\n"
            "c.yaml:9: tools.floor.material: \"gravle\" is none of the materials; did you mean "
            "\"gravel\"? allowed: gravel\n"
            "c.yaml:10: tools.floor.motion.type: \"fly\" is unknown; allowed: fixed, velocity\n"
            "--set loud=loud: loud: \"loud\" is neither; allowed: true or false\n"
            "--set radii.7=1: radii: is a map of keys; allowed: a list, each entry a number "
            "above 0, in m");
}

TEST(Reader, ReadsAFileOrSaysThatItCannot) {
  EXPECT_NE(read_text_file(kThisFile).find("ReadsAFileOrSays"), std::string::npos);
  EXPECT_THROW(read_text_file("/nowhere/c.yaml"), InputError);
  EXPECT_THROW(read_text_file(std::filesystem::current_path()), InputError);
}

TEST(Reader, AFileThatIsTooLargeIsRefusedUnread) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                     ("scree-large-" + std::to_string(std::time(nullptr)));
  std::ofstream(file).flush();
  std::filesystem::resize_file(file, 10'000'000'000);  // takes no room on the disk
  const std::clock_t start = std::clock();
  EXPECT_THROW(read_named_file(file), InputError);
  EXPECT_LT(std::clock() - start, CLOCKS_PER_SEC / 2);  // 2^30 bytes take seconds to read
  std::filesystem::remove(file);
}

TEST(ValueOfKey, IsFoundWhateverStandsBesideIt) {
  const std::string text =
      "name: bed\ntime: {dt: 1e-3, end: 0.5}\nbodies: [there, is, no, file.csv]\n";
  EXPECT_EQ(value_of_key(text, "run.yaml", "name"), "bed");
  EXPECT_EQ(value_of_key(text, "run.yaml", "time.end"), "0.5");
  for (const char* path : {"time", "bodies", "time.end.x", "nam", "time.dt2"}) {
    EXPECT_THROW(value_of_key(text, "run.yaml", path), InputError) << path;
  }
}

}  // namespace
}  // namespace scree
