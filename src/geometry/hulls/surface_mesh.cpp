#include "scree/geometry/hulls/surface_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/shapes/all_shapes.hpp"

namespace scree {
namespace {

constexpr std::int32_t kAround = 48;  ///< corners of what stands for a circle

/// Two triangles for the quadrangle a, b, c, d.
void add_quad(SurfaceMesh& mesh, std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) {
  mesh.triangles.push_back({a, b, c});
  mesh.triangles.push_back({a, c, d});
}

/// Rows of @p columns points each, one row after another: quadrangles between neighbours. Columns
/// close to a ring.
void add_grid(SurfaceMesh& mesh, std::int32_t rows, std::int32_t columns) {
  const auto at = [columns](std::int32_t row, std::int32_t column) {
    return row * columns + column % columns;
  };
  for (std::int32_t i = 0; i + 1 < rows; ++i) {
    for (std::int32_t j = 0; j < columns; ++j) {
      add_quad(mesh, at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j));
    }
  }
}

Vec3 on_circle(std::int32_t j, std::int32_t around) {
  const double angle = 2.0 * std::numbers::pi * j / around;
  return {std::cos(angle), std::sin(angle), 0.0};
}

/// The unit sphere from the south pole up, as place_of(point) has each of its points.
template <class Place>
SurfaceMesh sphere_as(Place&& place_of) {
  constexpr std::int32_t kRows =
      kAround / 2 + 2;  // two equators, between which a capsule is drawn out
  SurfaceMesh mesh;
  for (std::int32_t i = 0; i < kRows; ++i) {
    const bool upper = i >= kRows / 2;
    const double height = std::numbers::pi * (i - (upper ? 1 : 0)) / (kRows - 2);
    for (std::int32_t j = 0; j < kAround; ++j) {
      const Vec3 out = std::sin(height) * on_circle(j, kAround);
      mesh.points.push_back(place_of(Vec3(out.x(), out.y(), -std::cos(height)), upper));
    }
  }
  add_grid(mesh, kRows, kAround);
  return mesh;
}

SurfaceMesh mesh_of(const Vec3& semi_axes) {
  return sphere_as([&](const Vec3& p, bool) { return p.cwiseProduct(semi_axes).eval(); });
}

/// Each face has corners of its own, so that edges are drawn sharp.
SurfaceMesh mesh_of(const Hull& hull, double scale) {
  SurfaceMesh mesh;
  for (const Hull::Face& face : hull.faces) {
    const auto first = static_cast<std::int32_t>(mesh.points.size());
    const auto loop = hull.loop(face);
    for (const std::int32_t vertex : loop) mesh.points.push_back(scale * hull.vertices[vertex]);
    for (std::int32_t k = 1; k + 1 < static_cast<std::int32_t>(loop.size()); ++k) {
      mesh.triangles.push_back({first, first + k, first + k + 1});
    }
  }
  return mesh;
}

/// The corners of a box.
std::array<Vec3, 8> corners_of(const Box3& box) {
  std::array<Vec3, 8> corners;
  for (unsigned k = 0; k < corners.size(); ++k) {
    const auto end = [&](int axis) { return (k >> axis & 1U) != 0 ? box.high : box.low; };
    corners[k] = {end(0).x(), end(1).y(), end(2).z()};
  }
  return corners;
}

/// The shapes in the body's frame, where @p seen is the box as the body sees it.
struct Draw {
  const ShapeLibrary& shapes;
  Box3 seen;  ///< about the corners of the box, in the body's frame
  Pose pose;
  Box3 in_world;

  SurfaceMesh operator()(const Sphere& s) const { return mesh_of(Vec3::Constant(s.radius)); }
  SurfaceMesh operator()(const Ellipsoid& e) const { return mesh_of(Vec3(e.semi_axes.data())); }
  SurfaceMesh operator()(const Box& b) const {
    return mesh_of(cuboid(Vec3(b.half_size.data())), 1.0);
  }
  SurfaceMesh operator()(const Polyhedron& p) const {
    return mesh_of(shapes.hull(p.handle), p.scale);
  }
  SurfaceMesh operator()(const Clump& body) const {
    const ScaledClump clump = shapes.geometry_of(body);
    SurfaceMesh whole;
    for (std::size_t i = 0; i < clump.size(); ++i) {
      const SurfaceMesh part = visit(*this, clump.part(i));
      const auto first = static_cast<std::int32_t>(whole.points.size());
      const Pose place = clump.pose_of(i, Pose{});
      for (const Vec3& p : part.points) whole.points.push_back(place.to_world(p));
      for (const auto& [a, b, c] : part.triangles) {
        whole.triangles.push_back({first + a, first + b, first + c});
      }
    }
    return whole;
  }
  SurfaceMesh operator()(const Cluster& /*balls*/) const { return {}; }
  SurfaceMesh operator()(const Mesh& m) const {
    const PackedMesh& mesh = shapes.geometry_of(m).mesh();
    return {{mesh.vertices.begin(), mesh.vertices.end()}, mesh.triangles()};
  }

