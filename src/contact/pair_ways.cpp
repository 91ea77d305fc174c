#include "pair_ways.hpp"

#include "parting_planes.hpp"
#include "scree/contact/penetration.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/shapes/clump.hpp"
#include "scree/geometry/shapes/mesh.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "scree/geometry/shapes/sphere.hpp"

namespace scree {

double surface_speed(const Store& store, std::int32_t slot, const Quat& orientation,
                     const Vec3& spin) {
  const Shape& shape = store.shape[slot];
  if (shape.is<Sphere>()) return 0.0;
  const Vec3 moving = surface_spin(shape, orientation, spin);
  return moving.isZero(0.0) ? 0.0 : moving.norm() * spin_radius(shape, *store.shapes);
}

PairWays::PairWays(const Store& store, const Ends& ends, double dt)
    : store_(store), ends_(ends), dt_(dt) {
  bodies_.reserve(static_cast<std::size_t>(store.size()));
  for (std::int32_t slot = 0; slot < store.size(); ++slot) {
    const Shape& shape = store.shape[slot];
    const bool is_clump = shape.is<Clump>();
    bodies_.push_back({.size = inscribed_radius(store, slot),
                       .turning = dt * surface_speed(store, slot, ends.poses[slot].orientation,
                                                     ends.velocities[slot].tail<3>()),
                       .is_clump = is_clump,
                       .has_parts = is_clump || shape.is<Mesh>()});
  }
}

double PairWays::along(std::int32_t a, std::int32_t b) const {
  if (!bodies_[b].has_parts && !has_hull(store_.shape[b])) return 0.0;
  return linear(a, b);
}

double PairWays::linear(std::int32_t a, std::int32_t b) const {
  return dt_ * (ends_.velocities[a] - ends_.velocities[b]).head<3>().norm();
}

}  // namespace scree
