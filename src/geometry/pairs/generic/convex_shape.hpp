#pragma once

/// A convex shape as the generic routines see it, whichever it is: what it answers to a direction.
///
/// Asked of a shape S of finite size: support, rounding_radius, inscribed_radius and
/// bounding_radius (shape.hpp), by rings and holes nearest, too. Where it has flats or straight
/// lines that should bear at several points it gives besides
///
///     SupportingFace supporting_face(const Vec3& direction, double tolerance) const
///
/// of the unit direction, `tolerance` being the sine of the angle by which a flat or a line may
/// look past it; those of capsules and polytopes come from their cores.

#include <type_traits>

#include "geometry/pairs/convex/core.hpp"
#include "scree/geometry/shapes/ellipsoid.hpp"
#include "scree/geometry/shapes/shape.hpp"
#include "scree/geometry/shapes/sphere.hpp"
#include "scree/geometry/shapes/supporting_face.hpp"

namespace scree {

/// The flat, segment or point of a capsule or polytope, with the rounding.
SupportingFace supporting_face_of(const CoreShape& core, const Vec3& direction, double tolerance);

/// Shapes that answer to directions.
template <class S>
concept Supported = requires(const S& s, const Vec3& v) {
  s.support(v);
  s.rounding_radius();
};

/// Those that have no routines of their own: one that is added to the list of shapes is such.
template <class S>
concept GenericConvex = Supported<S> && !Polytope<S> && !std::is_same_v<S, Capsule> &&
                        !std::is_same_v<S, Sphere> && !std::is_same_v<S, Ellipsoid>;

/// A view of a shape, in its own frame. Valid as long as the shape.
class ConvexShape {
 public:
  template <Supported S>
  explicit ConvexShape(const S&& shape) = delete;
  template <Supported S>
  explicit ConvexShape(const S& shape)
      : shape_(&shape),
        calls_(&kCalls<S>),
        rounding_(shape.rounding_radius()),
        inscribed_(shape.inscribed_radius()),
        bounding_(shape.bounding_radius()) {}

  /// The surface point farthest along a unit direction.
  Vec3 support(const Vec3& direction) const { return calls_->support(shape_, direction); }
  /// @pre the shape has it
  SurfacePoint nearest(const Vec3& p) const { return calls_->nearest(shape_, p); }
  SupportingFace supporting_face(const Vec3& direction, double tolerance) const {
    return calls_->face(shape_, direction, tolerance);
  }
  double rounding_radius() const { return rounding_; }
  double inscribed_radius() const { return inscribed_; }
  double bounding_radius() const { return bounding_; }
  /// Whether it has neither flats nor straight lines, edges nor corners.
  bool is_smooth() const { return calls_->is_smooth; }

 private:
  struct Calls {
    bool is_smooth;
    Vec3 (*support)(const void*, const Vec3&);
    SurfacePoint (*nearest)(const void*, const Vec3&);
    SupportingFace (*face)(const void*, const Vec3&, double);
  };

  template <class S>
  static SupportingFace face_of(const S& s, const Vec3& direction, double tolerance) {
    if constexpr (requires { s.supporting_face(direction, tolerance); }) {
      return s.supporting_face(direction, tolerance);
    } else if constexpr (Polytope<S> || std::is_same_v<S, Capsule>) {
      return supporting_face_of(core_of(s), direction, tolerance);
    } else {
      return {{{s.support(direction), 0}}};
    }
  }

  template <class S>
  static constexpr auto nearest_of() -> SurfacePoint (*)(const void*, const Vec3&) {
    if constexpr (requires(const S& s, const Vec3& p) { s.nearest(p); }) {
      return [](const void* s, const Vec3& p) { return static_cast<const S*>(s)->nearest(p); };
    } else {
      return nullptr;
    }
  }

  template <class S>
  static constexpr bool is_smooth_of() {
    if constexpr (requires { S::kIsSmooth; }) {
      return S::kIsSmooth;
    } else {
      return false;
    }
  }

  template <class S>
  static constexpr Calls kCalls{
      is_smooth_of<S>(),
      [](const void* s, const Vec3& d) -> Vec3 { return static_cast<const S*>(s)->support(d); },
      nearest_of<S>(),
      [](const void* s, const Vec3& d, double tolerance) {
        return face_of(*static_cast<const S*>(s), d, tolerance);
      }};

  const void* shape_;
  const Calls* calls_;
  double rounding_;
  double inscribed_;
  double bounding_;
};

/// A shape where it is, seen along the world's axes from a point of its neighbourhood, so that
/// coordinates are as small as the shapes.
class PlacedConvex {
 public:
  PlacedConvex(const ConvexShape& shape, const Pose& pose, const Vec3& origin)
      : shape_(shape),
        turn_(pose.orientation.toRotationMatrix()),
        centre_(pose.position - origin),
        rounding_(shape.rounding_radius()) {}

  const ConvexShape& shape() const { return shape_; }
  const Vec3& centre() const { return centre_; }
  double rounding() const { return rounding_; }  ///< radius, m
  /// The surface point farthest along a unit direction.
  Vec3 support(const Vec3& direction) const {
    return centre_ + turn_ * shape_.support(turn_.transpose() * direction);
  }
  /// The core's point farthest along it.
  Vec3 core_support(const Vec3& direction) const {
    return support(direction) - rounding_ * direction;
  }
  SupportingFace supporting_face(const Vec3& direction, double tolerance) const {
    SupportingFace face = shape_.supporting_face(turn_.transpose() * direction, tolerance);
    for (SupportingFace::Corner& corner : face.corners) {
      corner.point = centre_ + turn_ * corner.point;
    }
    return face;
  }

 private:
  ConvexShape shape_;
  Mat3 turn_;
  Vec3 centre_;
  double rounding_;
};

}  // namespace scree
