#pragma once

/// A declared struct that uses every kind of key, and a text that fills it.

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scree/config/declaration.hpp"

namespace scree {

struct SampleTime {
  double dt = 1e-3;
  std::int64_t steps = 10;
  void declare(Declaration& d) {
    d.real("dt", dt, {.help = "time step", .unit = "s", .above = 0.0, .required = true});
    d.integer("steps", steps, {.help = "steps", .min = 1, .max = 1e9});
    d.require("steps", static_cast<double>(steps) * dt <= 100.0,
              "times dt is more than 100 s; allowed: less");
  }
};

struct SampleMaterial {
  std::string name;
  double density = 0.0;
  void declare(Declaration& d) {
    d.real("density", density,
           {.help = "mass per volume", .unit = "kg/m^3", .above = 0.0, .required = true});
  }
};

struct SampleFixed {
  static constexpr std::string_view kType = "fixed";
  static constexpr std::string_view kHelp = "does not move";
  void declare(Declaration&) {}
};

struct SampleMoving {
  static constexpr std::string_view kType = "velocity";
  static constexpr std::string_view kHelp = "moves at a given velocity";
  Vec3 velocity = Vec3::Zero();
  std::string word = "ramp";
  void declare(Declaration& d) {
    d.vector("velocity", velocity, {.help = "of the centre", .unit = "m/s", .required = true});
    static constexpr std::array<std::string_view, 2> kWords = {"ramp", "jump"};
    d.word("start", word, kWords, {.help = "how it starts"});
  }
};

struct SampleTool {
  std::string name;
  std::string material;
  std::variant<SampleFixed, SampleMoving> motion;
  void declare(Declaration& d) {
    d.name_of("materials", "material", material, {.help = "material", .required = true});
    d.one_of("motion", motion, {.help = "how it moves"});
  }
};

struct SamplePair {
  std::vector<std::string> between;
  double mu = 0.0;
  void declare(Declaration& d) {
    d.names_of("materials", "between", between, {.help = "pair", .required = true, .count = 2});
    d.real("mu", mu, {.help = "friction", .min = 0.0, .required = true});
  }
};

struct SampleLimits {
  Vec3 low = Vec3::Zero();
  void declare(Declaration& d) {
    d.vector("low", low, {.help = "lower corner", .unit = "m", .required = true});
  }
};

struct Sample {
  std::string name = "unnamed";
  bool loud = false;
  SampleTime time;
  Vec3 gravity = Vec3(0, 0, -9.81);
  std::vector<double> radii{0.5, 0.25};
  std::vector<std::int64_t> counts{1, 2, 3};
  std::vector<Vec3> points;
  std::vector<std::string> notes{"x", "2*y"};
  std::vector<std::string> fix;
  std::filesystem::path file;
  std::filesystem::path folder;
  std::optional<SampleLimits> limits;
  std::vector<SampleMaterial> materials;
  std::vector<SamplePair> friction;
  std::vector<SampleTool> tools;

  void declare(Declaration& d) {
    d.text("name", name, {.help = "name of the run"});
    d.flag("loud", loud, {.help = "says more"});
    d.object("time", time, {.help = "time stepping", .required = true});
    d.vector("gravity", gravity,
             {.help = "acceleration", .unit = "m/s^2", .min = -100, .max = 100});
    d.reals("radii", radii, {.help = "radii", .unit = "m", .above = 0.0});
    d.integers("counts", counts, {.help = "counts", .min = 0});
    d.vectors("points", points, {.help = "centres", .unit = "m"});
    static constexpr std::array<std::string_view, 3> kDofs = {"x", "y", "z"};
    d.words("fix", fix, kDofs, {.help = "held"});
    d.path("file", file, {.help = "table of grains"});
    d.path("folder", folder, {.help = "where output goes", .must_exist = false});
    d.optional_object("limits", limits, {.help = "box"});
    d.named("materials", materials, {.help = "materials", .required = true});
    d.list("friction", friction, {.help = "pairs"});
    d.named("tools", tools, {.help = "tools"});
    d.texts("notes", notes, {.help = "remarks", .count = 2});
  }
};

inline constexpr std::string_view kSampleText = R"(name: pile
loud: true
time: {dt: 1e-3, steps: 5e3}
gravity: [0, 0, -9.81]
radii: [0.1]
counts: [4, 5]
points: [[1, 2, 3], [4, 5, 6]]
fix: [x, z]
folder: out
limits:
  low: [-1, -1, -1]
materials:
  gravel: {density: 2600}
  steel: {density: +7850.0}
friction:
  - {between: [gravel, gravel], mu: 0.4}
  - {between: [gravel, steel], mu: 0.2}
tools:
  floor: {material: gravel}
  blade:
    material: steel
    motion: {type: velocity, velocity: [0.2, 0, 0], start: jump}
notes: [1e-3, "a, b"]
)";

}  // namespace scree
