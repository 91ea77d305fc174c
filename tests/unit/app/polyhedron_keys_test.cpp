/// Polyhedra in a configuration: each fault of a mesh is told with its place, reason and remedy.

#include <gtest/gtest.h>

#include <fstream>

#include "scree/app/config/run_config.hpp"
#include "scree/config/emit.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/shapes/polyhedron.hpp"
#include "support/temporary_folder.hpp"

namespace scree::test {
namespace {

constexpr const char* kText = R"(time: {dt: 1e-3, end: 1}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0.3}]
bodies:
  rocks:
    material: stone
    shape:
      type: polyhedron
      file: a.obj
      scale: 0.01
    place: {type: points, positions: [[0, 0, 1]]}
tools:
  anvil: {material: stone, shape: {type: polyhedron, file: b.obj}}
)";

constexpr const char* kBlock =
    "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 1 2 0\nv 0 0 1\nv 1 0 1\nv 0 2 1\nv 1 2 1\n";
constexpr const char* kWedge = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";

class PolyhedronKeys : public ::testing::Test {
 protected:
  PolyhedronKeys() {
    write("a.obj", kBlock);
    write("b.obj", kWedge);
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path() / name, std::ios::binary) << text;
  }
  RunConfig read(const std::string& text = kText, const Overrides& overrides = {}) const {
    return read_run_config(text, folder_.path() / "r.yaml", overrides);
  }
  std::string refusal(const std::string& text = kText, const Overrides& overrides = {}) const {
    try {
      read(text, overrides);
    } catch (const InputError& error) {
      return error.what();
    }
    return "(accepted)";
  }
  /// The refusal where a.obj holds @p mesh.
  std::string refusal_of(const std::string& mesh) const {
    write("a.obj", mesh);
    return refusal();
  }

  TemporaryFolder folder_;
};

void expect_says(const std::string& message, const std::string& place, const std::string& part) {
  EXPECT_NE(message.find(place), std::string::npos) << message;
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST_F(PolyhedronKeys, AreReadIntoOneLibrary) {
  RunConfig config = read();
  EXPECT_EQ(config.shapes->size(), 2);
  const auto& rock = *mesh_of(config.bodies[0].shape);
  EXPECT_EQ(rock.handle, 0);
  EXPECT_NEAR(own_radius(config.bodies[0].shape), 0.01 * std::cbrt(1.5 / std::numbers::pi), 1e-16);
  const auto& anvil = *mesh_of(config.tools[0].shape);
  EXPECT_EQ(anvil.handle, 1);
  EXPECT_EQ(anvil.scale, 1.0);
  write("b.obj", kBlock);  // the same hull is there once, whatever files have it
  EXPECT_EQ(read().shapes->size(), 1);
  const std::string effective = emit_yaml(config);
  EXPECT_NE(effective.find((folder_.path() / "a.obj").string()), std::string::npos) << effective;
  EXPECT_EQ(emit_yaml(read(effective)), effective);
}

TEST_F(PolyhedronKeys, FaultsOfFilesAreToldAtTheirKey) {
  const std::string place = "r.yaml:9: bodies.rocks.shape.file: ";
  expect_says(refusal_of(""), place, "a.obj: 0 points have no volume; give at least 4");
  expect_says(refusal_of("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n"), place,
              "a.obj: its points lie in a plane, on a line or in one place: a body of no volume; "
              "give points of a solid");
  expect_says(refusal_of("v 0 0 0\nv 0 0 0\nv 0 0 0\nv 0 0 0\n"), place, "a body of no volume");
  expect_says(refusal_of("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 9e-4\n"), place,
              "thick, beyond 1:1000; give a thicker body");
  expect_says(refusal_of("v 0 0 inf\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"), place, "is not finite");
  expect_says(refusal_of("v 0 0 zero\n"), place, "line 1: \"zero\" is not a number");
  std::filesystem::remove(folder_.path() / "a.obj");
  expect_says(refusal(), place, "there is no file");
  write("a.obj", kBlock);
  EXPECT_EQ(refusal(), "(accepted)");
  write("b.obj", "v 0 0 0\n");
  expect_says(refusal(), "r.yaml:13: tools.anvil.shape.file: ", "b.obj: 1 points have no volume");
}

TEST_F(PolyhedronKeys, FaultsOfKeysAreToldWithTheirRemedy) {
  const auto with = [](const std::string& before, const std::string& after) {
    std::string text = kText;
    return text.replace(text.find(before), before.size(), after);
  };
  for (const char* scale : {"0", "-1", ".nan", ".inf"}) {
    expect_says(refusal(with("scale: 0.01", std::string("scale: ") + scale)),
                "r.yaml:10: bodies.rocks.shape.scale: ", "allowed: a number above 0, in m");
  }
  expect_says(refusal(with("file: a.obj", "file: \"\"")),
              "r.yaml:9: bodies.rocks.shape.file: ", "names no file; allowed: a mesh");
  expect_says(refusal(with("      file: a.obj\n", "")), "bodies.rocks.shape.file: ", "is missing");
  expect_says(refusal(with("type: polyhedron", "type: polyhedra")),
              "r.yaml:8: bodies.rocks.shape.type: ", "did you mean \"polyhedron\"?");
  expect_says(refusal(with("a.obj", "a.3mf")), "r.yaml:9: ", "there is no file");
  write("a.3mf", kBlock);
  expect_says(refusal(with("a.obj", "a.3mf")), "r.yaml:9: bodies.rocks.shape.file: ",
              "is no known kind of mesh; allowed: .off, .stl, .obj and .ply");
  expect_says(refusal(kText, {"bodies.rocks.shape.file=" + (folder_.path() / "c.off").string()}),
              "--set bodies.rocks.shape.file=", "there is no file");
}

// The bytes that rank 0 has read are those that count, not what the disk of another node has.
TEST_F(PolyhedronKeys, TheFilesBytesComeFromWhereTheyAreAskedFor) {
  std::vector<std::string> asked;
  const RunConfig config = read_run_config(kText, folder_.path() / "r.yaml", {},
                                           {[&asked](const std::filesystem::path& file) {
                                             asked.push_back(file.filename().string());
                                             return std::string(kWedge);
                                           }});
  EXPECT_EQ(asked, (std::vector<std::string>{"a.obj", "b.obj"}));
  EXPECT_EQ(config.shapes->size(), 1);
}

}  // namespace
}  // namespace scree::test
