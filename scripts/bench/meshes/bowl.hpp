#pragma once

/// A bowl of triangles, grains about it, and times: for the benches of meshes.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <numbers>
#include <string>
#include <tuple>
#include <vector>

#include "geometry/meshes/mesh_file.hpp"
#include "scree/geometry/shapes/all_grain_shapes.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "support/scenes.hpp"

namespace scree::bench {

/// A bowl of about @p triangles triangles, a sheet.
inline MeshFile bowl(int triangles) {
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

inline double seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

inline Shape shape_of(const std::string& name, double radius) {
  if (name == "sphere") return of_size(Ball{}, radius);
  if (name == "ellipsoid") return of_size(Ellipsoid{{3, 2, 1.5}}, radius);
  if (name == "capsule") return of_size(Capsule{1, 2}, radius);
  if (name == "box") return of_size(Box{{1, 1.5, 2}}, radius);
  fmt::print(stderr, "no shape {}\n", name);
  std::exit(2);
}

/// Grains that are next to each other in this order are so in space, mostly: rows of cells.
inline std::tuple<double, double, double> row_of(const Pose& pose) {
  constexpr double kCell = 0.05;
  const Vec3& p = pose.position;
  return {std::floor(p.x() / kCell), std::floor(p.y() / kCell), p.x()};
}

/// Grains about the surface of the bowl: the centre of each is between 0.95 and 1.05 of @p reach
/// from it, or @p depth where that is given.
class Places {
 public:
  Pose at(double depth) {
    const double polar = std::acos(random_(-1.0, std::cos(0.6 * std::numbers::pi)));
    const double angle = random_(0.0, 2.0 * std::numbers::pi);
    const double rho = 1.0 - depth;
    const Vec3 place(rho * std::sin(polar) * std::cos(angle),
                     rho * std::sin(polar) * std::sin(angle), rho * std::cos(polar));
    return Pose{place, random_.rotation()};
  }
  Pose near(double reach) { return at(reach * random_(0.95, 1.05)); }

 private:
  test::Uniform random_{1};
};

/// The median of five repeats of `query(pose)` for each pose, processor seconds a query.
template <class Query>
double time_of(const std::vector<Pose>& poses, const Query& query) {
  std::vector<double> times;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const double start = seconds();
    for (const Pose& pose : poses) query(pose);
    times.push_back((seconds() - start) / static_cast<double>(poses.size()));
  }
  std::ranges::nth_element(times, times.begin() + 2);
  return times[2];
}

}  // namespace scree::bench
