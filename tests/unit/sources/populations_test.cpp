// Groups of several populations: masses by share, names, and what is refused.

#include "scree/sources/populations.hpp"

#include <gtest/gtest.h>

#include "scree/config/emit.hpp"
#include "scree/config/reader.hpp"
#include "scree/geometry/shapes/sphere.hpp"
#include "scree/sources/generators.hpp"
#include "support/refusal.hpp"

namespace scree {
namespace {

struct Scene {
  std::vector<Material> materials;
  std::vector<BodyGroup> bodies;

  void declare(Declaration& d) {
    d.named("materials", materials, {.help = "materials"});
    d.named("bodies", bodies, {.help = "grains"});
  }
};

const std::string kHead = "materials: {gravel: {density: 2600}, steel: {density: 7850}}\nbodies:\n";
const std::string kMixed = kHead + R"(
  stones:
    material: steel
    radii: {type: list, values: [0.1]}
    place: {type: points, positions: [[0, 0, 9]]}
  bed:
    populations:
      coarse: {material: gravel, share: 3, radii: {type: uniform, min: 0.02, max: 0.03}}
      balls: {material: steel, share: 1, radii: {type: list, values: [0.01]}}
    place: {type: box, low: [0, 0, 0], high: [2, 2, 3], count: 4000}
    velocity: [0, 0, -1]
)";

Scene read(const std::string& text) {
  Scene scene;
  read_yaml(text, "scene.yaml", {}, scene);
  return scene;
}

std::string error_of(const std::string& text) {
  return test::refusal_of([&] { read(text); });
}

TEST(Populations, HaveTheirSharesOfTheMass) {
  const Scene scene = read(kMixed);
  EXPECT_EQ(scene.bodies[1].population_names(),
            (std::vector<std::string>{"bed.coarse", "bed.balls"}));
  EXPECT_EQ(scene.bodies[0].population_names(), std::vector<std::string>{"stones"});
  EXPECT_EQ(scene.bodies[1].smallest(), 0.01);
  EXPECT_EQ(scene.bodies[1].largest(), 0.03);
  double mass[3] = {};
  for (const Body& body : generate(scene.bodies, scene.materials)) {
    const auto& ball = body.shape.get<Sphere>();
    mass[body.group] += body.density * ball.volume();
    EXPECT_EQ(body.material, body.group == 1 ? 0 : 1);
    EXPECT_EQ(body.density, body.group == 1 ? 2600.0 : 7850.0);
    EXPECT_EQ(body.velocity.z(), body.group == 0 ? 0.0 : -1.0);
    if (body.group == 2) {
      EXPECT_EQ(ball.radius, 0.01);
    }
    if (body.group == 1) {
      EXPECT_GE(ball.radius, 0.02);
    }
  }
  EXPECT_NEAR(mass[1] / mass[2], 3.0, 0.02);
}

TEST(Populations, AreMixedAndDoNotDependOnTheRanks) {
  const Scene scene = read(kMixed);
  const auto all = generate(scene.bodies, scene.materials);
  std::size_t changes = 0;
  for (std::size_t i = 2; i < all.size(); ++i) changes += all[i].group != all[i - 1].group ? 1 : 0;
  EXPECT_GT(changes, 100u);
  std::size_t n = 0;
  for (int rank = 0; rank < 3; ++rank) {
    for (const Body& body : generate(scene.bodies, scene.materials, {rank, 3})) {
      const Body& same = all[body.id];
      EXPECT_EQ(body.position, same.position);
      EXPECT_EQ(body.group, same.group);
      EXPECT_EQ(body.shape.get<Sphere>().radius, same.shape.get<Sphere>().radius);
      ++n;
    }
  }
  EXPECT_EQ(n, all.size());
}

TEST(Populations, WhatARunWritesOfThemReadsBack) {
  const Scene scene = read(kMixed);
  Scene again;
  read_yaml(emit_yaml(scene), "run.yaml", {}, again);
  EXPECT_EQ(emit_yaml(again), emit_yaml(scene));
  EXPECT_EQ(again.bodies[1].populations[0].share, 3.0);
}

TEST(Populations, FaultsAreTold) {
  const auto says = [](const std::string& group, const std::string& part) {
    const std::string error = error_of(kHead + "  bed: " + group + "\n");
    EXPECT_NE(error.find(part), std::string::npos) << group << "\ngave: " << error;
  };
  const std::string place = "place: {type: points, positions: [[0, 0, 0]]}";
  const std::string one =
      "populations: {a: {material: gravel, share: 1, radii: "
      "{type: list, values: [0.1]}}}";
  says("{" + place + "}", "bed.material: is needed");
  says("{material: gravel, " + place + "}", "bed.radii: are needed: uniform, normal");
  says("{material: gravel, " + one + ", " + place + "}", "is given by the populations");
  says("{radii: {type: list, values: [1]}, " + one + ", " + place + "}",
       "radii: are given by the populations");
  says("{populations: {a: {material: gravel, share: 1, radii: {type: file}}}, " + place + "}",
       "are needed: uniform");
  says("{populations: {a: {material: wood, share: 1, radii: {type: list, values: [1]}}}, " + place +
           "}",
       "wood");
  says("{populations: {a: {material: gravel, share: 0, radii: {type: list, values: [1]}}}, " +
           place + "}",
       "share: 0 is out of range");
  const auto radii = [&](const std::string& text) {
    return "{material: gravel, radii: {" + text + "}, " + place + "}";
  };
  says(radii("type: normal, mean: 0.3, deviation: 0.1, min: 0.1, max: 0.2"),
       "mean: must lie between min and max");
  says(radii("type: lognormal, median: 0.15, log_deviation: 0, min: 0.1, max: 0.2"),
       "log_deviation: 0 is out of range");
  says(radii("type: sieve, diameters: [0.1, 0.2], passing: [0, 0.9]"), "passing: must end with 1");
  says(radii("type: sieve, diameters: [0.1, 0.2], passing: [0, 100]"), "100 is out of range");
  says(radii("type: table, values: [0.1, 0.2], numbers: [0, 0]"), "numbers: must not all be 0");
  says(radii("type: table, values: [0.1, 0.2], numbers: [1]"), "has 1 entries for 2 values");
}

}  // namespace
}  // namespace scree
