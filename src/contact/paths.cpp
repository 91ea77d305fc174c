#include "paths.hpp"

#include "scree/contact/reach.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree {

Path path_of(const Store& store, std::int32_t slot, const Pose& start) {
  return {start, predicted_velocity(store, slot), store.angular_velocity[slot]};
}

double closing_speed(const Path& a, double spin_radius_a, const Path& b, double dt) {
  const Vec3 relative = a.velocity - b.velocity;
  double speed = relative.norm();
  const double turn_b = b.angular_velocity.norm();
  if (turn_b > 0.0) {
    speed += turn_b * ((a.start.position - b.start.position).norm() + relative.norm() * dt);
  }
  return speed + spin_radius_a * (a.angular_velocity.norm() + turn_b);
}

bool paths_touch(const ShapeLibrary& shapes, const Path& a, const Shape& shape_a, const Path& b,
                 const Shape& shape_b, double gap, double touch, double dt) {
  constexpr int kSteps = 64;
  const double speed = closing_speed(a, spin_radius(shape_a, shapes), b, dt);
  double t = 0.0;
  for (int k = 0; k < kSteps; ++k) {
    if (gap <= touch) return true;
    if (gap - touch >= speed * (dt - t)) return false;
    t += (gap - 0.5 * touch) / speed;
    gap = contacts_between(shape_a, a.at(t), shape_b, b.at(t), shapes, 0.0).deepest().gap;
  }
  return true;  // grazing for so long is as good as touching
}

}  // namespace scree