  /// Any other that is convex: its points farthest along directions.
  template <class S>
  requires requires(const S& s, const Vec3& direction) { s.support(direction); }
  SurfaceMesh operator()(const S& s) const {
    return sphere_as([&](const Vec3& p, bool) { return s.support(p); });
  }

  SurfaceMesh operator()(const Capsule& c) const {
    return sphere_as([&](const Vec3& p, bool upper) {
      return Vec3(c.radius * p + (upper ? 0.5 : -0.5) * c.length * Vec3::UnitZ());
    });
  }

  SurfaceMesh operator()(const Ring& r) const {
    constexpr std::int32_t kTube = kAround / 2;
    SurfaceMesh mesh;
    for (std::int32_t i = 0; i <= kAround; ++i) {
      for (std::int32_t j = 0; j < kTube; ++j) {
        const Vec3 tube = on_circle(j, kTube);
        mesh.points.push_back((r.major_radius + r.minor_radius * tube.x()) * on_circle(i, kAround) -
                              r.minor_radius * tube.y() * Vec3::UnitZ());
      }
    }
    add_grid(mesh, kAround + 1, kTube);
    return mesh;
  }

  /// Its edges are along the world's axes where the plane is, so that floors and walls meet in
  /// corners.
  SurfaceMesh operator()(const Plane& /*plane*/) const {
    const Vec3 normal = pose.orientation * Vec3::UnitZ();
    Eigen::Index axis = 0;
    normal.cwiseAbs().minCoeff(&axis);
    const Vec3 first = (Vec3::Unit(axis) - normal[axis] * normal).normalized();
    const Vec3 second = normal.cross(first);
    Eigen::Vector2d low = Eigen::Vector2d::Constant(std::numeric_limits<double>::max());
    Eigen::Vector2d high = -low;
    for (const Vec3& corner : corners_of(in_world)) {
      const Vec3 at = corner - pose.position;
      const Eigen::Vector2d place(at.dot(first), at.dot(second));
      low = low.cwiseMin(place);
      high = high.cwiseMax(place);
    }
    SurfaceMesh mesh;
    for (const auto& [u, v] : {std::pair(low.x(), low.y()), std::pair(high.x(), low.y()),
                               std::pair(high.x(), high.y()), std::pair(low.x(), high.y())}) {
      mesh.points.push_back(pose.orientation.conjugate() * Vec3(u * first + v * second));
    }
    add_quad(mesh, 0, 1, 2, 3);
    return mesh;
  }

  SurfaceMesh operator()(const HollowCylinder& hole) const { return wall_of(hole); }
  SurfaceMesh operator()(const HollowCone& hole) const { return wall_of(hole); }
  /// With the upper face of its plate.
  SurfaceMesh operator()(const Orifice& hole) const {
    SurfaceMesh mesh = wall_of(hole);
    const double out = std::max(
        {seen.high.x(), seen.high.y(), -seen.low.x(), -seen.low.y(), 2.0 * hole.high_radius});
    for (std::int32_t j = 0; j < kAround; ++j) {
      mesh.points.push_back(out * on_circle(j, kAround) + hole.high * Vec3::UnitZ());
    }
    add_grid_of_last(mesh);
    return mesh;
  }

 private:
  /// The surface that looks into the hole.
  SurfaceMesh wall_of(const RoundHole& hole) const {
    const double low = std::isfinite(hole.low) ? hole.low : seen.low.z();
    const double high = std::isfinite(hole.high) ? hole.high : seen.high.z();
    SurfaceMesh mesh;
    for (const auto& [z, radius] :
         {std::pair(low, hole.low_radius), std::pair(high, hole.high_radius)}) {
      for (std::int32_t j = 0; j < kAround; ++j) {
        mesh.points.push_back(radius * on_circle(kAround - j, kAround) + z * Vec3::UnitZ());
      }
    }
    add_grid(mesh, 2, kAround);
    return mesh;
  }
  /// The plate between the upper rim, whose points run clockwise, and the last ring of points.
  static void add_grid_of_last(SurfaceMesh& mesh) {
    for (std::int32_t j = 0; j < kAround; ++j) {
      const auto rim = [](std::int32_t k) { return kAround + (2 * kAround - k) % kAround; };
      const auto far = [](std::int32_t k) { return 2 * kAround + k % kAround; };
      add_quad(mesh, rim(j), far(j), far(j + 1), rim(j + 1));
    }
  }
};

Box3 in_frame(const Box3& box, const Pose& pose) {
  Box3 result{Vec3::Constant(std::numeric_limits<double>::max()),
              Vec3::Constant(std::numeric_limits<double>::lowest())};
  for (const Vec3& corner : corners_of(box)) {
    const Vec3 p = pose.to_body(corner);
    result = {result.low.cwiseMin(p), result.high.cwiseMax(p)};
  }
  return result;
}

}  // namespace

SurfaceMesh surface_of(const Shape& shape, const ShapeLibrary& shapes, const Pose& pose,
                       const Box3& seen) {
  SurfaceMesh mesh = visit(Draw{shapes, in_frame(seen, pose), pose, seen}, shape);
  for (Vec3& point : mesh.points) point = pose.to_world(point);
  return mesh;
}

}  // namespace scree
