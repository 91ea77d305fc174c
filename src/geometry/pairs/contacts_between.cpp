#include "scree/geometry/pairs/contacts_between.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>
#include <vector>

#include "clump_contact.hpp"
#include "cluster_contact.hpp"
#include "geometry/pairs/convex/capsule_contact.hpp"
#include "geometry/pairs/convex/convex_contact.hpp"
#include "geometry/pairs/ellipsoid/ellipsoid_contacts.hpp"
#include "geometry/pairs/generic/generic_contact.hpp"
#include "geometry/pairs/hole/hole_contact.hpp"
#include "geometry/pairs/mesh/mesh_contact.hpp"
#include "geometry/pairs/ring/ring_contact.hpp"
#include "plane_contact.hpp"
#include "scree/base/check.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pairs/separation.hpp"
#include "scree/geometry/shapes/all_shapes.hpp"

namespace scree {
namespace {

template <class S>
concept Convex = Polytope<S> || std::is_same_v<S, Capsule> || std::is_same_v<S, Sphere>;

Manifold turned_round(Manifold manifold) {
  for (ContactPoint& p : manifold) {
    p.normal = -p.normal;
    std::swap(p.point_a, p.point_b);
    p.feature = swapped_feature(p.feature);
  }
  return manifold;
}

ContactPoint contact_point(const Separation& s, std::int64_t feature) {
  return {s.gap, s.normal, s.point_a, s.point_b, feature};
}

/// A pair is one overload of pair_contact, with the shape of lower rank first. Shapes that are met
/// by the generic route stand between balls and those with routines of their own, in the order of
/// the list.
template <class S>
constexpr int rank_of() {
  if (std::is_same_v<S, ScaledCluster>) return -2;
  if (std::is_same_v<S, Ring>) return -1;
  if (std::is_same_v<S, Sphere>) return 0;
  if (GenericConvex<S>) return 1 + static_cast<int>(kNumberOf<S>);
  constexpr int kOthers = 1 + static_cast<int>(kShapeTypes);
  if (std::is_same_v<S, Ellipsoid>) return kOthers;
  if (Polytope<S>) return kOthers + (std::is_same_v<S, Box> ? 1 : 2);
  return kOthers + (std::is_same_v<S, Capsule> ? 3 : 4);
}

template <class B>
requires Convex<B> || GenericConvex<B> || std::is_same_v<B, Plane> Manifold pair_contact(
    const Sphere& a, const Pose& pose_a, const B& b, const Pose& pose_b, double /*margin*/) {
  Manifold manifold;
  manifold.push_back(contact_point(separation_of(a, pose_a, b, pose_b), 0));
  return manifold;
}

template <class B>
requires std::is_base_of_v<RoundHole, B> Manifold pair_contact(const Sphere& a, const Pose& pose_a,
                                                               const B& b, const Pose& pose_b,
                                                               double margin) {
  std::vector<ContactPoint> points = {contact_point(separation_of(a, pose_a, b, pose_b), 0)};
  for (const Separation& further : further_separations(a, pose_a, b, pose_b)) {
    points.push_back(contact_point(further, pair_feature(0, std::ssize(points))));
  }
  drop_beyond(margin, points);
  return manifold_of(points, SeparationStatus::solved);
}

Manifold pair_contact(const Capsule& a, const Pose& pose_a, const Capsule& b, const Pose& pose_b,
                      double margin) {
  return capsule_contact(a, pose_a, b, pose_b, margin);
}

template <Polytope A, Convex B>
Manifold pair_contact(const A& a, const Pose& pose_a, const B& b, const Pose& pose_b, double margin,
                      double far = kNeverFar) {
  return convex_contact({core_of(a), pose_a}, {core_of(b), pose_b}, margin, far);
}

template <Convex A>
requires(!std::is_same_v<A, Sphere>) Manifold
    pair_contact(const A& a, const Pose& pose_a, const Plane& b, const Pose& pose_b,
                 double margin) {
  return plane_contact({core_of(a), pose_a}, b, pose_b, margin);
}

template <class A, class B>
requires((Convex<A> && !std::is_same_v<A, Sphere>) || std::is_same_v<A, Ellipsoid>) &&
    std::is_base_of_v<RoundHole, B> Manifold
    pair_contact(const A& a, const Pose& pose_a, const B& b, const Pose& pose_b, double margin) {
  return hole_contact(a, pose_a, b, pose_b, margin);
}

Manifold pair_contact(const Sphere& a, const Pose& pose_a, const Ellipsoid& b, const Pose& pose_b,
                      double /*margin*/) {
  return turned_round(ellipsoid_and_ball(b, pose_b, pose_a.position, a.radius));
}

Manifold pair_contact(const Ellipsoid& a, const Pose& pose_a, const Ellipsoid& b,
                      const Pose& pose_b, double /*margin*/, double far = kNeverFar) {
  return ellipsoid_and_ellipsoid(a, pose_a, b, pose_b, far);
}

Manifold pair_contact(const Ellipsoid& a, const Pose& pose_a, const Capsule& b, const Pose& pose_b,
                      double /*margin*/) {
  const Vec3 half(0.0, 0.0, 0.5 * b.length);
  return ellipsoid_and_capsule(a, pose_a, pose_b.to_world(-half), pose_b.to_world(half), b.radius);
}

template <Polytope B>
Manifold pair_contact(const Ellipsoid& a, const Pose& pose_a, const B& b, const Pose& pose_b,
                      double /*margin*/) {
  const CoreShape core = core_of(b);
  return ellipsoid_and_hull(a, pose_a, core.hull, core.scale, pose_b, core.radius);
}

Manifold pair_contact(const Ellipsoid& a, const Pose& pose_a, const Plane& /*b*/,
                      const Pose& pose_b, double /*margin*/) {
  return ellipsoid_and_plane(a, pose_a, pose_b.orientation * Vec3::UnitZ(), pose_b.position);
}

template <class A>
requires std::is_same_v<A, Sphere> || std::is_same_v<A, Ellipsoid> Manifold pair_contact(
    const A& a, const Pose& pose_a, const MeshSurface& b, const Pose& pose_b, double margin) {
  return mesh_contact(a, pose_a, b, pose_b, margin);
}

template <Convex A>
requires(!std::is_same_v<A, Sphere>) Manifold
    pair_contact(const A& a, const Pose& pose_a, const MeshSurface& b, const Pose& pose_b,
                 double margin) {
  return mesh_contact(core_of(a), a.inscribed_radius(), a.bounding_radius(), pose_a, b, pose_b,
                      margin);
}

template <GenericConvex A, Supported B>
Manifold pair_contact(const A& a, const Pose& pose_a, const B& b, const Pose& pose_b,
                      double margin) {
  return generic_contact(ConvexShape(a), pose_a, ConvexShape(b), pose_b, margin);
}

template <GenericConvex A>
Manifold pair_contact(const A& a, const Pose& pose_a, const Plane& b, const Pose& pose_b,
                      double margin) {
  return generic_contact(ConvexShape(a), pose_a, b, pose_b, margin);
}

template <GenericConvex A, class B>
requires std::is_base_of_v<RoundHole, B> Manifold pair_contact(const A& a, const Pose& pose_a,
                                                               const B& b, const Pose& pose_b,
                                                               double margin) {
  return hole_contact(ConvexShape(a), pose_a, b, pose_b, margin);
}

template <GenericConvex A>
Manifold pair_contact(const A& a, const Pose& pose_a, const MeshSurface& b, const Pose& pose_b,
                      double margin) {
  return mesh_contact(ConvexShape(a), pose_a, b, pose_b, margin);
}

template <class B>
requires(!std::is_same_v<B, ScaledCluster>) Manifold
    pair_contact(const Ring& a, const Pose& pose_a, const B& b, const Pose& pose_b, double margin) {
  if constexpr (GenericConvex<B>) {
    return ring_contact(a, pose_a, ConvexShape(b), pose_b, margin);
  } else {
    return ring_contact(a, pose_a, b, pose_b, margin);
  }
}

Manifold pair_contact(const ScaledCluster& a, const Pose& pose_a, const ScaledCluster& b,
                      const Pose& pose_b, double margin) {
  return cluster_contact(a, pose_a, b, pose_b, margin);
}

template <class A, class B>
Manifold contacts(const A& a, const Pose& pose_a, const B& b, const Pose& pose_b, double margin,
                  double far = kNeverFar);

template <class B>
Manifold pair_contact(const ScaledCluster& a, const Pose& pose_a, const B& b, const Pose& pose_b,
                      double margin) {
  return cluster_contact(a, pose_a, b, pose_b, margin, [&](const Sphere& ball, const Pose& pose) {
    return contacts(ball, pose, b, pose_b, margin);
  });
}

template <class A, class B>
concept HasRoutine = rank_of<A>()
<= rank_of<B>() && requires(const A& a, const B& b, const Pose& pose) {
  pair_contact(a, pose, b, pose, 0.0);
};

std::array<double, 3> sizes(const Sphere& s) {
  return {s.radius};
}
std::array<double, 3> sizes(const Box& s) {
  return s.half_size;
}
std::array<double, 3> sizes(const Capsule& s) {
  return {s.radius, s.length};
}
std::array<double, 3> sizes(const Ellipsoid& s) {
  return s.semi_axes;
}
std::array<double, 3> sizes(const ScaledHull& s) {
  return {s.volume(), s.bounding_radius()};
}
std::array<double, 3> sizes(const Ring& s) {
  return {s.major_radius, s.minor_radius};
}
template <GenericConvex S>
std::array<double, 3> sizes(const S& s) {
  const Vec3 moments = s.inertia_per_mass();
  return {s.volume(), moments.x(), moments.z()};
}
std::array<double, 3> sizes(const ScaledCluster& s) {
  return {s.volume(), s.bounding_radius(), static_cast<double>(s.size())};
}

std::array<double, 3> sizes(const ScaledClump& s) {
  return {s.volume(), s.bounding_radius(), static_cast<double>(s.size())};
}

/// Shapes that may be on both sides of a pair.
template <class S>
concept Finite = requires(const S& s) {
  sizes(s);
};

/// Whether B goes first of two shapes of one type: any order will do that does not ask which is A,
/// so that turning a pair round turns its answer round, ties included.
template <class S>
bool comes_second(const S& a, const Pose& pose_a, const S& b, const Pose& pose_b) {
  const auto key = [](const S& s, const Pose& pose) {
    const std::array<double, 3> size = sizes(s);
    const Quat& q = pose.orientation;
    return std::array<double, 10>{pose.position.x(),
                                  pose.position.y(),
                                  pose.position.z(),
                                  q.w(),
                                  q.x(),
                                  q.y(),
                                  q.z(),
                                  size[0],
                                  size[1],
                                  size[2]};
  };
  return key(b, pose_b) < key(a, pose_a);
}

/// The points by the routine of the pair, which ends early where it finds the gap above @p far, if
/// it looks for that.
template <class A, class B>
Manifold by_routine(const A& a, const Pose& pose_a, const B& b, const Pose& pose_b, double margin,
                    double far) {
  if constexpr (requires { pair_contact(a, pose_a, b, pose_b, margin, far); }) {
    return pair_contact(a, pose_a, b, pose_b, margin, far);
  } else {
    return pair_contact(a, pose_a, b, pose_b, margin);
  }
}

template <class A, class B>
Manifold contacts(const A& a, const Pose& pose_a, const B& b, const Pose& pose_b, double margin,
                  double far) {
  if constexpr (std::is_same_v<A, B> && Finite<A>) {
    const bool may_tie = !std::is_same_v<A, Sphere> || pose_a.position == pose_b.position;
    if (may_tie && comes_second(a, pose_a, b, pose_b)) {
      return turned_round(by_routine(b, pose_b, a, pose_a, margin, far));
    }
  }
  if constexpr (HasRoutine<A, B>) {
    return by_routine(a, pose_a, b, pose_b, margin, far);
  } else if constexpr (HasRoutine<B, A>) {
    return turned_round(by_routine(b, pose_b, a, pose_a, margin, far));
  } else {
    static_assert(!Finite<A> && !Finite<B>, "each body meets every shape");
    throw Failure(fmt::format("no contact between a {} and a {}", A::kType, B::kType));
  }
}

/// The points of two shapes where one is a clump.
Manifold contacts_of_clump(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                           const ShapeLibrary& library, double margin) {
  const auto* own = a.get_if<Clump>();
  const auto* other = b.get_if<Clump>();
  if (own == nullptr) {
    return turned_round(clump_contact(library.geometry_of(*other), pose_b, a, pose_a, margin));
  }
  const ScaledClump clump = library.geometry_of(*own);
  if (other == nullptr) return clump_contact(clump, pose_a, b, pose_b, margin);
  const ScaledClump second = library.geometry_of(*other);
  if (comes_second(clump, pose_a, second, pose_b)) {
    return turned_round(clumps_contact(second, pose_b, clump, pose_a, margin));
  }
  return clumps_contact(clump, pose_a, second, pose_b, margin);
}

}  // namespace

Manifold contacts_between(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                          const ShapeLibrary& library, double margin, double far) {
  // two balls without a detour: most pairs are such
  const auto* ball_a = a.get_if<Sphere>();
  const auto* ball_b = b.get_if<Sphere>();
  if (ball_a != nullptr && ball_b != nullptr) {
    return contacts(*ball_a, pose_a, *ball_b, pose_b, margin);
  }
  if (a.is<Clump>() || b.is<Clump>()) {
    return contacts_of_clump(a, pose_a, b, pose_b, library, margin);
  }
  return visit(
      [&]<class A>(const A& one) {
        return visit(
            [&]<class B>(const B& other) -> Manifold {
              if constexpr (std::is_same_v<A, Clump> || std::is_same_v<B, Clump>) {
                throw Failure("clumps are met part by part");
              } else {
                return contacts(library.geometry_of(one), pose_a, library.geometry_of(other),
                                pose_b, margin, far);
              }
            },
            b);
      },
      a);
}

}  // namespace scree
