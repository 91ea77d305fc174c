#include "scree/contact/reach.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "scree/geometry/shapes/shape_queries.hpp"
#include "scree/geometry/shapes/sphere.hpp"

namespace scree {
namespace {

/// How far the surface may leave the straight way from its pose at the start to that at the end.
double sagitta(double spin, double angle) {
  if (angle == 0.0) return 0.0;
  return spin * (1.0 - std::cos(0.5 * std::min(angle, 2.0 * std::numbers::pi)));
}

/// The speed at which turning moves the surface of the body in @p slot, m/s.
double turning_speed(const Store& store, std::int32_t slot) {
  if (store.shape[slot].is<Sphere>()) return 0.0;
  const double spin = store.angular_velocity[slot].norm();
  return spin > 0.0 ? spin * spin_radius(store.shape[slot], *store.shapes) : 0.0;
}

}  // namespace

double margin(const Store& store, std::int32_t slot, const Reach& reach) {
  const double linear = std::sqrt(
      std::max(predicted_velocity(store, slot).squaredNorm(), store.velocity[slot].squaredNorm()));
  const double speed = linear + turning_speed(store, slot);
  return std::min(speed * reach.dt, reach.smallest_radius) + rest_margin(reach);
}

/// swept_box() of a ball, which turning does not move.
Box3 swept_ball(const Store& store, std::int32_t slot, double radius, const Reach& reach) {
  const Vec3& start = store.position[slot];
  const Vec3 way = reach.dt * predicted_velocity(store, slot);
  const Vec3 size = Vec3::Constant(radius);
  const Vec3 extra = Vec3::Constant(margin(store, slot, reach) + reach.spare);
  const Vec3 low = start - size;
  const Vec3 high = start + size;
  return {low.cwiseMin(low + way) - extra, high.cwiseMax(high + way) + extra};
}

Box3 swept_box(const Store& store, std::int32_t slot, const Reach& reach) {
  const Shape& shape = store.shape[slot];
  if (const auto* ball = shape.get_if<Sphere>()) {
    return swept_ball(store, slot, ball->radius, reach);
  }
  const Vec3 velocity = predicted_velocity(store, slot);
  const Pose start = pose_of(store, slot);
  const double rho = spin_radius(shape, *store.shapes);
  const Vec3 spin = rho > 0.0 ? store.angular_velocity[slot] : Vec3::Zero();
  const Box3 a = box_of(shape, start, *store.shapes);
  const Box3 b = spin.isZero(0.0)
                     ? a.shifted(reach.dt * velocity)
                     : box_of(shape, moved(start, velocity, spin, reach.dt), *store.shapes);
  const double turn = spin.norm() * reach.dt;
  const double arc = turn > 0.0 ? sagitta(rho, turn) : 0.0;
  const Vec3 extra = Vec3::Constant(arc + margin(store, slot, reach) + reach.spare);
  return {a.low.cwiseMin(b.low) - extra, a.high.cwiseMax(b.high) + extra};
}

Box3 with_images(Box3 box, const PeriodicCell& cell) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!cell.repeats(axis)) continue;
    box.low[axis] = -std::numeric_limits<double>::infinity();
    box.high[axis] = std::numeric_limits<double>::infinity();
  }
  return box;
}

void update_boxes(Store& store, const Reach& reach) {
  for (std::int32_t slot = 0; slot < store.end_owned(); ++slot) {
    const Box3 box = swept_box(store, slot, reach);
    store.box[slot] = store.is_tool(slot) ? with_images(box, reach.cell) : box;
  }
}

}  // namespace scree
