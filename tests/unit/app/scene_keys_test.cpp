// The meaning of the YAML of bodies, tools and materials, through the reader.

#include <gtest/gtest.h>

#include "scree/config/emit.hpp"
#include "scree/config/reader.hpp"
#include "scree/sources/generators.hpp"
#include "scree/tools/tool.hpp"
#include "support/refusal.hpp"
#include "support/temporary_file.hpp"

namespace scree {
namespace {

struct Scene {
  std::vector<Material> materials;
  std::vector<FrictionPair> friction;
  std::vector<BodyGroup> bodies;
  std::vector<ToolSpec> tools;

  void declare(Declaration& d) {
    d.named("materials", materials, {.help = "materials"});
    d.list("friction", friction, {.help = "friction"});
    d.named("bodies", bodies, {.help = "grains"});
    d.named("tools", tools, {.help = "walls and tools"});
  }
};

constexpr std::string_view kMaterials = R"(
materials:
  gravel: {density: 2600}
  steel: {density: 7850}
)";

Scene read(const std::string& text) {
  Scene scene;
  read_yaml(std::string(kMaterials) + text, "scene.yaml", {}, scene);
  return scene;
}

std::string error_of(const std::string& text) {
  return test::refusal_of([&] { read(text); });
}

TEST(Config, ReadsBodiesAndTools) {
  const Scene scene = read(R"(
friction:
  - {between: [gravel, gravel], mu: 0.4}
  - {between: [steel, gravel], mu: 0.3, restitution: 0.6}
bodies:
  bed:
    material: gravel
    radii: {type: uniform, min: 0.008, max: 0.016}
    place: {type: box, low: [0, 0, 0], high: [1, 1, 1], count: 50, seed: 3}
    fix: [rotation_x, y]
    velocity: [0, 0, -1]
  stones:
    material: steel
    radii: {type: list, values: [0.1, 0.2]}
    place: {type: points, positions: [[0, 0, 2], [1, 0, 2]]}
tools:
  floor: {material: gravel, shape: {type: plane}, normal: [0, 0, 1]}
  blade:
    material: steel
    shape: {type: box, size: [0.02, 0.3, 0.2]}
    position: [0, 0, 0.1]
    orientation: {axis: [0, 1, 0], angle: 0.1}
    motion: {type: velocity, velocity: [0.2, 0, 0], start: 0.5, stop: 10}
  arm:
    material: steel
    shape: {type: sphere, radius: 0.1}
    motion: {type: table, times: [0, 1], displacements: [[0, 0, 0], [1, 0, 0]]}
)");
  ASSERT_EQ(scene.bodies.size(), 2u);
  EXPECT_EQ(scene.bodies[0].fixed(), kFixRotationX | kFixY);
  EXPECT_EQ(generate(scene.bodies, scene.materials).size(), 52u);
  ASSERT_EQ(scene.tools.size(), 3u);
  EXPECT_EQ(std::get<VelocityMotion>(scene.tools[1].motion).stop, 10.0);
  const ContactLaws table(scene.materials, scene.friction);
  EXPECT_EQ(table.mu(0, 1), 0.3);
  EXPECT_EQ(table.mu(1, 0), 0.3);
  EXPECT_EQ(table.restitution(0, 1), 0.6);
  EXPECT_EQ(table.restitution(1, 0), 0.6);
  EXPECT_EQ(table.restitution(0, 0), 0.0);
  EXPECT_FALSE(table.has(1, 1));
}

TEST(Config, WhatARunWritesOfItsConfigurationReadsBack) {
  const testing::TemporaryFile csv("x,y,z,r\n0,0,0,1\n");
  const Scene scene = read(R"(
bodies:
  a: {material: gravel, fix: [all], place: {type: csv, file: )" +
                           csv.path().string() +
                           R"(}}
  b:
    material: gravel
    radii: {type: uniform, min: 0.01, max: 0.02}
    place: {type: box, low: [0, 0, 0], high: [1, 1, 1], count: 5}
tools:
  floor: {material: gravel, shape: {type: plane}, normal: [0, 1, 0]}
  blade:
    material: steel
    shape: {type: box, size: [0.02, 0.3, 0.2]}
    orientation: {axis: [0, 1, 0], angle: 0.1}
    motion: {type: velocity, velocity: [0.2, 0, 0]}
)");
  Scene again;
  read_yaml(emit_yaml(scene), "run.yaml", {}, again);
  EXPECT_EQ(emit_yaml(again), emit_yaml(scene));
  EXPECT_EQ(again.bodies[0].fixed(), kFixAll);
  EXPECT_EQ(again.tools[0].normal, Vec3(0, 1, 0));
  EXPECT_EQ(again.tools[1].orientation.angle, 0.1);
  EXPECT_EQ(generate(again.bodies, again.materials).size(), 6u);
}

TEST(Config, RefusesWhatCannotBe) {
  const auto says = [](const std::string& text, const std::string& part) {
    const std::string error = error_of(text);
    EXPECT_NE(error.find(part), std::string::npos) << text << "\ngave: " << error;
  };
  const std::string place = "place: {type: box, low: [0,0,0], high: [0.1,0.1,0.1], count: 28}}";
  says("bodies:\n  a: {material: gravel, radii: {type: uniform, min: 0.01, max: 0.0166}, " + place,
       "at most 27 do");
  says("bodies:\n  a: {material: gravel, " + place, "radii");
  says("bodies:\n  a: {material: gravel, radii: {type: uniform, min: 2, max: 1}, " + place,
       "smaller than min");
  says("bodies:\n  a: {material: gravle, radii: {type: uniform, min: 1, max: 1}, " + place,
       "gravel");
  says("tools:\n  a: {material: steel, shape: {type: plane}, normal: [0,0,0]}", "no direction");
  says("tools:\n  a: {material: steel, shape: {type: box, size: [1,1,1]}, normal: [1,0,0]}",
       "only for a plane");
  says("tools:\n  a: {material: steel, shape: {type: plane}, motion: {type: table}}",
       "file: is missing; give a file, or times");
  const testing::TemporaryFile table("t,x,y,z\n0,0,0,0\n");
  says("tools:\n  a: {material: steel, shape: {type: plane}, motion: {type: table, file: \"" +
           table.path().string() + "\", times: [0], displacements: [[0, 0, 0]]}}",
       "file: give either a file or times, not both");
  says(
      "tools:\n  a: {material: steel, shape: {type: plane}, motion: {type: table, times: [1, 0], "
      "displacements: [[0,0,0],[0,0,0]]}}",
      "increase");
  says("friction:\n  - {between: [gravel], mu: 0.4}", "between");
  says("friction:\n  - {between: [gravel, steel], mu: -0.4}", "mu");
}

TEST(Config, FrictionNamesEachPairOnce) {
  const std::vector<Material> materials{{"a", 1.0}, {"b", 1.0}};
  const std::vector<FrictionPair> twice{{.between = {"a", "b"}}, {.between = {"b", "a"}}};
  EXPECT_THROW(ContactLaws(materials, twice), InputError);
}

}  // namespace
}  // namespace scree
