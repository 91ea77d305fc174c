#include "scree/geometry/hulls/hull.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <numbers>
#include <random>
#include <string>

#include "scree/base/check.hpp"
#include "scree/config/reader.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/shapes/box.hpp"
#include "scree/geometry/shapes/polyhedron.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "support/hulls.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

std::vector<Vec3> corners_of_box(const Vec3& half) {
  std::vector<Vec3> points;
  for (int i = 0; i < 8; ++i) {
    points.push_back(half.cwiseProduct(Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  }
  return points;
}

std::vector<Vec3> moved(const std::vector<Vec3>& points, const Pose& pose) {
  std::vector<Vec3> result;
  for (const Vec3& p : points) result.push_back(pose.to_world(p));
  return result;
}

const Pose kSomewhere{Vec3(0.3, -2.0, 1.1), rotation_by({0.4, 1.3, -0.8})};

Vec3 sorted(Vec3 v) {
  std::sort(v.begin(), v.end());
  return v;
}

TEST(Hull, OfABoxAnywhereHasTheBoxsProperties) {
  const Box box{{0.2, 0.5, 0.35}};
  const Hull hull = hull_of(moved(corners_of_box(box.half()), kSomewhere), "box");
  EXPECT_EQ(hull.vertices.size(), 8U);
  EXPECT_EQ(hull.edges.size(), 12U);
  EXPECT_EQ(hull.faces.size(), 6U);
  EXPECT_NEAR(hull.volume / box.volume(), 1.0, 1e-12);
  EXPECT_LT((hull.in_file.position - kSomewhere.position).norm(), 1e-12);
  const Vec3 ratio = sorted(hull.inertia_per_mass).cwiseQuotient(sorted(box.inertia_per_mass()));
  EXPECT_LT((ratio - Vec3::Ones()).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_NEAR(hull.bounding_radius, box.bounding_radius(), 1e-14);
  EXPECT_NEAR(hull.inscribed_radius, 0.2, 1e-14);
  // Edges along the axes again: each corner has the half edges as coordinates.
  for (const Vec3& v : hull.vertices) {
    EXPECT_LT((sorted(v.cwiseAbs()) - Vec3(0.2, 0.35, 0.5)).norm(), 1e-12);
  }
}

TEST(Hull, OfARegularTetrahedron) {
  // Edge a: V = a^3 / (6 sqrt 2), I / m = a^2 / 20, inscribed a / sqrt 24, bounding a sqrt(3 / 8).
  const double a = 2.0 * std::numbers::sqrt2;
  const Hull hull =
      hull_of(moved({{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}}, kSomewhere), "tetrahedron");
  EXPECT_NEAR(hull.volume * 6.0 * std::numbers::sqrt2 / (a * a * a), 1.0, 1e-12);
  EXPECT_LT((hull.inertia_per_mass * 20.0 / (a * a) - Vec3::Ones()).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_NEAR(hull.inscribed_radius, a / std::sqrt(24.0), 1e-12);
  EXPECT_NEAR(hull.bounding_radius, a * std::sqrt(0.375), 1e-12);
}

TEST(Hull, OfAPrismOverATriangle) {
  // Equilateral base of edge s: area s^2 sqrt(3) / 4; about the axis s^2 / 12, across it half of
  // that and h^2 / 12.
  const double s = std::sqrt(3.0);
  const double h = 0.7;
  const Hull hull = hull_of(moved(test::prism(3, h), kSomewhere), "prism");
  EXPECT_NEAR(hull.volume / (std::sqrt(3.0) / 4.0 * s * s * h), 1.0, 1e-12);
  const double axial = s * s / 12.0;
  const double across = 0.5 * axial + h * h / 12.0;
  const Vec3 expected = sorted(Vec3(axial, across, across));
  const Vec3 ratio = sorted(hull.inertia_per_mass).cwiseQuotient(expected);
  EXPECT_LT((ratio - Vec3::Ones()).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(hull.faces.size(), 5U);
}

TEST(Hull, MergesTrianglesOfOneFaceAlsoInSinglePrecision) {
  for (const bool single : {false, true}) {
    std::vector<Vec3> points = moved(test::dodecahedron(), kSomewhere);
    if (single) {
      for (Vec3& p : points) p = p.cast<float>().cast<double>();
    }
    const Hull hull = hull_of(points, "dodecahedron");
    EXPECT_EQ(hull.faces.size(), 12U);
    EXPECT_EQ(hull.edges.size(), 30U);
    EXPECT_LT(hull.flatness, single ? 1e-6 : 1e-14);
    const double edge = std::sqrt(5.0) - 1.0;
    const double volume = (15.0 + 7.0 * std::sqrt(5.0)) / 4.0 * edge * edge * edge;
    EXPECT_NEAR(hull.volume / volume, 1.0, single ? 1e-6 : 1e-12);
  }
}

TEST(Hull, LeavesOutPointsInsideOnFacesAndRepeated) {
  std::vector<Vec3> points = corners_of_box({1, 1, 1});
  const std::vector<Vec3> again = points;
  points.insert(points.end(), again.begin(), again.end());
  points.emplace_back(0.2, 0.3, 0.4);
  points.emplace_back(1.0, 0.3, 0.4);
  points.emplace_back(1.0, 1.0, 0.0);
  const Hull hull = hull_of(points, "cube");
  EXPECT_EQ(hull.vertices.size(), 8U);
  EXPECT_EQ(hull.faces.size(), 6U);
  EXPECT_NEAR(hull.volume, 8.0, 1e-13);
}

TEST(Hull, FacesLookOutAndEdgesJoinThem) {
  std::mt19937_64 random(3);
  for (int k = 0; k < 50; ++k) {
    const Hull hull = hull_of(test::pebble(30, Vec3(1.0, 0.7, 0.3), random), "pebble");
    EXPECT_EQ(hull.vertices.size() + hull.faces.size(), hull.edges.size() + 2);
    for (const Hull::Face& face : hull.faces) {
      EXPECT_GT(face.offset, 0.0);
      for (const Vec3& v : hull.vertices) EXPECT_LT(face.normal.dot(v), face.offset + 1e-12);
    }
    for (const Hull::Edge& edge : hull.edges) {
      for (const std::int32_t face : {edge.left, edge.right}) {
        const auto loop = hull.loop(hull.faces[face]);
        EXPECT_EQ(std::count(loop.begin(), loop.end(), edge.start), 1);
        EXPECT_EQ(std::count(loop.begin(), loop.end(), edge.end), 1);
      }
    }
  }
}

/// Fraction of @p n points in the bounding box that are inside, and their second moments.
TEST(Hull, PropertiesOfAPebbleAgreeWithSampling) {
  std::mt19937_64 random(5);
  const Hull hull = hull_of(test::pebble(20, Vec3(1.0, 0.7, 0.5), random), "pebble");
  const Vec3 half = Vec3::Constant(hull.bounding_radius);
  std::uniform_real_distribution<double> u(-1.0, 1.0);
  constexpr int kSamples = 400000;
  double inside = 0.0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (int k = 0; k < kSamples; ++k) {
    const Vec3 p = half.cwiseProduct(Vec3(u(random), u(random), u(random)));
    const bool out = std::any_of(hull.faces.begin(), hull.faces.end(), [&p](const auto& face) {
      return face.normal.dot(p) > face.offset;
    });
    if (out) continue;
    inside += 1.0;
    first += p;
    second += p * p.transpose();
  }
  // Four standard deviations of a binomial share of about 0.15 are 1.5 % of it; moments of points
  // that are within 1 m, 4e-3.
  EXPECT_NEAR(8.0 * half.prod() * inside / kSamples / hull.volume, 1.0, 0.02);
  EXPECT_LT((first / inside).norm(), 0.01);
  second /= inside;
  const Mat3 inertia = second.trace() * Mat3::Identity() - second;
  EXPECT_LT((inertia - Mat3(hull.inertia_per_mass.asDiagonal())).cwiseAbs().maxCoeff(), 0.005);
}

/// The message with which @p make is refused.
template <class Make>
std::string refusal(const Make& make) {
  try {
    make();
  } catch (const InputError& error) {
    return error.what();
  }
  return "not refused";
}

TEST(Hull, RefusesPointsWithoutAProperVolume) {
  const auto message = [](const std::vector<Vec3>& points) {
    return refusal([&] { hull_of(points, "stone.off"); });
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}),
            "stone.off: 3 points have no volume; give at least 4");
  EXPECT_NE(message({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, nan, 0}}).find("is not finite"),
            std::string::npos);
  std::vector<Vec3> flat = corners_of_box({1, 1, 0});
  EXPECT_NE(message(flat).find("stone.off: its points lie in a plane"), std::string::npos);
  EXPECT_NE(message(moved(flat, kSomewhere)).find("lie in a plane"), std::string::npos);
  EXPECT_NE(message(corners_of_box({1, 0, 0})).find("on a line"), std::string::npos);
  EXPECT_NE(message(std::vector<Vec3>(5, Vec3(1, 2, 3))).find("one place"), std::string::npos);
  EXPECT_NE(message(corners_of_box({1, 1, 0.0005})).find("beyond 1:1000"), std::string::npos);
  EXPECT_NE(message(corners_of_box({1, 0.0005, 0.0005})).find("beyond 1:1000"), std::string::npos);
  EXPECT_EQ(message(corners_of_box({1, 0.05, 0.05})), "not refused");
}

class HullOfAFile : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_.path() / name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  std::string message(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = write(name, text);
    return refusal([&] { polyhedron(path); });
  }
  /// As a configuration in another folder names it.
  static MeshPolyhedron polyhedron(const std::filesystem::path& file, double scale = 1.0) {
    MeshPolyhedron polyhedron;
    read_yaml(fmt::format("file: {}\nscale: {}", file.string(), scale), "r.yaml", {}, polyhedron);
    return polyhedron;
  }

  test::TemporaryFolder folder_;
};

template <class T>
std::string bytes_of(T value) {
  const auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
  return {bytes.begin(), bytes.end()};
}

TEST_F(HullOfAFile, OfEachKindGivesTheSameTetrahedron) {
  const std::vector<Vec3> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  constexpr int kFaces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  std::string text = "solid t\n";
  std::string binary = std::string(80, 's') + bytes_of(std::uint32_t{4});
  for (const auto& face : kFaces) {
    text += "facet normal 0 0 0\n outer loop\n";
    binary += std::string(12, '\0');
    for (const int i : face) {
      const Vec3& p = corners[i];
      text += "  vertex " + std::to_string(p.x()) + " " + std::to_string(p.y()) + " " +
              std::to_string(p.z()) + "\r\n";
      for (int k = 0; k < 3; ++k) binary += bytes_of(static_cast<float>(p[k]));
    }
    text += " endloop\nendfacet\n";
    binary += std::string(2, '\0');
  }
  const std::filesystem::path files[] = {
      write("a.off", "# a comment\nOFF\n4 0 0\n0 0 0\n1 0 0 255 0 0\n0 +1 0\n0 0 1e0\n"),
      write("b.OBJ", "o t\nv 0 0 0\nvn 0 0 1\nv 1 0 0 1.0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n"),
      write("c.stl", text + "endsolid t\n"), write("d.stl", binary)};
  ShapeLibrary library;
  for (const std::filesystem::path& file : files) {
    MeshPolyhedron mesh = polyhedron(file, 2.0);
    mesh.handle = library.add(mesh.hull);
    EXPECT_NEAR(volume(mesh.scaled(1.0), library), 8.0 / 6.0, 1e-13) << file;
    EXPECT_EQ(library.hull(mesh.handle).vertices.size(), 4U);
    EXPECT_EQ(library.add(polyhedron(file).hull), mesh.handle);  // it is there once
  }
}

TEST_F(HullOfAFile, ThatIsBadIsRefusedByName) {
  const auto has = [](const std::string& message, const std::string& part) {
    return message.find(part) != std::string::npos ? "" : message;
  };
  EXPECT_EQ(has(refusal([&] { polyhedron(folder_.path() / "no.off"); }), "there is no file"), "");
  EXPECT_EQ(has(message("no.3mf", "v 0 0 0"), "allowed: .off"), "");
  EXPECT_EQ(has(message("a.off", ""), "does not begin with the word OFF"), "");
  EXPECT_EQ(has(message("a.off", "OFF\n"), "number of vertices is missing"), "");
  EXPECT_EQ(has(message("a.off", "OFF\n9 1 1\n0 0 0\n"), "ends after 1 of 9 vertices"), "");
  EXPECT_EQ(has(message("a.off", "OFF\n1 0 0\n0 zero 0\n"), "line 3: \"zero\" is not a number"),
            "");
  EXPECT_EQ(has(message("a.obj", "v 1 2\n"), "line 1: \"\" is not a number"), "");
  EXPECT_EQ(has(message("a.obj", "vn 1 2 3\n"), "a.obj: 0 points have no volume"), "");
  EXPECT_EQ(has(message("a.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"), "is not finite"), "");
  EXPECT_EQ(has(message("a.stl", std::string(80, 'x') + bytes_of(std::uint32_t{7})),
                "ends after 0 of 7 triangles"),
            "");
  const std::filesystem::path good = write("g.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n");
  for (const double scale : {0.0, -1.0, std::nan("")}) {
    EXPECT_EQ(has(refusal([&] { polyhedron(good, scale); }), "allowed: a number above 0"), "");
  }
}

}  // namespace
}  // namespace scree
