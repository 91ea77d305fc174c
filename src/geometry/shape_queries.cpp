#include "scree/geometry/shape_queries.hpp"

#include <type_traits>

namespace scree {

Box3 box_of(const Shape& shape, const Pose& pose) {
  return std::visit(
      [&pose](const auto& s) {
        const Mat3 rotation = pose.orientation.toRotationMatrix();
        const Vec3 centre = pose.position + s.centre_of_box(rotation);
        const Vec3 half = s.half_extents(rotation);
        return Box3{centre - half, centre + half};
      },
      shape);
}

double volume(const Shape& shape) {
  return std::visit([](const auto& s) { return s.volume(); }, shape);
}

Vec3 inertia_per_mass(const Shape& shape) {
  return std::visit([](const auto& s) { return s.inertia_per_mass(); }, shape);
}

std::string_view type_of(const Shape& shape) {
  return std::visit([](const auto& s) { return std::remove_cvref_t<decltype(s)>::kType; }, shape);
}

double spin_radius(const Shape& shape) {
  return std::visit(
      []<class S>(const S& s) {
        if constexpr (std::is_same_v<S, Sphere>) return 0.0;
        const Mat3 identity = Mat3::Identity();
        return (s.centre_of_box(identity).cwiseAbs() + s.half_extents(identity)).norm();
      },
      shape);
}

}  // namespace scree
