#include "scree/io/state/shape_tables.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "scree/base/check.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/shapes/all_shapes.hpp"
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

TEST(ShapeTables, GiveTheLibraryBackBitForBit) {
  const ShapeLibrary shapes = sample();
  const ShapeLibrary back = library_of(shape_tables(shapes));
  ASSERT_EQ(back.size(), 3);
  for (std::int32_t k = 0; k < 3; ++k) expect_same(shapes.hull(k), back.hull(k));
}

TEST(ShapeTables, GiveClumpsBackBitForBit) {
  ShapeLibrary shapes = sample();
  const std::vector<ClumpParts::Part> parts{
      {Polyhedron{1, 0.5}, {{1, 2, 3}, Quat(0.6, 0.8, 0, 0)}},
      {Sphere{0.7}, {{1, 2, 4}, Quat::Identity()}},
      {Capsule{0.1, 5.0}, {{1, 2, 3.5}, Quat(0.8, 0, 0.6, 0)}}};
  shapes.add(clump_of(parts, shapes), shapes);
  shapes.add(clump_of({parts[1]}, shapes), shapes);
  const ShapeLibrary back = library_of(shape_tables(shapes));
  ASSERT_EQ(back.size(), 3);
  ASSERT_EQ(back.clumps().size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    const ClumpParts& one = *shapes.clumps()[k];
    const ClumpParts& other = *back.clumps()[k];
    EXPECT_EQ(one.volume, other.volume);
    EXPECT_EQ(one.inertia_per_mass, other.inertia_per_mass);
    EXPECT_EQ(one.bounding_radius, other.bounding_radius);
    EXPECT_EQ(one.inscribed_radius, other.inscribed_radius);
    EXPECT_EQ(one.in_file.position, other.in_file.position);
    ASSERT_EQ(one.parts.size(), other.parts.size());
    for (std::size_t i = 0; i < one.parts.size(); ++i) {
      EXPECT_EQ(one.parts[i].pose.position, other.parts[i].pose.position);
      EXPECT_EQ(one.parts[i].pose.orientation.coeffs(), other.parts[i].pose.orientation.coeffs());
      EXPECT_EQ(one.parts[i].bounding_radius, other.parts[i].bounding_radius);
      EXPECT_EQ(one.parts[i].shape.number(), other.parts[i].shape.number());
    }
  }
  EXPECT_EQ(back.clumps()[0]->parts[0].shape.get<Polyhedron>().handle, 1);
  EXPECT_EQ(back.clumps()[0]->parts[2].shape.get<Capsule>().length, 5.0);
}

TEST(ShapeTables, OfDamagedClumpsAreRefused) {
  const auto refused = [](auto&& damage) {
    ShapeLibrary shapes = sample();
    shapes.add(clump_of({{Polyhedron{1, 0.5}, {}}}, shapes), shapes);
    std::vector<StateGroup> tables = shape_tables(shapes);
    damage(tables[3].arrays, tables[4].arrays);
    try {
      library_of(tables);
    } catch (const InputError&) {
      return true;
    }
    return false;
  };
  const auto reals = [](NumberArray& array) -> std::vector<double>& {
    return std::get<std::vector<double>>(array.values);
  };
  EXPECT_FALSE(refused([](auto&, auto&) {}));
  EXPECT_TRUE(refused([&](auto& clumps, auto&) { reals(clumps[0])[0] = -1.0; }));
  EXPECT_TRUE(refused(
      [](auto&, auto& parts) { std::get<std::vector<std::int32_t>>(parts[0].values)[0] = 1; }));
  EXPECT_TRUE(refused([&](auto&, auto& parts) { reals(parts[4])[1] = 7.0; }));  // its hull
  EXPECT_TRUE(refused([&](auto&, auto& parts) { reals(parts[6])[1] = std::nan(""); }));
}

TEST(ShapeTables, AreNoneOfAnEmptyLibrary) {
  EXPECT_TRUE(shape_tables(ShapeLibrary()).empty());
  EXPECT_EQ(library_of({}).size(), 0);
}

TEST(ShapeTables, ThatAreDamagedAreRefused) {
  const auto refused = [](auto&& damage) {
    std::vector<StateGroup> tables = shape_tables(sample());
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
