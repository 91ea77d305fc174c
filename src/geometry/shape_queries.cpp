#include "scree/geometry/shape_queries.hpp"

#include <cmath>
#include <type_traits>

namespace scree {

Box3 box_of(const Shape& shape, const Pose& pose) {
  return std::visit(
      [&pose](const auto& s) {
        const Box3 box = s.bounds(pose.orientation.toRotationMatrix());
        return Box3{pose.position + box.low, pose.position + box.high};
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

bool endless_along(const Shape& shape, const Vec3& direction) {
  constexpr double kRounding = 1e-12;
  if (std::holds_alternative<Plane>(shape)) return std::abs(direction.z()) < kRounding;
  const RoundHole* hole = hole_of(shape);
  return hole != nullptr && hole->endless() && direction.head<2>().norm() < kRounding;
}

const RoundHole* hole_of(const Shape& shape) {
  return std::visit(
      []<class S>(const S& s) -> const RoundHole* {
        if constexpr (std::is_base_of_v<RoundHole, S>) return &s;
        return nullptr;
      },
      shape);
}

double spin_radius(const Shape& shape) {
  return std::visit(
      []<class S>(const S& s) {
        if constexpr (std::is_same_v<S, Sphere>) return 0.0;
        const Box3 box = s.bounds(Mat3::Identity());
        return box.low.cwiseAbs().cwiseMax(box.high.cwiseAbs()).norm();
      },
      shape);
}

}  // namespace scree
