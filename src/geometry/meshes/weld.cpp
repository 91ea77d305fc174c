#include "weld.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "mesh_file.hpp"
#include "scree/base/check.hpp"

namespace scree {
namespace {

using Corners = std::array<std::int32_t, 3>;

constexpr double kOnePoint = 1e-7;      // of the extent: the rounding of single precision
constexpr double kNoHeight = 1e-9;      // of the extent
constexpr double kShortest = 1e-12;     // m: products of five lengths are still numbers
constexpr double kLongest = 1e12;       // m
constexpr std::size_t kMostTriangles =  // their edges are numbered by 32 bits
    std::numeric_limits<std::int32_t>::max() / 3;

[[noreturn]] void refuse_mesh(std::string_view name, std::string_view problem,
                              std::string_view remedy) {
  throw InputError(fmt::format("{}: {}; {}", name, problem, remedy));
}

/// Numbers points so that those within a tolerance of the first of them are one. Cells are wider
/// than the tolerance: most points look into one, and one has room for few vertices.
class PointGrid {
 public:
  PointGrid(const Vec3& low, double tolerance, std::size_t most_points)
      : low_(low),
        tolerance_(tolerance),
        heads_(std::bit_ceil(std::max<std::size_t>(most_points, 16)), -1) {}

  /// The vertex at @p point. The earliest one in reach is taken, so that later vertices do not
  /// change where a point goes.
  std::int32_t number(const Vec3& point) {
    const Vec3i first = cell(point - Vec3::Constant(tolerance_));
    const Vec3i last = cell(point + Vec3::Constant(tolerance_));
    std::int32_t found = std::numeric_limits<std::int32_t>::max();
    for (int x = first.x(); x <= last.x(); ++x) {
      for (int y = first.y(); y <= last.y(); ++y) {
        for (int z = first.z(); z <= last.z(); ++z) {
          found = std::min(found, earliest(heads_[bucket({x, y, z})], point));
        }
      }
    }
    return found < static_cast<std::int32_t>(vertices.size()) ? found : add(point);
  }

  std::vector<Vec3> vertices;

 private:
  Vec3i cell(const Vec3& point) const {
    return ((point - low_) / (5.0 * tolerance_)).array().floor().cast<int>();
  }

  std::size_t bucket(const Vec3i& cell) const {
    std::uint64_t mixed = 0;
    for (const int k : cell) {
      mixed = (mixed ^ static_cast<std::uint32_t>(k)) * 0x9e3779b97f4a7c15U;
      mixed ^= mixed >> 32U;
    }
    return mixed & (heads_.size() - 1);
  }

  std::int32_t earliest(std::int32_t vertex, const Vec3& point) const {
    std::int32_t found = std::numeric_limits<std::int32_t>::max();
    for (; vertex >= 0; vertex = next_[vertex]) {
      if ((vertices[vertex] - point).norm() <= tolerance_) found = std::min(found, vertex);
    }
    return found;
  }

  std::int32_t add(const Vec3& point) {
    const auto vertex = static_cast<std::int32_t>(vertices.size());
    std::int32_t& head = heads_[bucket(cell(point))];
    vertices.push_back(point);
    next_.push_back(head);
    head = vertex;
    return vertex;
  }

