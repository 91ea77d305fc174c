#include "geometry/meshes/mesh_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "scree/base/check.hpp"
#include "scree/geometry/meshes/triangle_mesh.hpp"

namespace scree {
namespace {

const std::vector<Vec3> kTetrahedron = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
constexpr std::array<std::array<std::int32_t, 3>, 4> kSides{
    {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};

/// The bytes of a number in an order.
template <class T>
std::string raw(T value, std::endian order = std::endian::little) {
  auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
  if (order != std::endian::native) std::ranges::reverse(bytes);
  return {bytes.begin(), bytes.end()};
}

std::string text_stl() {
  std::string text = "solid t\n";
  for (const auto& side : kSides) {
    text += "facet normal 0 0 0\n outer loop\n";
    for (const std::int32_t i : side) {
      const Vec3& p = kTetrahedron[i];
      text += fmt::format("  vertex {} {} {}\r\n", p.x(), p.y(), p.z());
    }
    text += " endloop\nendfacet\n";
  }
  return text + "endsolid t\n";
}

std::string binary_stl(std::uint32_t claimed = 4) {
  std::string bytes = "solid that is a binary" + std::string(58, ' ') + raw(claimed);
  for (const auto& side : kSides) {
    bytes += std::string(12, '\0');
    for (const std::int32_t i : side) {
      for (const double x : kTetrahedron[i]) bytes += raw(static_cast<float>(x));
    }
    bytes += std::string(2, '\0');
  }
  return bytes;
}

/// A binary PLY with coordinates as @p Real, corners as @p Index, and properties and an element
/// that are no surface's.
template <class Real, class Index>
std::string binary_ply(std::endian order, const std::string& real, const std::string& index,
                       const std::string& list = "vertex_indices") {
  std::string bytes = fmt::format(
      "ply\r\nformat binary_{}_endian 1.0\r\ncomment # none\nelement vertex 4\n"
      "property uchar red\nproperty {} x\nproperty {} y\nproperty {} z\n"
      "element mark 2\nproperty list ushort double spans\nproperty short kind\n"
      "element face 4\nproperty list uchar {} {}\nproperty int group\nend_header\n",
      order == std::endian::big ? "big" : "little", real, real, real, index, list);
  for (const Vec3& p : kTetrahedron) {
    bytes += raw(std::uint8_t{200});
    for (const double x : p) bytes += raw(static_cast<Real>(x), order);
  }
  for (int k = 0; k < 2; ++k) {
    bytes += raw(std::uint16_t{2}, order) + raw(1.5, order) + raw(2.5, order);
    bytes += raw(std::int16_t{-7}, order);
  }
  for (const auto& side : kSides) {
    bytes += raw(std::uint8_t{3});
    for (const std::int32_t i : side) bytes += raw(static_cast<Index>(i), order);
    bytes += raw(std::int32_t{9}, order);
  }
  return bytes;
}

const std::string kTextPly =
    "ply\nformat ascii 1.0\nelement face 4\nproperty list uint8 int32 vertex_index\n"
    "element vertex 4\nproperty float32 z\nproperty float32 y\nproperty float32 x\nend_header\n"
    "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n0 0 0\n0 0 1\n0 1 0\n1 0 0\n";

void expect_tetrahedron(const std::string& file, const std::string& bytes) {
  SCOPED_TRACE(file + "\n" + bytes);
  const TriangleMesh mesh = triangle_mesh(read_mesh(file, bytes), 1.0, file);
  EXPECT_EQ(mesh.vertices.size(), 4U);
  EXPECT_TRUE(mesh.closed);
  EXPECT_NEAR(mesh.volume, 1.0 / 6.0, 1e-15);
  EXPECT_LT((mesh.in_file.position - Vec3::Constant(0.25)).norm(), 1e-15);
}

std::string refusal_of_file(const std::string& file, const std::string& bytes) {
  try {
    read_mesh(file, bytes);
  } catch (const InputError& error) {
    return error.what();
  }
  return "(accepted)";
}

void expect_refused(const std::string& file, const std::string& bytes, const std::string& why) {
  const std::string message = refusal_of_file(file, bytes);
  EXPECT_EQ(message.find(file + ": "), 0U) << message;
  EXPECT_NE(message.find(why), std::string::npos) << message;
  EXPECT_NE(message.find("; "), std::string::npos) << message;
}

TEST(MeshFiles, OfEachFormatHaveTheirTriangles) {
  expect_tetrahedron("a.stl", text_stl());
  expect_tetrahedron("a.STL", binary_stl());
  expect_tetrahedron("a.off",
                     "# one\nOFF\n4 4 6\n0 0 0\n1 0 0 255 0 0\n0 +1 0\n0 0 1e0\n"
                     "3 0 2 1\n3 0 1 3 0.5 0.5 0.5\n\n3 0 3 2\n3 1 2 3\n");
  expect_tetrahedron("a.obj",
                     "o t\nv 0 0 0\nv 1 0 0 1.0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nv 0 0 1\n"
                     "f 1 3 2\nf 1/1 2/1 4/1\nf 1//1 4//1 \\\n3//1\nf -3/1/1 -2/1/1 -1/1/1\n");
  expect_tetrahedron("a.ply", kTextPly);
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    expect_tetrahedron("a.ply", binary_ply<float, std::int32_t>(order, "float", "int"));
    expect_tetrahedron("a.ply", binary_ply<double, std::uint16_t>(order, "double", "ushort"));
    expect_tetrahedron("a.ply", binary_ply<float, std::int8_t>(order, "float32", "int8"));
    expect_tetrahedron(
        "a.ply", binary_ply<double, std::uint32_t>(order, "float64", "uint32", "vertex_index"));
  }
}

TEST(MeshFiles, PolygonsAreFans) {
  const std::vector<std::array<std::int32_t, 3>> fan{{4, 3, 2}, {4, 2, 1}, {4, 1, 0}};
  const std::string points = "0 0 0\n2 0 0\n3 1 0\n1 3 0\n0 1 0\n";
  EXPECT_EQ(read_mesh("a.off", "OFF 5 1 0\n" + points + "5 4 3 2 1 0\n").triangles, fan);
  EXPECT_EQ(
      read_mesh("a.obj", "v 0 0 0\nv 2 0 0\nv 3 1 0\nv 1 3 0\nv 0 1 0\nf 5 4 3 2 1\n").triangles,
      fan);
  EXPECT_EQ(read_mesh("a.ply",
                      "ply\nformat ascii 1.0\nelement vertex 5\nproperty int x\nproperty int y\n"
                      "property int z\nelement face 1\nproperty list int int vertex_indices\n"
                      "end_header\n" +
                          points + "5 4 3 2 1 0\n")
                .triangles,
            fan);
}

/// An L about the corner of its notch, from a corner of which no fan covers it.
TEST(MeshFiles, AFaceThatIsNotConvexIsCutWithinItself) {
  const MeshFile file =
      read_mesh("a.off", "OFF 6 1 0\n0 0 0\n2 0 0\n2 1 0\n1 1 0\n1 2 0\n0 2 0\n6 1 2 3 4 5 0\n");
  ASSERT_EQ(file.triangles.size(), 4U);
  double area = 0.0;
  for (const auto& [a, b, c] : file.triangles) {
    const double twice =
        (file.points[b] - file.points[a]).cross(file.points[c] - file.points[a]).z();
    EXPECT_GT(twice, 0.0);
    area += 0.5 * twice;
  }
  EXPECT_DOUBLE_EQ(area, 3.0);
}

/// A comb: cutting takes the cube of the number of corners.
TEST(MeshFiles, AFaceOfManyCornersThatIsNoFanIsRefused) {
  std::string points = "OFF 72 1 0\n69 0 0\n0 0 0\n";
  std::string face = "72 0 1";
  for (int k = 0; k < 70; ++k) {
    points += fmt::format("{} {} 0\n", k, k % 2 == 0 ? 1 : 2);
    face += fmt::format(" {}", k + 2);
  }
  EXPECT_THROW(read_mesh("a.off", points + face + "\n"), InputError);
}

TEST(MeshFiles, WithoutFacesHavePointsAlone) {
  EXPECT_EQ(read_mesh("a.off", "OFF\n1 0 0\n1 2 3\n").points.size(), 1U);
  EXPECT_EQ(read_mesh("a.obj", "v 1 2 3\nv 1 2 4\n").points.size(), 2U);
  const MeshFile cloud = read_mesh("a.ply",
                                   "ply\nformat ascii 1.0\nelement vertex 1\nproperty double x\n"
                                   "property double y\nproperty double z\nend_header\n1 2 3\n");
  EXPECT_EQ(cloud.points, (std::vector<Vec3>{{1, 2, 3}}));
  EXPECT_TRUE(cloud.triangles.empty());
}

TEST(MeshFiles, StlIsTextOrBinaryByWhatItHolds) {
  expect_tetrahedron("a.stl", binary_stl() + "trailing bytes");
  expect_refused("a.stl", binary_stl(5), "ends after 4 of 5 triangles");
  expect_refused("a.stl", binary_stl(0xffffffffU), "ends after 4 of 4294967295 triangles");
  expect_refused("a.stl", "facet normal 0 0 1\n", "neither with the word solid nor");
  expect_refused("a.stl", text_stl().substr(0, 90), "a facet of 3 vertices");
  expect_refused("a.stl", text_stl().substr(0, 120), "ends without the word endsolid");
  expect_refused("a.stl", "solid\nfacet\nvertex 0 0 0\nvertex 1 0 0\nendfacet\n",
                 "line 5: a facet of 2 vertices");
  expect_refused("a.stl",
                 "solid\nfacet\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nvertex 0 1 0\n"
                 "endfacet\n",
                 "line 7: a facet of 4 vertices");
}

TEST(MeshFiles, PointsThatAreNotFiniteAreRefusedWithTheirPlace) {
  expect_refused("a.obj", "v 0 0 0\nv 0 inf 0\n", "line 2: the point (0, inf, 0) is not finite");
  expect_refused("a.off", "OFF\n1 0 0\nnan 0 0\n", "line 3: the point (nan, 0, 0) is not finite");
  std::string stl = binary_stl();
  stl.replace(84 + 50 + 12, 4, raw(std::numeric_limits<float>::infinity()));
  expect_refused("a.stl", stl, "triangle 2: the point (inf, 0, 0) is not finite");
  std::string ply = binary_ply<double, std::int32_t>(std::endian::little, "double", "int");
  ply.replace(ply.find("end_header\n") + 11 + 2 * 25 + 1, 8, raw(std::nan("")));
  expect_refused("a.ply", ply, "vertex 3: the point (nan, 1, 0) is not finite");
}

TEST(MeshFiles, FacesWithoutTheirPointsAreRefusedWithTheirPlace) {
  expect_refused("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n",
                 "line 6: a face has the point 3 (counted from 0), but there are 3");
  expect_refused("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n", "line 6: a corner");
  expect_refused("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n", "a face of 2 corners");
  expect_refused("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1\n", "\"\" is not a whole number");
  expect_refused("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "line 4: a face has the point 3");
  expect_refused("a.obj", "v 0 0 0\nf 0 1 1\n", "line 2: \"0\" is no corner of a face");
  expect_refused("a.obj", "v 0 0 0\nf 1 1 -2\n", "line 2: a corner of the face is no point");
  expect_refused("a.obj", "v 0 0 0\nf 1 1 99999999999\n", "line 2: a corner of the face is no");
  expect_refused("a.obj", "v 0 0 0\nf 1 x 1\n", "line 2: \"x\" is no corner");
}

// Reading takes no more memory or time than the bytes that are there ask for.
TEST(MeshFiles, CountsBeyondTheFileAreRefused) {
  expect_refused("a.off", "OFF\n9000000000000000000 9000000000000000000 0\n0 0 0\n",
                 "ends after 1 of 9000000000000000000 vertices");
  expect_refused("a.off", "OFF\n1 9000000000000000000 0\n0 0 0\n3 0 0 0\n",
                 "ends after 1 of 9000000000000000000 faces");
  expect_refused("a.off", "OFF\n1 1 0\n0 0 0\n4000000000 0 0 0\n", "is not a whole number");
  const std::string head = "ply\nformat binary_little_endian 1.0\nelement ";
  const std::string xyz = "property float x\nproperty float y\nproperty float z\n";
  expect_refused(
      "a.ply", head + "vertex 9000000000000000000\n" + xyz + "end_header\n" + std::string(12, '\0'),
      "vertex 2: the file ends");
  expect_refused("a.ply",
                 head + "vertex 0\n" + xyz +
                     "element face 1\nproperty list uint int vertex_indices\n"
                     "end_header\n" +
                     raw(0xfffffff0U) + std::string(40, '\0'),
                 "face 1: the file ends");
  EXPECT_TRUE(read_mesh("a.ply", head + "vertex 0\n" + xyz +
                                     "element nothing 9000000000000000000\nend_header\n")
                  .points.empty());
}

TEST(MeshFiles, ATextThatSaysItIsBinaryIsRefused) {
  expect_refused("a.stl", std::string("binary").append(74, ' ') + text_stl(),
                 "neither with the word solid nor");
  std::string ply = kTextPly;
  ply.replace(ply.find("ascii"), 5, "binary_little_endian");
  expect_refused("a.ply", ply, "the file ends");
}

TEST(MeshFiles, HeadsOfPlyAreRefusedWithWhatIsMissing) {
  const auto with = [](const std::string& before, const std::string& after) {
    std::string text = kTextPly;
    return text.replace(text.find(before), before.size(), after);
  };
  expect_refused("a.ply", "", "does not begin with the word ply");
  expect_refused("a.ply", "ply\nformat ascii 1.0\n", "the head does not end");
  expect_refused("a.ply", with("format ascii 1.0\n", ""), "has no line format");
  expect_refused("a.ply", with("ascii", "binary"), "line 2: \"binary\" is no format");
  expect_refused("a.ply", with("element vertex", "element vertices"), "has no element vertex");
  expect_refused("a.ply", with("float32 z", "float32 w"), "lacks a property x, y or z");
  expect_refused("a.ply", with("float32 z", "half z"), "line 6: \"half\" is no type");
  expect_refused("a.ply", with("vertex_index", "strips"), "lacks a list vertex_indices");
  expect_refused("a.ply", with("element vertex 4", "element vertex -4"), "a number below 0");
  expect_refused("a.ply", with("element vertex 4", "element vertex 5"), "ends after 4 of 5");
  expect_refused("a.ply", with("3 1 2 3", "3 1 2 1.5"), "1.5 is no number of a point");
  expect_refused("a.ply", with("3 1 2 3", "3 1 2 4"), "line 13: a face has the point 4");
  expect_refused("a.ply", with("ascii", "binary_little_endian"), "face 1: the file ends");
}

}  // namespace
}  // namespace scree
