#include "planar_faces.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "scree/geometry/meshes/triangle_mesh.hpp"

namespace scree {
namespace {

constexpr double kOffPlane = 1e-7;  // of the extent: the rounding of single precision

/// The mean plane of triangles.
class GrowingPlane {
 public:
  void add(const Vec3& area_vector, const Vec3& middle) {
    const double area = area_vector.norm();
    normal_ += area_vector;
    area_ += area;
    first_ += area * middle;
  }
  const Vec3& direction() const { return normal_; }
  double distance(const Vec3& point) const {
    return std::abs(normal_.dot(point - first_ / area_)) / normal_.norm();
  }

 private:
  Vec3 normal_ = Vec3::Zero();  ///< m^2, not of unit length
  Vec3 first_ = Vec3::Zero();   ///< m^3
  double area_ = 0.0;           ///< m^2
};

class FaceGrowth {
 public:
  explicit FaceGrowth(TriangleMesh& mesh)
      : mesh_(mesh), area_vectors_(mesh.triangles.size()), faces_(mesh.triangles.size(), -1) {
    for (std::size_t t = 0; t < area_vectors_.size(); ++t) {
      const auto& [i, j, k] = mesh.triangles[t];
      const Vec3& origin = mesh.vertices[i];
      area_vectors_[t] = 0.5 * (mesh.vertices[j] - origin).cross(mesh.vertices[k] - origin);
    }
  }

  std::vector<std::int32_t> run() {
    for (const std::int32_t seed : from_largest()) {
      if (faces_[seed] < 0) grow(seed);
    }
    return std::move(faces_);
  }

 private:
  std::vector<std::int32_t> from_largest() const {
    std::vector<double> sizes;
    sizes.reserve(area_vectors_.size());
    for (const Vec3& area : area_vectors_) sizes.push_back(area.squaredNorm());
    std::vector<std::int32_t> order(sizes.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, [&sizes](std::int32_t a, std::int32_t b) {
      return sizes[a] != sizes[b] ? sizes[a] > sizes[b] : a < b;
    });
    return order;
  }

  void grow(std::int32_t seed) {
    GrowingPlane plane;
    std::vector<std::int32_t> members;
    const auto join = [&](std::int32_t triangle) {
      const auto& [i, j, k] = mesh_.triangles[triangle];
      plane.add(area_vectors_[triangle],
                (mesh_.vertices[i] + mesh_.vertices[j] + mesh_.vertices[k]) / 3.0);
      faces_[triangle] = seed;
      members.push_back(triangle);
    };
    join(seed);
    for (std::size_t next = 0; next < members.size(); ++next) {
      const std::int32_t triangle = members[next];
      for (const std::int32_t e : mesh_.edges_of[triangle]) {
        const TriangleMesh::Edge& edge = mesh_.edges[e];
        const std::int32_t other = edge.left == triangle ? edge.right : edge.left;
        if (other >= 0 && faces_[other] < 0 && is_in(plane, other)) join(other);
      }
    }
    const std::int32_t lowest = std::ranges::min(members);
    for (const std::int32_t member : members) {
      faces_[member] = lowest;
      if (is_sliver(member)) mesh_.normals[member] = plane.direction().normalized();
    }
  }

  /// Whether the normal of @p triangle is nothing but rounding.
  bool is_sliver(std::int32_t triangle) const {
    const auto& [i, j, k] = mesh_.triangles[triangle];
    const Vec3 a = mesh_.vertices[j] - mesh_.vertices[i];
    const Vec3 b = mesh_.vertices[k] - mesh_.vertices[i];
    const double longest = std::max({a.norm(), b.norm(), (b - a).norm()});
    const double least = kOffPlane * mesh_.diagnosis.extent;
    return 2.0 * area_vectors_[triangle].norm() <= least * longest;
  }

  bool is_in(const GrowingPlane& plane, std::int32_t triangle) const {
    return (is_sliver(triangle) || mesh_.normals[triangle].dot(plane.direction()) > 0.0) &&
           std::ranges::all_of(mesh_.triangles[triangle], [&](std::int32_t i) {
             return plane.distance(mesh_.vertices[i]) <= kOffPlane * mesh_.diagnosis.extent;
           });
  }

  TriangleMesh& mesh_;
  std::vector<Vec3> area_vectors_;   ///< m^2
  std::vector<std::int32_t> faces_;  ///< -1 where no face has grown yet
};

}  // namespace

void add_planar_faces(TriangleMesh& mesh) {
  mesh.face_of = FaceGrowth(mesh).run();
}

}  // namespace scree
