#include <gtest/gtest.h>

#include "sample.hpp"
#include "scree/config/reader.hpp"
#include "support/refusal.hpp"

namespace scree {
namespace {

Sample read_with(const Overrides& overrides) {
  Sample s;
  read_yaml(kSampleText, "c.yaml", overrides, s);
  return s;
}

std::string override_refusal(const std::string& override) {
  return test::refusal_of([&] { read_with({override}); });
}

TEST(Override, ReplacesValuesOfTheFile) {
  EXPECT_EQ(read_with({"time.dt=1e-4"}).time.dt, 1e-4);
  EXPECT_EQ(read_with({"time.dt=1e-4", "time.dt=1e-5"}).time.dt, 1e-5);
  EXPECT_EQ(read_with({"gravity=[0, 0, -1]"}).gravity, Vec3(0, 0, -1));
  EXPECT_EQ(read_with({"friction.1.mu=0.7"}).friction[1].mu, 0.7);
  EXPECT_EQ(read_with({"gravity.2=-3"}).gravity, Vec3(0, 0, -3));
  EXPECT_EQ(read_with({"name=a=b"}).name, "a=b");
}

TEST(Override, AddsWhatTheFileDoesNotGive) {
  const Sample s = read_with({"materials.clay.density=2000",
                              "tools.floor.motion={type: velocity, "
                              "velocity: [1, 0, 0]}"});
  ASSERT_EQ(s.materials.size(), 3U);
  EXPECT_EQ(s.materials[2].name, "clay");
  EXPECT_EQ(std::get<SampleMoving>(s.tools[0].motion).velocity, Vec3(1, 0, 0));
}

TEST(Override, NamesAnEntryOfAListByWhatItHolds) {
  const Sample s = read_with({"friction[steel,gravel].mu=0.7", "friction[0].mu=0.6"});
  EXPECT_EQ(s.friction[0].mu, 0.6);
  EXPECT_EQ(s.friction[1].between, (std::vector<std::string>{"gravel", "steel"}));
  EXPECT_EQ(s.friction[1].mu, 0.7);
  EXPECT_EQ(read_with({"friction[gravel, gravel].mu=0.8"}).friction[0].mu, 0.8);
  EXPECT_EQ(read_with({"friction[steel,gravel].between[1]=gravel"}).friction[1].between[1],
            "gravel");
}

TEST(Override, RefusesNamesThatNoOneEntryHolds) {
  EXPECT_EQ(override_refusal("friction[steel].mu=1"),
            "--set friction[steel].mu=1: [steel] is held by no entries of the list; allowed: the "
            "names that one entry "
            "holds, or its number, 0 to 1");
  EXPECT_EQ(read_with({"friction[steel,gravel].between=[gravel, gravel]"}).friction[1].between[0],
            "gravel");
  EXPECT_EQ(override_refusal("time[dt]=1"),
            "--set time[dt]=1: [dt] stands under what is no list; allowed: keys, a.b.c");
  EXPECT_EQ(override_refusal("friction[steel,gravel.mu=1"),
            "--set friction[steel,gravel.mu=1: has a bracket that is not closed");
  EXPECT_EQ(override_refusal("friction[0]mu=1"),
            "--set friction[0]mu=1: has a bracket that is followed by no dot");
  EXPECT_EQ(override_refusal("friction[7].mu=1"),
            "--set friction[7].mu=1: \"7\" is no entry of a list; allowed: 0 to 1");
}

TEST(Override, SaysWhereItWasGiven) {
  Sample s;
  const Overrides overrides{Override("time.dt=-1", "sweep.yaml:4", "/elsewhere"),
                            Override("file=none.csv", "sweep.yaml:5", "/elsewhere")};
  try {
    read_yaml(kSampleText, "c.yaml", overrides, s);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("sweep.yaml:4: time.dt: -1 is out of range"))
        << error.what();
    EXPECT_NE(std::string(error.what())
                  .find("sweep.yaml:5: file: there is no file \"/elsewhere/none.csv\""),
              std::string::npos)
        << error.what();
  }
}

TEST(Override, NullMakesAnOptionalPartAbsent) {
  EXPECT_FALSE(read_with({"limits=null"}).limits.has_value());
}

TEST(Override, IsRefusedWithItsOwnPlace) {
  EXPECT_EQ(override_refusal("time.ddt=1"),
            "--set time.ddt=1: time.ddt: unknown key; did you mean \"dt\"? allowed: dt, steps");
  EXPECT_EQ(override_refusal("tme.dt=1").substr(0, 55),
            "--set tme.dt=1: tme: unknown key; did you mean \"time\"? ");
  EXPECT_EQ(override_refusal("time.dt=-1"),
            "--set time.dt=-1: time.dt: -1 is out of range; allowed: a number above 0, in s");
  EXPECT_EQ(override_refusal("time.dt"), "--set time.dt: is not of the form key.key=value");
  EXPECT_EQ(override_refusal("=1"), "--set =1: is not of the form key.key=value");
  EXPECT_EQ(override_refusal("time..dt=1"), "--set time..dt=1: has an empty key");
  EXPECT_EQ(override_refusal("friction.2.mu=1"),
            "--set friction.2.mu=1: \"2\" is no entry of a list; allowed: 0 to 1");
  EXPECT_EQ(override_refusal("name.x=1"),
            "--set name.x=1: \"x\" stands under \"pile\", which is a single value");
  EXPECT_EQ(override_refusal("radii=[1, 2"),
            "--set radii=[1, 2: value:1: not valid YAML: end of sequence flow not found");
}

}  // namespace
}  // namespace scree
