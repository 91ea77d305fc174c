#include "scree/geometry/pairs/plane_between.hpp"

#include <type_traits>

#include "apart.hpp"
#include "convex_shape.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/shapes/all_shapes.hpp"

namespace scree {
namespace {

/// A ring and the disc that it goes around.
struct RingHull {
  Ring ring;

  Vec3 support(const Vec3& direction) const {
    const double across = direction.head<2>().norm();
    const double share = across > 0.0 ? ring.major_radius / across : 0.0;
    return share * Vec3(direction.x(), direction.y(), 0.0) + ring.minor_radius * direction;
  }
  double rounding_radius() const { return ring.minor_radius; }
  double inscribed_radius() const { return ring.inscribed_radius(); }
  double bounding_radius() const { return ring.bounding_radius(); }
};

template <class S>
constexpr bool kIsRing = std::is_same_v<S, Ring>;
/// Shapes that a plane is looked for from: not balls, whose distances from most have closed forms.
template <class S>
constexpr bool kIsSpanned = kIsRing<S> || (Supported<S> && !std::is_same_v<S, Sphere>);
/// Those whose contact points take many times what the search for a plane does. Of two ellipsoids,
/// boxes or polyhedra they do not: their routines end by themselves where two are far apart.
template <class S>
constexpr bool kIsCostly = kIsRing<S> || GenericConvex<S>;

template <class S>
const S& convex_of(const S& shape) {
  return shape;
}
RingHull convex_of(const Ring& ring) {
  return {ring};
}

template <class A, class B>
bool have_plane_between(const A& a, const Pose& pose_a, const B& b, const Pose& pose_b,
                        double gap) {
  const auto& convex_a = convex_of(a);
  const auto& convex_b = convex_of(b);
  const PlacedConvex placed_a(ConvexShape(convex_a), pose_a, pose_a.position);
  const PlacedConvex placed_b(ConvexShape(convex_b), pose_b, pose_a.position);
  return are_parted(Difference(placed_a, placed_b),
                    gap + placed_a.rounding() + placed_b.rounding());
}

}  // namespace

bool is_plane_between(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                      const ShapeLibrary& library, double gap) {
  const auto between = [&]<class A, class B>(const A& one, const B& other) {
    if constexpr (kIsSpanned<A> && kIsSpanned<B> && (kIsCostly<A> || kIsCostly<B>)) {
      return have_plane_between(one, pose_a, other, pose_b, gap);
    } else {
      return false;
    }
  };
  return visit(
      [&](const auto& one) {
        return visit(
            [&](const auto& other) {
              return between(library.geometry_of(one), library.geometry_of(other));
            },
            b);
      },
      a);
}

}  // namespace scree
