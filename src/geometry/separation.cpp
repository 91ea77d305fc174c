#include "scree/geometry/separation.hpp"

#include <fmt/format.h>

#include "scree/base/check.hpp"

namespace scree {
namespace {

template <class A, class B>
concept HasRoutine = requires(const A& a, const B& b, const Pose& pose) {
  { separation_of(a, pose, b, pose) } -> std::same_as<Separation>;
};

/// Names the pair in the compiler's message.
template <class A, class B>
inline constexpr bool kRoutineForPair = false;

Separation turned_round(const Separation& s) {
  return {s.gap, -s.normal, s.point_b, s.point_a};
}

struct Dispatch {
  const Pose& pose_a;
  const Pose& pose_b;

  template <class A, class B>
  Separation operator()(const A& a, const B& b) const {
    if constexpr (HasRoutine<A, B>) {
      return separation_of(a, pose_a, b, pose_b);
    } else if constexpr (HasRoutine<B, A>) {
      return turned_round(separation_of(b, pose_b, a, pose_a));
    } else if constexpr (std::is_same_v<A, Polyhedron> || std::is_same_v<B, Polyhedron>) {
      throw Failure(fmt::format("no separation of a {} and a {}: its hull is in the shape library",
                                A::kType, B::kType));
    } else if constexpr (kOnlyWall<A> && kOnlyWall<B>) {
      throw Failure(fmt::format("no contact between a {} and a {}: both are walls or tools",
                                A::kType, B::kType));
    } else {
      static_assert(kRoutineForPair<A, B>, "no separation_of this pair of shapes");
    }
  }
};

}  // namespace

Separation separation_of(const Sphere& a, const Pose& pose_a, const Sphere& b, const Pose& pose_b) {
  const Vec3 d = pose_a.position - pose_b.position;
  const double distance = d.norm();
  const Vec3 normal = distance > 0.0 ? Vec3(d / distance) : Vec3(Vec3::UnitZ());
  return {distance - (a.radius + b.radius), normal, pose_a.position - a.radius * normal,
          pose_b.position + b.radius * normal};
}

std::array<Separation, 2> further_separations(const Sphere& a, const Pose& pose_a,
                                              const RoundHole& b, const Pose& pose_b) {
  const std::array<SurfacePoint, 2> points = b.around(pose_b.to_body(pose_a.position));
  return {separation_from(a, pose_a, points[0], pose_b),
          separation_from(a, pose_a, points[1], pose_b)};
}

Separation separation(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  return std::visit(Dispatch{pose_a, pose_b}, a, b);
}

}  // namespace scree
