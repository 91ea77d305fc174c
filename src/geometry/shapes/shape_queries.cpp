#include "scree/geometry/shapes/shape_queries.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>

#include "scree/base/check.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/shapes/all_shapes.hpp"

namespace scree {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Convex and of finite size.
template <class S>
concept ConvexBody = requires(const S& s, const Vec3& direction) {
  s.support(direction);
};

/// A shape of finite size.
template <class S>
concept FiniteBody = requires(const S& s) {
  s.bounding_radius();
};

/// The answer of @p ask for the shape's geometry. Most shapes are balls: they go without the table
/// of calls.
template <class Ask>
auto of_geometry(const Shape& shape, const ShapeLibrary& library, const Ask& ask) {
  if (const auto* ball = shape.get_if<Sphere>()) return ask(library.geometry_of(*ball));
  return visit([&](const auto& s) { return ask(library.geometry_of(s)); }, shape);
}

/// Whether a shape is one of revolution about its z axis. A sphere has no axis.
template <class S>
constexpr bool kIsOfRevolution =
    std::is_base_of_v<RoundHole, S> || std::is_same_v<S, Plane> || std::is_same_v<S, Cylinder> ||
    std::is_same_v<S, Cone> || std::is_same_v<S, Capsule>;

template <class S>
Box3 placed_bounds(const S& s, const Pose& pose) {
  const Box3 box = s.bounds(pose.orientation.toRotationMatrix());
  return {pose.position + box.low, pose.position + box.high};
}

}  // namespace

Box3 box_of(const Shape& shape, const Pose& pose, const ShapeLibrary& library) {
  return of_geometry(shape, library, [&pose](const auto& s) { return placed_bounds(s, pose); });
}

double volume(const Shape& shape, const ShapeLibrary& library) {
  return of_geometry(shape, library, [](const auto& s) { return s.volume(); });
}

double volume_of_ball(double radius) {
  return Sphere{radius}.volume();
}

Vec3 inertia_per_mass(const Shape& shape, const ShapeLibrary& library) {
  return of_geometry(shape, library, [](const auto& s) { return s.inertia_per_mass(); });
}

double bounding_radius(const Shape& shape, const ShapeLibrary& library) {
  return of_geometry(shape, library, []<class S>(const S& s) {
    if constexpr (FiniteBody<S>) return s.bounding_radius();
    return kInfinity;
  });
}

double inscribed_radius(const Shape& shape, const ShapeLibrary& library) {
  return of_geometry(shape, library, []<class S>(const S& s) {
    if constexpr (FiniteBody<S>) return s.inscribed_radius();
    return kInfinity;
  });
}

double equal_volume_radius(const Shape& shape, const ShapeLibrary& library) {
  if (const auto* ball = shape.get_if<Sphere>()) return ball->radius;
  return std::cbrt(0.75 * volume(shape, library) / std::numbers::pi);
}

SurfacePoint nearest_of(const Shape& shape, const Vec3& p, const ShapeLibrary& library) {
  return of_geometry(shape, library, [&p](const auto& s) { return s.nearest(p); });
}

Vec3 support(const Shape& shape, const Vec3& direction, const ShapeLibrary& library) {
  return of_geometry(shape, library, [&direction]<class S>(const S& s) -> Vec3 {
    if constexpr (ConvexBody<S>) {
      return s.support(direction);
    } else {
      throw Failure(fmt::format("a {} has no farthest point", S::kType));
    }
  });
}

bool is_convex_body(const Shape& shape) {
  return visit([]<class S>(const S&) { return ConvexBody<S> || std::is_same_v<S, Polyhedron>; },
               shape);
}

std::string_view type_of(const Shape& shape) {
  return visit([](const auto& s) { return std::remove_cvref_t<decltype(s)>::kType; }, shape);
}

bool endless_along(const Shape& shape, const Vec3& direction) {
  constexpr double kRounding = 1e-12;
  if (shape.is<Plane>()) return std::abs(direction.z()) < kRounding;
  const RoundHole* hole = hole_of(shape);
  return hole != nullptr && hole->endless() && direction.head<2>().norm() < kRounding;
}

const RoundHole* hole_of(const Shape& shape) {
  return visit(
      []<class S>(const S& s) -> const RoundHole* {
        if constexpr (std::is_base_of_v<RoundHole, S>) return &s;
        return nullptr;
      },
      shape);
}

Vec3 surface_spin(const Shape& shape, const Quat& orientation, const Vec3& spin) {
  constexpr double kRounding = 1e-9;  // 1e-16 over a turn in a step of 1e-6 and more, with room
  if (shape.is<Sphere>() || spin.isZero(0.0)) return Vec3::Zero();
  if (!visit([]<class S>(const S&) { return kIsOfRevolution<S>; }, shape)) return spin;
  const Vec3 axis = orientation * Vec3::UnitZ();
  const Vec3 across = spin - spin.dot(axis) * axis;
  return across.norm() > kRounding * spin.norm() ? across : Vec3::Zero();
}

double spin_radius(const Shape& shape, const ShapeLibrary& library) {
  return of_geometry(shape, library, []<class S>(const S& s) {
    if constexpr (std::is_same_v<S, Sphere>) return 0.0;
    if constexpr (FiniteBody<S>) return s.bounding_radius();
    const Box3 box = s.bounds(Mat3::Identity());
    return box.low.cwiseAbs().cwiseMax(box.high.cwiseAbs()).norm();
  });
}

}  // namespace scree
