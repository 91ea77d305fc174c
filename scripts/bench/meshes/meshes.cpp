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
#include <ctime>
#include <memory>
#include <numbers>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "geometry/meshes/mesh_file.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"
#include "scree/geometry/shapes/all_grain_shapes.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "support/scenes.hpp"

namespace {

using namespace scree;

/// A bowl of about @p triangles triangles, a sheet.
MeshFile bowl(int triangles) {
  const int rows = std::max(2, static_cast<int>(std::sqrt(triangles / 8.0)));
  const int around = 4 * rows;
  MeshFile mesh;
  for (int i = 0; i <= rows; ++i) {
    const double polar = 0.5 * std::numbers::pi * (1.0 + (i + 0.5) / (rows + 1));
    for (int j = 0; j < around; ++j) {
      const double angle = 2.0 * std::numbers::pi * j / around;
      mesh.points.emplace_back(std::sin(polar) * std::cos(angle), std::sin(polar) * std::sin(angle),
                               std::cos(polar));
    }
  }
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < around; ++j) {
      const int a = i * around + j;
      const int b = i * around + (j + 1) % around;
      mesh.triangles.push_back({a, b, a + around});
      mesh.triangles.push_back({b, b + around, a + around});
    }
  }
  return mesh;
}

double seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

Shape shape_of(const std::string& name, double radius) {
  if (name == "sphere") return of_size(Ball{}, radius);
  if (name == "ellipsoid") return of_size(Ellipsoid{{3, 2, 1.5}}, radius);
  if (name == "capsule") return of_size(Capsule{1, 2}, radius);
  if (name == "box") return of_size(Box{{1, 1.5, 2}}, radius);
  fmt::print(stderr, "no shape {}\n", name);
  std::exit(2);
}

/// Grains that are next to each other in this order are so in space, mostly: rows of cells.
std::tuple<double, double, double> row_of(const Pose& pose) {
  constexpr double kCell = 0.05;
  const Vec3& p = pose.position;
  return {std::floor(p.x() / kCell), std::floor(p.y() / kCell), p.x()};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: bench_meshes SHAPE TRIANGLES GRAINS\n");
    return 2;
  }
  const int grains = std::atoi(argv[3]);
  const MeshFile file = bowl(std::atoi(argv[2]));
  const std::size_t held_before = mallinfo2().uordblks + mallinfo2().hblkhd;
  const double begin = seconds();
  const auto surface = std::make_shared<const SearchableMesh>(triangle_mesh(file, 1.0, "a bowl"));
  const std::size_t held = mallinfo2().uordblks + mallinfo2().hblkhd - held_before;
  const double built = seconds() - begin;
  ShapeLibrary library;
  const Mesh mesh{library.add(surface), 1};
  const TriangleMesh& triangles = surface->mesh;
  const double radius =
      std::sqrt(2.0 * triangles.area / static_cast<double>(triangles.triangles.size()));
  const Shape grain = shape_of(argv[1], radius);
  const double reach = bounding_radius(grain, library);
  test::Uniform random(1);
  const auto any = [&](double depth) {
    const double polar = std::acos(random(-1.0, std::cos(0.6 * std::numbers::pi)));
    const double angle = random(0.0, 2.0 * std::numbers::pi);
    const double rho = 1.0 - depth;
    const Vec3 place(rho * std::sin(polar) * std::cos(angle),
                     rho * std::sin(polar) * std::sin(angle), rho * std::cos(polar));
    return Pose{place, random.rotation()};
  };
  std::vector<Pose> near;
  std::vector<Pose> far;
  for (int k = 0; k < grains; ++k) {
    near.push_back(any(reach * random(0.95, 1.05)));
    far.push_back(any(std::min(0.9, 100.0 * radius)));
  }
  std::vector<Pose> in_order = near;
  std::ranges::sort(in_order, {}, row_of);
  const double margin = 0.1 * radius;
  std::size_t points = 0;
  const auto time_of = [&](const std::vector<Pose>& poses, const auto& query) {
    std::vector<double> times;
    for (int repeat = 0; repeat < 5; ++repeat) {
      const double start = seconds();
      for (const Pose& pose : poses) query(pose);
      times.push_back((seconds() - start) / static_cast<double>(poses.size()));
    }
    std::ranges::nth_element(times, times.begin() + 2);
    return times[2];
  };
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
      triangles.triangles.size(), built, held, 1e6 * near_s, 1e6 * random_s, 1e6 * far_s,
      static_cast<double>(in_reach) / grains, static_cast<double>(points) / 10.0 / grains);
  return 0;
}
