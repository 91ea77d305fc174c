// Processor time of contacts of grains with a mesh, on one core, over the number of its triangles:
// a bowl of radius 1 m, the half of a sphere, and grains whose size is a facet's twice, evenly over
// its surface (their bounding balls within a twentieth of it) or not near it (a hundred radii off).
// Grains near it are visited neighbour by neighbour, as in a run, and in random order, where little
// of the mesh is in the processor's caches.
//
//     bench_meshes SHAPE TRIANGLES GRAINS      medians, as a line of JSON
//
// SHAPE: sphere, ellipsoid, capsule, box.

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <vector>

#include "bowl.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"

using namespace scree;
using bench::seconds;
using bench::time_of;

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: bench_meshes SHAPE TRIANGLES GRAINS\n");
    return 2;
  }
  const int grains = std::atoi(argv[3]);
  const MeshFile file = bench::bowl(std::atoi(argv[2]));
  const std::size_t held_before = mallinfo2().uordblks + mallinfo2().hblkhd;
  const double begin = seconds();
  const auto surface = std::make_shared<const SearchableMesh>(triangle_mesh(file, 1.0, "a bowl"));
  const std::size_t held = mallinfo2().uordblks + mallinfo2().hblkhd - held_before;
  const double built = seconds() - begin;
  ShapeLibrary library;
  const Mesh mesh{library.add(surface), 1};
  const PackedMesh& triangles = surface->mesh;
  const double radius =
      std::sqrt(2.0 * triangles.area / static_cast<double>(triangles.facets.size()));
  const Shape grain = bench::shape_of(argv[1], radius);
  const double reach = bounding_radius(grain, library);
  bench::Places places;
  std::vector<Pose> near;
  std::vector<Pose> far;
  for (int k = 0; k < grains; ++k) {
    near.push_back(places.near(reach));
  }
  for (int k = 0; k < grains; ++k) {
    far.push_back(places.at(std::min(0.9, 100.0 * radius)));
  }
  std::vector<Pose> in_order = near;
  std::ranges::sort(in_order, {}, bench::row_of);
  const double margin = 0.1 * radius;
  std::size_t points = 0;
  const auto contacts = [&](const Pose& pose) {
    points += contacts_between(grain, pose, mesh, triangles.in_file, library, margin).size();
  };
  const double near_s = time_of(in_order, contacts);
  const double random_s = time_of(near, contacts);
  std::size_t in_reach = 0;
  for (const Pose& pose : near) {
    const Vec3 centre = triangles.in_file.to_body(pose.position);
    const Vec3 half = Vec3::Constant(reach + margin);
    surface->tree.for_each_in({centre - half, centre + half}, [&](std::int32_t) { ++in_reach; });
  }
  const double far_s = time_of(far, [&](const Pose& pose) {
    const Vec3 centre = triangles.in_file.to_body(pose.position);
    const Vec3 half = Vec3::Constant(radius + margin);
    points += surface->tree.any_in({centre - half, centre + half}) ? 1 : 0;
  });
  fmt::print(
      "{{\"triangles\": {}, \"built_s\": {:.4g}, \"bytes\": {}, \"near_us\": {:.4g}, "
      "\"random_us\": "
      "{:.4g}, \"far_us\": {:.4g}, \"in_reach\": {:.3g}, \"points\": {:.3g}}}\n",
      triangles.facets.size(), built, held, 1e6 * near_s, 1e6 * random_s, 1e6 * far_s,
      static_cast<double>(in_reach) / grains, static_cast<double>(points) / 10.0 / grains);
  return 0;
}
