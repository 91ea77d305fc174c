#pragma once

/// The core of a shape, all that the routines for convex pairs see: a point, a segment or a
/// polytope, placed in the frame in which the pair is looked at, with the rounding radius around
/// it.
///
/// A core is a hull whose frame is mapped by a rotation times a diagonal scaling. The scaling
/// differs between the axes only for a cuboid, whose faces keep their normals under it.

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "scree/geometry/hulls/hull.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/box.hpp"
#include "scree/geometry/shapes/capsule.hpp"
#include "scree/geometry/shapes/polyhedron.hpp"

namespace scree {

struct Sphere;

/// A shape's core in its own frame. Valid as long as the hull.
struct CoreShape {
  const Hull& hull;
  Vec3 scale;
  double radius;  ///< rounding radius, m
};

/// The geometry of a shape that has a core with faces.
template <class S>
concept Polytope = std::is_same_v<S, Box> || std::is_same_v<S, ScaledHull>;

CoreShape core_of(const Sphere& sphere);
CoreShape core_of(const Capsule& capsule);
CoreShape core_of(const Box& box);
CoreShape core_of(const ScaledHull& polyhedron);

/// A core where it is.
class Core {
 public:
  Core(const CoreShape& shape, const Mat3& rotation, const Vec3& origin)
      : hull_(&shape.hull),
        rotation_(rotation),
        map_(rotation * shape.scale.asDiagonal()),
        origin_(origin),
        radius_(shape.radius),
        scale_(shape.scale),
        reach_(shape.hull.bounding_radius * shape.scale.maxCoeff()),
        flatness_(shape.hull.flatness * shape.scale.maxCoeff()),
        inscribed_(
            std::max(shape.hull.inscribed_radius * shape.scale.minCoeff() - flatness_, 0.0)) {}

  const Hull& hull() const { return *hull_; }
  double radius() const { return radius_; }  ///< rounding radius, m
  double reach() const { return reach_; }    ///< largest distance of the core from its origin, m
  /// A ball in the core, m: about its origin, or where it is flat one of its vertices.
  struct InnerBall {
    Vec3 centre;
    double radius;
  };
  InnerBall inner_ball() const { return {inscribed_ > 0.0 ? origin_ : vertex(0), inscribed_}; }
  double flatness() const { return flatness_; }  ///< see Hull
  const Vec3& origin() const { return origin_; }

  Vec3 vertex(std::int32_t i) const {
    const Vec3& own = hull_->vertices[i];
    return origin_ + (own.x() * map_.col(0) + own.y() * map_.col(1) + own.z() * map_.col(2));
  }
  Vec3 normal(std::size_t face) const { return rotation_ * hull_->faces[face].normal; }
  /// The vector whose products with the hull's vertices tell how far along @p direction these are
  /// from the origin.
  Vec3 seen_by_vertices(const Vec3& direction) const { return map_.transpose() * direction; }
  /// A direction in the core's own frame.
  Vec3 turned_to_own(const Vec3& direction) const { return rotation_.transpose() * direction; }
  /// A point in the core's own frame.
  Vec3 to_own(const Vec3& p) const { return rotation_.transpose() * (p - origin_); }
  /// How far a point of the core's own frame is above a face, m.
  double height_above(std::size_t face, const Vec3& own) const {
    const Hull::Face& f = hull_->faces[face];
    return f.normal.dot(own - scale_.cwiseProduct(hull_->vertices[hull_->loops[f.begin]]));
  }
  /// The vertex farthest along @p direction; @p start is where a search begins.
  std::int32_t support(const Vec3& direction, std::int32_t start = 0) const;

 private:
  const Hull* hull_;
  Mat3 rotation_;
  Mat3 map_;
  Vec3 origin_;
  double radius_;
  Vec3 scale_;
  double reach_;
  double flatness_;
  double inscribed_;  ///< of a ball about its origin within all faces, m; 0 of a flat core
};

/// The vertex of @p hull farthest along @p direction.
std::int32_t farthest_vertex(const Hull& hull, const Vec3& direction, std::int32_t start = 0);

}  // namespace scree
