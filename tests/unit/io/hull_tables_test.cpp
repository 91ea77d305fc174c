#include "scree/io/state/hull_tables.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "scree/base/check.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "support/hulls.hpp"

namespace scree {
namespace {

ShapeLibrary sample() {
  std::mt19937_64 random(5);
  ShapeLibrary shapes;
  shapes.add(hull_of(test::pebble(40, Vec3(0.5, 0.7, 0.9), random), "pebble"));
  shapes.add(cuboid({1, 2, 3}));
  shapes.add(hull_of(test::prism(7, 0.5), "prism"));
  return shapes;
}

void expect_same(const Hull& a, const Hull& b) {
  EXPECT_EQ(a.vertices, b.vertices);
  EXPECT_EQ(a.loops, b.loops);
  EXPECT_EQ(a.loop_edges, b.loop_edges);
  EXPECT_EQ(a.neighbours, b.neighbours);
  EXPECT_EQ(a.neighbours_begin, b.neighbours_begin);
  ASSERT_EQ(a.faces.size(), b.faces.size());
  for (std::size_t f = 0; f < a.faces.size(); ++f) {
    EXPECT_EQ(a.faces[f].normal, b.faces[f].normal);
    EXPECT_EQ(a.faces[f].offset, b.faces[f].offset);
  }
  EXPECT_EQ(a.volume, b.volume);
  EXPECT_EQ(a.inertia_per_mass, b.inertia_per_mass);
  EXPECT_EQ(a.bounding_radius, b.bounding_radius);
  EXPECT_EQ(a.inscribed_radius, b.inscribed_radius);
  EXPECT_EQ(a.flatness, b.flatness);
  EXPECT_EQ(a.in_file.position, b.in_file.position);
  EXPECT_EQ(a.in_file.orientation.coeffs(), b.in_file.orientation.coeffs());
}

TEST(HullTables, GiveTheLibraryBackBitForBit) {
  const ShapeLibrary shapes = sample();
  const ShapeLibrary back = library_of(hull_tables(shapes));
  ASSERT_EQ(back.size(), 3);
  for (std::int32_t k = 0; k < 3; ++k) expect_same(shapes.hull(k), back.hull(k));
}

TEST(HullTables, AreNoneOfAnEmptyLibrary) {
  EXPECT_TRUE(hull_tables(ShapeLibrary()).empty());
  EXPECT_EQ(library_of({}).size(), 0);
}

TEST(HullTables, ThatAreDamagedAreRefused) {
  const auto refused = [](auto&& damage) {
    std::vector<StateGroup> tables = hull_tables(sample());
    damage(tables);
    try {
      library_of(tables);
    } catch (const InputError&) {
      return true;
    }
    return false;
  };
  EXPECT_FALSE(refused([](auto&) {}));
  const auto integers = [](NumberArray& array) -> std::vector<std::int32_t>& {
    return std::get<std::vector<std::int32_t>>(array.values);
  };
  EXPECT_TRUE(refused([](auto& t) { t.pop_back(); }));
  EXPECT_TRUE(
      refused([](auto& t) { std::get<std::vector<double>>(t[0].arrays[0].values)[1] = 0.0; }));
  EXPECT_TRUE(refused(
      [](auto& t) { std::get<std::vector<double>>(t[1].arrays[1].values)[5] = std::nan(""); }));
  EXPECT_TRUE(refused([&](auto& t) { integers(t[1].arrays[0])[0] = 3; }));
  EXPECT_TRUE(refused([&](auto& t) { integers(t[2].arrays[2])[0] = 1000; }));
  EXPECT_TRUE(refused(
      [&](auto& t) { std::swap(integers(t[2].arrays[2])[0], integers(t[2].arrays[2])[1]); }));
}

}  // namespace
}  // namespace scree
