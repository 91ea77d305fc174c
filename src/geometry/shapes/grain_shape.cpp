#include "scree/geometry/shapes/grain_shape.hpp"

#include <cmath>
#include <numbers>

#include "scree/config/declaration.hpp"
#include "scree/geometry/shapes/all_grain_shapes.hpp"

namespace scree {
namespace {

/// The geometry of @p shape as it stands.
template <class S>
auto geometry_of(const S& shape) {
  if constexpr (requires { shape.geometry(); }) {
    return shape.geometry();
  } else {
    return shape;
  }
}

double radius_of(const Sphere& ball) {
  return ball.radius;
}
template <class Geometry>
double radius_of(const Geometry& geometry) {
  return std::cbrt(0.75 * geometry.volume() / std::numbers::pi);
}

}  // namespace

void declare_shape(Declaration& d, GrainShape& shape, std::string_view help) {
  d.one_of("shape", shape.change(), {.help = help});
}

Pose frame_of(const GrainShape& shape) {
  return std::visit([](const auto& s) { return declared_frame(s); }, *shape);
}

ClumpSpec* clump_spec_of(GrainShape& shape) {
  return std::holds_alternative<ClumpSpec>(*shape) ? &std::get<ClumpSpec>(shape.change()) : nullptr;
}

MeshPolyhedron* mesh_of(GrainShape& shape) {
  return std::holds_alternative<MeshPolyhedron>(*shape) ? &std::get<MeshPolyhedron>(shape.change())
                                                        : nullptr;
}

bool is_ball(const GrainShape& shape) {
  return std::holds_alternative<Ball>(*shape);
}

double own_radius(const GrainShape& shape) {
  if (is_ball(shape)) return 0.0;
  const double radius = std::visit([](const auto& s) { return radius_of(geometry_of(s)); }, *shape);
  return std::isfinite(radius) ? radius : 0.0;
}

Shape of_size(const GrainShape& shape, double radius) {
  return std::visit(
      [radius](const auto& s) -> Shape { return s.scaled(radius / radius_of(geometry_of(s))); },
      *shape);
}

double bounding_ratio(const GrainShape& shape) {
  return std::visit(
      [](const auto& s) {
        const auto geometry = geometry_of(s);
        return geometry.bounding_radius() / radius_of(geometry);
      },
      *shape);
}

double inscribed_ratio(const GrainShape& shape) {
  return std::visit(
      [](const auto& s) {
        const auto geometry = geometry_of(s);
        return geometry.inscribed_radius() / radius_of(geometry);
      },
      *shape);
}

}  // namespace scree