  Vec3 low_;
  double tolerance_;
  std::vector<std::int32_t> heads_;  ///< latest vertex of each bucket of cells
  std::vector<std::int32_t> next_;   ///< the one before it
};

/// The box about the points that triangles have, m.
Box3 box_of(const MeshFile& file, double scale) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  Box3 box{Vec3::Constant(kFar), Vec3::Constant(-kFar)};
  for (const Corners& triangle : file.triangles) {
    for (const std::int32_t i : triangle) {
      const Vec3 point = scale * file.points[i];
      box.low = box.low.cwiseMin(point);
      box.high = box.high.cwiseMax(point);
    }
  }
  return box;
}

bool has_height(const std::vector<Vec3>& vertices, const Corners& triangle, double least) {
  const auto [i, j, k] = triangle;
  if (i == j || j == k || k == i) return false;
  const Vec3 a = vertices[j] - vertices[i];
  const Vec3 b = vertices[k] - vertices[i];
  const double longest = std::max({a.norm(), b.norm(), (b - a).norm()});
  return a.cross(b).norm() > least * longest;
}

/// Removes the triangles whose vertices an earlier one has. Returns how many.
std::int64_t remove_duplicates(std::vector<Corners>& triangles) {
  struct Key {
    Corners sorted;
    std::int32_t triangle;
  };
  std::vector<Key> keys;
  keys.reserve(triangles.size());
  for (const Corners& triangle : triangles) {
    keys.push_back({triangle, static_cast<std::int32_t>(keys.size())});
    std::ranges::sort(keys.back().sorted);
  }
  std::ranges::sort(keys, [](const Key& a, const Key& b) {
    return a.sorted != b.sorted ? a.sorted < b.sorted : a.triangle < b.triangle;
  });
  std::vector<bool> is_duplicate(triangles.size(), false);
  for (std::size_t k = 1; k < keys.size(); ++k) {
    is_duplicate[keys[k].triangle] = keys[k].sorted == keys[k - 1].sorted;
  }
  std::size_t kept = 0;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    if (!is_duplicate[t]) triangles[kept++] = triangles[t];
  }
  const auto removed = static_cast<std::int64_t>(triangles.size() - kept);
  triangles.resize(kept);
  return removed;
}

/// Removes vertices that no triangle has, and numbers the others anew.
void remove_unused(WeldedMesh& mesh) {
  std::vector<std::int32_t> number(mesh.vertices.size(), -1);
  std::vector<Vec3> used;
  used.reserve(mesh.vertices.size());
  for (Corners& triangle : mesh.triangles) {
    for (std::int32_t& i : triangle) {
      if (number[i] < 0) {
        number[i] = static_cast<std::int32_t>(used.size());
        used.push_back(mesh.vertices[i]);
      }
      i = number[i];
    }
  }
  mesh.vertices = std::move(used);
}

/// @throws InputError
void check_triangles(const MeshFile& file, std::string_view name) {
  if (file.triangles.empty()) {
    refuse_mesh(name, fmt::format("has {} points and no faces", file.points.size()),
                "give a mesh of triangles or polygons");
  }
  if (file.triangles.size() > kMostTriangles) {
    refuse_mesh(
        name, fmt::format("has {} triangles, more than {}", file.triangles.size(), kMostTriangles),
        "give a coarser mesh");
  }
}

}  // namespace

WeldedMesh weld(const MeshFile& file, double scale, std::string_view name) {
  check_triangles(file, name);
  const Box3 box = box_of(file, scale);
  WeldedMesh mesh;
  mesh.extent = (box.high - box.low).maxCoeff();
  if (!(mesh.extent >= kShortest && mesh.extent <= kLongest)) {
    refuse_mesh(name, fmt::format("its triangles extend over {:g} m", mesh.extent),
                fmt::format("give scale and points with which it is {:g} to {:g} m long", kShortest,
                            kLongest));
  }
  PointGrid grid(box.low, kOnePoint * mesh.extent, file.points.size());
  std::vector<std::int32_t> vertex_of(file.points.size(), -1);
  for (const Corners& corners : file.triangles) {
    Corners triangle;
    for (std::size_t k = 0; k < 3; ++k) {
      std::int32_t& vertex = vertex_of[corners[k]];
      if (vertex < 0) vertex = grid.number(scale * file.points[corners[k]]);
      triangle[k] = vertex;
    }
    if (has_height(grid.vertices, triangle, kNoHeight * mesh.extent)) {
      mesh.triangles.push_back(triangle);
    } else {
      ++mesh.degenerate;
    }
  }
  mesh.vertices = std::move(grid.vertices);
  mesh.duplicate = remove_duplicates(mesh.triangles);
  if (mesh.triangles.empty()) {
    refuse_mesh(name, fmt::format("none of its {} triangles has an area", mesh.degenerate),
                "give triangles whose corners are no straight line");
  }
  remove_unused(mesh);
  return mesh;
}

}  // namespace scree
