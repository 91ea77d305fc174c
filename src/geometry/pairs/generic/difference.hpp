#pragma once

/// The difference of two bodies, all a - b of points of their cores, as far as directions tell it.

#include "convex_shape.hpp"

namespace scree {

/// The point of the difference that is farthest along a direction, and h there.
struct Sight {
  Vec3 direction;  ///< unit
  Vec3 of_a, of_b;
  Vec3 point;    ///< of_a - of_b
  double value;  ///< direction . point
};

/// The parts of both cores that look along a direction of the difference: B's against it.
struct Facing {
  SupportingFace a, b;
};

class Difference {
 public:
  Difference(const PlacedConvex& a, const PlacedConvex& b) : a_(a), b_(b) {}

  /// No farther from the origin is any point of it, m.
  double size() const {
    return a_.shape().bounding_radius() + b_.shape().bounding_radius() +
           (a_.centre() - b_.centre()).norm();
  }
  bool is_smooth() const { return a_.shape().is_smooth() && b_.shape().is_smooth(); }
  /// From A's centre to B's, m.
  Vec3 apart() const { return b_.centre() - a_.centre(); }

  Sight look(const Vec3& m) const {
    const Vec3 of_a = a_.core_support(m);
    const Vec3 of_b = b_.core_support(-m);
    const Vec3 point = of_a - of_b;
    return {m, of_a, of_b, point, m.dot(point)};
  }
  /// @param tolerance sine of the angle by which flats and lines may look past @p m
  Facing facing(const Vec3& m, double tolerance) const {
    Facing facing{a_.supporting_face(m, tolerance), b_.supporting_face(-m, tolerance)};
    for (SupportingFace::Corner& c : facing.a.corners) c.point -= a_.rounding() * m;
    for (SupportingFace::Corner& c : facing.b.corners) c.point += b_.rounding() * m;
    return facing;
  }

 private:
  const PlacedConvex& a_;
  const PlacedConvex& b_;
};

}  // namespace scree
